/** Holm's correction: p-values that may be read one by one though many were computed. */

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
