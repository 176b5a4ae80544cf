/** An interval for a share that keeps its level for rare events, too. */

import { binomialCdf } from './distributions.ts';
import { type NoFigure, noFigure } from './figure.ts';
import { requireCounts, requireShare } from './inputs.ts';
import type { Interval } from './wilson.ts';

/**
 * Use it where the share is rare and the interval is compared with a limit (answers made worse, say); `wilson` otherwise,
 * `exactShare` for a promise. The interval holds the shares that an exact binomial test does not reject, if only half of the probability of the count at
 * hand is counted (Berry and Armitage, The Statistician 44:417, 1995). Wilson's interval covers a rare share too seldom: of 50
 * with a true share of 2% it holds it in 92% of samples, because a count of 3 already excludes it; this one does not.
 * The exact interval of Clopper and Pearson covers too often instead.
 *
 * @param count of successes, a whole number of at most `of`
 * @param confidence in (0, 1), default .95
 * @returns no figure where there is nothing to count
 * @throws RangeError for what is no count
 */
export function midPInterval(count: number, of: number, confidence = 0.95): Interval | NoFigure {
  requireCounts('successes', count, of);
  requireShare('confidence', confidence);
  if (count > of) throw new RangeError(`${count} of ${of} is no count`);
  if (of === 0) return noFigure('there is nothing to count');
  const tail = (1 - confidence) / 2;
  const upTo = (most: number, share: number) => (most < 0 ? 0 : binomialCdf(most, of, share));
  /** Probability of fewer than `count`, and half of that of `count` itself: falls as the share grows. */
  const below = (share: number) => (upTo(count, share) + upTo(count - 1, share)) / 2;
  return {
    low: count === 0 ? 0 : crossing((share) => below(share) - (1 - tail)),
    high: count === of ? 1 : crossing((share) => below(share) - tail),
  };
}

/** Where a function that falls from above 0 to below it, over [0, 1], crosses it; halved until nothing is left. */
function crossing(falling: (share: number) => number): number {
  let [low, high] = [0, 1];
  for (let middle = 0.5; low < middle && middle < high; middle = (low + high) / 2)
    if (falling(middle) > 0) low = middle;
    else high = middle;
  return high;
}
