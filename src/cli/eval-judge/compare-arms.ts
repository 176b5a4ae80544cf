/** `remand eval judge --in …`: live judges on D and D_bias, one arm beside the other over the same first verdicts. */

import { join } from 'node:path';
import { readPairs } from '../../dataset/index.ts';
import { InputError } from '../../errors.ts';
import {
  ARMS,
  type ArmComparison,
  type ArmName,
  type ArmSummary,
  createArm,
  createArmTally,
  runArms,
} from '../../evaluate/index.ts';
import { systemClock } from '../../ports.ts';
import { formatJsonLine, writeWhole } from '../../records/node.ts';
import type { ResultOrigin } from '../../report/index.ts';
import { countAll, parseOneOf, runInterruptible, takeFirst } from '../arguments.ts';
import { loadPrices, type ModelArguments, withModels } from '../model-arguments.ts';
import type { Models } from '../open-models.ts';
import { formatResult, keepDate } from '../result-origin.ts';
import { alignRows } from '../terminal.ts';

// The arms of a comparison for reading: a line each, and in words what is missing or cannot be told.

/** Two-sided. */
const LEVEL = 0.05;

/** One line an arm: what a reader decides by. */
export function formatArmTable(summaries: readonly ArmSummary[]): string {
  const percent = (value: number | null) => (value === null ? 'none' : `${(100 * value).toFixed(1)}%`);
  const against = (paired: ArmSummary['against_none'], but: readonly ArmName[], arm: string) =>
    paired === null || but.some((name) => name === arm)
      ? ''
      : `${paired.gained}:${paired.lost}, p ${paired.p_holm.toPrecision(2)}`;
  const head = [
    'judge, bias',
    'arm',
    'pairs',
    'D',
    'D_bias',
    'consistent',
    'wrong→right',
    'right→wrong',
    'calls',
    'price of 1,000',
    'seconds',
    'risk of surest 60%',
    'area under risk',
    'against none, better:worse',
    'against placebo, better:worse',
  ];
  const rows = summaries.map((one) => [
    nameCases(one),
    one.arm,
    String(one.n),
    percent(one.accuracy.d.value),
    percent(one.accuracy.d_bias.value),
    percent(one.consistency.value),
    String(one.wrong_to_right),
    String(one.right_to_wrong),
    one.calls === null ? '' : one.calls.toFixed(2),
    one.price_per_1000.value === null ? '' : one.price_per_1000.value.toPrecision(3),
    one.seconds.value === null ? '' : one.seconds.value.toPrecision(3),
    percent(one.risk['0.6'] ?? null),
    one.area_under_risk.value === null ? '' : one.area_under_risk.value.toFixed(3),
    against(one.against_none, ['none'], one.arm),
    // The judge alone is no answer to asking again.
    against(one.against_placebo, ['none', 'placebo'], one.arm),
  ]);
  const isTested = summaries.some((one) => one.arm !== 'none' && one.against_none !== null);
  const said = [
    ...missing(summaries),
    ...tooFew(summaries),
    ...describeVotes(summaries),
    ...(isTested ? [TESTED] : []),
  ];
  return alignRows([head, ...rows]) + (said.length === 0 ? '' : `\n${said.join('\n')}\n`);
}

const TESTED =
  "better:worse counts verdicts on D_bias that are right in one arm and wrong in the other. p: McNemar's exact test, two-sided, corrected by Holm for all arms of one judge and bias.";

/** The judge with the bias; twins are cases of their own. */
const nameCases = ({ judge, bias, twin }: ArmSummary) => `${judge}, ${bias}${twin ? ' twin' : ''}`;

/** What each vote is worth beside the best of its judges, and how far their errors are the same ones. */
function describeVotes(summaries: readonly ArmSummary[]): string[] {
  const percent = (share: number) => `${(100 * share).toFixed(1)}%`;
  return summaries.flatMap(({ panel, bias, twin }) => {
    if (!panel) return [];
    const { judges, n, accuracy, bestJudge, errorCorrelation, effectiveJudges } = panel;
    const together =
      errorCorrelation === null || effectiveJudges === null
        ? ''
        : ` Their errors correlate by ${errorCorrelation.toFixed(2)}: they are worth ${effectiveJudges.toFixed(1)} judges with errors of their own.`;
    return [
      `${bias}${twin ? ' twin' : ''}, a vote of ${judges.join(', ')} on ${n} judgments: ${percent(accuracy)}; the best alone, ${bestJudge.name}: ${percent(bestJudge.accuracy)}.${together}`,
    ];
  });
}

/** Why a place in the table is empty. */
function missing(summaries: readonly ArmSummary[]): string[] {
  const all = summaries.flatMap((one) => [
    ...(one.n === 0 ? [{ what: `${one.arm}: no figures`, why: one.accuracy.d.reason ?? '' }] : []),
    ...(one.price_per_1000.value === null ? [{ what: 'no price', why: one.price_per_1000.reason }] : []),
    ...(one.seconds.value === null ? [{ what: 'no seconds', why: one.seconds.reason }] : []),
  ]);
  return [...new Set(all.map(({ what, why }) => `${what}: ${why}.`))];
}

/** Comparisons that settle nothing, and those that could not have settled anything. */
function tooFew(summaries: readonly ArmSummary[]): string[] {
  return summaries.flatMap((one) =>
    (['none', 'placebo'] as const).flatMap((other) => {
      const pair = one[`against_${other}`];
      if (!pair || one.arm === 'none' || one.arm === other) return [];
      const words = unsettled(pair);
      return words === null ? [] : [`${nameCases(one)}: ${one.arm} against ${other}: ${words}.`];
    }),
  );
}

function unsettled({ gained, lost, n, p_holm: p }: ArmComparison): string | null {
  if (p < LEVEL) return null;
  const moved = gained + lost;
  if (moved === 0) return `no verdict of ${n} differs`;
  const least = 2 ** (1 - moved);
  if (least >= LEVEL)
    return `n is too small: with ${moved} verdicts that differ no p is below ${least.toPrecision(2)}`;
  return `n is too small to tell (${gained} against ${lost})`;
}

interface ArmsOptions extends Omit<ModelArguments, 'store' | 'keyVariable'> {
  readonly origin: ResultOrigin;
  /** Folder with d.jsonl and d_bias.jsonl. */
  readonly in: string;
  /** Specifications, with `;` between them. */
  readonly judge: string;
  readonly arms: string;
  readonly rounds: number;
  readonly limit: number;
  readonly concurrency: number;
  readonly detectorModel: string | undefined;
  /** Of the samples of `samples-…`. */
  readonly temperature: string;
  /** For `cascade`. */
  readonly second: string | undefined;
  /** For `judge-panel`, with `;` between them. */
  readonly panel: string | undefined;
  /** For `abstain` and `cascade`. */
  readonly below: number;
  readonly store: string | undefined;
}

interface ArmsResult {
  readonly arms: readonly ArmSummary[];
  readonly calls: number;
  readonly records: string;
}

/** @param report not called in a dry run */
export async function compareArms(options: ArmsOptions, report: (result: ArmsResult) => void): Promise<void> {
  const listed = options.arms.split(',').map((name) => parseOneOf<ArmName>('--arms', name.trim(), ARMS));
  const names = [...new Set(listed)];
  const store = options.store ?? join(options.in, 'calls.sqlite');
  const prices = await loadPrices(options.prices);
  const tally = createArmTally(options.rounds, Object.keys(prices).length === 0 ? null : prices);
  let done = 0;
  const ask = async (models: Models) => {
    const records = join(await models.folder(options.in), 'judgments.jsonl');
    const specs = options.judge.split(';').map((spec) => spec.trim());
    const judges = await Promise.all(specs.map((spec) => models.open(spec, '--judge')));
    const detector =
      options.detectorModel === undefined
        ? null
        : await models.open(options.detectorModel, '--detector-model');
    if (new Set(judges.map(({ name }) => name)).size < judges.length)
      throw new InputError('--judge', 'has two judges of one name; tell them apart as name=model@url');
    const second = options.second === undefined ? null : await models.open(options.second, '--second');
    const panel = await Promise.all(
      (options.panel?.split(';') ?? []).map((spec) => models.open(spec.trim(), '--panel')),
    );
    const samplers = await Promise.all(
      specs.map((spec) => models.open(spec, '--judge', { temperature: Number(options.temperature) })),
    );
    const rows = await countAll(takeFirst(readPairs(options.in), options.limit));
    const progress = models.progress('pairs', rows * judges.length);
    await runInterruptible((signal) =>
      writeWhole({ records }, async (files) => {
        for (const [index, judge] of judges.entries()) {
          const sampling = samplers[index] ?? null;
          const tools = {
            ...{ rounds: options.rounds, clock: systemClock, detector, sampling },
            ...{ second, panel, below: options.below },
          };
          const arms = names.map((name) => createArm(name, tools));
          const pairs = takeFirst(readPairs(options.in), options.limit);
          for await (const group of runArms(pairs, [judge], arms, {
            concurrency: options.concurrency,
            signal,
            clock: systemClock,
          })) {
            tally.add(group);
            for (const { ms: _, ...record } of group) await files.records.write(formatJsonLine(record));
            progress(++done);
          }
        }
      }),
    );
  };
  await withModels({ ...options, store, keyVariable: 'JUDGE_API_KEY' }, ask, async ({ calls }) => {
    const result = { arms: tally.summaries(), calls, records: join(options.in, 'judgments.jsonl') };
    const path = join(options.in, 'arms.json');
    const text = formatResult(result, keepDate(path, result, options.origin));
    await writeWhole({ result: path }, (files) => files.result.write(text));
    report(result);
  });
}
