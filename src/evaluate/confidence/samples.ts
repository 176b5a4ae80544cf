/** What more samples of a judge are worth, and how many of them cannot change its verdict any more. */
import { combineDraws, creditOf } from '../../loop/index.ts';
import type { ItemLabel, JudgedItem, PastJudgment } from './past-judgment.ts';

export interface SampleCount {
  readonly samples: number;
  readonly n: number;
  readonly accuracy: number;
  /** Samples drawn per item where drawing ends once the rest cannot change the verdict. */
  readonly drawn: number;
}

/**
 * Accuracy with the first so many samples of each item.
 *
 * @param scale of the scores, by which it is known what the samples to come could change; null where it is not known
 * @returns null where no item has a verdict
 */
export function accuracyWith(
  items: readonly JudgedItem[],
  samples: number,
  scale: readonly [number, number] | null,
): SampleCount | null {
  let n = 0;
  let right = 0;
  let drawn = 0;
  for (const { label, draws } of items) {
    const first = draws.filter(({ sample = 0 }) => sample < samples);
    const verdict = combineDraws(first);
    if (!verdict || label === null) continue;
    n++;
    right += creditOf(verdict, label);
    drawn += countDrawn(first, samples, scale);
  }
  return n === 0 ? null : { samples, n, accuracy: right / n, drawn: drawn / n };
}

function countDrawn(
  draws: readonly PastJudgment[],
  samples: number,
  scale: readonly [number, number] | null,
): number {
  for (let drawn = 1; drawn < samples; drawn++)
    if (isDecided(draws.slice(0, drawn), samples - drawn, scale)) return drawn;
  return samples;
}

/**
 * Whether no further draws can change the verdict: its lead is larger than all that they could give another value.
 *
 * @param left draws that are still to come
 * @param scale of the scores
 */
export function isDecided(
  draws: readonly PastJudgment[],
  left: number,
  scale: readonly [number, number] | null,
): boolean {
  const scores = draws.flatMap(({ scores: some }) => (some ? [some] : []));
  if (scores.length > 0) {
    if (!scale) return false;
    const sums = (scores[0] ?? []).map((_, option) =>
      scores.reduce((sum, one) => sum + (one[option] ?? 0), 0),
    );
    const [first = 0, second = 0] = sums.toSorted((a, b) => b - a);
    return first - second > left * (scale[1] - scale[0]);
  }
  const counts = new Map<ItemLabel, number>();
  for (const { choice, pass } of draws) {
    const value = choice ?? pass;
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const [first = 0, second = 0] = [...counts.values()].sort((a, b) => b - a);
  return first - second > left;
}
