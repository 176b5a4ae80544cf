/** Two looks at the same items: how far the share of right verdicts moved, whether by chance, and how many items would settle it. */

import { betaCdf, binomialCdf } from './distributions.ts';
import { type Figure, type Interval, noFigure, requireCounts, requireShare } from './figure.ts';
import { wilsonOf } from './share-interval.ts';

/**
 * The four ways a pair of right-or-wrong outcomes can go, as counts of items. A tie is half right: tie and right is half an item of
 * `both` and half a `gained` one; two ties are half an item of `both` and half of `neither`.
 */
export interface PairedCounts {
  /** Right before and after. */
  readonly both: number;
  /** Wrong before, right after. */
  readonly gained: number;
  /** Right before, wrong after. */
  readonly lost: number;
  /** Wrong before and after. */
  readonly neither: number;
}

export interface PairedDifference {
  /** Share right after less share right before, in [-1, 1]. */
  readonly value: number;
  readonly n: number;
  readonly interval: Interval;
}

/**
 * The interval combines Wilson's for the two shares with their correlation, and so stays within [-1, 1] and holds
 * its level where few pairs changed (Newcombe, Statistics in Medicine 17:2635, 1998, method 10). With ties it is a little wider than
 * need be: half points scatter less than the right and wrong ones it reckons with.
 *
 * @param confidence in (0, 1), default .95
 * @returns no figure where there is no pair
 * @throws RangeError for a count that is negative, or no multiple of a half
 *
 * @example
 * pairedDifference({ both: 40, gained: 9, lost: 3, neither: 8 })
 * // { value: 0.1, n: 60, interval: { low: -0.0164, high: 0.216 } }
 */
export function pairedDifference(counts: PairedCounts, confidence = 0.95): Figure<PairedDifference> {
  const { both, gained, lost, neither } = counts;
  requireCounts('half pairs', 2 * both, 2 * gained, 2 * lost, 2 * neither);
  const n = both + gained + lost + neither;
  if (n === 0) return noFigure('no pairs');

  const shareAfter = (both + gained) / n;
  const shareBefore = (both + lost) / n;
  const after = wilsonOf(shareAfter, n, confidence);
  const before = wilsonOf(shareBefore, n, confidence);
  const value = (gained - lost) / n;
  const phi = correlation(counts, n);
  const combined = (a: number, b: number) => Math.sqrt(Math.max(0, a ** 2 - 2 * phi * a * b + b ** 2));
  return {
    value,
    n,
    interval: {
      low: value - combined(shareAfter - after.low, before.high - shareBefore),
      high: value + combined(after.high - shareAfter, shareBefore - before.low),
    },
  };
}

/** Phi, taken towards 0 by n / 2 where it is positive, as method 10 asks; 0 where a margin is empty. */
function correlation({ both, gained, lost, neither }: PairedCounts, n: number): number {
  const margins = (both + gained) * (lost + neither) * (both + lost) * (gained + neither);
  if (margins === 0) return 0;
  const cross = both * neither - gained * lost;
  return (cross > 0 ? Math.max(0, cross - n / 2) : cross) / Math.sqrt(margins);
}

/**
 * Exact two-sided p-value: under the null hypothesis each of the discordant pairs is as likely to fall on one
 * side as on the other, so the smaller count follows a binomial distribution with p = 1/2
 * (Fagerland, Lydersen and Laake, BMC Med Res Methodol 13:91, 2013).
 *
 * @param gained pairs that were wrong before and right after, a whole number
 * @param lost pairs that were right before and wrong after, a whole number
 * @returns p in (0, 1]; 1 where no pair changed
 * @throws RangeError for a count that is negative or not whole
 *
 * @example mcnemarExact(13, 1) // 0.00183
 */
export function mcnemarExact(gained: number, lost: number): number {
  requireCounts('pairs', gained, lost);
  const discordant = gained + lost;
  if (discordant === 0) return 1;
  const p = 2 * binomialCdf(Math.min(gained, lost), discordant, 0.5);
  return Math.min(1, Math.max(Number.MIN_VALUE, p));
}

export interface SettleOptions {
  /** p that counts as settled, in (0, 1), default .05. */
  readonly level?: number;
  /** Wanted probability of settling, in (0, 1), default .8. */
  readonly power?: number;
  /** Where to stop looking, in discordant pairs, default 10,000. */
  readonly limit?: number;
}

/**
 * The smallest number of further discordant pairs after which the exact McNemar test of all pairs, old and new,
 * has at least the probability `power` of p ≤ `level`, where each new pair gains with the probability
 * (gained + 1) / (gained + lost + 2). That is conditional power under the trend so far (Lachin, Statistics in
 * Medicine 24:2747, 2005), with Laplace's rule for the trend, so that three gains of three are not taken for
 * certainty. It is a plan and no test: whoever tests again after each batch errs more often than `level`.
 * In labelled cases it is this number divided by the share of cases whose verdict changes.
 *
 * @returns 0 where the pairs at hand already settle it; no figure where no pair changed, as many gained as lost,
 * or `limit` pairs are not enough
 * @throws RangeError for a count that is negative or not whole, a level or power not within (0, 1)
 *
 * @example discordantNeeded(9, 3) // { value: 23 }
 */
export function discordantNeeded(gained: number, lost: number, options: SettleOptions = {}): Figure {
  const { level = 0.05, power = 0.8, limit = 10_000 } = options;
  requireCounts('pairs', gained, lost, limit);
  requireShare('level', level);
  requireShare('power', power);
  const had = gained + lost;
  if (had === 0) return noFigure('no pair changed, so there is no trend to go by');
  if (mcnemarExact(gained, lost) <= level) return { value: 0 };
  if (gained === lost) return noFigure(`as many gained as lost (${gained}), so there is no trend to go by`);

  const trend = (gained + 1) / (had + 2);
  let critical = -1;
  for (let more = 0; had + more <= limit; more++) {
    // The largest smaller count that is significant; it grows by at most one with each pair.
    while (2 * binomialCdf(critical + 1, had + more, 0.5) <= level) critical++;
    const settled = atMost(critical - lost, more, 1 - trend) + atMost(critical - gained, more, trend);
    if (settled >= power) return { value: more };
  }
  return noFigure(
    `${limit} discordant pairs would not settle it: ${gained} gained and ${lost} lost is too even`,
  );
}

function atMost(count: number, of: number, share: number): number {
  return count < 0 ? 0 : binomialCdf(count, of, share);
}

/**
 * The posterior probability that more than half of all changed verdicts are gains. The share of gains among
 * discordant pairs has a Beta prior; after the counts it follows Beta(gained + a, lost + a), and the mass above
 * one half is an incomplete beta function (Gelman et al., Bayesian Data Analysis, 2013).
 *
 * @param gained pairs that were wrong before and right after, a whole number
 * @param lost pairs that were right before and wrong after, a whole number
 * @param prior `uniform`: a = 1; `jeffreys`: a = 1/2
 * @returns in [0, 1]; .5, the prior's own, where no pair changed
 * @throws RangeError for a count that is negative or not whole
 *
 * @example probabilityOfGain(13, 1) // 1
 */
export function probabilityOfGain(
  gained: number,
  lost: number,
  prior: 'uniform' | 'jeffreys' = 'uniform',
): number {
  requireCounts('pairs', gained, lost);
  const added = prior === 'uniform' ? 1 : 0.5;
  return betaCdf(0.5, lost + added, gained + added);
}
