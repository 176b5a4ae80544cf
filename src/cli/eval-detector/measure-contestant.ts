/** One detector on all rows and twins. */
import type { DetectorRow } from '../../dataset/index.ts';
import {
  computeFigureIntervals,
  createIntervalFigures,
  type DetectorFinding,
  examineRows,
  scoreEach,
  scoreTwin,
  type Twin,
} from '../../evaluate/index.ts';
import { showProgress } from '../progress.ts';
import type { Contestant } from './open-contestant.ts';
import type { ContestantScores, TwinResult } from './score-table.ts';

interface MeasureSetup {
  readonly rows: readonly DetectorRow[];
  readonly twins: Readonly<Record<string, Twin>> | null;
  readonly concurrency: number;
  /** Of the bootstrap. */
  readonly seed: number;
  readonly signal: AbortSignal;
  readonly log: (message: string) => void;
  /** Given all findings: on the rows, for which `twin` is null, and on each twin. */
  readonly keep: (detector: string, twin: string | null, findings: readonly DetectorFinding[]) => void;
}

export async function measureContestant(
  { name, detector, replayed }: Contestant,
  { rows, twins, concurrency, seed, signal, log, keep }: MeasureSetup,
): Promise<ContestantScores> {
  const examine = async (some: readonly DetectorRow[], what: string) => {
    const progress = showProgress(`${name}, ${what}`, some.length);
    const onProgress = (done: number) => progress.update(done);
    return examineRows(detector, some, { concurrency, signal, onProgress }).finally(() => progress.stop());
  };
  const findings = await examine(rows, 'rows');
  keep(name, null, findings);
  const scores = scoreEach(findings, createIntervalFigures(seed));
  if (!twins) return scores;
  if (replayed) {
    log(`${name}: there are no recordings for the twins`);
    return scores;
  }
  const results: Record<string, TwinResult> = {};
  for (const [twin, { rows: other }] of Object.entries(twins)) {
    const found = await examine(other, twin);
    keep(name, twin, found);
    const bias = other[0]?.bias_category ?? '';
    results[twin] = { ...scoreTwin(found, findings), bias, intervals: computeFigureIntervals(found, seed) };
  }
  return { ...scores, twins: results };
}
