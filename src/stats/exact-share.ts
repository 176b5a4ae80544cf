/** An interval of a share that keeps its level however rare the thing is. */

import { betaQuantile } from './distributions.ts';
import { type NoFigure, noFigure } from './figure.ts';
import { requireCounts, requireShare } from './inputs.ts';
import type { Interval } from './wilson.ts';

/**
 * The interval of Clopper and Pearson (Biometrika 26:404, 1934). It is too wide rather than too narrow. Use it for
 * what is promised (a false-alarm rate of one in a thousand), where `wilson` can miss its level and `midPInterval` holds it on
 * average only.
 *
 * @param count of successes, a whole number of at most `of`
 * @param confidence in (0, 1), default .95
 * @returns no figure where there is nothing to count
 * @throws RangeError for counts that are none
 */
export function exactShare(count: number, of: number, confidence = 0.95): Interval | NoFigure {
  requireCounts('cases', count, of);
  requireShare('confidence', confidence);
  if (count > of) throw new RangeError(`${count} of ${of} is no count`);
  if (of === 0) return noFigure('there is nothing to count');
  const tail = (1 - confidence) / 2;
  return {
    low: count === 0 ? 0 : betaQuantile(tail, count, of - count + 1),
    high: count === of ? 1 : betaQuantile(1 - tail, count + 1, of - count),
  };
}
