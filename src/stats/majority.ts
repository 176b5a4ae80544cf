/**
 * What most of several say.
 *
 * @param keyOf values with the same key say the same
 * @returns the first value of the largest group; null where there is none, or two groups are equally large
 *
 * @example findMajority(['A', 'B', 'A'], (one) => one) // 'A'
 */
export function findMajority<T>(values: readonly T[], keyOf: (value: T) => unknown): T | null {
  const groups = [...Map.groupBy(values, keyOf).values()].sort((a, b) => b.length - a.length);
  const [first, second] = groups;
  return first && first.length > (second?.length ?? 0) ? (first[0] ?? null) : null;
}
