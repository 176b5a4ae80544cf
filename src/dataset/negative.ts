/** Wrong worked answers from a weak model: kept only where the final number is wrong, which is checked. */
import { renderSolve } from '../../prompts/index.ts';
import type { DroppedDraft } from '../bias/index.ts';
import { finalNumber } from '../case/index.ts';
import type { Model } from '../models/index.ts';
import type { BasePair } from './base.ts';

/** @param attempts how often the model is asked for one item until it is wrong, 1 or more */
export function createNegatives(
  model: Model,
  attempts: number,
): (base: BasePair, signal: AbortSignal) => Promise<string | DroppedDraft> {
  return async (base, signal) => {
    const right = finalNumber(base.answer ?? base.positive);
    if (right === null)
      return { dropped: 'the right answer comes to no number, so a wrong one cannot be told' };
    for (let attempt = 0; attempt < attempts; attempt++) {
      const { text } = await model.ask({ ...renderSolve(base.instruction), attempt }, signal);
      const given = finalNumber(text);
      if (given !== null && Number(given) !== Number(right)) return text.trim();
    }
    return { dropped: `the weak model was right, or came to no number, ${attempts} times` };
  };
}
