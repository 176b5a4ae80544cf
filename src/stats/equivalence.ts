/** Whether paired scores stayed the same within a margin: two one-sided tests (TOST). */

import { tCdf, tQuantile } from './distributions.ts';
import { type Figure, noFigure } from './figure.ts';
import { requireFinite, requireShare } from './inputs.ts';
import type { Interval } from './wilson.ts';

export interface TwoOneSided {
  /** The larger of the two p-values: the scores are equivalent at a level that this does not exceed. */
  readonly value: number;
  /** Against a mean (or location) at or below `-margin`. */
  readonly pLower: number;
  /** Against a mean (or location) at or above `margin`. */
  readonly pUpper: number;
  readonly n: number;
}

export interface Equivalence extends TwoOneSided {
  /** In the units of the scores, as are the standard error and the interval. */
  readonly mean: number;
  readonly standardError: number;
  /** At the confidence 1 - 2 level, so 90% by default: within the margin exactly where `value` is below `level`. */
  readonly interval: Interval;
}

/**
 * Two one-sided t-tests on paired differences (Schuirmann, J Pharmacokinet Biopharm 15:657, 1987).
 *
 * @param differences after less before, one for each pair
 * @param margin above 0, in the units of the scores: the smallest shift that would matter
 * @param level of each one-sided test, in (0, .5)
 * @returns no figure for fewer than two pairs, and where all differences are equal, so that they show no spread
 * @throws RangeError for a difference that is not finite, and for a margin or level out of range
 */
export function equivalence(
  differences: readonly number[],
  margin: number,
  level = 0.05,
): Figure<Equivalence> {
  requireFinite('difference', differences);
  requireMargin(margin);
  requireShare('twice the level', 2 * level);
  const n = differences.length;
  if (n < 2) return noFigure(`a t-test needs at least two pairs, not ${n}`);
  if (differences.every((difference) => difference === differences[0]))
    return noFigure(`all ${n} differences are ${differences[0]}, so their spread is unknown`);

  const mean = differences.reduce((sum, difference) => sum + difference, 0) / n;
  const squares = differences.reduce((sum, difference) => sum + (difference - mean) ** 2, 0);
  const standardError = Math.sqrt(squares / (n - 1) / n);
  const pLower = tCdf(-(mean + margin) / standardError, n - 1);
  const pUpper = tCdf((mean - margin) / standardError, n - 1);
  const spread = tQuantile(1 - level, n - 1) * standardError;
  return {
    value: Math.max(pLower, pUpper),
    pLower,
    pUpper,
    n,
    mean,
    standardError,
    interval: { low: mean - spread, high: mean + spread },
  };
}

function requireMargin(margin: number): void {
  if (!(margin > 0 && margin < Infinity)) throw new RangeError(`a margin must be above 0, not ${margin}`);
}
