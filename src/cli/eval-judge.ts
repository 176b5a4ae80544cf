/** `remand eval judge`: what sending verdicts back does to recorded judges, and how reliable judges of a records file are. */

import { join } from 'node:path';
import { ORDER_BIASES } from '../bias/index.ts';
import { checkDataset } from '../dataset/index.ts';
import { InputError } from '../errors.ts';
import {
  CASCADE_SHARES,
  COVERAGES,
  evaluateRecords,
  groupJudgments,
  labelRecord,
  pastJudgment,
  type RecordsEvaluation,
} from '../evaluate/index.ts';
import { readAllJsonl } from '../records/node.ts';
import { tellPanel } from '../report/index.ts';
import { formatPercent, type Interval, type NoFigure } from '../stats/index.ts';
import { claimOutput, overwriteOption } from './claim-output.ts';
import {
  asList,
  asText,
  asWhole,
  atMost,
  concurrency,
  createCommand,
  flag,
  onlyWith,
  optional,
  usual,
} from './command.ts';
import { armOptions, compareArms } from './eval-judge/compare-arms.ts';
import { evaluateRecorded, verdictFrom } from './eval-judge/evaluate-recorded.ts';
import { modelOptions } from './model-arguments.ts';
import { describeResult, formatResultMap } from './result-origin.ts';
import { alignRows, formatTable, print } from './terminal.ts';

const options = {
  cases: optional(asText, 'recorded: JSONL of items: id, instruction, output_1, output_2, label'),
  verdicts: optional(asText, 'recorded: JSONL of verdicts: id, judge, strategy, rounds'),
  ...onlyWith('cases', {
    strategy: optional(asText, 'only this strategy'),
    'verdict-from': verdictFrom,
    biases: usual(
      asList(','),
      ORDER_BIASES.map(({ name }) => name).join(','),
      'biases to look for, comma separated',
    ),
  }),
  in: optional(asText, 'asked now: folder with d.jsonl and d_bias.jsonl'),
  judge: optional(
    asText,
    'recorded: only this judge; asked now: [name=][protocol:]model@url, or sandbox; several with ;',
  ),
  ...armOptions,
  rounds: usual(asWhole(0, 10), '1', 'most remands per judgment, 0 to 10'),
  ...onlyWith('in', {
    limit: atMost('at most this many pairs'),
    concurrency: concurrency('16', 'pairs judged at a time'),
  }),
  ...modelOptions,
  records: optional(
    asText,
    'past judgments: JSONL, one verdict a line (item, judge, choice or score or scores or pass, label); no judge is asked',
  ),
  ...onlyWith('records', { labels: optional(asText, 'JSONL of labels: item, label, annotator') }),
  ...onlyWith('cases', {
    out: optional(asText, 'JSONL to write every judgment to; beside x.json, x.jsonl is read by report'),
    seed: usual(asWhole(0, 2 ** 31 - 1), '0', 'seed of the bootstrap intervals'),
  }),
  ...overwriteOption,
  json: flag('one JSON document on standard output'),
};

export const evalJudgeCommand = createCommand(options, async ({ args, texts, print: answer, ...call }) => {
  const origin = await call.origin();
  const claim = { command: 'eval judge', args: texts, defaults: call.defaults };
  if (args.in !== undefined) {
    const { in: folder, judge } = args;
    if (judge === undefined) throw new InputError('--judge', 'is needed: whom to ask');
    await checkDataset(folder);
    await claimOutput({ ...claim, path: join(folder, 'judgments.jsonl'), option: '--in' });
    return compareArms({ ...args, in: folder, judge, origin }, (result) =>
      answer(result, () => describeResult(result), origin),
    );
  }
  if (args['dry-run']) throw new InputError('--dry-run', 'is for --in and --judge: nobody else is asked');
  if (args.records !== undefined) {
    const result = await evaluateRecordsFile(args.records, args.labels ?? null);
    return answer(result, () => formatRecordsTable(result), origin);
  }
  const { cases, verdicts, out } = args;
  if (cases === undefined || verdicts === undefined)
    throw new InputError(
      '--cases',
      'give --records for past judgments, --cases and --verdicts for recorded re-judgments, or --in and --judge to ask now',
    );
  if (out !== undefined) await claimOutput({ ...claim, path: out, option: '--out' });
  const results = await evaluateRecorded({ ...args, cases, verdicts }, args.rounds, args.seed);
  if (args.json) return print(formatResultMap(results, origin));
  answer(results, () => describeResult(results), origin);
});

/**
 * @param records path of a JSONL file of judgments
 * @param labels path of a JSONL file of labels; null where they stand beside the judgments
 * @throws InputError for a file that cannot be read, and where no verdict has a label
 */
async function evaluateRecordsFile(records: string, labels: string | null): Promise<RecordsEvaluation> {
  const said = await readAllJsonl(records, pastJudgment, '--records');
  const people = labels === null ? [] : await readAllJsonl(labels, labelRecord, '--labels');
  const result = evaluateRecords(groupJudgments(said, people));
  if (Object.keys(result.judges).length === 0)
    throw new InputError(
      '--records',
      `${records} holds no verdict on an item with a label; give --labels, or a field label in each record`,
    );
  return result;
}

type NamedJudge = [name: string, judge: RecordsEvaluation['judges'][string]];

function formatRecordsTable({ judges, cascades, panel }: RecordsEvaluation): string {
  const percent = (share: number | undefined) => (share === undefined ? '' : formatPercent(share));
  const between = (interval: Interval | NoFigure | null | undefined) =>
    interval && 'low' in interval ? ` (${percent(interval.low)}–${percent(interval.high)})` : '';
  const counts = [...new Set(Object.values(judges).flatMap(({ samples }) => Object.keys(samples)))];
  const table = formatTable(Object.entries(judges), {
    judge: ([name]) => name,
    items: ([, { n }]) => n,
    'accuracy, 95%': ([, { accuracy, interval }]) => percent(accuracy) + between(interval),
    'orders agree': ([, { agreement }]) => percent(agreement ?? undefined),
    ...Object.fromEntries(
      COVERAGES.slice(1).map((share) => [
        `risk of surest ${100 * share}%`,
        ([, { coverage, coverage_interval: intervals }]: NamedJudge) =>
          percent(coverage[String(share)]) + between(intervals[String(share)]),
      ]),
    ),
    'area under risk': ([, judge]) => judge.area_under_risk.toFixed(3),
    ...Object.fromEntries(
      counts.map((count) => [
        `${count} sample${count === '1' ? '' : 's'}`,
        ([, { samples, samples_drawn: drawn }]: NamedJudge) => {
          const less = drawn[count] === undefined || drawn[count] === Number(count);
          return percent(samples[count]) + (less ? '' : ` (${drawn[count]?.toFixed(1)} drawn)`);
        },
      ]),
    ),
  });
  const after = Object.entries(cascades);
  const second =
    after.length === 0
      ? ''
      : `\nThe first judge, and the second where the first is least sure:\n${alignRows([
          ['first>second', ...CASCADE_SHARES.map((share) => `${100 * share}% sent on`)],
          ...after.map(([name, points]) => [
            name,
            ...points.map(
              ({ accuracy, interval, calls }) =>
                `${percent(accuracy)}${between(interval)}, ${calls.toFixed(2)} calls`,
            ),
          ]),
        ])}`;
  const together = panel
    ? `\nA vote of all ${panel.judges.length} on ${panel.n} items: ${tellPanel(panel)}\n`
    : '';
  const lacking = Object.entries(judges).flatMap(([name, { unread, unlabelled }]) =>
    unread + unlabelled > 0
      ? [`${name}: ${unread} items without a verdict and ${unlabelled} without a label are not counted.`]
      : [],
  );
  const open =
    'Accuracy: the verdict is what most orders and samples of an item say; where they are split, they are as right as they are on average. A tie is right where the label is one.\n';
  return `${table}\n${open}${second}${together}${lacking.length > 0 ? `\n${lacking.join('\n')}\n` : ''}`;
}
