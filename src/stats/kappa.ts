/** Cohen's kappa: how much two judges agree beyond what their habits alone would make them agree. */
import { normalQuantile, tQuantile } from './distributions.ts';
import { dropRounding, type Figure, type Interval, noFigure, requirePaired, requireShare } from './figure.ts';

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
   * Normal interval of the kappa of these items and three more, of which half agree, spread evenly over the labels: the allowance of
   * Agresti and Coull (The American Statistician 52:119, 1998) for what few items do not show. Kept within [-1, 1]; it holds `value`.
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
  const labels = new Set([...first, ...second]);
  if (labels.size === 1)
    return noFigure('both judges gave every item the same label, so chance alone explains all agreement');

  const count = new Set(groups).size;
  const isGrouped = groups.length > 0 && count < n;
  const items = first.map(
    (label, i): LabelPair => ({
      first: label,
      second: second[i],
      weight: 1,
      times: 1,
      group: isGrouped ? (groups[i] ?? '') : `${i}`,
    }),
  );
  const further = furtherPairs([...labels], isGrouped ? n / count : 1);
  const [found, allowed] = [items, [...items, ...further]].map(agreementOf) as [Agreement, Agreement];
  // The published error of items by themselves divides by their number.
  const errorOf = ({ variance, expected }: Agreement) =>
    dropRounding(Math.sqrt(variance * (isGrouped ? count / Math.max(1, count - 1) : 1)), 1 - expected) /
    (1 - expected) ** 2;
  const tail = 1 - (1 - confidence) / 2;
  const alone = isGrouped ? Number.POSITIVE_INFINITY : normalQuantile(tail);
  const reach = isGrouped && count > 1 ? tQuantile(tail, count - 1) : alone;
  const spread = reach * errorOf(allowed);
  const { value, observed, expected } = found;
  return {
    value,
    n,
    observed,
    expected,
    standardError: errorOf(found),
    interval: {
      low: Math.max(-1, Math.min(value, allowed.value - spread)),
      high: Math.min(1, Math.max(value, allowed.value + spread)),
    },
  };
}

interface LabelPair {
  readonly first: unknown;
  readonly second: unknown;
  /** Items that it stands for, and independent observations. */
  readonly weight: number;
  readonly times: number;
  readonly group: string;
}

/** Items that are added, half of them agreements. */
const FURTHER = 3;

/**
 * Spread evenly over all ways to agree and to disagree.
 *
 * @param labels at least two
 * @param size of each: as many items as a group has, for they may hang together
 */
function furtherPairs(labels: readonly unknown[], size: number): LabelPair[] {
  const k = labels.length;
  return labels.flatMap((first, i) =>
    labels.map((second, j): LabelPair => {
      const times = FURTHER / 2 / (i === j ? k : k * (k - 1));
      return { first, second, times, weight: times * size, group: `further ${i} ${j}` };
    }),
  );
}

interface Agreement extends Pick<Kappa, 'value' | 'observed' | 'expected'> {
  /** Of what the groups add to kappa, in units of (1 - expected)². */
  readonly variance: number;
}

function agreementOf(pairs: readonly LabelPair[]): Agreement {
  const whole = pairs.reduce((sum, { weight }) => sum + weight, 0);
  const agreed = pairs.reduce((sum, pair) => sum + (pair.first === pair.second ? pair.weight : 0), 0);
  const [rows, columns] = [sumWeights(pairs, 'first'), sumWeights(pairs, 'second')];
  const observed = agreed / whole;
  let expected = 0;
  for (const [label, weight] of rows) expected += (weight / whole) * ((columns.get(label) ?? 0) / whole);

  // What each item adds to kappa; their mean is known, so they are taken about it.
  const middle = observed * expected - 2 * expected + observed;
  const sums = new Map<string, number>();
  for (const { first, second, weight, times, group } of pairs) {
    const chance = ((columns.get(first) ?? 0) + (rows.get(second) ?? 0)) / whole;
    const pull = (first === second ? 1 - expected : 0) - chance * (1 - observed) - middle;
    sums.set(group, (sums.get(group) ?? 0) + (weight * pull) / whole / Math.sqrt(times));
  }
  const variance = [...sums.values()].reduce((sum, one) => sum + one ** 2, 0);
  return { value: (observed - expected) / (1 - expected), observed, expected, variance };
}

function sumWeights(pairs: readonly LabelPair[], of: 'first' | 'second'): Map<unknown, number> {
  const sums = new Map<unknown, number>();
  for (const pair of pairs) sums.set(pair[of], (sums.get(pair[of]) ?? 0) + pair.weight);
  return sums;
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
