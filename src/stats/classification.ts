/** How well a yes/no label is predicted: accuracy, precision, recall and F1, with nothing made up where a figure is undefined. */

export interface Outcome {
  readonly truth: boolean;
  readonly predicted: boolean;
}

/** Each figure in [0, 1]; null where its denominator is 0 (no outcome, no predicted or no true positive). */
export interface Classification {
  readonly n: number;
  readonly accuracy: number | null;
  readonly precision: number | null;
  readonly recall: number | null;
  /** 2 TP / (2 TP + FP + FN), which is defined wherever anything is, or should have been, positive. */
  readonly f1: number | null;
}

/** Figures of the positive class over a list of outcomes. */
export function classification(outcomes: readonly Outcome[]): Classification {
  const count = (truth: boolean, predicted: boolean) =>
    outcomes.filter((outcome) => outcome.truth === truth && outcome.predicted === predicted).length;
  const truePositives = count(true, true);
  const falsePositives = count(false, true);
  const falseNegatives = count(true, false);
  return {
    n: outcomes.length,
    accuracy: ratio(truePositives + count(false, false), outcomes.length),
    precision: ratio(truePositives, truePositives + falsePositives),
    recall: ratio(truePositives, truePositives + falseNegatives),
    f1: ratio(2 * truePositives, 2 * truePositives + falsePositives + falseNegatives),
  };
}

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
