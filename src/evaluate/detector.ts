/** Measures detectors on labelled rows: how often the bias label is right, overall, by bias and by judge. */

import { createRowBrief, type DetectorRow } from '../dataset/index.ts';
import type { Detector } from '../detect/index.ts';
import { UnreadableAnalysisError } from '../http/index.ts';
import { runAll } from '../models/index.ts';
import { type Classification, classification, type Prediction } from '../stats/index.ts';

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
  readonly by_bias: Readonly<Record<string, Of>>;
  readonly by_judge: Readonly<Record<string, Of>>;
}

/** What a detector said of a row: biased or not, null where it could not be read. */
export interface DetectorFinding {
  readonly row: DetectorRow;
  readonly biased: boolean | null;
  /** On what grounds; null where it could not be read. */
  readonly reasoning: string | null;
}

interface DetectorRun {
  /** Rows examined at a time, at least 1. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Called after each row. */
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Asks a detector about every row. An unreadable answer is counted, never guessed.
 *
 * @returns findings in the order of the rows
 * @throws whatever else the detector throws; no further row is begun then
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
    fatal: () => true,
  });
  for await (const result of results) {
    if ('error' in result) throw result.error;
    findings.push({ row: result.item, ...result.value });
  }
  return findings;
}

async function examine(
  detector: Detector,
  row: DetectorRow,
  signal: AbortSignal,
): Promise<Omit<DetectorFinding, 'row'>> {
  try {
    const { biased, reasoning } = await detector.analyse(createRowBrief(row, signal));
    return { biased, reasoning };
  } catch (error) {
    if (error instanceof UnreadableAnalysisError) return { biased: null, reasoning: null };
    throw error;
  }
}

export function scoreFindings(findings: readonly DetectorFinding[]): DetectorScores {
  return scoreEach(findings, computeFigures);
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
    by_bias: grouped((row) => row.bias_category),
    by_judge: grouped((row) => row.llm_judge_model),
  };
}

export function computeFigures(findings: readonly DetectorFinding[]): DetectorFigures {
  const outcomes = findings.flatMap(({ row, biased }): Prediction[] =>
    biased === null ? [] : [{ truth: row.bias_label === 'Yes', predicted: biased }],
  );
  const counted = (truth: boolean, predicted: boolean) =>
    outcomes.filter((one) => one.truth === truth && one.predicted === predicted).length;
  return {
    ...classification(outcomes, WHY_NONE),
    n: findings.length,
    unreadable: findings.length - outcomes.length,
    counts: {
      true_positives: counted(true, true),
      false_positives: counted(false, true),
      false_negatives: counted(true, false),
    },
  };
}
