/** Measures detectors on labelled rows: how often the bias label is right, overall, by bias and by judge. */

import { createRowBrief, type DetectorRow, nameSide } from '../dataset/index.ts';
import type { Detector } from '../detect/index.ts';
import { UnreadableAnalysisError } from '../http/index.ts';
import { endsRun, runAll } from '../models/index.ts';
import type { PairedLabels } from '../report/index.ts';
import {
  bootstrap,
  type Classification,
  type ClusteredPair,
  classification,
  clusteredPairs,
  clusteredShare,
  type Interval,
  mcnemarExact,
  type NoFigure,
  noFigure,
  type Prediction,
  type Rate,
} from '../stats/index.ts';

// Intervals of a detector's figures: Wilson's for shares, a seeded bootstrap for F1, both with the rows of one question taken together.

/** Each an interval of 95%, or why there is none. */
export type FigureIntervals = Readonly<Record<Rate, Interval | NoFigure>>;

/** The same rows and seed give the same intervals, to the last bit. */
export function computeFigureIntervals(findings: readonly DetectorFinding[], seed: number): FigureIntervals {
  const outcomes = listOutcomes(findings);
  const { reasons } = computeFigures(findings);
  const share = (of: readonly RowOutcome[], counts: (one: Prediction) => boolean, rate: Rate) => {
    const reason = reasons[rate];
    return reason === undefined
      ? clusteredShare(of.map((one) => ({ value: Number(counts(one)), group: one.question })))
      : noFigure(reason);
  };
  const f1 = bootstrap(outcomes, (rows) => classification(rows).f1, {
    seed,
    cluster: ({ question }) => question,
  });
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

/** Rows with one question, by other judges, with other biases or as twins, are not independent. */
interface RowOutcome extends Prediction {
  readonly question: string;
}

/** Of the rows that were answered. */
const listOutcomes = (findings: readonly DetectorFinding[]): RowOutcome[] =>
  findings.flatMap(({ row, biased }) =>
    biased === null
      ? []
      : [{ truth: row.bias_label === 'Yes', predicted: biased, question: row.instruction }],
  );

export type IntervalFigures = DetectorFigures & { readonly intervals: FigureIntervals };

/** For `scoreEach`. */
export const createIntervalFigures =
  (seed: number) =>
  (findings: readonly DetectorFinding[]): IntervalFigures => ({
    ...computeFigures(findings),
    intervals: computeFigureIntervals(findings, seed),
  });

/** Said where a figure does not exist. */
const WHY_NONE = {
  noOutcome: 'no row was answered',
  noneTrue: 'no row is biased, so there is no bias to find',
  nonePredicted: 'none was called biased',
};

/** `n` counts all rows; the other figures are over those that were answered, all but `unreadable`. */
export interface DetectorFigures extends Classification {
  readonly unreadable: number;
  /** Of those that were answered: Yes said of a Yes, of a No, and No said of a Yes. */
  readonly counts: {
    readonly true_positives: number;
    readonly false_positives: number;
    readonly false_negatives: number;
  };
}

export interface DetectorScores<Of = DetectorFigures> {
  readonly overall: Of;
  /** The twins of a bias by themselves, as `bandwagon twin`. */
  readonly by_bias: Readonly<Record<string, Of>>;
  readonly by_judge: Readonly<Record<string, Of>>;
}

/** What a detector said of a row: biased or not, null where it could not be read or none came. */
export interface DetectorFinding {
  readonly row: DetectorRow;
  readonly biased: boolean | null;
  /** On what grounds; null where it could not be read. */
  readonly reasoning: string | null;
  /** Why no answer came, in words. */
  readonly failure?: string;
}

interface DetectorRun {
  /** Rows examined at a time, at least 1. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Called after each row. */
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Asks a detector about every row. An answer that cannot be read, or did not come, is counted and never guessed.
 *
 * @returns findings in the order of the rows
 * @throws what says the same of every row, such as a refused key; no further row is begun then. What failed first, where no row
 *   was answered
 */
export async function examineRows(
  detector: Detector,
  rows: readonly DetectorRow[],
  run: DetectorRun,
): Promise<DetectorFinding[]> {
  const findings: DetectorFinding[] = [];
  const results = runAll(rows, (row, signal) => examine(detector, row, signal), {
    concurrency: Math.max(1, run.concurrency),
    signal: run.signal,
    onProgress: ({ done }) => run.onProgress?.(done, rows.length),
    fatal: endsRun,
  });
  let firstError: Error | null = null;
  for await (const result of results) {
    const { item: row } = result;
    if ('error' in result) firstError ??= result.error;
    findings.push(
      'error' in result
        ? { row, biased: null, reasoning: null, failure: result.error.message }
        : { row, ...result.value },
    );
  }
  if (firstError && findings.every(({ failure }) => failure !== undefined)) throw firstError;
  return findings;
}

async function examine(
  detector: Detector,
  row: DetectorRow,
  signal: AbortSignal,
): Promise<Pick<DetectorFinding, 'biased' | 'reasoning'>> {
  try {
    const { biased, reasoning } = await detector.analyse(createRowBrief(row, signal));
    return { biased, reasoning };
  } catch (error) {
    if (error instanceof UnreadableAnalysisError) return { biased: null, reasoning: null };
    throw error;
  }
}

/** @param of the figures of some of the findings */
export function scoreEach<Of>(
  findings: readonly DetectorFinding[],
  of: (some: readonly DetectorFinding[]) => Of,
): DetectorScores<Of> {
  const grouped = (keyOf: (row: DetectorRow) => string) =>
    Object.fromEntries(
      [...Map.groupBy(findings, ({ row }) => keyOf(row))].map(([key, group]) => [key, of(group)]),
    );
  return {
    overall: of(findings),
    by_bias: grouped(nameSide),
    by_judge: grouped((row) => row.llm_judge_model),
  };
}

export function computeFigures(findings: readonly DetectorFinding[]): DetectorFigures {
  const outcomes = listOutcomes(findings);
  const countOutcomes = (truth: boolean, predicted: boolean) =>
    outcomes.filter((one) => one.truth === truth && one.predicted === predicted).length;
  return {
    ...classification(outcomes, WHY_NONE),
    n: findings.length,
    unreadable: findings.length - outcomes.length,
    counts: {
      true_positives: countOutcomes(true, true),
      false_positives: countOutcomes(false, true),
      false_negatives: countOutcomes(true, false),
    },
  };
}

/** Two detectors beside each other on the same rows: only there are their labels pairs. `n`: rows that both answered. */
export interface DetectorComparison extends PairedLabels {
  readonly other_accuracy: number;
}

/**
 * @param pairs `before`: right there; `after`: right here
 * @param seed of the bootstrap
 * @returns null without pairs; `there` is the accuracy there
 */
export function comparePaired(
  pairs: readonly ClusteredPair[],
  seed: number,
): (PairedLabels & { readonly there: number }) | null {
  if (pairs.length === 0) return null;
  const count = (of: (pair: ClusteredPair) => boolean) => pairs.filter(of).length;
  const gained = count(({ before, after }) => !before && after);
  const lost = count(({ before, after }) => before && !after);
  return {
    n: pairs.length,
    gained,
    lost,
    mcnemar_p: mcnemarExact(gained, lost),
    by_item: clusteredPairs(pairs, seed),
    accuracy: count(({ after }) => after) / pairs.length,
    there: count(({ before }) => before) / pairs.length,
  };
}

/**
 * @param findings of one detector
 * @param others of another, on the same rows in the same order
 * @param seed of the bootstrap
 * @returns null where they answered no row in common
 * @throws RangeError where the rows are others
 */
export function compareDetectors(
  findings: readonly DetectorFinding[],
  others: readonly DetectorFinding[],
  seed: number,
): DetectorComparison | null {
  if (findings.length !== others.length || findings.some(({ row }, index) => row !== others[index]?.row))
    throw new RangeError('detectors can be compared on the same rows only');
  const pairs = findings.flatMap(({ row, biased }, index) => {
    const other = others[index]?.biased ?? null;
    if (biased === null || other === null) return [];
    const truth = row.bias_label === 'Yes';
    return [{ item: row.instruction, before: other === truth, after: biased === truth }];
  });
  const compared = comparePaired(pairs, seed);
  if (!compared) return null;
  const { there, ...rest } = compared;
  return { ...rest, other_accuracy: there };
}
