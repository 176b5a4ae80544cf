/** `remand eval judge --in …`: live judges on D and D_bias, one arm beside the other over the same first verdicts. */

import { join } from 'node:path';
import { readPairs } from '../../dataset/index.ts';
import { DEFAULT_DETECTOR, listModelDetectors } from '../../detect/index.ts';
import {
  ARMS,
  type ArmComparison,
  type ArmName,
  type ArmSummary,
  createArm,
  createArmTally,
  DEFAULT_BELOW,
  runArms,
} from '../../evaluate/index.ts';
import { systemClock } from '../../ports.ts';
import { formatJsonLine, writeWhole } from '../../records/node.ts';
import type { ResultOrigin } from '../../report/index.ts';
import { countAll, takeFirst } from '../arguments.ts';
import {
  asList,
  asNumber,
  asShare,
  asSomeOf,
  asText,
  type OptionValues,
  optional,
  usual,
} from '../command.ts';
import { type ModelArguments, withModels } from '../model-arguments.ts';
import type { Models } from '../open-models.ts';
import { formatResult, keepDate, loadPrices } from '../result-origin.ts';
import { formatTable, toPercent } from '../terminal.ts';

// The arms of a comparison for reading: a line each, and in words what is missing or cannot be told.

/** Two-sided. */
const LEVEL = 0.05;

/** One line an arm: what a reader decides by. */
export function formatArmTable(summaries: readonly ArmSummary[]): string {
  const percent = (value: number | null) => (value === null ? 'none' : toPercent(value));
  const against = (paired: ArmSummary['against_none'], but: readonly ArmName[], arm: string) =>
    paired === null || but.some((name) => name === arm)
      ? ''
      : `${paired.gained}:${paired.lost}, p ${paired.p_holm.toPrecision(2)}`;
  const table = formatTable(summaries, {
    'judge, bias': nameCases,
    arm: ({ arm }) => arm,
    pairs: ({ n }) => n,
    D: (one) => percent(one.accuracy.d.value),
    D_bias: (one) => percent(one.accuracy.d_bias.value),
    consistent: (one) => percent(one.consistency.value),
    'wrong→right': (one) => one.wrong_to_right,
    'right→wrong': (one) => one.right_to_wrong,
    calls: ({ calls }) => calls?.toFixed(2) ?? '',
    'price of 1,000': (one) => one.price_per_1000.value?.toPrecision(3) ?? '',
    seconds: ({ seconds }) => seconds.value?.toPrecision(3) ?? '',
    'risk of surest 60%': ({ risk }) => percent(risk['0.6'] ?? null),
    'area under risk': (one) => one.area_under_risk.value?.toFixed(3) ?? '',
    'against none, better:worse': (one) => against(one.against_none, ['none'], one.arm),
    // The judge alone is no answer to asking again.
    'against placebo, better:worse': (one) => against(one.against_placebo, ['none', 'placebo'], one.arm),
  });
  const isTested = summaries.some((one) => one.arm !== 'none' && one.against_none !== null);
  const said = [
    ...missing(summaries),
    ...tooFew(summaries),
    ...describeVotes(summaries),
    ...(isTested ? [TESTED] : []),
  ];
  return table + (said.length === 0 ? '' : `\n${said.join('\n')}\n`);
}

const TESTED =
  "better:worse counts verdicts on D_bias that are right in one arm and wrong in the other. p: McNemar's exact test, two-sided, corrected by Holm for all arms of one judge and bias.";

/** The judge with the bias; twins are cases of their own. */
const nameCases = ({ judge, bias, twin }: ArmSummary) => `${judge}, ${bias}${twin ? ' twin' : ''}`;

/** What each vote is worth beside the best of its judges, and how far their errors are the same ones. */
function describeVotes(summaries: readonly ArmSummary[]): string[] {
  return summaries.flatMap(({ panel, bias, twin }) => {
    if (!panel) return [];
    const { judges, n, accuracy, bestJudge, errorCorrelation, effectiveJudges } = panel;
    const together =
      errorCorrelation === null || effectiveJudges === null
        ? ''
        : ` Their errors correlate by ${errorCorrelation.toFixed(2)}: they are worth ${effectiveJudges.toFixed(1)} judges with errors of their own.`;
    return [
      `${bias}${twin ? ' twin' : ''}, a vote of ${judges.join(', ')} on ${n} judgments: ${toPercent(accuracy)}; the best alone, ${bestJudge.name}: ${toPercent(bestJudge.accuracy)}.${together}`,
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

/** Options of a comparison of judges that are asked now. */
export const armOptions = {
  arms: usual(
    asSomeOf(ARMS),
    `none,placebo,${DEFAULT_DETECTOR.name}`,
    `asked now: comma separated: ${ARMS.join(', ')}`,
  ),
  'detector-model': optional(
    asText,
    `asked now: the model of ${listModelDetectors().join(', ')} and label-only`,
  ),
  temperature: usual(asNumber, '1', 'asked now: of the samples of samples-…'),
  second: optional(asText, 'asked now: the judge to which the arm cascade sends unsure verdicts'),
  panel: optional(
    asList(';'),
    'asked now: the judges that vote with --judge in the arm judge-panel; several with ;',
  ),
  below: usual(
    asShare,
    String(DEFAULT_BELOW),
    'asked now: confidence below which abstain leaves a verdict open, and cascade sends it on',
  ),
};

interface ArmsOptions extends OptionValues<typeof armOptions>, Omit<ModelArguments, 'store'> {
  readonly origin: ResultOrigin;
  /** Folder with d.jsonl and d_bias.jsonl. */
  readonly in: string;
  /** Specifications, with `;` between them. */
  readonly judge: string;
  readonly rounds: number;
  readonly limit: number;
  readonly concurrency: number;
  readonly store: string | undefined;
}

interface ArmsResult {
  readonly arms: readonly ArmSummary[];
  readonly calls: number;
  readonly records: string;
}

/** @param report not called in a dry run */
export async function compareArms(options: ArmsOptions, report: (result: ArmsResult) => void): Promise<void> {
  const { in: folder, rounds, limit, concurrency, below, arms: names, temperature } = options;
  const store = options.store ?? join(folder, 'calls.sqlite');
  const prices = await loadPrices(options.prices);
  const tally = createArmTally(rounds, Object.keys(prices).length === 0 ? null : prices);
  const clock = systemClock;
  const pairs = () => takeFirst(readPairs(folder), limit);
  let done = 0;
  const ask = async (models: Models, signal: AbortSignal) => {
    const records = join(await models.folder(folder), 'judgments.jsonl');
    const specs = asList(';')(options.judge, '--judge');
    const judges = await models.openAll(specs, '--judge');
    const detector = await models.openOptional(options['detector-model'], '--detector-model');
    const second = await models.openOptional(options.second, '--second');
    const panel = await Promise.all((options.panel ?? []).map((spec) => models.open(spec, '--panel')));
    const samplers = await Promise.all(specs.map((spec) => models.open(spec, '--judge', { temperature })));
    const progress = models.progress('pairs', (await countAll(pairs())) * judges.length);
    await writeWhole({ records }, async (files) => {
      for (const [index, judge] of judges.entries()) {
        const sampling = samplers[index] ?? null;
        const tools = { rounds, clock, detector, sampling, second, panel, below };
        const arms = names.map((name) => createArm(name, tools));
        for await (const group of runArms(pairs(), [judge], arms, { concurrency, signal, clock })) {
          tally.add(group);
          for (const { ms: _, ...record } of group) await files.records.write(formatJsonLine(record));
          progress(++done);
        }
      }
    });
  };
  await withModels({ ...options, store }, ask, async ({ calls }) => {
    const result = { arms: tally.summaries(), calls, records: join(folder, 'judgments.jsonl') };
    const path = join(folder, 'arms.json');
    const text = formatResult(result, keepDate(path, result, options.origin));
    await writeWhole({ result: path }, (files) => files.result.write(text));
    report(result);
  });
}
