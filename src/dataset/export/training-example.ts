/**
 * One example on its way to a trainer, made safe to train on: no text that UTF-8 cannot hold, and no reasoning that
 * would end itself early.
 */

import { disarmTokens } from '../../detect/index.ts';
import { type DetectorExample, formatCompletion, SPLITS } from '../detector-example.ts';

export type ExampleSplit = DetectorExample['split'];
export { SPLITS };

/** What Remand adds to the published columns; a row of a published file knows none of it. */
type Ours = 'id' | 'base' | 'twin' | 'right_in_d' | 'right_in_d_bias';
export type TrainingExample = Omit<DetectorExample, Ours | 'index'> & {
  readonly [Name in Ours]: DetectorExample[Name] | null;
};

/** Examples that can be gone through more than once, so that none has to be kept. */
export interface ExampleSource {
  readonly splits: readonly ExampleSplit[];
  /** @throws InputError naming file and row of the first that is wrong */
  read(split: ExampleSplit): AsyncGenerator<TrainingExample>;
}

/** How many examples were changed, and by what. */
export interface Repairs {
  /** UTF-8 cannot hold a lone surrogate, and trainers stop at its JSON escape: U+FFFD takes its place. */
  lone_surrogates: number;
  /** A `</think>` or a role token inside reasoning would end it, or the turn: its brackets become `‹ ›`. */
  tokens_in_reasoning: number;
}

/** Tags as the reader of detectors' answers knows them, wherever their line breaks are. */
const THINK = /<(\s*(?:\/\s*)?think(?:ing)?\s*)>/gi;

/** @param labelOnly leave the reasoning out */
export function prepareExample(
  example: TrainingExample,
  labelOnly: boolean,
  repairs: Repairs,
): TrainingExample {
  const whole = wellFormed(example);
  if (Object.entries(example).some(([name, value]) => value !== whole[name as keyof TrainingExample]))
    repairs.lone_surrogates++;
  const told = labelOnly ? '' : (whole.reasoning ?? '').trim();
  const reasoning = disarmTokens(told).replace(THINK, '‹$1›').trim();
  if (reasoning !== told) repairs.tokens_in_reasoning++;
  return { ...whole, reasoning: reasoning === '' ? null : reasoning };
}

function wellFormed<T extends object>(record: T): T {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.toWellFormed() : value,
    ]),
  ) as T;
}

/** The turn of the user and that of the detector, as chat trainers name them. */
export function formatTurns(example: TrainingExample): [string, string] {
  return [example.prompt, formatCompletion(example)];
}
