/** Every trade-off that a score offers between what it finds and what it wrongly flags: the ROC curve. */
import { type Figure, noFigure } from './figure.ts';
import { requireFinite, requirePaired } from './inputs.ts';
import { midranks } from './ranks.ts';

export interface RocPoint {
  /** What is rated at least so high is flagged; infinite at the first point, where nothing is. */
  readonly threshold: number;
  /** Share of the false cases that is flagged, in [0, 1]. */
  readonly fpr: number;
  /** Share of the true cases that is flagged, in [0, 1]. */
  readonly tpr: number;
}

export interface Roc {
  /** The area under the curve, a tie counting half. */
  readonly value: number;
  /** From (0, 0) to (1, 1), one point for each rating that occurs. */
  readonly points: readonly RocPoint[];
}

/**
 * @param ratings higher for what is more likely true; any scale
 * @param truths whether each case is true, in the same order
 * @returns no figure where one of the two kinds is missing
 * @throws RangeError for lists of unequal length and ratings that are not finite
 */
export function roc(ratings: readonly number[], truths: readonly boolean[]): Figure<Roc> {
  requirePaired(ratings, truths);
  requireFinite('rating', ratings);
  const positives = truths.filter(Boolean).length;
  const negatives = truths.length - positives;
  if (positives === 0) return noFigure('no case is true, so there is nothing to rank above the rest');
  if (negatives === 0) return noFigure('every case is true, so there is nothing to rank below');
  const order = ratings.map((_, at) => at).sort((a, b) => (ratings[b] ?? 0) - (ratings[a] ?? 0));
  const points: RocPoint[] = [{ threshold: Number.POSITIVE_INFINITY, fpr: 0, tpr: 0 }];
  let [hits, alarms, area] = [0, 0, 0];
  for (let from = 0; from < order.length; ) {
    const threshold = ratings[order[from] ?? 0] ?? 0;
    const [hitsBefore, alarmsBefore] = [hits, alarms];
    for (; from < order.length && ratings[order[from] ?? 0] === threshold; from++) {
      if (truths[order[from] ?? 0]) hits++;
      else alarms++;
    }
    area += ((alarms - alarmsBefore) * (hits + hitsBefore)) / 2;
    points.push({ threshold, fpr: alarms / negatives, tpr: hits / positives });
  }
  return { value: area / (positives * negatives), points };
}

/** How well a soft rating ranks what is true above what is not: the area under the ROC curve. */

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
