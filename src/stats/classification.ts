/** How well a yes/no label is predicted: accuracy, precision, recall and F1, with nothing made up where a figure is undefined. */

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
