/**
 * What a promised risk costs and keeps: half of the items of recorded judges labelled, 1,000 times; how often the other half
 * breaks the promise, how much is answered, and how much a threshold that knows the truth would answer.
 *
 *     node bench/promises.ts judgments.jsonl … (records with labels, as `remand eval judge --records` reads them)
 */

import {
  calibrateConfidence,
  calibrationError,
  scoreItems,
} from '../src/evaluate/confidence/calibrate-confidence.ts';
import { promiseRisk, type ScoredItem } from '../src/evaluate/confidence/promise-risk.ts';
import { groupJudgments, pastJudgment } from '../src/evaluate/index.ts';
import { applyCurve } from '../src/loop/index.ts';
import { readAllJsonl } from '../src/records/node.ts';
import { createSeededDraw } from '../src/stats/index.ts';

/** That a curve is learned on. */
const LABELS = 200;

export const RISKS = [0.05, 0.1, 0.2] as const;

export interface PromiseSplits {
  /** Splits in which a promise could be made. */
  readonly made: number;
  /** Share of all splits in which it was made and not kept. */
  readonly broken: number;
  /** Mean share of the other half that is answered, over the splits with a promise. */
  readonly coverage: number;
  /** The same for the lowest threshold that keeps the risk on that half, which nobody knows beforehand. */
  readonly best: number;
}

/** @returns one for each risk, all of the same splits */
export function splitMany(
  items: readonly ScoredItem[],
  risks: readonly number[],
  confidence: number,
  splits: number,
): PromiseSplits[] {
  const sums = risks.map((risk) => ({ risk, made: 0, broken: 0, coverage: 0, best: 0 }));
  const half = Math.floor(items.length / 2);
  for (let seed = 0; seed < splits; seed++) {
    const order = shuffleItems(items, seed);
    const [labelled, rest] = [order.slice(0, half), order.slice(half)];
    for (const sum of sums) {
      const { risk } = sum;
      const { kept } = promiseRisk(labelled, risk, confidence);
      if (!kept) continue;
      sum.made++;
      const answered = rest.filter((one) => one.confidence >= kept.threshold);
      const errors = answered.filter(({ credit }) => credit < 1).length;
      if (errors > risk * answered.length) sum.broken++;
      sum.coverage += answered.length / rest.length;
      sum.best += mostAnswered(rest, risk) / rest.length;
    }
  }
  return sums.map(({ made, broken, coverage, best }) => {
    const over = Math.max(1, made);
    return { made, broken: broken / splits, coverage: coverage / over, best: best / over };
  });
}

/** The most items above one threshold of which at most a share `risk` is wrong. */
function mostAnswered(items: readonly ScoredItem[], risk: number): number {
  let [answered, errors, most] = [0, 0, 0];
  for (const [, equal] of [...Map.groupBy(items, (one) => one.confidence)].sort(([a], [b]) => b - a)) {
    answered += equal.length;
    errors += equal.filter(({ credit }) => credit < 1).length;
    if (errors <= risk * answered) most = answered;
  }
  return most;
}

/**
 * A curve learned on so many labels, on the items that are left: its calibration error in each of several draws, the smallest first.
 *
 * @returns none where a draw leaves too few to learn from
 */
export function calibrateMany(items: readonly ScoredItem[], labels: number, draws: number): number[] {
  return Array.from({ length: draws }, (_, seed) => {
    const order = shuffleItems(items, seed);
    const learned = calibrateConfidence(order.slice(0, labels), seed);
    if (typeof learned === 'string') return [];
    const rest = order.slice(labels).map(({ confidence, credit }) => ({
      probability: applyCurve(learned.curve, confidence),
      credit,
    }));
    return [calibrationError(rest)];
  })
    .flat()
    .sort((a, b) => a - b);
}

export function shuffleItems<T>(items: readonly T[], seed: number): T[] {
  const draw = createSeededDraw(seed);
  const order = items.map((item) => ({ item, key: draw(2 ** 31) }));
  return order.sort((a, b) => a.key - b.key).map(({ item }) => item);
}

async function main(paths: readonly string[]): Promise<void> {
  if (paths.length === 0) throw new Error('give files of judgments');
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  console.log('| judge | items | risk | made in | broken in | answered | with the truth known |');
  console.log('|---|---:|---:|---:|---:|---:|---:|');
  const calibrated: string[] = [];
  for (const path of paths)
    for (const [judge, judged] of groupJudgments(await readAllJsonl(path, pastJudgment, path))) {
      const items = scoreItems(judged);
      const errors = items.length > LABELS + 100 ? calibrateMany(items, LABELS, 200) : [];
      const at = (share: number) => (errors[Math.floor(share * (errors.length - 1))] ?? 0).toFixed(3);
      if (errors.length > 0)
        calibrated.push(
          `| ${judge} | ${items.length - LABELS} | ${at(0.5)} | ${at(0.025)} to ${at(0.975)} |`,
        );
      for (const [n, { made, broken, coverage, best }] of splitMany(items, RISKS, 0.9, 1000).entries()) {
        const shown = made === 0 ? ['none', 'none'] : [percent(coverage), percent(best)];
        console.log(
          `| ${judge} | ${items.length} | ${RISKS[n]} | ${percent(made / 1000)} | ${percent(broken)} | ${shown.join(' | ')} |`,
        );
      }
    }
  console.log(
    `\n| judge | items left of ${LABELS} labels | calibration error, median of 200 draws | 95 % of them |`,
  );
  console.log('|---|---:|---:|---:|');
  for (const line of calibrated) console.log(line);
}

if (import.meta.main) await main(process.argv.slice(2));
