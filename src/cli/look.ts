/** `remand look`: what a log of judgments tells that were made already, and what asking some of them again would change. */

import { type ArgsDef, defineCommand, parseArgs } from 'citty';
import { InputError } from '../errors.ts';
import { computeCost, runAll } from '../models/index.ts';
import { operatorTemplates } from '../proxy/learning.ts';
import { parseWholeNumber, runInterruptible } from './arguments.ts';
import { dryRunArguments } from './dry-run.ts';
import { loadConfig } from './load-config.ts';
import { createReasker, type ReaskedJudgment } from './look/ask-again.ts';
import { fetchLogs } from './look/fetch-logs.ts';
import { createLogTally, type LogTally } from './look/tally-log.ts';
import { loadPrices, modelArguments, withModels } from './model-arguments.ts';
import { readModelSpec } from './open-models.ts';
import { createRequestReader } from './read/readings.ts';
import { type GivenRequest, streamGivenRequests } from './read/requests.ts';
import { describeOrigin, formatResult } from './result-origin.ts';
import { alignRows, print, tell } from './terminal.ts';

const options = {
  file: {
    type: 'positional',
    required: false,
    description:
      'requests with or without replies (JSON, JSONL, batches), results of promptfoo, logs of Inspect (.eval, .json), exports of Langfuse, spans of OpenTelemetry. Any number of files. The word langfuse: asks for the model calls of a project (LANGFUSE_PUBLIC_KEY, LANGFUSE_SECRET_KEY)',
  },
  since: { type: 'string', description: 'with langfuse: calls from this time on, such as 2026-11-01' },
  until: { type: 'string', description: 'with langfuse: calls before this time' },
  limit: {
    type: 'string',
    default: '10000',
    description: 'with langfuse: at most so many calls, the newest',
  },
  judge: {
    type: 'string',
    valueHint: '[protocol:]model@url[#KEY_VARIABLE]',
    description:
      'ask some of the judgments again, as the proxy would; its key is JUDGE_API_KEY unless a variable is named',
  },
  sample: {
    type: 'string',
    default: '200',
    description: 'with --judge: how many judgments, drawn by chance',
  },
  seed: { type: 'string', default: '1', description: 'with --judge: of the draw' },
  concurrency: { type: 'string', default: '8', description: 'with --judge: judgments at a time' },
  budget: modelArguments.budget,
  tokens: modelArguments.tokens,
  store: {
    type: 'string',
    default: 'look-calls.sqlite',
    description: 'with --judge: file of finished model calls; started again with it, none is paid for twice',
  },
  ...dryRunArguments,
  json: { type: 'boolean', default: false, description: 'one JSON document on standard output' },
} as const satisfies ArgsDef;

export const lookCommand = defineCommand({
  args: options,
  async run({ rawArgs }) {
    const args = parseArgs<typeof options>([...rawArgs], options);
    await using fetched = await fetchLogs(args._, args);
    const { files } = fetched;
    if (files.length === 0)
      throw new InputError('look', 'no file is named; for instance: remand look results.json');
    if (args.judge === undefined && args['dry-run']) throw new InputError('--dry-run', 'is for --judge');
    if (args.judge !== undefined) readModelSpec(args.judge, '--judge');
    const size = parseWholeNumber('--sample', args.sample, 1, 1e6);
    const tally = createLogTally(size, parseWholeNumber('--seed', args.seed, 0, 2 ** 31));
    const config = await loadConfig(process.env);
    const reader = createRequestReader(config);
    const notes = { missing: [] as string[] };
    for await (const one of streamGivenRequests(files, { missing: [] })) reader.learn(one);
    const learned = reader.settle();
    for await (const one of streamGivenRequests(files, notes)) tally.add(reader.read(one));
    const log = tally.tell();
    if (log.calls === 0 && notes.missing.length === 0)
      throw new InputError(files.join(', '), 'holds no model call');
    const templates = [
      ...operatorTemplates(config),
      ...learned.filter(({ open }) => open === null).map(({ template }) => template),
    ];
    const known = await loadPrices(args.prices);
    if (args.judge === undefined) return tellResult(null);
    await askAgain(tally.sample(), args.judge);

    async function tellResult(again: SampleTally | null): Promise<void> {
      const document = { ...log, missing: notes.missing, sample: again };
      print(
        args.json
          ? formatResult(document, await describeOrigin('look', { rawArgs, args }))
          : describe(log, notes.missing, again, args.judge),
      );
    }

    async function askAgain(sample: readonly GivenRequest[], spec: string): Promise<void> {
      const concurrency = parseWholeNumber('--concurrency', args.concurrency, 1, 1024);
      const found: ReaskedJudgment[] = [];
      let model = '';
      await withModels(
        { ...args, parameters: '{}', keyVariable: 'JUDGE_API_KEY' },
        async (models) => {
          const endpoint = await models.endpoint(spec, '--judge');
          model = endpoint.model;
          const progress = models.progress('judgments', sample.length);
          const { REMAND_BIASES, REMAND_DETECTOR, REMAND_EXTRA_CALLS, REMAND_ROUNDS } = config;
          const settings = {
            REMAND_BIASES: REMAND_BIASES.join(','),
            REMAND_DETECTOR,
            REMAND_EXTRA_CALLS,
            REMAND_ROUNDS,
          };
          const ask = createReasker({
            ...{ endpoint, settings, templates },
            ...{ store: models.store, spend: models.spend },
          });
          await runInterruptible(async (signal) => {
            for await (const result of runAll(sample, ask, { concurrency, signal, fatal: () => true })) {
              if ('error' in result) throw result.error;
              found.push(result.value);
              progress(found.length);
            }
          });
        },
        async ({ calls, tokens }) => {
          const cost = computeCost(model, tokens, known);
          const sum = { ...tallySample(found), calls, tokens, cost: cost && cost.input + cost.output };
          await tellResult(sum);
          if (sum.failed === 0) return;
          tell(`${sum.failed} of ${found.length} judgments failed: ${sum.errors.join('; ')}\n`);
          if (2 * sum.failed > found.length) process.exitCode = 1;
        },
      );
    }
  },
});

interface SampleTally {
  /** Judgments examined, of which the judge was asked again as far as that told anything. */
  readonly asked: number;
  /** Verdicts that rest on something that should not matter, and those of them that would be others. */
  readonly affected: number;
  readonly changed: number;
  readonly biases: Readonly<Record<string, number>>;
  /** Left out: no verdict in the reply, a call that failed, and what the budget was too small for. */
  readonly unread: number;
  readonly failed: number;
  readonly not_asked: number;
  readonly errors: readonly string[];
  readonly calls: number;
  readonly tokens: { readonly input: number; readonly output: number };
  /** In the currency of the prices; null where the model has none. */
  readonly cost: number | null;
}

/** Also of a verdict that stands after all: sent back, the judge decided for the same in any order. */
const isAffected = ({ status, biases }: ReaskedJudgment) =>
  biases.length > 0 && ['unchanged', 'revised', 'insisted', 'unresolved'].includes(status);
const UNREAD: readonly string[] = ['no-verdict', 'bypassed'];
const FAILED: readonly string[] = ['failed', 'failed-open'];

function tallySample(found: readonly ReaskedJudgment[]): Omit<SampleTally, 'calls' | 'tokens' | 'cost'> {
  const count = (statuses: readonly string[]) =>
    found.filter(({ status }) => statuses.includes(status)).length;
  const biases = new Map<string, number>();
  for (const one of found)
    if (isAffected(one)) for (const name of one.biases) biases.set(name, (biases.get(name) ?? 0) + 1);
  const [unread, failed, notAsked] = [count(UNREAD), count(FAILED), count(['not-asked'])];
  return {
    asked: found.length - unread - failed - notAsked,
    affected: found.filter(isAffected).length,
    changed: count(['revised']),
    biases: Object.fromEntries([...biases].sort(([, a], [, b]) => b - a)),
    ...{ unread, failed, not_asked: notAsked },
    errors: [...new Set(found.flatMap(({ error }) => error ?? []))].slice(0, 3),
  };
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

function describe(
  log: LogTally,
  missing: readonly string[],
  again: SampleTally | null,
  judge: string | undefined,
): string {
  const { calls, judgments, examinable, verdicts } = log;
  const left = Object.entries(log.left_alone).map(([reason, count]) => `${count} ${reason}`);
  const rows = log.pipelines.map((one) => [
    one.name,
    String(one.calls),
    String(one.examinable),
    String(one.verdicts),
    one.first_wins
      ? `${percent(one.first_wins.share)} of ${one.first_wins.n}${
          one.first_wins.interval
            ? ` [${percent(one.first_wins.interval.low)}, ${percent(one.first_wins.interval.high)}]`
            : ''
        }`
      : '',
  ]);
  const lines = [
    `${calls} model calls, ${judgments} of them judgments; ${examinable} can be examined${
      left.length > 0 ? `, left alone: ${left.join(', ')} (remand read says why)` : ''
    }. Verdicts read in the log: ${verdicts}.`,
    ...missing.map((one) => `Not in the log: ${one}.`),
    ...(rows.length > 0
      ? [
          '',
          alignRows([
            ['pipeline', 'calls', 'examinable', 'verdicts', 'first option wins'],
            ...rows,
          ]).trimEnd(),
        ]
      : []),
    ...(again === null ? [] : ['', ...describeSample(again)]),
    ...(examinable > 0
      ? [
          '',
          judge === undefined
            ? 'To ask some of them again: remand look … --judge model@url --dry-run'
            : 'To have every verdict examined: JUDGE_BASE_URL=… remand serve, and http://127.0.0.1:8787/v1 as the base URL of your client.',
        ]
      : []),
  ];
  return `${lines.join('\n')}\n`;
}

function describeSample(one: SampleTally): string[] {
  const biases = Object.entries(one.biases).map(([name, count]) => `${name} ${count}`);
  const left = [
    one.unread > 0 ? `${one.unread} without a verdict` : '',
    one.failed > 0 ? `${one.failed} failed` : '',
    one.not_asked > 0 ? `${one.not_asked} not asked: the budget is used up` : '',
  ].filter((text) => text !== '');
  return [
    `Of ${one.asked} verdicts ${one.affected} rest on what should not matter${biases.length > 0 ? ` (${biases.join(', ')})` : ''}; ${one.changed} would change.`,
    ...(left.length > 0 ? [`Left out: ${left.join('; ')}.`] : []),
    `${one.calls} calls, ${one.tokens.input} tokens of input and ${one.tokens.output} of output; ${
      one.cost === null ? 'no price is known (--prices)' : `${one.cost.toFixed(2)}`
    }.`,
  ];
}
