/** `remand drift`: whether a judge is still the judge it was, from verdicts before and after. */
import { defineCommand } from 'citty';
import { InputError } from '../errors.ts';
import {
  compareRuns,
  type DriftReport,
  groupJudgments,
  type JudgedItem,
  LabelRecord,
  PastJudgment,
} from '../evaluate/index.ts';
import { readAllJsonl } from '../records/node.ts';
import { parseShare, parseWholeNumber } from './arguments.ts';
import { alignRows, print } from './terminal.ts';

export const driftCommand = defineCommand({
  meta: {
    name: 'drift',
    description:
      'Compare two runs of a judge over the same items: shift, spread, flips beyond its own noise, translated marks.',
  },
  args: {
    before: {
      type: 'string',
      required: true,
      description:
        'JSONL, one verdict a line: item, judge, score or choice or pass or category, sample, order, group, subgroup, label',
    },
    after: { type: 'string', required: true, description: 'the same of the other run' },
    'before-judge': { type: 'string', description: 'which judge, where --before holds several' },
    'after-judge': { type: 'string', description: 'which judge, where --after holds several' },
    labels: {
      type: 'string',
      description: 'JSONL of labels: item, label, annotator; whether the new run fits them',
    },
    marks: {
      type: 'string',
      description: 'scores to translate, such as 5,7; default: all that enough scores lie around',
    },
    margin: { type: 'string', description: 'shift that would not matter, in the units of the scores' },
    confidence: { type: 'string', default: '0.95', description: 'of the intervals' },
    'false-alarms': {
      type: 'string',
      default: '0.05',
      description: 'how often an alarm may be raised where nothing changed',
    },
    'fail-on-alarm': { type: 'boolean', default: false, description: 'exit with 1 where an alarm is raised' },
    seed: { type: 'string', default: '1', description: 'of the resamples' },
    json: { type: 'boolean', default: false, description: 'one JSON document on standard output' },
  },
  async run({ args }) {
    const labels = args.labels === undefined ? [] : await readAllJsonl(args.labels, LabelRecord, '--labels');
    const read = async (option: 'before' | 'after') =>
      chooseJudge(
        groupJudgments(await readAllJsonl(args[option], PastJudgment, `--${option}`), labels),
        args[`${option}-judge`],
        option,
      );
    const report = compareRuns(await read('before'), await read('after'), {
      confidence: parseShare('--confidence', args.confidence),
      falseAlarms: parseShare('--false-alarms', args['false-alarms']),
      margin: args.margin === undefined ? null : parsePositive('--margin', args.margin),
      seed: parseWholeNumber('--seed', args.seed, 0, 2 ** 31),
      ...(args.marks !== undefined && {
        marks: args.marks.split(',').map((mark) => parseNumber('--marks', mark)),
      }),
    });
    print(args.json ? `${JSON.stringify(report)}\n` : describeDrift(report));
    if (report.alarm && args['fail-on-alarm']) process.exitCode = 1;
  },
});

function chooseJudge(
  judges: ReadonlyMap<string, readonly JudgedItem[]>,
  name: string | undefined,
  option: string,
): readonly JudgedItem[] {
  const names = [...judges.keys()];
  const chosen = name ?? (names.length === 1 ? names[0] : undefined);
  if (chosen === undefined)
    throw new InputError(
      `--${option}-judge`,
      names.length === 0
        ? `--${option} holds no verdict`
        : `is needed: --${option} holds ${names.join(', ')}`,
    );
  const found = judges.get(chosen);
  if (!found) throw new InputError(`--${option}-judge`, `"${chosen}" is none of ${names.join(', ')}`);
  return found;
}

function parseNumber(option: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InputError(option, `"${text}" is no number`);
  return value;
}

function parsePositive(option: string, text: string): number {
  const value = parseNumber(option, text);
  if (value <= 0) throw new InputError(option, `must be above 0, not ${text}`);
  return value;
}

type Range = { readonly value: number; readonly low: number; readonly high: number };

const round = (value: number) => value.toFixed(2);
const signed = (value: number) => `${value < 0 ? '' : '+'}${round(value)}`;
const tellRange = ({ value, low, high }: Range) => `${signed(value)} [${round(low)}, ${round(high)}]`;
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

function describeDrift(report: DriftReport): string {
  const { judges, n, paired, means, shift, spread, flips, flips_of_repeats: noise, tests, fit } = report;
  const names =
    judges.before === judges.after ? judges.before : `${judges.before} before, ${judges.after} after`;
  const left = [
    report.only_before > 0 ? `${report.only_before} only before` : '',
    report.only_after > 0 ? `${report.only_after} only after` : '',
    report.unread > 0 ? `${report.unread} without a verdict in one of the two` : '',
  ].filter((one) => one !== '');
  const why = tests.filter(({ adjusted }) => adjusted <= report.false_alarms).map(({ name }) => name);
  const lines = [
    report.alarm
      ? `Alarm: this is not the judge it was (${why.join(', ')}).`
      : tests.length > 0
        ? 'No alarm: nothing shows that the judge changed.'
        : 'No alarm: nothing could be tested.',
    `${names}: ${n} items${paired ? ' in both runs' : ''}${left.length > 0 ? `; left out: ${left.join(', ')}` : ''}.`,
    means && shift
      ? `Shift of the mean ${report.of}: ${tellRange(shift)}, from ${round(means.before)} to ${round(means.after)}.`
      : '',
    report.equivalent_within === null
      ? ''
      : `The shift is surely no more than ${round(report.equivalent_within)} either way${
          report.equivalent === null
            ? ''
            : report.equivalent
              ? ': inside the margin'
              : ': not surely inside the margin'
        }.`,
    spread.value === null
      ? ''
      : `Standard deviation: ${round(spread.before)} before, ${round(spread.after)} after.`,
    flips === null
      ? ''
      : `${percent(flips)} of the items have another verdict than before${
          noise === null ? '' : `; two replies of one run to the same request differ in ${percent(noise)}`
        }.`,
    tests.length === 0
      ? ''
      : `Tests: ${tests.map(({ name, p, adjusted }) => `${name} p ${tellP(p)} (corrected ${tellP(adjusted)})`).join(', ')}; at most ${percent(report.false_alarms)} false alarms.`,
    ...report.marks.map(({ before, after, interval, reason }) =>
      after === null
        ? `A mark of ${before}: not translated: ${reason}.`
        : `A mark of ${before} is now ${after.toFixed(1)}${interval ? ` [${interval.low.toFixed(1)}, ${interval.high.toFixed(1)}]` : ''}.`,
    ),
    fit === null
      ? ''
      : `Against ${fit.n} labels, ${fit.measure}: ${round(fit.before)} before, ${round(fit.after)} after${fit.change ? `, ${tellRange(fit.change)}` : ''}.`,
    ...report.notes.map((note) => `Note: ${note}.`),
  ];
  const parts = report.groups.map(({ name, n: count, shift: own }) => [
    name,
    String(count),
    own ? tellRange(own) : 'none',
  ]);
  const table = parts.length > 0 ? `\n${alignRows([['part', 'items', 'shift'], ...parts])}` : '';
  return `${lines.filter((line) => line !== '').join('\n')}\n${table}`;
}

const tellP = (p: number) => (p < 0.001 ? '< .001' : p.toFixed(3));
