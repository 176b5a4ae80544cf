/** `remand eval judge`: what sending verdicts back does to recorded judges, per judge and strategy. */
import { defineCommand } from 'citty';
import { ORDER_BIASES } from '../bias/index.ts';
import { DEFAULT_DETECTOR, listModelDetectors } from '../detect/index.ts';
import { InputError } from '../errors.ts';
import { ARMS } from '../evaluate/index.ts';
import { parseWholeNumber, readLimit } from './arguments.ts';
import { compareArms, formatArmTable } from './eval-judge/compare-arms.ts';
import { evaluateRecorded, formatRecordedTable } from './eval-judge/evaluate-recorded.ts';
import { evaluateRecordsFile, formatRecordsTable } from './eval-judge/evaluate-records-file.ts';
import { modelArguments } from './model-arguments.ts';
import { print } from './terminal.ts';

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
    temperature: { type: 'string', default: '1', description: 'asked now: of the samples of majority-…' },
    rounds: { type: 'string', default: '1', description: 'Most remands per judgment, 0 to 10' },
    prices: {
      type: 'string',
      description: 'asked now: JSON file {model: {input, output}}, per million tokens',
    },
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
    seed: { type: 'string', default: '0', description: 'recorded: of the bootstrap intervals' },
    json: { type: 'boolean', default: false, description: 'One JSON document on standard output' },
  },
  async run({ args }) {
    const rounds = parseWholeNumber('--rounds', args.rounds, 0, 10);
    if (args.in !== undefined) {
      if (args.judge === undefined) throw new InputError('--judge', 'is needed: whom to ask');
      const result = await compareArms({
        ...args,
        ...{ in: args.in, judge: args.judge, rounds, limit: readLimit(args.limit) },
        concurrency: parseWholeNumber('--concurrency', args.concurrency, 1, 1024),
        detectorModel: args['detector-model'],
      });
      return void print(args.json ? `${JSON.stringify(result)}\n` : formatArmTable(result.arms));
    }
    if (args.records !== undefined) {
      const result = await evaluateRecordsFile(args.records, args.labels ?? null);
      return void print(args.json ? `${JSON.stringify(result, null, 2)}\n` : formatRecordsTable(result));
    }
    if (args.cases === undefined || args.verdicts === undefined)
      throw new InputError(
        '--cases',
        'give --records for past judgments, --cases and --verdicts for recorded re-judgments, or --in and --judge to ask now',
      );
    const seed = parseWholeNumber('--seed', args.seed, 0, 2 ** 31 - 1);
    const results = await evaluateRecorded(
      { ...args, cases: args.cases, verdicts: args.verdicts },
      rounds,
      seed,
    );
    print(args.json ? `${JSON.stringify(results, null, 2)}\n` : formatRecordedTable(results));
  },
});
