/** Rank correlations: whether two raters order the same items alike, whatever their scales. */

import { normalCdf, tCdf } from './distributions.ts';
import { type Figure, type NoFigure, noFigure } from './figure.ts';
import { requireFinite, requirePaired } from './inputs.ts';
import { midranks } from './ranks.ts';

export interface Correlation {
  /** In [-1, 1]. */
  readonly value: number;
  /** Two-sided p-value of no association in [0, 1], by a large-sample distribution: rough for fewer than ten items. */
  readonly p: number;
  readonly n: number;
}

/**
 * Spearman's rho: Pearson's correlation of the midranks, tested by t with n - 2 degrees of freedom (Kendall and
 * Gibbons, Rank Correlation Methods, 1990).
 *
 * @returns no figure for fewer than three items or where one list is constant
 * @throws RangeError for lists of unequal length and values that are not finite
 */
export function spearman(first: readonly number[], second: readonly number[]): Figure<Correlation> {
  const refused = unusable(first, second);
  if (refused) return refused;
  const n = first.length;
  const middle = (n + 1) / 2;
  const a = midranks(first).ranks.map((rank) => rank - middle);
  const b = midranks(second).ranks.map((rank) => rank - middle);
  const value = clamped(dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b)));
  const ratio = value * Math.sqrt((n - 2) / ((1 - value) * (1 + value)));
  return { value, p: Math.abs(value) === 1 ? 0 : 2 * tCdf(-Math.abs(ratio), n - 2), n };
}

/**
 * Kendall's tau-b, which allows for ties, tested by its normal approximation with the variance for ties (Kendall
 * and Gibbons 1990). Compares every pair of items: seconds for ten thousand items.
 *
 * @returns no figure for fewer than three items or where one list is constant
 * @throws RangeError for lists of unequal length and values that are not finite
 */
export function kendallTauB(first: readonly number[], second: readonly number[]): Figure<Correlation> {
  const refused = unusable(first, second);
  if (refused) return refused;
  const n = first.length;
  let balance = 0;
  for (let i = 1; i < n; i++) {
    const [a = 0, b = 0] = [first[i], second[i]];
    for (let j = 0; j < i; j++) balance += Math.sign(a - (first[j] ?? 0)) * Math.sign(b - (second[j] ?? 0));
  }
  const a = midranks(first).ties;
  const b = midranks(second).ties;
  const ordered = n * (n - 1);
  const tied = (ties: readonly number[]) => total(ties, (count) => count * (count - 1));
  const value = clamped(balance / Math.sqrt(((ordered - tied(a)) / 2) * ((ordered - tied(b)) / 2)));

  const inFives = (ties: readonly number[]) => total(ties, (count) => count * (count - 1) * (2 * count + 5));
  const inThrees = (ties: readonly number[]) => total(ties, (count) => count * (count - 1) * (count - 2));
  const variance =
    (ordered * (2 * n + 5) - inFives(a) - inFives(b)) / 18 +
    (tied(a) * tied(b)) / (2 * ordered) +
    (inThrees(a) * inThrees(b)) / (9 * ordered * (n - 2));
  return { value, p: Math.min(1, 2 * normalCdf(-Math.abs(balance) / Math.sqrt(variance))), n };
}

function unusable(first: readonly number[], second: readonly number[]): NoFigure | null {
  requirePaired(first, second);
  requireFinite('value', first);
  requireFinite('value', second);
  if (first.length < 3) return noFigure(`a rank correlation needs at least three items, not ${first.length}`);
  for (const list of [first, second]) {
    if (list.every((value) => value === list[0]))
      return noFigure(`all ${list.length} values of one list are ${list[0]}, so they order nothing`);
  }
  return null;
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}

function total(ties: readonly number[], of: (count: number) => number): number {
  return ties.reduce((sum, count) => sum + of(count), 0);
}

function clamped(correlation: number): number {
  return Math.max(-1, Math.min(1, correlation));
}
