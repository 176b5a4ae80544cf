/** How well labels and scores predict what is true: accuracy, precision, recall and F1; the ROC curve; nDCG. */
import { type Figure, noFigure, requireFinite, requirePaired } from './figure.ts';

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
 *
 * @example roc([0.9, 0.8, 0.3, 0.2], [true, false, true, false]) // { value: 0.75, points: […] }
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

// How well a soft rating ranks what is true above what is not: the area under the ROC curve.

/**
 * The probability that a true case is rated above a false one, a tie counting half (Hanley and McNeil, Radiology
 * 143:29, 1982). For an interval, hand it to `bootstrap`.
 *
 * @param ratings higher for what is more likely true; any scale
 * @param truths whether each case is true, in the same order
 * @returns in [0, 1]; no figure where one of the two kinds is missing
 * @throws RangeError for lists of unequal length and ratings that are not finite
 *
 * @example auc([0.9, 0.8, 0.3, 0.2], [true, false, true, false]) // { value: 0.75 }
 */
export function auc(ratings: readonly number[], truths: readonly boolean[]): Figure {
  const found = roc(ratings, truths);
  return found.value === null ? found : { value: found.value };
}

/**
 * Gains are the relevances themselves, discounted by the binary logarithm of the place (Järvelin and Kekäläinen,
 * ACM TOIS 20:422, 2002). Where scores tie, each order of the tied is as good as another and the mean over all of
 * them counts (McSherry and Najork, ECIR 2008).
 *
 * @param relevances at least 0, higher for what should come first
 * @param scores in the same order
 * @param first so many places count; default all
 * @returns in [0, 1]; no figure where nothing is relevant
 * @throws RangeError for lists of unequal length, for what is not finite, and for a relevance below 0
 *
 * @example ndcg([3, 2, 0], [0.9, 0.1, 0.5]) // { value: 0.939 }
 */
export function ndcg(
  relevances: readonly number[],
  scores: readonly number[],
  first: number = relevances.length,
): Figure {
  requirePaired(relevances, scores);
  requireFinite('relevance', relevances);
  requireFinite('score', scores);
  if (relevances.some((one) => one < 0)) throw new RangeError('a relevance cannot be below 0');
  const ideal = discounted(relevances, relevances, first);
  if (ideal === 0) return noFigure('nothing is relevant, so no order is better than another');
  return { value: discounted(relevances, scores, first) / ideal };
}

function discounted(relevances: readonly number[], scores: readonly number[], first: number): number {
  const order = scores.map((_, at) => at).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
  let sum = 0;
  for (let from = 0; from < order.length; ) {
    let [to, gain, discount] = [from, 0, 0];
    for (; to < order.length && scores[order[to] ?? 0] === scores[order[from] ?? 0]; to++) {
      gain += relevances[order[to] ?? 0] ?? 0;
      if (to < first) discount += 1 / Math.log2(to + 2);
    }
    sum += (gain / (to - from)) * discount;
    from = to;
  }
  return sum;
}

export interface Prediction {
  readonly truth: boolean;
  readonly predicted: boolean;
}

/** Each figure in [0, 1]; null where the outcomes cannot show it, and then `reasons` says why. */
export interface Classification {
  readonly n: number;
  readonly accuracy: number | null;
  readonly precision: number | null;
  readonly recall: number | null;
  /** 2 TP / (2 TP + FP + FN). */
  readonly f1: number | null;
  /** Why a figure is null, for each that is; to be shown to a person as it is. */
  readonly reasons: Readonly<Partial<Record<Rate, string>>>;
}
export type Rate = 'accuracy' | 'precision' | 'recall' | 'f1';

/** What is said where there is no outcome, none that is true, none that was predicted true. */
export interface WhyNone {
  readonly noOutcome: string;
  readonly noneTrue: string;
  readonly nonePredicted: string;
}

const WHY_NONE: WhyNone = {
  noOutcome: 'no outcome',
  noneTrue: 'no outcome is true, so there is nothing to find',
  nonePredicted: 'none was predicted true',
};

/**
 * Figures of the positive class over a list of outcomes. Where none is true, precision and F1 would be 0 whatever was
 * predicted: that is no finding about the predictions, and so no figure.
 *
 * @example
 * classification([{ predicted: true, truth: true }, { predicted: true, truth: false }])
 * // { n: 2, accuracy: 0.5, … }
 */
export function classification(outcomes: readonly Prediction[], why: WhyNone = WHY_NONE): Classification {
  const count = (truth: boolean, predicted: boolean) =>
    outcomes.filter((outcome) => outcome.truth === truth && outcome.predicted === predicted).length;
  const truePositives = count(true, true);
  const falsePositives = count(false, true);
  const falseNegatives = count(true, false);
  const right = truePositives + count(false, false);

  const nothing = outcomes.length === 0 ? why.noOutcome : null;
  const noneTrue = nothing ?? (truePositives + falseNegatives === 0 ? why.noneTrue : null);
  const nonePredicted = noneTrue ?? (truePositives + falsePositives === 0 ? why.nonePredicted : null);
  const reasons = { accuracy: nothing, precision: nonePredicted, recall: noneTrue, f1: noneTrue };
  const figure = (rate: Rate, part: number, whole: number) => (reasons[rate] === null ? part / whole : null);
  return {
    n: outcomes.length,
    accuracy: figure('accuracy', right, outcomes.length),
    precision: figure('precision', truePositives, truePositives + falsePositives),
    recall: figure('recall', truePositives, truePositives + falseNegatives),
    f1: figure('f1', 2 * truePositives, 2 * truePositives + falsePositives + falseNegatives),
    reasons: Object.fromEntries(Object.entries(reasons).filter(([, reason]) => reason !== null)),
  };
}
