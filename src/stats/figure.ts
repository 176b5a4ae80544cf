/** What every statistic takes and answers: counts and lists that are checked, and a figure or the reason why there is none. */

/** Both ends count. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Never 0 and never NaN for a figure that does not exist; `reason` can be shown to a person as it is. */
export interface NoFigure {
  readonly value: null;
  readonly reason: string;
}

/** Null in place of the reason. */
export const toInterval = (found: Interval | NoFigure): Interval | null => ('low' in found ? found : null);

/** A result whose main figure is `value`, or why there is none: `if (result.value === null)` tells them apart. */
export type Figure<Details extends { readonly value: number } = { readonly value: number }> =
  | Details
  | NoFigure;

/** @example noFigure('no pair differs') // { value: null, reason: 'no pair differs' } */
export function noFigure(reason: string): NoFigure {
  return { value: null, reason };
}

/** Which side a test looks at: the values are `greater`, `less`, or either (`two-sided`). */
export type Alternative = 'two-sided' | 'greater' | 'less';

/** @throws RangeError for a count that is negative or not whole */
export function requireCounts(what: string, ...counts: readonly number[]): void {
  for (const count of counts) {
    if (!Number.isSafeInteger(count) || count < 0)
      throw new RangeError(`a count of ${what} must be a whole number, not ${count}`);
  }
}

/** @throws RangeError for NaN and the infinities */
export function requireFinite(what: string, values: readonly number[]): void {
  const at = values.findIndex((value) => !Number.isFinite(value));
  if (at >= 0) throw new RangeError(`${what} ${at + 1} of ${values.length} is ${values[at]}, not a number`);
}

/** @throws RangeError for lists that cannot be read as pairs */
export function requirePaired(first: readonly unknown[], second: readonly unknown[]): void {
  if (first.length !== second.length)
    throw new RangeError(`${first.length} values cannot be paired with ${second.length}`);
}

/** For confidence, level and power. @throws RangeError for what is not strictly between 0 and 1 */
export function requireShare(what: string, share: number): void {
  if (!(share > 0 && share < 1)) throw new RangeError(`${what} must be between 0 and 1, not ${share}`);
}

/** Beside the numbers it was made of. What rounding leaves of ordinary scores is a thousand times less, and no judge's spread is so small. */
const ROUNDING = 1e-10;

/**
 * Sums and differences of decimals leave a rest: 7.2 - 7.1 is 0.10000000000000053. A spread that is nothing but such a rest would
 * make any shift certain.
 *
 * @param value a difference, or a spread in the units of the numbers
 * @param size of the largest number that it was made of, as `sizeOf` gives it
 * @returns 0 where the value is no more than rounding
 *
 * @example dropRounding(0.1 + 0.2 - 0.3, 0.3) // 0
 */
export const dropRounding = (value: number, size: number): number =>
  Math.abs(value) <= ROUNDING * size ? 0 : value;

/**
 * How far from 0 the farthest value is; of any number of values.
 *
 * @example sizeOf([-3, 2]) // 3
 */
export const sizeOf = (values: readonly number[]): number =>
  values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

/** A number, and the group whose numbers are not independent of it. */
export interface GroupedValue {
  readonly value: number;
  readonly group: string;
}

/**
 * The mean, and its variance with what one group adds up to as one observation; 0 where the sums of the groups differ by rounding alone.
 *
 * @example
 * const scores = [{ value: 4, group: 'a' }, { value: 5, group: 'a' }, { value: 2, group: 'b' }];
 * const summary = summarise(scores); // the mean is 3.67, its standard error Math.sqrt(summary.variance)
 */
export function summarise(values: readonly GroupedValue[]) {
  const numbers = values.map(({ value }) => value);
  requireFinite('value', numbers);
  const n = values.length;
  const mean = values.reduce((sum, { value }) => sum + value, 0) / n;
  const sums = new Map<string, number>();
  for (const { value, group } of values) sums.set(group, (sums.get(group) ?? 0) + value - mean);
  const groups = sums.size;
  const squares = [...sums.values()].reduce((sum, one) => sum + one ** 2, 0);
  const error = Math.sqrt((groups / (groups - 1)) * squares) / n;
  return { mean, groups, variance: dropRounding(error, sizeOf(numbers)) ** 2 };
}

// Holm's correction: p-values that may be read one by one though many were computed.

/**
 * Each adjusted p-value is the smallest level at which Holm's step-down procedure rejects its hypothesis while the
 * chance of any false rejection stays within that level (Holm, Scandinavian Journal of Statistics 6:65, 1979).
 *
 * @param pValues each in [0, 1], of one family of tests
 * @returns the adjusted p-values in [0, 1], in the order of the given ones
 * @throws RangeError for what is no p-value
 *
 * @example holm([0.01, 0.04, 0.03]) // [0.03, 0.06, 0.06]
 */
export function holm(pValues: readonly number[]): number[] {
  const bad = pValues.find((p) => !(p >= 0 && p <= 1));
  if (bad !== undefined) throw new RangeError(`a p-value lies in [0, 1], unlike ${bad}`);
  const order = pValues.map((p, i) => [p, i] as const).sort(([a], [b]) => a - b);
  const adjusted = new Array<number>(pValues.length).fill(1);
  let largest = 0;
  order.forEach(([p, i], step) => {
    largest = Math.max(largest, Math.min(1, p * (pValues.length - step)));
    adjusted[i] = largest;
  });
  return adjusted;
}

/**
 * A share of 1 in percent. 0.0% and 100.0% are said of none and of all alone.
 *
 * @example formatPercent(3_999 / 4_000) // '>99.9%'
 */
export function formatPercent(share: number): string {
  const percent = dropRounding(100 * share, 100);
  const some = Math.abs(percent);
  if (some > 0 && some < 0.05) return percent < 0 ? '>−0.1%' : '<0.1%';
  const missing = dropRounding(100 - some, 100);
  if (missing > 0 && missing <= 0.05) return percent < 0 ? '<−99.9%' : '>99.9%';
  return `${percent.toFixed(1).replace('-', '−')}%`;
}
