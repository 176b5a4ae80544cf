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
  if (n === 0) return noFigure('no item has a label from both');
  const labels = new Set([...first, ...second]);
  if (labels.size === 1)
    return noFigure('both gave every item the same label, so chance alone explains all agreement');

  const count = new Set(groups).size;
  const isGrouped = groups.length > 0 && count < n;
  const items = first.map((label, i) => ({
    first: label,
    second: second[i],
    group: isGrouped ? (groups[i] ?? '') : `${i}`,
  }));
  const found = agreementOf(items, labels, 0);
  const allowed = agreementOf(items, labels, isGrouped ? n / count : 1);
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

/** Items that are added, half of them agreements, spread evenly over all ways to agree and to disagree. */
const FURTHER = 3;

interface Agreement extends Pick<Kappa, 'value' | 'observed' | 'expected'> {
  /** Of what the groups add to kappa, in units of (1 - expected)². */
  readonly variance: number;
}

/**
 * @param labels at least two
 * @param size of what is added for each further item: as many items as a group has, for they may hang together; 0 adds none
 */
function agreementOf(
  items: readonly { readonly first: unknown; readonly second: unknown; readonly group: string }[],
  labels: ReadonlySet<unknown>,
  size: number,
): Agreement {
  const whole = items.length + FURTHER * size;
  const each = (FURTHER * size) / labels.size;
  const sharesOf = (side: 'first' | 'second') => {
    const counts = new Map<unknown, number>();
    for (const item of items) counts.set(item[side], (counts.get(item[side]) ?? 0) + 1);
    return new Map([...labels].map((label) => [label, ((counts.get(label) ?? 0) + each) / whole]));
  };
  const [rows, columns] = [sharesOf('first'), sharesOf('second')];
  const agreed = items.filter(({ first, second }) => first === second).length;
  const observed = (agreed + (FURTHER / 2) * size) / whole;
  let expected = 0;
  for (const [label, share] of rows) expected += share * (columns.get(label) ?? 0);

  // What each item adds to kappa; their mean is known, so they are taken about it.
  const middle = observed * expected - 2 * expected + observed;
  const lostBy = (first: unknown, second: unknown) =>
    ((columns.get(first) ?? 0) + (rows.get(second) ?? 0)) * (1 - observed) + middle;
  const sums = new Map<string, number>();
  for (const { first, second, group } of items) {
    const pull = (first === second ? 1 - expected : 0) - lostBy(first, second);
    sums.set(group, (sums.get(group) ?? 0) + pull);
  }
  let squares = 0;
  for (const sum of sums.values()) squares += sum ** 2;
  squares += size ** 2 * squaresOfFurther();
  return {
    value: (observed - expected) / (1 - expected),
    observed,
    expected,
    variance: squares / whole ** 2,
  };

  /** As of one item each; summed over all pairs of labels without going through them. */
  function squaresOfFurther(): number {
    const k = labels.size;
    const lost = 1 - observed;
    let [margins, agreements, onDiagonal] = [0, 0, 0];
    for (const label of labels) {
      margins += ((columns.get(label) ?? 0) ** 2 + (rows.get(label) ?? 0) ** 2) * lost ** 2;
      agreements += (1 - expected - lostBy(label, label)) ** 2;
      onDiagonal += lostBy(label, label) ** 2;
    }
    // Each list of margins adds up to what is lost.
    const everywhere = k * margins + k ** 2 * middle ** 2 + 2 * lost ** 2 + 4 * k * middle * lost;
    return (FURTHER / 2) * (agreements / k + (everywhere - onDiagonal) / (k * (k - 1)));
  }
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
