/**
 * When to say that answers to the same questions, asked round after round, are no longer what they were: a test that may look after
 * every round, with a declared rate of false alarms.
 */

import { requireCounts } from './figure.ts';
import { createSeededDraw } from './seeded-draw.ts';

export interface ChangeTestOptions<Answer> {
  /** From 0 for the same to 1 for as different as can be. */
  readonly distance: (a: Answer, b: Answer) => number;
  /** A whole number of 32 bits. The same rounds and seed give the same p. */
  readonly seed: number;
  /** Rearrangements that are drawn; default 4,999. */
  readonly resamples?: number;
}

/**
 * How well the latest round goes with those before it: of each question any of its answers could as well have been the latest
 * one, where nothing changed. A judge's own noise is in the earlier answers, question by question.
 *
 * @param rounds answers by round and question, the latest last; null where there is none
 * @returns p, at least 1 / (resamples + 1); 1 where fewer than two earlier rounds can tell
 *
 * @example testLatestRound([['a', 'b'], ['a', 'b'], ['a', 'b'], ['b', 'a']], { distance, seed: 1 }) // .06
 */
export function testLatestRound<Answer>(
  rounds: readonly (readonly (Answer | null)[])[],
  { distance, seed, resamples = 4_999 }: ChangeTestOptions<Answer>,
): number {
  requireCounts('resamples', resamples);
  const latest = rounds.at(-1) ?? [];
  const strangeness = latest.flatMap((now, question) => {
    if (now === null) return [];
    const earlier = rounds.slice(0, -1).flatMap((round) => round[question] ?? []);
    if (earlier.length < 2) return [];
    return [meanDistances([now, ...earlier], distance)];
  });
  // Answers that were always the same are as strange in any round.
  const telling = strangeness.filter((all) => all.some((one) => one !== all[0]));
  if (telling.length === 0) return 1;
  const seen = telling.reduce((sum, all) => sum + (all[0] ?? 0), 0);
  const draw = createSeededDraw(seed);
  let asStrange = 0;
  for (let n = 0; n < resamples; n++) {
    let sum = 0;
    for (const all of telling) sum += all[draw(all.length)] ?? 0;
    if (sum >= seen - ROUNDING) asStrange++;
  }
  return (1 + asStrange) / (1 + resamples);
}

const ROUNDING = 1e-9;

/** Of each answer to all others. */
function meanDistances<Answer>(
  answers: readonly Answer[],
  distance: (a: Answer, b: Answer) => number,
): number[] {
  return answers.map((one, i) => {
    let sum = 0;
    for (const [j, other] of answers.entries()) if (i !== j) sum += distance(one, other);
    return sum / (answers.length - 1);
  });
}

/**
 * The evidence for a change at some earlier time, round by round: the procedure of Shiryaev and Roberts on bets against each
 * round's p (an e-detector: Shin, Ramdas and Rinaldo, arXiv 2203.03532). An alarm where it reaches `rounds` comes in `rounds`
 * rounds at most once on average where nothing changes, and in any n of them with a probability of at most n / `rounds`.
 *
 * @param before 0 at the beginning and after an alarm
 * @param p of the round, from `testLatestRound`
 *
 * @example nextEvidence(3, 0.0002) // 275
 */
export const nextEvidence = (before: number, p: number): number => (before + 1) * betAgainst(p);

/** What a stake of 1 becomes: the mean over all ε in (0, 1) of ε p^(ε - 1), which nobody gains by where p is uniform. */
function betAgainst(p: number): number {
  const log = Math.log(p);
  // The limit at 1, where the quotient is 0 by 0.
  return Math.abs(log) < 1e-4 ? 0.5 : (1 - p + p * log) / (p * log ** 2);
}
