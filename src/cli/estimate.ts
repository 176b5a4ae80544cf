/** `remand estimate`: a win rate, a pass rate or a mean score from verdicts on many items and labels on some. */

import { defineCommand } from 'citty';
import { InputError } from '../errors.ts';
import {
  baselineInstruction,
  baselineVerdict,
  type ControlledRate,
  controlLength,
  controlStyle,
  ESTIMATE_COLUMNS,
  EVALUATORS,
  type EvalRecordSource,
  estimateRates,
  estimateRow,
  groupJudgments,
  labelRecord,
  pastJudgment,
  type RateEstimate,
  STYLE,
  type StyleControlledRate,
  toEvalRecord,
} from '../evaluate/index.ts';
import { formatCsvLine, readAllJsonl } from '../records/node.ts';
import type { ResultOrigin } from '../report/index.ts';
import type { Interval } from '../stats/index.ts';
import { VERSION } from '../version.ts';
import { parseOneOf, parseShare, parseWholeNumber, readTextOption } from './arguments.ts';
import { describeOrigin, formatResult } from './result-origin.ts';
import { alignRows, print } from './terminal.ts';

export const estimateCommand = defineCommand({
  args: {
    judgments: {
      type: 'string',
      description:
        'JSONL, one verdict a line (item, judge, choice or score or scores or pass or category, label, subgroup), as /remand/records gives them',
    },
    labels: { type: 'string', description: 'JSONL of labels: item, label, annotator; drawn by chance' },
    option: { type: 'string', default: '0', description: 'index of the option whose wins count' },
    category: { type: 'string', description: 'the category that counts' },
    of: {
      type: 'string',
      default: 'set',
      description: 'set: the rate of the judged items; population: of all like them',
    },
    confidence: { type: 'string', default: '0.95', description: 'confidence level of the intervals' },
    plan: {
      type: 'string',
      description: 'such as ±3: how many labels would give an interval so wide, in points',
    },
    controlled: {
      type: 'string',
      description:
        'win rates as if both texts were alike in this: length, style, or any of the covariates in --judgments; with --verdicts length alone, as AlpacaEval 2 does',
    },
    verdicts: { type: 'string', description: 'with --controlled: JSONL of model, i, pref, chars' },
    instructions: {
      type: 'string',
      description:
        'with --controlled: JSONL of i, baseline_chars, difficulty_est, and of the gamed baselines',
    },
    json: { type: 'boolean', default: false, description: 'one JSON document on standard output' },
    'every-eval-ever': {
      type: 'boolean',
      default: false,
      description:
        'a record of Every Eval Ever, to publish; needs --model, --dataset, --organization and --prompt',
    },
    model: { type: 'string', description: 'whose answers were judged, as developer/name' },
    dataset: { type: 'string', description: 'name of the items' },
    organization: { type: 'string', description: 'who publishes the figure' },
    relationship: {
      type: 'string',
      default: 'third_party',
      description: `how they stand to the model's developer: ${EVALUATORS.join(', ')}`,
    },
    prompt: { type: 'string', description: "file of the judge's prompt with its slots" },
    scale: { type: 'string', description: 'limits of a mean score, such as 1..10' },
    csv: {
      type: 'boolean',
      default: false,
      description: 'a table for spreadsheets: a line a judge and subgroup',
    },
  },
  async run(context) {
    const { args } = context;
    const origin = await describeOrigin('estimate', context);
    if (args.controlled !== undefined) {
      for (const name of ['labels', 'plan', 'category'] as const)
        if (args[name] !== undefined) throw new InputError(`--${name}`, 'does not go with --controlled');
      if (args.judgments !== undefined && args.verdicts !== undefined)
        throw new InputError('--controlled', 'takes --judgments, or --verdicts and --instructions, not both');
      if (args.judgments !== undefined)
        return await printStyleControlled(args.controlled, args.judgments, { ...args, origin });
      parseOneOf('--controlled', args.controlled, ['length'] as const);
      const rates = await controlRates(args.verdicts, args.instructions);
      return void print(args.json ? formatResult(tellRates(rates), origin) : formatRates(rates));
    }
    if (args.judgments === undefined)
      throw new InputError('--judgments', 'is needed; or --controlled, --verdicts and --instructions');
    for (const name of ['model', 'dataset', 'organization', 'prompt', 'scale'] as const)
      if (args[name] !== undefined && !args['every-eval-ever'])
        throw new InputError(`--${name}`, 'goes with --every-eval-ever');
    const labels = args.labels === undefined ? [] : await readAllJsonl(args.labels, labelRecord, '--labels');
    const judges = groupJudgments(await readAllJsonl(args.judgments, pastJudgment, '--judgments'), labels);
    const points = args.plan === undefined ? undefined : readPoints(args.plan);
    const estimates = estimateRates(judges, labels, {
      option: parseWholeNumber('--option', args.option, 0, 1000),
      category: args.category,
      of: parseOneOf('--of', args.of, ['set', 'population'] as const),
      confidence: parseShare('--confidence', args.confidence),
      halfWidth: points,
    });
    if (args.csv) return void print(formatRows(estimates));
    if (args['every-eval-ever'])
      return void print(`${JSON.stringify(toEvalRecord(estimates, readSource(args)), null, 2)}\n`);
    print(
      args.json ? formatResult(tellEstimates(estimates), origin) : estimates.map(describeEstimate).join('\n'),
    );
  },
});

interface SourceArguments {
  readonly model?: string | undefined;
  readonly dataset?: string | undefined;
  readonly organization?: string | undefined;
  readonly relationship: string;
  readonly prompt?: string | undefined;
  readonly scale?: string | undefined;
  readonly confidence: string;
}

function readSource(args: SourceArguments): EvalRecordSource {
  const need = (name: 'model' | 'dataset' | 'organization' | 'prompt') => {
    const given = args[name];
    if (!given) throw new InputError(`--${name}`, 'is needed with --every-eval-ever');
    return given;
  };
  return {
    ...{ model: need('model'), dataset: need('dataset'), organization: need('organization') },
    relationship: parseOneOf('--relationship', args.relationship, EVALUATORS),
    prompt: readTextOption(need('prompt'), '--prompt'),
    scale: args.scale === undefined ? undefined : readScale(args.scale),
    confidence: parseShare('--confidence', args.confidence),
    ...{ version: VERSION, now: Date.now() },
  };
}

/** `1..10`. */
function readScale(text: string): Interval {
  const [low = Number.NaN, high = Number.NaN] = text.split('..').map(Number);
  if (!(low < high))
    throw new InputError('--scale', `must be a lowest and a highest score such as 1..10, not "${text}"`);
  return { low, high };
}

function formatRows(estimates: readonly RateEstimate[]): string {
  const rows = estimates.map((one) => {
    const row = estimateRow(one);
    return formatCsvLine(ESTIMATE_COLUMNS.map((column) => row[column]));
  });
  return [formatCsvLine(ESTIMATE_COLUMNS), ...rows].join('');
}

/** The figures to report, as other tools read them, of each judge and subgroup; all that was computed stands in `estimates`. */
function tellEstimates(estimates: readonly RateEstimate[]) {
  const [first] = estimates.filter(({ subgroup }) => subgroup === null);
  const judges = new Set(estimates.map(({ judge }) => judge));
  return { ...(first && judges.size === 1 && tellFigures(first)), estimates };
}

function tellFigures({ raw, rawInterval, corrected, roganGladen, kappa, judged, labelled }: RateEstimate) {
  const tell = (value: number, { low, high }: Interval) => ({ value, low, high });
  return {
    raw: tell(raw, rawInterval),
    corrected: {
      ...(corrected.value !== null && {
        'ppi++': tell(corrected.value, corrected.interval),
        labels: tell(corrected.labelsOnly.value, corrected.labelsOnly.interval),
      }),
      ...(roganGladen.value !== null && { 'rogan-gladen': tell(roganGladen.value, roganGladen.interval) }),
    },
    kappa: kappa.value,
    ...{ n: judged, labels: labelled },
  };
}

interface StyleArguments {
  readonly origin: ResultOrigin;
  readonly option: string;
  readonly confidence: string;
  readonly json: boolean;
}

async function printStyleControlled(
  names: string,
  path: string,
  { option, confidence, json, origin }: StyleArguments,
): Promise<void> {
  const covariates = [
    ...new Set(names.split(',').flatMap((name) => (name.trim() === 'style' ? STYLE : name.trim()))),
  ];
  const rates = controlStyle(groupJudgments(await readAllJsonl(path, pastJudgment, '--judgments')), {
    covariates,
    option: parseWholeNumber('--option', option, 0, 1),
    confidence: parseShare('--confidence', confidence),
  });
  const models = Object.fromEntries(rates.map(({ judge, ...one }) => [judge, one]));
  print(
    json
      ? formatResult({ models }, origin)
      : rates.map((one) => describeStyleControlled(one, covariates)).join('\n'),
  );
}

function describeStyleControlled(one: StyleControlledRate, names: readonly string[]): string {
  const { judge, n, left_out, win_rate, controlled, reason, weights } = one;
  const like = names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : names.join('');
  const range = ({ low, high }: Interval, digits: number) =>
    `[${low.toFixed(digits)}, ${high.toFixed(digits)}]`;
  const raw = win_rate === null ? 'no win rate' : `win rate ${win_rate.toFixed(1)} %`;
  const head =
    controlled === null
      ? `${judge}: ${raw}; not controlled: ${reason}.`
      : `${judge}: ${raw}; of two texts alike in ${like} ${controlled.value.toFixed(1)} % ${range(controlled, 1)}.`;
  const told = Object.entries(weights).map(([name, weight]) => {
    const odds = { low: Math.exp(weight.low), high: Math.exp(weight.high) };
    const what = name === 'place' ? 'being shown first' : `one standard deviation more ${name}`;
    return `  ${what}: odds × ${Math.exp(weight.value).toFixed(2)} ${range(odds, 2)}`;
  });
  const counted = `  ${n} verdicts${left_out > 0 ? `; ${left_out} left out, not on two texts or without these numbers` : ''}.`;
  return `${[head, counted, ...told].join('\n')}\n`;
}

/** By the name of the model. */
const tellRates = (rates: readonly ControlledRate[]) => ({
  models: Object.fromEntries(rates.map(({ model, ...one }) => [model, one])),
});

async function controlRates(
  verdicts: string | undefined,
  instructions: string | undefined,
): Promise<ControlledRate[]> {
  if (verdicts === undefined || instructions === undefined)
    throw new InputError('--controlled', 'needs --verdicts and --instructions');
  return controlLength(
    await readAllJsonl(verdicts, baselineVerdict, '--verdicts'),
    await readAllJsonl(instructions, baselineInstruction, '--instructions'),
  );
}

function formatRates(rates: readonly ControlledRate[]): string {
  const head = ['model', 'verdicts', 'win rate', 'standard error', 'length-controlled', 'mean length'];
  const rows = rates
    .toSorted((a, b) => (b.controlled ?? 0) - (a.controlled ?? 0))
    .map((one) => [
      one.model,
      String(one.n),
      one.win_rate.toFixed(2),
      one.standard_error.toFixed(2),
      one.controlled?.toFixed(2) ?? `none: ${one.reason}`,
      one.mean_chars.toFixed(0),
    ]);
  return alignRows([head, ...rows]);
}

/** `±3` or `3`, in points of a hundred. */
function readPoints(text: string): number {
  const points = Number(text.replace(/^±/, ''));
  if (!(points > 0 && points < 50))
    throw new InputError('--plan', `must be a number of points such as ±3, not "${text}"`);
  return points / 100;
}

function describeEstimate(one: RateEstimate): string {
  const { figure, judge, subgroup, judged, labelled, corrected, roganGladen: rates, kappa } = one;
  const isScore = figure === 'mean score';
  const say = (value: number) => (isScore ? value.toFixed(2) : `${(100 * value).toFixed(1)} %`);
  const range = ({ low, high }: { readonly low: number; readonly high: number }) =>
    isScore
      ? `[${low.toFixed(2)}, ${high.toFixed(2)}]`
      : `[${(100 * low).toFixed(1)}, ${(100 * high).toFixed(1)}]`;
  const name = subgroup === null ? judge : `${judge}, ${subgroup}`;
  const head =
    corrected.value === null
      ? `${name}: the judge alone says ${say(one.raw)} (${figure}); not corrected: ${corrected.reason}.`
      : `${name}: the judge alone says ${say(one.raw)} (${figure}); corrected ${say(corrected.value)} ${range(corrected.interval)}.`;
  const lines = [
    head,
    `  ${judged} items judged, ${labelled} of them labelled by chance${one.unread > 0 ? `; ${one.unread} without a verdict` : ''}${
      one.chosen > 0 ? `; ${one.chosen} labels on chosen cases left out` : ''
    }.`,
    ...(one.agreement === null
      ? []
      : [
          `  Judge and labels agree on ${(100 * one.agreement).toFixed(1)} %; kappa ${
            kappa.value === null
              ? `none: ${kappa.reason}`
              : `${kappa.value.toFixed(2)} [${kappa.interval.low.toFixed(2)}, ${kappa.interval.high.toFixed(2)}]`
          }.`,
        ]),
    ...(corrected.value === null
      ? []
      : [
          `  Labels alone: ${say(corrected.labelsOnly.value)} ${range(corrected.labelsOnly.interval)}. From sensitivity and specificity: ${
            rates.value === null ? `none: ${rates.reason}` : `${say(rates.value)} ${range(rates.interval)}`
          }.`,
          `  Report ${one.report === 'labels' ? 'the labels alone' : 'the corrected figure'}: ${one.why}.`,
        ]),
    ...describePlan(one),
    ...describeConfusion(one),
  ];
  return `${lines.join('\n')}\n`;
}

function describePlan({ plan, judged }: RateEstimate): string[] {
  if (plan === null) return [];
  if (plan.value === null) return [`  More labels: ${plan.reason}.`];
  const parts = plan.strata.map(
    ({ judged: value, items, labels }) => `${labels} of the ${items} judged ${value}`,
  );
  return [
    `  More labels needed: ${plan.value} of ${judged}, drawn by chance${parts.length > 0 ? `; or in all ${parts.join(', ')}` : ''}.`,
  ];
}

function describeConfusion({ confusion, figure }: RateEstimate): string[] {
  if (figure === 'mean score') return [];
  const verdicts = [...new Set(Object.values(confusion).flatMap((row) => Object.keys(row)))].sort();
  if (verdicts.length === 0) return [];
  const rows = Object.entries(confusion)
    .sort()
    .map(([label, row]) => [`  label ${label}`, ...verdicts.map((verdict) => String(row[verdict] ?? 0))]);
  return [alignRows([['', ...verdicts.map((verdict) => `judge ${verdict}`)], ...rows]).trimEnd()];
}
