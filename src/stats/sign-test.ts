/** The sign test: whether one of two things is chosen, or goes up, more often than the other. */

import { binomialCdf } from './distributions.ts';
import { type Figure, noFigure } from './figure.ts';
import { type Alternative, requireCounts } from './inputs.ts';

export interface SignTest {
  /** Exact p-value in (0, 1]. */
  readonly value: number;
  /** Share of `positive` among those that are not tied, in [0, 1]. */
  readonly share: number;
  readonly n: number;
}

/**
 * The exact binomial test of a share of one half, ties left out beforehand (Dixon and Mood, JASA 41:557, 1946).
 *
 * @param alternative `greater`: positive is the more frequent one
 * @returns no figure where both counts are 0
 * @throws RangeError for a count that is negative or not whole
 */
export function signTest(
  positive: number,
  negative: number,
  alternative: Alternative = 'two-sided',
): Figure<SignTest> {
  requireCounts('signs', positive, negative);
  const n = positive + negative;
  if (n === 0) return noFigure('nothing moved either way');
  const tails = {
    less: () => binomialCdf(positive, n, 0.5),
    greater: () => binomialCdf(negative, n, 0.5),
    'two-sided': () => Math.min(1, 2 * binomialCdf(Math.min(positive, negative), n, 0.5)),
  };
  return { value: tails[alternative](), share: positive / n, n };
}
