/** The mean of some numbers with its interval, and whether paired scores stayed the same within a margin (TOST). */
import { tCdf, tQuantile } from './distributions.ts';
import {
  dropRounding,
  type Figure,
  type Interval,
  noFigure,
  requireFinite,
  requireShare,
  sizeOf,
} from './figure.ts';

export interface Mean {
  readonly value: number;
  readonly n: number;
  /** Null for a single number, which says nothing about the spread. */
  readonly interval: Interval | null;
}

/** Of numbers that were added up as they came: a run of any length needs no list of them. */
export interface Moments {
  readonly n: number;
  readonly sum: number;
  readonly squares: number;
}

/** @example mean(sumUp([1, 2, 3])).value // 2 */
export function sumUp(values: readonly number[]): Moments {
  let [sum, squares] = [0, 0];
  for (const value of values) {
    sum += value;
    squares += value ** 2;
  }
  return { n: values.length, sum, squares };
}

/** NaN where there is no number. */
export const average = (values: readonly number[]): number => sumUp(values).sum / values.length;

/**
 * Student's interval (Biometrika 6:1, 1908). Meant for counts and other numbers of similar size: the sum of squares
 * of numbers that are far from 0 and close to each other loses their spread.
 *
 * @param confidence in (0, 1), default .95
 * @returns no figure where there is no number
 * @throws RangeError for a confidence outside (0, 1)
 *
 * @example mean({ n: 3, sum: 6, squares: 14 }) // { value: 2, n: 3, interval: { low: -0.484, high: 4.48 } }
 */
export function mean({ n, sum, squares }: Moments, confidence = 0.95): Figure<Mean> {
  requireShare('confidence', confidence);
  if (n === 0) return noFigure('no numbers');
  const value = sum / n;
  if (n === 1) return { value, n, interval: null };
  const error = Math.sqrt(Math.max(0, squares - n * value ** 2) / (n - 1) / n);
  const reach = tQuantile(1 - (1 - confidence) / 2, n - 1) * error;
  return { value, n, interval: { low: value - reach, high: value + reach } };
}

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
 *
 * @example equivalence([0.1, -0.1, 0.05, -0.05, 0], 0.5) // { value: 0.0000726, pLower: 0.0000726, … }
 */
export function equivalence(
  differences: readonly number[],
  margin: number,
  level = 0.05,
): Figure<Equivalence> {
  requireFinite('difference', differences);
  if (!(margin > 0 && margin < Infinity)) throw new RangeError(`a margin must be above 0, not ${margin}`);
  requireShare('twice the level', 2 * level);
  const n = differences.length;
  if (n < 2) return noFigure(`a t-test needs at least two pairs, not ${n}`);
  const mean = differences.reduce((sum, difference) => sum + difference, 0) / n;
  const squares = differences.reduce((sum, difference) => sum + (difference - mean) ** 2, 0);
  const standardError = dropRounding(Math.sqrt(squares / (n - 1) / n), sizeOf(differences));
  if (standardError === 0)
    return noFigure(`all ${n} differences are ${differences[0]}, so their spread is unknown`);

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
