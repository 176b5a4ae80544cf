/** `remand eval judge`: what sending verdicts back does to recorded judges, and how reliable judges of a records file are. */

import { join } from 'node:path';
import { defineCommand } from 'citty';
import { ORDER_BIASES } from '../bias/index.ts';
import { DEFAULT_DETECTOR, listModelDetectors } from '../detect/index.ts';
import { InputError } from '../errors.ts';
import {
  ARMS,
  CASCADE_SHARES,
  COVERAGES,
  DEFAULT_BELOW,
  evaluateRecords,
  groupJudgments,
  labelRecord,
  pastJudgment,
  type RecordsEvaluation,
} from '../evaluate/index.ts';
import { readAllJsonl } from '../records/node.ts';
import { parseShare, parseWholeNumber, readLimit } from './arguments.ts';
import { claimOutput, overwriteArgument } from './claim-output.ts';
import { compareArms, formatArmTable } from './eval-judge/compare-arms.ts';
import { evaluateRecorded, formatRecordedTable } from './eval-judge/evaluate-recorded.ts';
import { modelArguments } from './model-arguments.ts';
import { describeOrigin, formatResult, formatResultMap } from './result-origin.ts';
import { alignRows, print } from './terminal.ts';

export const evalJudgeCommand = defineCommand({
  meta: {
    name: 'judge',
    description:
      'What sending verdicts back does to a judge: on recorded verdicts (--cases, --verdicts), or asked now on D and D_bias (--in, --judge). How sure judges were: on past judgments (--records).',
  },
  args: {
    cases: {
      type: 'string',
      description: 'recorded: JSONL of items: id, instruction, output_1, output_2, label',
    },
    verdicts: { type: 'string', description: 'recorded: JSONL of verdicts: id, judge, strategy, rounds' },
    strategy: { type: 'string', description: 'recorded: only this strategy' },
    biases: {
      type: 'string',
      default: ORDER_BIASES.map(({ name }) => name).join(','),
      description: 'recorded: biases to look for, comma separated',
    },
    in: { type: 'string', description: 'asked now: folder with d.jsonl and d_bias.jsonl' },
    judge: {
      type: 'string',
      description:
        'recorded: only this judge; asked now: [name=][protocol:]model@url, or sandbox; several with ;',
    },
    arms: {
      type: 'string',
      default: `none,placebo,${DEFAULT_DETECTOR.name}`,
      description: `asked now: comma separated: ${ARMS.join(', ')}`,
    },
    'detector-model': {
      type: 'string',
      description: `asked now: the model of ${listModelDetectors().join(', ')} and label-only`,
    },
    temperature: { type: 'string', default: '1', description: 'asked now: of the samples of samples-…' },
    second: {
      type: 'string',
      description: 'asked now: the judge to which the arm cascade sends unsure verdicts',
    },
    panel: {
      type: 'string',
      description: 'asked now: the judges that vote with --judge in the arm judge-panel; several with ;',
    },
    below: {
      type: 'string',
      default: String(DEFAULT_BELOW),
      description: 'asked now: confidence below which abstain leaves a verdict open, and cascade sends it on',
    },
    rounds: { type: 'string', default: '1', description: 'Most remands per judgment, 0 to 10' },
    limit: { type: 'string', description: 'asked now: at most so many pairs' },
    concurrency: { type: 'string', default: '16', description: 'asked now: pairs judged at a time' },
    ...modelArguments,
    records: {
      type: 'string',
      description:
        'past judgments: JSONL, one verdict a line (item, judge, choice or score or scores or pass, label); no judge is asked',
    },
    labels: { type: 'string', description: 'past judgments: JSONL of labels: item, label, annotator' },
    out: {
      type: 'string',
      description: 'recorded: JSONL to write every judgment to; beside x.json, x.jsonl is read by report',
    },
    seed: { type: 'string', default: '0', description: 'recorded: seed of the bootstrap intervals' },
    ...overwriteArgument,
    json: { type: 'boolean', default: false, description: 'One JSON document on standard output' },
  },
  async run(context) {
    const { args } = context;
    const origin = await describeOrigin('eval judge', context);
    const rounds = parseWholeNumber('--rounds', args.rounds, 0, 10);
    if (args.in !== undefined) {
      if (args.judge === undefined) throw new InputError('--judge', 'is needed: whom to ask');
      await claimOutput({
        ...{ path: join(args.in, 'judgments.jsonl'), command: 'eval judge', option: '--in' },
        args,
      });
      return compareArms(
        {
          ...args,
          ...{ in: args.in, judge: args.judge, rounds, limit: readLimit(args.limit) },
          concurrency: parseWholeNumber('--concurrency', args.concurrency, 1, 1024),
          detectorModel: args['detector-model'],
          below: parseShare('--below', args.below),
          origin,
        },
        (result) => print(args.json ? formatResult(result, origin) : formatArmTable(result.arms)),
      );
    }
    if (args['dry-run']) throw new InputError('--dry-run', 'is for --in and --judge: nobody else is asked');
    if (args.records !== undefined) {
      const result = await evaluateRecordsFile(args.records, args.labels ?? null);
      return void print(args.json ? formatResult(result, origin) : formatRecordsTable(result));
    }
    if (args.cases === undefined || args.verdicts === undefined)
      throw new InputError(
        '--cases',
        'give --records for past judgments, --cases and --verdicts for recorded re-judgments, or --in and --judge to ask now',
      );
    const seed = parseWholeNumber('--seed', args.seed, 0, 2 ** 31 - 1);
    if (args.out !== undefined)
      await claimOutput({ path: args.out, command: 'eval judge', args, option: '--out' });
    const results = await evaluateRecorded(
      { ...args, cases: args.cases, verdicts: args.verdicts },
      rounds,
      seed,
    );
    print(args.json ? formatResultMap(results, origin) : formatRecordedTable(results));
  },
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

function formatRecordsTable({ judges, cascades, panel }: RecordsEvaluation): string {
  const percent = (share: number | undefined) => (share === undefined ? '' : `${(100 * share).toFixed(1)}%`);
  const counts = [...new Set(Object.values(judges).flatMap(({ samples }) => Object.keys(samples)))];
  const table = alignRows([
    [
      'judge',
      'items',
      'accuracy, 95%',
      'orders agree',
      ...COVERAGES.slice(1).map((share) => `risk of surest ${100 * share}%`),
      'area under risk',
      ...counts.map((count) => `${count} sample${count === '1' ? '' : 's'}`),
    ],
    ...Object.entries(judges).map(([name, judge]) => [
      name,
      String(judge.n),
      `${percent(judge.accuracy)}${'low' in judge.interval ? ` (${percent(judge.interval.low)}–${percent(judge.interval.high)})` : ''}`,
      judge.agreement === null ? '' : percent(judge.agreement),
      ...COVERAGES.slice(1).map((share) => percent(judge.coverage[String(share)])),
      judge.area_under_risk.toFixed(3),
      ...counts.map((count) => {
        const drawn = judge.samples_drawn[count];
        return judge.samples[count] === undefined
          ? ''
          : `${percent(judge.samples[count])}${drawn === undefined || drawn === Number(count) ? '' : ` (${drawn.toFixed(1)} drawn)`}`;
      }),
    ]),
  ]);
  const after = Object.entries(cascades);
  const second =
    after.length === 0
      ? ''
      : `\nThe first judge, and the second where the first is least sure:\n${alignRows([
          ['first>second', ...CASCADE_SHARES.map((share) => `${100 * share}% sent on`)],
          ...after.map(([name, points]) => [
            name,
            ...points.map(({ accuracy, calls }) => `${percent(accuracy)}, ${calls.toFixed(2)} calls`),
          ]),
        ])}`;
  const together = panel
    ? `\nA vote of all ${panel.judges.length} on ${panel.n} items: ${percent(panel.accuracy)}; the best alone, ${panel.bestJudge.name}: ${percent(panel.bestJudge.accuracy)}.${
        panel.errorCorrelation === null || panel.effectiveJudges === null
          ? ''
          : ` Their errors correlate by ${panel.errorCorrelation.toFixed(2)}: they are worth ${panel.effectiveJudges.toFixed(1)} judges with errors of their own.`
      }\n`
    : '';
  const lacking = Object.entries(judges).flatMap(([name, { unread, unlabelled }]) =>
    unread + unlabelled > 0
      ? [`${name}: ${unread} items without a verdict and ${unlabelled} without a label are not counted.`]
      : [],
  );
  return `${table}${second}${together}${lacking.length > 0 ? `\n${lacking.join('\n')}\n` : ''}`;
}
