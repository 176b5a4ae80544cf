/** `remand drift`: whether a judge is still the judge it was, from verdicts before and after. */

import { createHash } from 'node:crypto';
import { type Case, isNone, kindOf, readVerdict, type Verdict } from '../case/index.ts';
import { describeError, InputError } from '../errors.ts';
import {
  compareRuns,
  groupJudgments,
  type JudgedItem,
  labelRecord,
  type PastJudgment,
  pastJudgment,
  VERDICT_MEASURES,
} from '../evaluate/index.ts';
import {
  BudgetError,
  explainError,
  JudgeError,
  joinUrl,
  RefusedKeyError,
  readText,
  sendRequest,
  withRetry,
} from '../http/index.ts';
import { runAll, type Spend } from '../models/index.ts';
import { type Clock, systemClock } from '../ports.ts';
import { readAllJsonl } from '../records/node.ts';
import {
  asNumber,
  asOneOf,
  asShare,
  asText,
  asWhole,
  concurrency,
  createCommand,
  flag,
  needed,
  type OptionValues,
  onlyWith,
  optional,
  usual,
} from './command.ts';
import { dryRunOptions } from './dry-run.ts';
import { loadConfig } from './load-config.ts';
import {
  createPaidFetch,
  LARGEST_REPLY,
  type PaidEndpoint,
  requestFor,
  whyUnfit,
} from './look/judge-endpoint.ts';
import { callStore, modelOptions, withModels } from './model-arguments.ts';
import { readModelSpec } from './open-models.ts';
import { createRequestReader, type RequestReading } from './read/readings.ts';
import { streamGivenRequests } from './read/requests.ts';
import { describeResult } from './result-origin.ts';

const options = {
  before: needed(
    asText,
    'JSONL, one verdict a line: item, judge, score or choice or pass or category, sample, order, group, subgroup, label; with --judge a log of judgments, as remand look reads it',
  ),
  after: optional(asText, 'verdicts of the other run, in the same form'),
  judge: optional(
    asText,
    'in place of --after: another judge, which is asked each request of the log once; its key is JUDGE_API_KEY unless a variable is named',
  ),
  ...onlyWith('judge', {
    concurrency: concurrency('16', 'calls at a time'),
    budget: modelOptions.budget,
    tokens: modelOptions.tokens,
    retries: modelOptions.retries,
    store: callStore('drift-calls.sqlite'),
    ...dryRunOptions,
  }),
  'before-judge': optional(asText, 'which judge, where --before holds several'),
  'after-judge': optional(asText, 'which judge, where --after holds several'),
  labels: optional(asText, 'JSONL of labels: item, label, annotator; whether the new run fits them'),
  marks: optional(asNumbers, 'scores to translate, such as 5,7; default: all that enough scores lie around'),
  of: optional(
    asOneOf(VERDICT_MEASURES),
    `which kind of verdict, where the runs hold several: ${VERDICT_MEASURES.join(', ')}`,
  ),
  margin: optional(asPositive, 'shift that would not matter, in the units of the scores'),
  confidence: usual(asShare, '0.95', 'confidence level of the intervals'),
  'false-alarms': usual(asShare, '0.05', 'how often an alarm may be raised where nothing changed'),
  'fail-on-alarm': flag('exit with 1 where an alarm is raised'),
  seed: usual(asWhole(0, 2 ** 31), '1', 'seed of the resamples'),
};
type Arguments = OptionValues<typeof options>;

export const driftCommand = createCommand(options, async ({ args, print, ...call }) => {
  const { confidence, marks, margin = null, seed, of } = args;
  if ((args.after === undefined) === (args.judge === undefined))
    throw new InputError('--after', 'give either --after, the other run, or --judge, whom to ask');
  if (confidence <= 0.5) throw new InputError('--confidence', `must be above .5, not ${confidence}`);
  const labels = args.labels === undefined ? [] : await readAllJsonl(args.labels, labelRecord, '--labels');
  const read = async (option: 'before' | 'after', path: string) =>
    chooseJudge(
      groupJudgments(await readAllJsonl(path, pastJudgment, `--${option}`), labels),
      args[`${option}-judge`],
      option,
    );
  if (args.judge !== undefined) return askAnew(args, args.judge, compare);
  return compare(null);

  async function compare(asked: AskedAnew | null): Promise<void> {
    const [before, after] = asked
      ? [asked.before, asked.after].map((records, n) =>
          chooseJudge(
            groupJudgments(records, labels),
            args[n === 0 ? 'before-judge' : 'after-judge'],
            n === 0 ? 'before' : 'after',
          ),
        )
      : [await read('before', args.before), await read('after', args.after ?? '')];
    const report = compareRuns(before ?? [], after ?? [], {
      confidence,
      falseAlarms: args['false-alarms'],
      margin,
      seed,
      of,
      ...(marks && { marks }),
    });
    const told = asked && {
      failed: asked.failed,
      not_asked: asked.notAsked,
      errors: asked.errors,
      calls: asked.calls,
      tokens: asked.tokens,
    };
    print(
      { ...report, ...(told && { asked: told }) },
      async () => `${await describeResult(report)}${told ? describeCalls(told) : ''}`,
      await call.origin(),
    );
    if (report.alarm && args['fail-on-alarm']) process.exitCode = 1;
  }
});

type AskedAnew = NewJudgeRun & Pick<Spend, 'calls' | 'tokens'>;

/** @param report not called in a dry run */
async function askAnew(
  args: Arguments,
  judge: string,
  report: (asked: AskedAnew) => Promise<void>,
): Promise<void> {
  readModelSpec(judge, '--judge');
  const { concurrency, retries } = args;
  const { readings, count } = await openReadings(args);
  let run: NewJudgeRun | undefined;
  await withModels(
    args,
    async ({ endpoint: open, progress, store, spend }, signal) => {
      const endpoint = await open(judge, '--judge');
      const onProgress = progress('judgments', count);
      const setting = { endpoint, store, spend, concurrency, retries, signal, onProgress };
      run = await askNewJudge(readings, setting);
      if (run.before.length === 0)
        throw new InputError(
          '--before',
          'holds no judgment with a verdict in its reply; remand look says what it holds',
        );
    },
    async (paid) => {
      if (!run) return;
      const { before, after, errors, failed } = run;
      if (after.length > 0) return report({ ...run, ...paid });
      if (failed === 0) throw new InputError('--budget', `is too small: none of ${before.length} was asked`);
      throw new JudgeError(`${failed} of ${before.length} requests failed: ${errors.join('; ')}`);
    },
  );
}

/** The judgments of one judge in the log, read with all that the log teaches. @throws InputError where it holds several judges */
async function openReadings(
  args: Arguments,
): Promise<{ readonly readings: AsyncIterable<RequestReading>; readonly count: number }> {
  const reader = createRequestReader(await loadConfig(process.env));
  for await (const one of streamGivenRequests([args.before], { missing: [] })) reader.learn(one);
  reader.settle();
  async function* readings() {
    for await (const one of streamGivenRequests([args.before], { missing: [] })) {
      const { model } = one.request;
      if (judge === undefined || model === judge) yield reader.read(one);
    }
  }
  // Before anything is paid for: of several judges one has to be named.
  const judge = args['before-judge'];
  const judges = new Set<string>();
  let count = 0;
  for await (const { given, subject } of readings()) {
    if (subject === null || given.reply === null) continue;
    count++;
    judges.add(given.request.model);
  }
  if (judges.size > 1)
    throw new InputError('--before-judge', `is needed: --before holds ${[...judges].join(', ')}`);
  return { readings: readings(), count };
}

function chooseJudge(
  judges: ReadonlyMap<string, readonly JudgedItem[]>,
  name: string | undefined,
  option: string,
): readonly JudgedItem[] {
  const names = [...judges.keys()];
  const chosen = name ?? (names.length === 1 ? names[0] : undefined);
  if (chosen === undefined)
    throw new InputError(`--${option}-judge`, `is needed: --${option} holds ${names.join(', ')}`);
  const found = judges.get(chosen);
  if (!found) throw new InputError(`--${option}-judge`, `"${chosen}" is none of ${names.join(', ')}`);
  return found;
}

function asNumbers(text: string, option: string): number[] {
  return text.split(',').map((mark) => asNumber(mark, option));
}

function asPositive(text: string, option: string): number {
  const value = asNumber(text, option);
  if (value <= 0) throw new InputError(option, `must be above 0, not ${text}`);
  return value;
}

interface CallsTold extends Pick<NewJudgeRun, 'failed' | 'errors'>, Pick<Spend, 'calls' | 'tokens'> {
  readonly not_asked: number;
}

function describeCalls({ calls, tokens, failed, not_asked: left, errors }: CallsTold): string {
  const missing = [
    failed > 0 ? `${failed} calls failed: ${errors.join('; ')}` : '',
    left > 0 ? `${left} judgments not asked: the budget is used up` : '',
  ].filter((one) => one !== '');
  return `\n${calls} calls, ${tokens.input} tokens of input and ${tokens.output} of output.${missing.length > 0 ? ` ${missing.join('. ')}.` : ''}\n`;
}

// The judgments of a log put before another judge, once each: the same frozen cases, and only the judge varies.

interface NewJudgeRun {
  readonly before: readonly PastJudgment[];
  readonly after: readonly PastJudgment[];
  /** Left out: judgments whose call failed, and those for which the budget was too small. */
  readonly failed: number;
  readonly notAsked: number;
  /** Why calls failed, at most three. */
  readonly errors: readonly string[];
}

interface NewJudgeOptions extends PaidEndpoint {
  readonly concurrency: number;
  readonly retries: number;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  readonly onProgress?: (done: number) => void;
}

interface NewItem {
  readonly item: string;
  readonly given: RequestReading['given'];
  readonly subject: Case;
}

const LONGEST_WAIT_MS = 60_000;
const ERRORS_TOLD = 3;

/**
 * @param readings of which those with a verdict in the log are asked again; a request that stands there several times is one
 *   item with several samples, and is asked once
 */
async function askNewJudge(
  readings: AsyncIterable<RequestReading>,
  options: NewJudgeOptions,
): Promise<NewJudgeRun> {
  const before: PastJudgment[] = [];
  const after: PastJudgment[] = [];
  const errors = new Set<string>();
  let failed = 0;
  let notAsked = 0;
  let usedUp = false;
  const fetch = createPaidFetch(options);
  const { endpoint, clock = systemClock, concurrency, signal, retries } = options;

  async function* newItems(): AsyncGenerator<NewItem> {
    const samples = new Map<string, number>();
    for await (const { given, subject } of readings) {
      if (subject === null || given.reply === null) continue;
      const said = recordOf(readVerdict(given.reply, subject.form, subject.options));
      if (said === null) continue;
      const item = createHash('sha256')
        .update(JSON.stringify(given.request.prompt.parts))
        .digest('hex')
        .slice(0, 16);
      const sample = samples.get(item) ?? 0;
      samples.set(item, sample + 1);
      before.push({ item, judge: given.request.model || 'the log', sample, ...said });
      if (sample === 0) yield { item, given, subject };
    }
  }

  const ask = async ({ item, given, subject }: NewItem, until: AbortSignal) => {
    const unfit = whyUnfit(given, endpoint);
    if (unfit !== null) throw new Error(unfit);
    const { path, headers, body } = requestFor(given, endpoint);
    const asking = withRetry(
      async () => {
        const reply = await sendRequest(fetch, joinUrl(endpoint.url, path), {
          method: 'POST',
          headers,
          body,
          signal: until,
        });
        return readText(reply, { maxBytes: LARGEST_REPLY, again: true, signal: until });
      },
      { retries, maxWaitMs: LONGEST_WAIT_MS, signal: until, clock },
    );
    const text = await explainError(asking, { keys: [endpoint.key], signal: until, clock });
    const [words = ''] = endpoint.protocol.readReply(text, false, body).texts;
    return { item, said: recordOf(readVerdict(words, subject.form, subject.options)) };
  };

  let done = 0;
  for await (const result of runAll(newItems(), (one, until) => (usedUp ? skip() : ask(one, until)), {
    concurrency,
    signal,
    fatal: (error) => error instanceof RefusedKeyError,
  })) {
    options.onProgress?.(++done);
    if ('error' in result) {
      if (result.error instanceof BudgetError) {
        usedUp = true;
        notAsked++;
      } else {
        failed++;
        errors.add(describeError(result.error));
      }
    } else after.push({ item: result.value.item, judge: endpoint.name, ...result.value.said });
  }
  return { before, after, failed, notAsked, errors: [...errors].slice(0, ERRORS_TOLD) };
}

async function skip(): Promise<never> {
  throw new BudgetError('the budget is used up');
}

/** What a verdict says, as a record has it; null for none. */
function recordOf(verdict: Verdict): Omit<PastJudgment, 'item' | 'judge'> | null {
  const draw = isNone(verdict) ? undefined : kindOf(verdict).toDraw?.(verdict);
  if (!draw) return null;
  const { scores, ...rest } = draw;
  return { ...rest, ...(scores && { scores: [...scores] }) };
}
