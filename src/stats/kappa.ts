/** Cohen's kappa: how much two judges agree beyond what their habits alone would make them agree. */
import { normalQuantile, tQuantile } from './distributions.ts';
import { type Figure, type Interval, noFigure, requirePaired, requireShare, summarise } from './figure.ts';

export interface Kappa {
  /** In [-1, 1]: 1 is full agreement, 0 what chance gives, below 0 less than chance. */
  readonly value: number;
  readonly n: number;
  /** Share of agreement, in [0, 1]. */
  readonly observed: number;
  /** The share that the two judges' own frequencies give by chance, in [0, 1). */
  readonly expected: number;
  readonly standardError: number;
  /**
   * Normal interval of large samples, kept within [-1, 1]. Where the labels show no spread (full agreement, or a judge that gave one
   * label throughout), it is as wide as the share of others that so many items could all have missed (Clopper and Pearson's for none
   * of n).
   */
  readonly interval: Interval;
}

/**
 * For labels without an order (Cohen, Educational and Psychological Measurement 20:37, 1960). The standard error is that of
 * Fleiss, Cohen and Everitt, Psychological Bulletin 72:323, 1969.
 *
 * @param first labels of one judge, compared with `===`
 * @param second labels of the other for the same items, in the same order
 * @param confidence of the interval, in (0, 1)
 * @param groups of the items, in the same order: items of one group are not independent, and what they add up to is one
 *   observation, with Student's interval over groups; default: each item by itself
 * @returns no figure where there is no item, or where both judges gave one and the same label throughout
 * @throws RangeError for lists of unequal length
 *
 * @example cohensKappa(['a', 'b', 'a', 'b'], ['a', 'b', 'b', 'b']) // { value: 0.5, n: 4, … }
 */
export function cohensKappa<Label extends string | number | boolean>(
  first: readonly Label[],
  second: readonly Label[],
  confidence = 0.95,
  groups: readonly string[] = [],
): Figure<Kappa> {
  requirePaired(first, second);
  if (groups.length > 0) requirePaired(first, groups);
  requireShare('confidence', confidence);
  const n = first.length;
  if (n === 0) return noFigure('no item has a label from both judges');
  const rows = shares(first);
  const columns = shares(second);
  if (rows.size === 1 && columns.size === 1 && first[0] === second[0])
    return noFigure('both judges gave every item the same label, so chance alone explains all agreement');

  const observed = first.filter((label, i) => label === second[i]).length / n;
  let expected = 0;
  for (const [label, share] of rows) expected += share * (columns.get(label) ?? 0);

  // What each item adds to kappa.
  const pulls = first.map((a, i) => {
    const b = second[i];
    const chance = (columns.get(a) ?? 0) + (b === undefined ? 0 : (rows.get(b) ?? 0));
    return (a === b ? 1 : 0) * (1 - expected) - chance * (1 - observed);
  });
  const count = new Set(groups).size;
  const isGrouped = groups.length > 0 && count < n;
  const independent = isGrouped ? count : n;
  const sample = summarise(
    pulls.map((value, i) => ({ value, group: isGrouped ? (groups[i] ?? '') : `${i}` })),
  );
  // The published error of items by themselves divides by their number.
  const variance = independent < 2 ? 0 : sample.variance * (isGrouped ? 1 : (n - 1) / n);
  const value = (observed - expected) / (1 - expected);
  const standardError = Math.sqrt(variance) / (1 - expected) ** 2;
  const unseen = (1 - ((1 - confidence) / 2) ** (1 / independent)) / (1 - expected);
  const tail = 1 - (1 - confidence) / 2;
  const reach = isGrouped && count > 1 ? tQuantile(tail, count - 1) : normalQuantile(tail);
  const spread = standardError === 0 ? unseen : reach * standardError;
  const interval = { low: Math.max(-1, value - spread), high: Math.min(1, value + spread) };
  return { value, n, observed, expected, standardError, interval };
}

function shares<Label>(labels: readonly Label[]): Map<Label, number> {
  const counts = new Map<Label, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return new Map([...counts].map(([label, count]) => [label, count / labels.length]));
}

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
