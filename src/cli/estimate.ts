/** `remand estimate`: a win rate, a pass rate or a mean score from verdicts on many items and labels on some. */

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
  requireCounted,
  STYLE,
  type StyleControlledRate,
  toEvalRecord,
} from '../evaluate/index.ts';
import { formatSheet, readAllJsonl, readTextFile } from '../records/node.ts';
import type { RateEstimate } from '../report/index.ts';
import type { Interval } from '../stats/index.ts';
import { VERSION } from '../version.ts';
import { requireOption } from './arguments.ts';
import {
  asOneOf,
  asShare,
  asText,
  asWhole,
  createCommand,
  flag,
  type OptionValues,
  onlyWith,
  optional,
  usual,
} from './command.ts';
import { describeResult } from './result-origin.ts';
import { formatTable, print } from './terminal.ts';

const options = {
  records: optional(
    asText,
    'JSONL, one verdict a line (item, judge, choice or score or scores or pass or category, label, subgroup), as /remand/records gives them',
  ),
  labels: optional(
    asText,
    'JSONL of labels: item, label, annotator; drawn by chance, unless "random" is false',
  ),
  option: usual(asWhole(0, 1000), '0', 'index of the option whose wins count'),
  category: optional(asText, 'the category that counts'),
  of: usual(
    asOneOf(['set', 'population']),
    'set',
    'set: the rate of the judged items; population: of all like them',
  ),
  confidence: usual(asShare, '0.95', 'confidence level of the intervals'),
  plan: optional(
    asPoints,
    'such as ±3: how many labels would give an interval so wide: of a share in points, of a mean score in its units',
  ),
  controlled: optional(
    asText,
    'win rates as if both texts were alike in this: length, style, or any of the covariates in --records; with --verdicts length alone, as AlpacaEval 2 does',
  ),
  ...onlyWith('controlled', {
    verdicts: optional(asText, 'JSONL of model, i, pref, chars'),
    instructions: optional(asText, 'JSONL of i, baseline_chars, difficulty_est, and of the gamed baselines'),
  }),
  json: flag('one JSON document on standard output'),
  'every-eval-ever': flag(
    'a record of Every Eval Ever, to publish; needs --model, --dataset, --organization and --prompt',
  ),
  ...onlyWith('every-eval-ever', {
    model: optional(asText, 'whose answers were judged, as developer/name'),
    dataset: optional(asText, 'name of the items'),
    organization: optional(asText, 'who publishes the figure'),
    relationship: usual(
      asOneOf(EVALUATORS),
      'third_party',
      `how they stand to the model's developer: ${EVALUATORS.join(', ')}`,
    ),
    prompt: optional(asText, "file of the judge's prompt with its slots"),
    scale: optional(asScale, 'limits of a mean score, such as 1..10'),
  }),
  csv: flag('a table for spreadsheets: a line a judge and subgroup'),
};
type Arguments = OptionValues<typeof options>;

export const estimateCommand = createCommand(options, async ({ args, print: answer, ...call }) => {
  const origin = await call.origin();
  if (args.controlled !== undefined) {
    for (const name of ['labels', 'plan', 'category'] as const)
      if (args[name] !== undefined) throw new InputError(`--${name}`, 'does not go with --controlled');
    if (args.records !== undefined && args.verdicts !== undefined)
      throw new InputError('--controlled', 'takes --records, or --verdicts and --instructions, not both');
    if (args.records !== undefined) {
      const { rates, covariates } = await controlStyles(args.controlled, args.records, args);
      const models = Object.fromEntries(rates.map(({ judge, ...one }) => [judge, one]));
      const words = () => rates.map((one) => describeStyleControlled(one, covariates)).join('\n');
      return answer({ models }, words, origin);
    }
    asOneOf(['length'])(args.controlled, '--controlled');
    const rates = await controlRates(args.verdicts, args.instructions);
    const models = Object.fromEntries(rates.map(({ model, ...one }) => [model, one]));
    return answer({ models }, () => formatRates(rates), origin);
  }
  if (args.records === undefined)
    throw new InputError('--records', 'is needed; or --controlled, --verdicts and --instructions');
  const labels = args.labels === undefined ? [] : await readAllJsonl(args.labels, labelRecord, '--labels');
  const judges = groupJudgments(await readAllJsonl(args.records, pastJudgment, '--records'), labels);
  requireCounted(judges, args);
  const estimates = estimateRates(judges, labels, { ...args, halfWidth: args.plan });
  if (args.csv) return print(formatSheet([ESTIMATE_COLUMNS, ...estimates.map(estimateRow)]));
  if (args['every-eval-ever'])
    return print(`${JSON.stringify(toEvalRecord(estimates, await readSource(args)), null, 2)}\n`);
  answer(tellEstimates(estimates), () => describeResult({ estimates }), origin);
});

async function readSource(args: Arguments): Promise<EvalRecordSource> {
  const need = (name: 'model' | 'dataset' | 'organization' | 'prompt') =>
    requireOption(`--${name}`, args[name], 'is needed with --every-eval-ever');
  return {
    model: need('model'),
    dataset: need('dataset'),
    organization: need('organization'),
    relationship: args.relationship,
    scale: args.scale,
    confidence: args.confidence,
    prompt: await readTextFile(need('prompt'), '--prompt'),
    version: VERSION,
    now: Date.now(),
  };
}

/** `1..10`. */
function asScale(text: string, option: string): Interval {
  const [low = Number.NaN, high = Number.NaN] = text.split('..').map(Number);
  if (!(low < high))
    throw new InputError(option, `must be a lowest and a highest score such as 1..10, not "${text}"`);
  return { low, high };
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
    n: judged,
    labels: labelled,
  };
}

async function controlStyles(names: string, path: string, { option, confidence }: Arguments) {
  const covariates = [
    ...new Set(names.split(',').flatMap((name) => (name.trim() === 'style' ? STYLE : name.trim()))),
  ];
  if (option > 1) throw new InputError('--option', `must be 0 or 1 of two texts, not "${option}"`);
  const judges = groupJudgments(await readAllJsonl(path, pastJudgment, '--records'));
  return { covariates, rates: controlStyle(judges, { covariates, option, confidence }) };
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
  return formatTable(
    rates.toSorted((a, b) => (b.controlled ?? 0) - (a.controlled ?? 0)),
    {
      model: ({ model }) => model,
      verdicts: ({ n }) => n,
      'win rate': (one) => one.win_rate.toFixed(2),
      'standard error': (one) => one.standard_error.toFixed(2),
      'length-controlled': ({ controlled, reason }) => controlled?.toFixed(2) ?? `none: ${reason}`,
      'mean length': (one) => one.mean_chars.toFixed(0),
    },
  );
}

/** `±3` or `3`. */
function asPoints(text: string, option: string): number {
  const points = Number(text.replace(/^±/, ''));
  if (!(points > 0 && points < 50))
    throw new InputError(option, `must be a number of points such as ±3, not "${text}"`);
  return points;
}
