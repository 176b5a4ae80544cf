/**
 * Whether corrected figures hold: 100 labels drawn 1,000 times from recorded judges; how often the interval holds what all labels
 * say, beside labels alone and the judge alone.
 *
 *     node bench/estimate.ts judgments.jsonl … (records with a label each)
 */
import { combineItem, estimateCombined } from '../src/evaluate/estimate/estimate-rate.ts';
import {
  estimateRates,
  groupJudgments,
  type LabelRecord,
  type PastJudgment,
  pastJudgment,
} from '../src/evaluate/index.ts';
import { readAllJsonl } from '../src/records/node.ts';
import { createSeededDraw, wilson } from '../src/stats/index.ts';

export interface EstimateCoverage {
  readonly judge: string;
  readonly items: number;
  /** What all labels say, and what the judge alone does. */
  readonly truth: number;
  readonly raw: number;
  /** Share of the draws in which the interval holds the truth, and its mean width. */
  readonly corrected: { readonly holds: number; readonly width: number };
  readonly labelsOnly: { readonly holds: number; readonly width: number };
  /** Whether Wilson's interval of the judge alone holds it. */
  readonly naive: boolean;
}

export function measureCoverage(
  records: readonly PastJudgment[],
  labels: number,
  draws: number,
): EstimateCoverage[] {
  const names = [...new Set(records.map(({ judge }) => judge))];
  return names.map((judge) => {
    const own = records.filter((one) => one.judge === judge);
    const [all] = estimateRates(groupJudgments(own), []);
    const truths = [...new Map(own.map(({ item, label }) => [item, label]))];
    const known = truths.flatMap(([item, label]): LabelRecord[] =>
      label === undefined ? [] : [{ item, label }],
    );
    const bare =
      groupJudgments(own.map(({ label: _, ...one }) => one))
        .get(judge)
        ?.map(combineItem) ?? [];
    const estimate = (labelled: readonly LabelRecord[]) => {
      const said = new Map(labelled.map(({ item, label }) => [item, label]));
      const items = bare.map((one) => ({ ...one, label: said.get(one.item) ?? null }));
      return estimateCombined(new Map([[judge, items]]), labelled)[0];
    };
    const sum = { holds: [0, 0], width: [0, 0] };
    // All labels: their mean is what an estimate with every label says.
    const full = estimate(known);
    const truth =
      full?.corrected.value === null ? Number.NaN : (full?.corrected.labelsOnly.value ?? Number.NaN);
    let made = 0;
    for (let seed = 0; seed < draws; seed++) {
      const draw = createSeededDraw(seed);
      const drawn = known
        .map((one) => ({ one, key: draw(2 ** 31) }))
        .sort((a, b) => a.key - b.key)
        .slice(0, labels)
        .map(({ one }) => one);
      const one = estimate(drawn);
      if (!one || one.corrected.value === null) continue;
      made++;
      for (const [n, { low, high }] of [
        one.corrected.interval,
        one.corrected.labelsOnly.interval,
      ].entries()) {
        sum.holds[n] = (sum.holds[n] ?? 0) + Number(low <= truth && truth <= high);
        sum.width[n] = (sum.width[n] ?? 0) + high - low;
      }
    }
    const items = all?.judged ?? 0;
    const raw = all?.raw ?? Number.NaN;
    const interval = wilson(Math.round(raw * items), items);
    const figure = (n: number) => ({ holds: (sum.holds[n] ?? 0) / made, width: (sum.width[n] ?? 0) / made });
    return {
      judge,
      items,
      truth,
      raw,
      corrected: figure(0),
      labelsOnly: figure(1),
      naive: 'low' in interval && interval.low <= truth && truth <= interval.high,
    };
  });
}

async function main(paths: readonly string[]): Promise<void> {
  if (paths.length === 0) throw new Error('give files of judgments with labels');
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  console.log(
    '| judge | items | all labels | judge alone | its interval holds it | corrected holds it | width | labels alone hold it | width |',
  );
  console.log('|---|---:|---:|---:|---|---:|---:|---:|---:|');
  for (const path of paths)
    for (const one of measureCoverage(await readAllJsonl(path, pastJudgment, path), 100, 1000))
      console.log(
        `| ${one.judge} | ${one.items} | ${percent(one.truth)} | ${percent(one.raw)} | ${one.naive ? 'yes' : 'no'} | ${percent(one.corrected.holds)} | ${percent(one.corrected.width)} | ${percent(one.labelsOnly.holds)} | ${percent(one.labelsOnly.width)} |`,
      );
}

if (import.meta.main) await main(process.argv.slice(2));
