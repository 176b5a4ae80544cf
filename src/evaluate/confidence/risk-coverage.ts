/** How often a judge is wrong where it is surest: the risk at a coverage, and the area below the curve. */

/** An item that was judged: how sure the judge is, and how right it is, from 0 to 1. */
export interface ScoredItem {
  readonly confidence: number;
  readonly credit: number;
}

/**
 * The mean error of the surest share of the items. Where several are as sure as the last one that fits, which of them are
 * in is left to chance, and the expected error is told: to put the right ones in front would flatter the judge.
 *
 * @param coverage in (0, 1]; so many items as fit whole, but one at least
 * @returns null without items
 */
export function riskAt(items: readonly ScoredItem[], coverage: number): number | null {
  if (items.length === 0) return null;
  const kept = Math.max(1, Math.floor(coverage * items.length + 1e-9));
  let left = kept;
  let right = 0;
  for (const [, equal] of bySureness(items)) {
    const taken = Math.min(left, equal.length);
    right += (taken / equal.length) * equal.reduce((sum, { credit }) => sum + credit, 0);
    left -= taken;
    if (left === 0) break;
  }
  return 1 - right / kept;
}

/**
 * The mean risk over all coverages from one item to all (Geifman and El-Yaniv, arXiv 1805.08206): lower is better, and
 * a judge that knows nothing of its errors has its error rate.
 */
export function areaUnderRisk(items: readonly ScoredItem[]): number | null {
  if (items.length === 0) return null;
  let before = 0;
  let right = 0;
  let sum = 0;
  for (const [, equal] of bySureness(items)) {
    const credit = equal.reduce((all, one) => all + one.credit, 0);
    for (let n = 1; n <= equal.length; n++) sum += 1 - (right + (n / equal.length) * credit) / (before + n);
    right += credit;
    before += equal.length;
  }
  return sum / items.length;
}

const bySureness = (items: readonly ScoredItem[]) =>
  [...Map.groupBy(items, ({ confidence }) => confidence)].sort(([a], [b]) => b - a);
