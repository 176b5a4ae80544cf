/** How well a soft rating ranks what is true above what is not: the area under the ROC curve. */
import { type Figure, noFigure } from './figure.ts';
import { requireFinite, requirePaired } from './inputs.ts';
import { midranks } from './ranks.ts';

/**
 * The probability that a true case is rated above a false one, a tie counting half (Hanley and McNeil, Radiology
 * 143:29, 1982). For an interval, hand it to `bootstrap`.
 *
 * @param ratings higher for what is more likely true; any scale
 * @param truths whether each case is true, in the same order
 * @returns in [0, 1]; no figure where one of the two kinds is missing
 * @throws RangeError for lists of unequal length and ratings that are not finite
 */
export function auc(ratings: readonly number[], truths: readonly boolean[]): Figure {
  requirePaired(ratings, truths);
  requireFinite('rating', ratings);
  const positives = truths.filter(Boolean).length;
  const negatives = truths.length - positives;
  if (positives === 0) return noFigure('no case is true, so there is nothing to rank above the rest');
  if (negatives === 0) return noFigure('every case is true, so there is nothing to rank below');
  const sum = midranks(ratings).ranks.reduce((total, rank, i) => total + (truths[i] ? rank : 0), 0);
  return { value: (sum - (positives * (positives + 1)) / 2) / (positives * negatives) };
}
