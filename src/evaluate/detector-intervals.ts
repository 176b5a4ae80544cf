/** Intervals of a detector's figures: Wilson's for shares, a seeded bootstrap over the rows for F1. */
import {
  bootstrap,
  classification,
  type Interval,
  type NoFigure,
  noFigure,
  type Prediction,
  type Rate,
  wilson,
} from '../stats/index.ts';
import type { DetectorFigures, DetectorFinding } from './detector.ts';
import { computeFigures } from './detector.ts';

/** Each an interval of 95%, or why there is none. */
export interface FigureIntervals {
  readonly accuracy: Interval | NoFigure;
  readonly precision: Interval | NoFigure;
  readonly recall: Interval | NoFigure;
  readonly f1: Interval | NoFigure;
}

/** The same rows and seed give the same intervals, to the last bit. */
export function computeFigureIntervals(findings: readonly DetectorFinding[], seed: number): FigureIntervals {
  const outcomes = findings.flatMap(({ row, biased }): Prediction[] =>
    biased === null ? [] : [{ truth: row.bias_label === 'Yes', predicted: biased }],
  );
  const { reasons } = computeFigures(findings);
  const share = (of: readonly Prediction[], counts: (one: Prediction) => boolean, rate: Rate) => {
    const reason = reasons[rate];
    return reason === undefined ? wilson(of.filter(counts).length, of.length) : noFigure(reason);
  };
  const f1 = bootstrap(outcomes, (rows) => classification(rows).f1, { seed });
  return {
    accuracy: share(outcomes, ({ truth, predicted }) => truth === predicted, 'accuracy'),
    precision: share(
      outcomes.filter(({ predicted }) => predicted),
      ({ truth }) => truth,
      'precision',
    ),
    recall: share(
      outcomes.filter(({ truth }) => truth),
      ({ predicted }) => predicted,
      'recall',
    ),
    f1: reasons.f1 !== undefined ? noFigure(reasons.f1) : f1.value === null ? f1 : f1.interval,
  };
}

export type IntervalFigures = DetectorFigures & { readonly intervals: FigureIntervals };

/** For `scoreFindings`. */
export const createIntervalFigures =
  (seed: number) =>
  (findings: readonly DetectorFinding[]): IntervalFigures => ({
    ...computeFigures(findings),
    intervals: computeFigureIntervals(findings, seed),
  });
