/** The mean of some numbers, with its interval. */

import { tQuantile } from './distributions.ts';
import { type Figure, noFigure } from './figure.ts';
import type { Interval } from './wilson.ts';

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

/**
 * Student's interval (Biometrika 6:1, 1908). Meant for counts and other numbers of similar size: the sum of squares
 * of numbers that are far from 0 and close to each other loses their spread.
 *
 * @param confidence in (0, 1), default .95
 * @returns no figure where there is no number
 */
export function mean({ n, sum, squares }: Moments, confidence = 0.95): Figure<Mean> {
  if (n === 0) return noFigure('no numbers');
  const value = sum / n;
  if (n === 1) return { value, n, interval: null };
  const error = Math.sqrt(Math.max(0, squares - n * value ** 2) / (n - 1) / n);
  const reach = tQuantile(1 - (1 - confidence) / 2, n - 1) * error;
  return { value, n, interval: { low: value - reach, high: value + reach } };
}
