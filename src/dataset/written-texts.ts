/** Texts that models write for a dataset: wrong worked answers whose number is checked, and texts in another tone with a check of their claims. */
import { readSameMeaning, renderSameMeaningCheck, renderSolve, renderTone } from '../../prompts/index.ts';
import type { DroppedDraft, InjectTools, ToneTask } from '../bias/index.ts';
import { finalNumber } from '../case/index.ts';
import { type Model, settleAll } from '../models/index.ts';
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

interface RetoneOptions {
  readonly model: Model;
  /** Who says whether the meaning stayed; it may be the same model. */
  readonly checker: Model;
  /** How often a text is reworded until its meaning stays, 1 or more. */
  readonly attempts: number;
  /** Told of every rewording that was thrown away. */
  readonly onRejected?: () => void;
}

export function createRetone(options: RetoneOptions): NonNullable<InjectTools['retone']> {
  return (texts, signal) => settleAll(texts.map((task) => retoned(task, options, signal)));
}

/** @returns null where no attempt kept the meaning */
async function retoned(task: ToneTask, options: RetoneOptions, signal: AbortSignal): Promise<string | null> {
  for (let attempt = 0; attempt < options.attempts; attempt++) {
    const { text } = await options.model.ask({ ...renderTone(task), attempt }, signal);
    const reworded = text.trim();
    if (reworded !== '' && (await sameMeaning(task.text, reworded, options.checker, signal))) return reworded;
    options.onRejected?.();
  }
  return null;
}

/** A reply that is neither word is no yes. */
async function sameMeaning(
  before: string,
  after: string,
  checker: Model,
  signal: AbortSignal,
): Promise<boolean> {
  const { text } = await checker.ask(renderSameMeaningCheck(before, after), signal);
  return readSameMeaning(text) === true;
}
