/** `remand eval judge`: what sending verdicts back does to recorded judges, per judge and strategy. */
import { defineCommand } from 'citty';
import { biasNamed, CATALOGUE } from '../bias/index.ts';
import type { Bias } from '../bias/types.ts';
import { InputError } from '../case/errors.ts';
import { createProbeDetector } from '../detect/probe.ts';
import { ARMS } from '../evaluate/arms/index.ts';
import { type JudgeEvaluation, summarise } from '../evaluate/judge.ts';
import { judgeRecorded } from '../evaluate/recorded-run.ts';
import { loadRecords } from '../judge/recorded/load.ts';
import { systemClock } from '../judge/types.ts';
import { writeJsonl } from '../records/jsonl.ts';
import type { CaseLine } from '../report/cases.ts';
import { aligned } from './aligned.ts';
import { readLimit, wholeNumber } from './arguments.ts';
import { armTable, compareArms } from './eval-judge/arms.ts';
import { recordedLines } from './eval-judge/case-lines.ts';
import { modelArguments } from './models.ts';

export const evalJudge = defineCommand({
  meta: {
    name: 'judge',
    description:
      'What sending verdicts back does to a judge: on recorded verdicts (--cases, --verdicts), or asked now on D and D_bias (--in, --judge).',
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
      default: 'position',
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
      default: 'none,placebo,probe',
      description: `asked now: comma separated: ${ARMS.join(', ')}`,
    },
    'detector-model': { type: 'string', description: 'asked now: the model of rbd, panel and label-only' },
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
      description: 'recorded: JSONL to write every judgment to; beside x.json, x.jsonl is read by report',
    },
    json: { type: 'boolean', default: false, description: 'One JSON document on standard output' },
  },
  async run({ args }) {
    const rounds = wholeNumber('--rounds', args.rounds, 0, 10);
    if (args.in !== undefined) {
      if (args.judge === undefined) throw new InputError('--judge', 'is needed: whom to ask');
      const result = await compareArms({
        ...args,
        ...{ in: args.in, judge: args.judge, rounds, limit: readLimit(args.limit) },
        concurrency: wholeNumber('--concurrency', args.concurrency, 1, 1024),
        detectorModel: args['detector-model'],
      });
      return void process.stdout.write(args.json ? `${JSON.stringify(result)}\n` : armTable(result.arms));
    }
    if (args.cases === undefined || args.verdicts === undefined)
      throw new InputError(
        '--cases',
        'give --cases and --verdicts for recorded verdicts, or --in and --judge to ask now',
      );
    const results = await recorded({ ...args, cases: args.cases, verdicts: args.verdicts }, rounds);
    process.stdout.write(args.json ? `${JSON.stringify(results, null, 2)}\n` : table(results));
  },
});

interface RecordedArgs extends RecordedFilter {
  readonly cases: string;
  readonly verdicts: string;
  readonly biases: string;
  readonly records?: string | undefined;
}
interface RecordedFilter {
  readonly judge?: string | undefined;
  readonly strategy?: string | undefined;
}

async function recorded(args: RecordedArgs, rounds: number): Promise<Record<string, JudgeEvaluation>> {
  const biases = readBiases(args.biases);
  const records = await loadRecords({ items: args.cases, verdicts: args.verdicts });
  const voices = records.voices.filter(
    (voice) =>
      (args.judge ?? voice.judge) === voice.judge && (args.strategy ?? voice.strategy) === voice.strategy,
  );
  if (voices.length === 0) throw new InputError('verdicts', 'holds no judge and strategy of that name');
  const detector = createProbeDetector();
  const results: Record<string, JudgeEvaluation> = {};
  const lines: CaseLine[] = [];
  const items = new Map(records.items.map((item) => [item.id, item]));
  for (const voice of voices) {
    const name = `${voice.judge}/${voice.strategy}`;
    const judged = await judgeRecorded({ records, voice, detector, biases, rounds, clock: systemClock });
    results[name] = summarise(judged);
    for (const judgments of args.records === undefined ? [] : judged) {
      const item = items.get(judgments[0]?.item ?? '');
      if (item) lines.push(...recordedLines(name, item, judgments));
    }
  }
  if (args.records !== undefined) await writeJsonl(args.records, lines);
  return results;
}

function readBiases(list: string): Bias[] {
  return list.split(',').map((name) => {
    const bias = biasNamed(name.trim());
    if (!bias)
      throw new InputError('--biases', `"${name}" is none of ${CATALOGUE.map((one) => one.name).join(', ')}`);
    return bias;
  });
}

function table(results: Readonly<Record<string, JudgeEvaluation>>): string {
  const percent = (share: number) => `${(100 * share).toFixed(1)}%`;
  const rows = Object.entries(results).map(([name, of]) => [
    name,
    String(of.n),
    String(of.remanded),
    `${percent(of.accuracy_before)} → ${percent(of.accuracy_after)}`,
    `${percent(of.agreement_before)} → ${percent(of.agreement_after)}`,
    String(of.wrong_to_right),
    String(of.right_to_wrong),
    of.mcnemar_p.toPrecision(2),
  ]);
  const all = [
    [
      'judge/strategy',
      'items',
      'sent back',
      'accuracy',
      'agreement of orders',
      'wrong→right',
      'right→wrong',
      'McNemar p',
    ],
    ...rows,
  ];
  return aligned(all);
}
