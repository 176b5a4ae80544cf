/** Wilson's score interval for a share. */

import { normalQuantile } from './distributions.ts';
import { type NoFigure, noFigure } from './figure.ts';

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * The interval for a share where nothing speaks for another one: `midPInterval` is for shares near 0 that are compared
 * with a limit, `exactShare` for a promise that must not be too narrow. Unlike the plain normal interval it stays within [0, 1] and holds its level for small counts and for shares
 * near 0 or 1 (Wilson, JASA 22:209, 1927; Brown, Cai and DasGupta, Statistical Science 16:101, 2001).
 *
 * @param count of successes, a whole number of at most `of`
 * @param confidence in (0, 1), default .95
 * @returns no figure where there is nothing to count
 * @throws RangeError for what is no count
 */
export function wilson(count: number, of: number, confidence = 0.95): Interval | NoFigure {
  if (!Number.isInteger(count) || !Number.isInteger(of) || count < 0 || count > of)
    throw new RangeError(`${count} of ${of} is no count`);
  if (of === 0) return noFigure('there is nothing to count');
  const z = normalQuantile(1 - (1 - confidence) / 2);
  const share = count / of;
  const middle = share + z ** 2 / (2 * of);
  const spread = z * Math.sqrt((share * (1 - share)) / of + z ** 2 / (4 * of ** 2));
  const scale = 1 + z ** 2 / of;
  return { low: Math.max(0, (middle - spread) / scale), high: Math.min(1, (middle + spread) / scale) };
}
