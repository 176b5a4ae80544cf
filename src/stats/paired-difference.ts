/** How far a share changed between two looks at the same items, with its interval. */
import { type Figure, noFigure } from './figure.ts';
import { requireCounts } from './inputs.ts';
import { type Interval, wilson } from './wilson.ts';

/** The four ways a pair of right-or-wrong outcomes can go, as counts of items. */
export interface PairedCounts {
  /** Right before and after. */
  readonly both: number;
  /** Wrong before, right after. */
  readonly gained: number;
  /** Right before, wrong after. */
  readonly lost: number;
  /** Wrong before and after. */
  readonly neither: number;
}

export interface PairedDifference {
  /** Share right after less share right before, in [-1, 1]. */
  readonly value: number;
  readonly n: number;
  readonly interval: Interval;
}

/**
 * The interval combines Wilson's for the two shares with their correlation, and so stays within [-1, 1] and holds
 * its level where few pairs changed (Newcombe, Statistics in Medicine 17:2635, 1998, method 10).
 *
 * @param confidence in (0, 1), default .95
 * @returns no figure where there is no pair
 * @throws RangeError for a count that is negative or not whole
 */
export function pairedDifference(counts: PairedCounts, confidence = 0.95): Figure<PairedDifference> {
  const { both, gained, lost, neither } = counts;
  requireCounts('pairs', both, gained, lost, neither);
  const n = both + gained + lost + neither;
  const after = wilson(both + gained, n, confidence);
  const before = wilson(both + lost, n, confidence);
  if (!('low' in after) || !('low' in before)) return noFigure('no pairs');

  const shareAfter = (both + gained) / n;
  const shareBefore = (both + lost) / n;
  const value = (gained - lost) / n;
  const phi = correlation(counts, n);
  const combined = (a: number, b: number) => Math.sqrt(Math.max(0, a ** 2 - 2 * phi * a * b + b ** 2));
  return {
    value,
    n,
    interval: {
      low: value - combined(shareAfter - after.low, before.high - shareBefore),
      high: value + combined(after.high - shareAfter, shareBefore - before.low),
    },
  };
}

/** Phi, taken towards 0 by n / 2 where it is positive, as method 10 asks; 0 where a margin is empty. */
function correlation({ both, gained, lost, neither }: PairedCounts, n: number): number {
  const margins = (both + gained) * (lost + neither) * (both + lost) * (gained + neither);
  if (margins === 0) return 0;
  const cross = both * neither - gained * lost;
  return (cross > 0 ? Math.max(0, cross - n / 2) : cross) / Math.sqrt(margins);
}
