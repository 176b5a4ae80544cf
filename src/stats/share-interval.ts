/** Intervals for a share: Wilson's for everyday use, mid-p for rare things held against a limit, the exact one for a promise. */
import { betaQuantile, binomialCdf, normalQuantile } from './distributions.ts';
import { type NoFigure, noFigure, requireCounts, requireShare } from './figure.ts';

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
 *
 * @example wilson(3, 10) // { low: 0.108, high: 0.603 }
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

/**
 * The interval of Clopper and Pearson (Biometrika 26:404, 1934). It is too wide rather than too narrow. Use it for
 * what is promised (a false-alarm rate of one in a thousand), where `wilson` can miss its level and `midPInterval` holds it on
 * average only.
 *
 * @param count of successes, a whole number of at most `of`
 * @param confidence in (0, 1), default .95
 * @returns no figure where there is nothing to count
 * @throws RangeError for counts that are none
 *
 * @example exactShare(3, 10) // { low: 0.0667, high: 0.652 }
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
 *
 * @example midPInterval(3, 10) // { low: 0.0826, high: 0.62 }
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
