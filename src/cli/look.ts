/** `remand look`: what a log of judgments tells that were made already, and what asking some of them again would change. */

import { hash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  explainOpen,
  isNone,
  kindOf,
  readVerdict,
  type Template,
  templateFile,
  winnerOf,
} from '../case/index.ts';
import { checkFiles, createLangfusePages } from '../dataset/index.ts';
import { describeError, InputError } from '../errors.ts';
import type { PastJudgment } from '../evaluate/index.ts';
import { BudgetError, findSentence, RefusedKeyError, readText } from '../http/index.ts';
import { explainUnexamined, explainUntested } from '../loop/index.ts';
import { computeCost, type Model, runAll } from '../models/index.ts';
import { type Fetch, runtimeFetch, systemClock, type Tokens } from '../ports.ts';
import { createMemoryTraces, createProxy } from '../proxy/embedded.ts';
import { recordFirst } from '../proxy/labels/trace-records.ts';
import { operatorTemplates } from '../proxy/learning.ts';
import { formatJsonLine, writeWhole } from '../records/node.ts';
import type { LookResult } from '../report/index.ts';
import { toInterval } from '../stats/figure.ts';
import { createSeededDraw, wilson } from '../stats/index.ts';
import { runInterruptible } from './arguments.ts';
import { claimOutput, overwriteOption } from './claim-output.ts';
import {
  asText,
  asWhole,
  concurrency,
  createCommand,
  files,
  flag,
  onlyWith,
  optional,
  usual,
} from './command.ts';
import { asTime, readLangfuse } from './dataset/from-langfuse.ts';
import { dryRunOptions } from './dry-run.ts';
import { loadConfig } from './load-config.ts';
import {
  createPaidFetch,
  LARGEST_REPLY,
  type PaidEndpoint,
  requestFor,
  whyUnfit,
} from './look/judge-endpoint.ts';
import { estimateOrderNoise, type OrderPair, readOrderPair } from './look/order-noise.ts';
import { callStore, modelOptions, withModels } from './model-arguments.ts';
import { readModelSpec } from './open-models.ts';
import { showProgress } from './progress.ts';
import { askReader } from './read/ask-reader.ts';
import { createRequestReader, type RequestReading } from './read/readings.ts';
import { type GivenRequest, streamGivenRequests } from './read/requests.ts';
import { describeResult, loadPrices } from './result-origin.ts';
import { tell } from './terminal.ts';

/** Templates that the judge is asked about, those of the most requests first. */
const MOST_ASKED = 20;

/** Calls that are fetched from Langfuse where `--limit` names no other number. */
const MOST_FETCHED = 10_000;

export const lookCommand = createCommand(
  {
    file: files(
      'requests with or without replies (JSON, JSONL, CSV, TSV, Parquet, batches), results of promptfoo, logs of Inspect (.eval, .json), exports of Langfuse, runs of LangSmith, spans of OpenTelemetry, judgments of MT-Bench and Arena-Hard. Any number of files. The word langfuse: asks for the model calls of a project (LANGFUSE_PUBLIC_KEY, LANGFUSE_SECRET_KEY)',
    ),
    since: optional(asTime, 'with langfuse: calls from this time on, such as 2026-11-01'),
    until: optional(asTime, 'with langfuse: calls before this time'),
    limit: optional(
      asWhole(1, 10_000_000),
      `with langfuse: at most this many calls, the newest (default: ${MOST_FETCHED})`,
    ),
    judge: optional(
      asText,
      'ask some of the judgments again, as the proxy would; its key is JUDGE_API_KEY unless a variable is named',
    ),
    ...onlyWith('judge', {
      sample: usual(asWhole(1, 1e6), '200', 'how many judgments, drawn by chance'),
      seed: usual(asWhole(0, 2 ** 31), '1', 'of the draw'),
      concurrency: concurrency('8', 'judgments at a time'),
      budget: modelOptions.budget,
      tokens: modelOptions.tokens,
      store: callStore('look-calls.sqlite'),
      reader: flag(
        'ask the judge what the slots of a template hold where that is open: one call for each template',
        true,
      ),
      ...dryRunOptions,
    }),
    records: optional(
      asText,
      'JSONL to write the verdicts to, for rank, estimate and drift: those of the log, or with --judge its first ones in both orders, as it gives them without Remand. A line of the log may name whose texts are compared: "contestants": ["a", "b"], and the question it is of: "group": "q17"',
    ),
    ...overwriteOption,
  },
  async ({ args, files: named, print, ...call }) => {
    await using fetched = await fetchLogs(named, args);
    const { files } = fetched;
    if (files.length === 0)
      throw new InputError('look', 'no file is named; for instance: remand look results.json');
    if (args.judge !== undefined) readModelSpec(args.judge, '--judge');
    await checkFiles(files);
    const { records } = args;
    if (records !== undefined) {
      const from = { ...call.texts, files: named.join(' ') };
      await claimOutput({
        path: records,
        command: 'look',
        args: from,
        defaults: call.defaults,
        option: '--records',
      });
    }
    const logged: PastJudgment[] | null = records !== undefined && args.judge === undefined ? [] : null;
    const tally = createLogTally(args.sample, args.seed, logged);
    const config = await loadConfig(process.env);
    const reader = createRequestReader(config);
    const notes = { missing: [] as string[] };
    let given = 0;
    let unreadReplies = 0;
    let firstUnread: string | null = null;
    for await (const one of streamGivenRequests(files, notes)) {
      given++;
      reader.learn(one);
      if (one.unread === null) continue;
      unreadReplies++;
      firstUnread ??= `${one.place}: ${one.unread}`;
    }
    if (firstUnread !== null)
      notes.missing.push(
        `a reply that can be read, of ${unreadReplies} of its calls; the first is ${firstUnread}`,
      );
    if (given === 0 && notes.missing.length === 0)
      throw new InputError(files.join(', '), 'holds no model call');
    const known = await loadPrices(args.prices);
    if (args.judge === undefined) {
      const { log } = await readAll();
      await writeRecords(logged ?? [], log.verdicts);
      return tellResult(log, null);
    }
    await askAgain(args.judge);

    /** By what was learned from all of them. */
    async function readAll() {
      const learned = reader.settle();
      for await (const one of streamGivenRequests(files, { missing: [] })) tally.add(reader.read(one));
      const acting = learned.filter(({ open }) => open === null).map(({ template }) => template);
      return { log: tally.tell(), templates: [...operatorTemplates(config), ...acting] };
    }

    /** @param read verdicts that could be read; not every kind has a line */
    async function writeRecords(lines: readonly PastJudgment[], read: number): Promise<void> {
      if (records === undefined || args['dry-run']) return;
      await writeWhole({ records }, (out) => out.records.write(lines.map(formatJsonLine).join('')));
      const next =
        lines.length === 0
          ? read === 0
            ? 'none could be read'
            : `the ${read} that were read are lists, one for each claim or criterion, and records hold none`
          : lines.some(({ contestants }) => contestants)
            ? `remand rank --records ${records} ranks their contestants`
            : 'the log names no "contestants", so there is no ranking of them';
      tell(`${lines.length} verdicts: ${records}; ${next}\n`);
    }

    async function tellResult(log: LogTally, again: SampleTally | null): Promise<void> {
      const document = { ...log, missing: notes.missing, sample: again };
      const own = named.join(' ');
      const kept = again === null ? 0 : again.affected - again.changed;
      const steps = [
        log.examinable < log.calls &&
          !named.includes(LANGFUSE) &&
          `Why others are left alone, and what to do about it: remand read ${own}`,
        log.examinable > 0 &&
          args.judge === undefined &&
          `To ask some of them again: remand look ${own} --judge model@url --dry-run`,
        kept > 0 &&
          `The judge kept ${kept} of these verdicts though it was sent the reasons. What goes out then is REMAND_POLICY: the last word, or a tie.`,
        log.examinable > 0 &&
          args.judge !== undefined &&
          'To have every verdict examined: JUDGE_BASE_URL=… remand serve, and http://127.0.0.1:8787/v1 as the base URL of your client.',
        log.pipelines.some((one) => one.first_wins) &&
          records === undefined &&
          'For a ranking without the effect of the place: give --records verdicts.jsonl, then remand rank',
      ].filter(Boolean);
      const words = async () => `${await describeResult(document)}\n${steps.join('\n')}\n`;
      print(document, words, await call.origin());
    }

    /** What stays open is left alone, as it would be without having asked. */
    async function nameOpenSlots(model: Model, signal: AbortSignal): Promise<void> {
      const errors: unknown[] = [];
      let left = 0;
      const acting = () => reader.settle().filter(({ open }) => open === null).length;
      const before = acting();
      const asked = await askReader(reader.book, model, {
        clock: systemClock,
        texts: true,
        signal,
        chosen(open) {
          const all = open
            .filter((pipeline) => explainOpen(pipeline) !== null)
            .toSorted((a, b) => b.requests - a.requests);
          left = Math.max(0, all.length - MOST_ASKED);
          return all.slice(0, MOST_ASKED);
        },
        failed(error) {
          if (error instanceof RefusedKeyError) throw error;
          errors.push(error);
        },
      });
      if (asked === 0) return;
      const others = left > 0 ? ` (${left} with fewer requests are left alone)` : '';
      const several = asked === 1 ? 'one template' : `${asked} templates${others}`;
      const why = errors.length > 0 ? ` ${errors.length} calls failed: ${describeError(errors[0])}.` : '';
      tell(
        args['dry-run']
          ? `The judge would be asked about ${several}; judgments that are read by what it says are not in the estimate.\n`
          : `The judge was asked what stands in ${several}: ${acting() - before} of ${asked} can be examined since.${why}\n`,
      );
    }

    async function askAgain(spec: string): Promise<void> {
      const { concurrency } = args;
      const found: ReaskedJudgment[] = [];
      let model = '';
      let log = tally.tell();
      await withModels(
        { ...args, tellsFailures: true },
        async (models, signal) => {
          if (args.reader) await nameOpenSlots(await models.open(spec, '--judge'), signal);
          const all = await readAll();
          log = all.log;
          const { templates } = all;
          const sample = tally.sample();
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
            endpoint,
            settings,
            templates,
            store: models.store,
            spend: models.spend,
          });
          for await (const result of runAll(sample, ask, { concurrency, signal, fatal: () => true })) {
            if ('error' in result) throw result.error;
            found.push(result.value);
            progress(found.length);
          }
        },
        async ({ calls, tokens }) => {
          const cost = computeCost(model, tokens, known);
          const asked = tallySample(found);
          const records = found.flatMap((one) => one.records);
          await writeRecords(records, asked.asked);
          const sum = { ...asked, calls, tokens, cost: cost && cost.input + cost.output };
          await tellResult(log, sum);
          if (sum.failed === 0) return;
          tell(`${sum.failed} of ${found.length} judgments failed: ${sum.errors.join('; ')}\n`);
          if (2 * sum.failed > found.length) process.exitCode = 1;
        },
      );
    }
  },
);

type SampleTally = Extract<NonNullable<LookResult['sample']>, { readonly asked: number }> & {
  readonly tokens: Tokens;
};

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
    changed: found.filter((one) => one.moved && isAffected(one)).length,
    biases: Object.fromEntries([...biases].sort(([, a], [, b]) => b - a)),
    unread,
    failed,
    not_asked: notAsked,
    untested: tallyUntested(found),
    orders: estimateOrderNoise(found.flatMap(({ orders }) => orders ?? [])),
    errors: [...new Set(found.flatMap(({ error }) => error ?? []))].slice(0, 3),
  };
}

/** @returns in how many judgments a bias was not tested for one reason, the most frequent first; several cues count once */
function tallyUntested(found: readonly ReaskedJudgment[]): SampleTally['untested'] {
  const sums = new Map<string, SampleTally['untested'][number]>();
  for (const { status, untested } of found) {
    if (FAILED.includes(status)) continue;
    const each = new Map(untested.map((one) => [`${one.bias}: ${one.why}`, one]));
    for (const [key, one] of each) sums.set(key, { ...one, count: (sums.get(key)?.count ?? 0) + 1 });
  }
  return [...sums.values()].sort((a, b) => b.count - a.count);
}

// Judgments of a log asked once more, as the proxy would have: in both orders, with what could sway taken out, sent back with reasons.

interface ReaskOptions extends PaidEndpoint {
  /** By which requests are read. */
  readonly templates: readonly Template[];
  /** Settings of the proxy by their names. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** What became of one judgment. `not-asked` is one for which the budget was used up. */
interface ReaskedJudgment {
  readonly status: string;
  readonly biases: readonly string[];
  /** Whether what goes out decides otherwise than the first verdict. */
  readonly moved: boolean;
  /** Why it failed, in words; null where it did not. */
  readonly error: string | null;
  /** Cues that spoke for its verdict and were not tested; `why` in words. */
  readonly untested: readonly { readonly bias: string; readonly why: string }[];
  /** Null where the two orders have no verdicts that can be compared. */
  readonly orders: OrderPair | null;
  /** Its verdicts, in both orders where both were asked for. */
  readonly records: readonly PastJudgment[];
}

/** What a record says of where it comes from. */
const placeOf = ({ place, contestants, group }: GivenRequest) => ({
  item: place,
  ...(group !== null && { group }),
  ...(contestants && { contestants: [...contestants] }),
});

/** As many as `--concurrency` may be. */
const MOST_AT_ONCE = 1024;

/** Nobody waits for one verdict here. */
const NO_DEADLINE_MS = 3_600_000;

/**
 * @returns asks about one judgment; where its reply is in the log, and the judge is the one that gave it, that is the first verdict
 */
function createReasker(
  options: ReaskOptions,
): (given: GivenRequest, signal: AbortSignal) => Promise<ReaskedJudgment> {
  const { endpoint, templates } = options;
  const logged = new Map<string, string>();
  let spent: BudgetError | null = null;
  const paid = createPaidFetch(options);
  const fetch: Fetch = async (url, init) => {
    const body = init.body instanceof Uint8Array ? new TextDecoder().decode(init.body) : init.body;
    const known = typeof body === 'string' ? logged.get(body) : undefined;
    if (known !== undefined && typeof body === 'string') {
      logged.delete(body);
      return new Response(known, { headers: { 'content-type': 'application/json' } });
    }
    try {
      return await paid(url, init);
    } catch (cause) {
      if (cause instanceof BudgetError) spent ??= cause;
      throw cause;
    }
  };
  const traces = createMemoryTraces({
    keep: MOST_AT_ONCE,
    bytes: Number.POSITIVE_INFINITY,
    bytesEach: LARGEST_REPLY,
  });
  const underWay = new Set<Promise<void>>();
  const begin = (work: () => Promise<void>) => {
    const done = work().then(() => void underWay.delete(done));
    underWay.add(done);
  };
  const proxy = createProxy(
    {
      REMAND_DEADLINE_MS: NO_DEADLINE_MS,
      ...options.settings,
      JUDGE_BASE_URL: endpoint.url,
      REMAND_LEARN: 'off',
      REMAND_BREAKER_MS: 0,
      REMAND_TEMPLATES: JSON.stringify(templates.flatMap((template) => templateFile(template) ?? [])),
    },
    { fetch, judgeUrl: endpoint.url, traces, waitUntil: begin, log: () => {} },
  );
  const end = (status: string, error: string | null): ReaskedJudgment => ({
    status,
    biases: [],
    moved: false,
    error,
    untested: [],
    orders: null,
    records: [],
  });
  const notAsked = (why: BudgetError) => {
    if (why instanceof RefusedKeyError) throw why;
    return end('not-asked', null);
  };
  return async (given, signal) => {
    const unfit = whyUnfit(given, endpoint);
    if (unfit !== null) return end('failed', unfit);
    if (spent) return notAsked(spent);
    const { path, headers, body, isSame } = requestFor(given, endpoint);
    if (isSame && given.response !== null) logged.set(body, given.response);
    try {
      const reply = await proxy.request(path, { method: 'POST', headers, body, signal });
      const text = await readText(reply, { maxBytes: LARGEST_REPLY, again: false, signal });
      // What the budget cut short says nothing of the judge.
      if (spent) return notAsked(spent);
      if (!reply.ok) return end('failed', `${reply.status}: ${findSentence(text, [endpoint.key])}`);
      const status = reply.headers.get('x-remand-status') ?? 'failed';
      await Promise.all(underWay);
      const trace = await traces.get(reply.headers.get('x-remand-trace') ?? '');
      return {
        status,
        biases: (reply.headers.get('x-remand-biases') ?? '').split(',').filter((name) => name !== ''),
        moved: trace?.moved ?? false,
        error:
          status === 'failed-open'
            ? (trace?.error ?? explainUnexamined(reply.headers.get('x-remand-reason') ?? status))
            : null,
        untested: (trace?.untested ?? []).map(({ bias, why }) => ({ bias, why: explainUntested(why) })),
        orders: trace ? readOrderPair(trace) : null,
        records: trace ? recordFirst(trace).map((record) => ({ ...record, ...placeOf(given) })) : [],
      };
    } catch (cause) {
      signal.throwIfAborted();
      if (cause instanceof RefusedKeyError) throw cause;
      return end('failed', describeError(cause));
    } finally {
      logged.delete(body);
    }
  };
}

// Logs that are not files yet: the model calls of a Langfuse project, by its API.

const LANGFUSE = 'langfuse:';

interface FetchedLogs extends AsyncDisposable {
  readonly files: readonly string[];
}

interface FetchWindow {
  readonly since: string | undefined;
  readonly until: string | undefined;
  readonly limit: number | undefined;
}

/** What is fetched lies in a file of its own until the logs have been read. @param named files, and `langfuse:` */
async function fetchLogs(named: readonly string[], args: FetchWindow): Promise<FetchedLogs> {
  if (!named.includes(LANGFUSE)) {
    for (const option of ['since', 'until', 'limit'] as const)
      if (args[option] !== undefined) throw new InputError(`--${option}`, 'is for langfuse:');
    return { files: named, [Symbol.asyncDispose]: async () => {} };
  }
  const folder = await mkdtemp(join(tmpdir(), 'remand-look-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const path = join(folder, 'langfuse.jsonl');
    await fetchGenerations(path, args);
    return { files: named.map((one) => (one === LANGFUSE ? path : one)), [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function fetchGenerations(
  path: string,
  { since, until, limit = MOST_FETCHED }: FetchWindow,
): Promise<void> {
  const window = { since: since ?? null, until: until ?? new Date(systemClock.now()).toISOString() };
  const langfuse = await readLangfuse();
  const progress = showProgress('calls from Langfuse', null);
  await runInterruptible((signal) =>
    writeWhole({ path }, async (files) => {
      const pages = createLangfusePages(langfuse, { fetch: runtimeFetch, clock: systemClock, signal });
      let read = 0;
      for (let next: string | null = null; read < limit; ) {
        const page = await pages.generations(window, next);
        for (const one of page.items.slice(0, limit - read))
          await files.path.write(formatJsonLine({ ...one, type: 'GENERATION', traceId: one.traceId ?? '' }));
        read += page.items.length;
        progress.update(Math.min(read, limit));
        next = page.next;
        if (next === null) break;
      }
    }),
  ).finally(() => progress.stop());
}

// What a log of model calls tells by itself: which are judgments, how many of them can be examined, how often the first option wins.

type LogTally = Omit<LookResult, 'missing' | 'sample'>;

/** `chance`: how often the first option would win by chance, one for each of so many options, summed. */
function startCounts(name: string, judge: string) {
  const counts = { calls: 0, examinable: 0, replies: 0, verdicts: 0 };
  return { name, judge, ...counts, decided: 0, first: 0, chance: 0 };
}

/**
 * Counts as it goes, and keeps some of the judgments, each as likely as any other (reservoir sampling, Vitter, ACM Transactions
 * on Mathematical Software 11:37, 1985).
 *
 * @param records where the verdicts of the log are noted; null where nobody wants them
 */
function createLogTally(sample: number, seed: number, records: PastJudgment[] | null) {
  const pipelines = new Map<string, ReturnType<typeof startCounts>>();
  const left = new Map<string, number>();
  const kept: GivenRequest[] = [];
  const draw = createSeededDraw(seed);
  let calls = 0;
  let judgments = 0;
  let examinable = 0;
  let verdicts = 0;
  let unread = 0;
  const seen = new Set<string>();
  let repeated = 0;

  return {
    add({ given, subject, template, reason }: RequestReading): void {
      calls++;
      if (subject === null) left.set(reason ?? 'no-case', (left.get(reason ?? 'no-case') ?? 0) + 1);
      if (subject === null && (reason === 'no-case' || reason === null)) return;
      judgments++;
      const name = template ?? given.protocol;
      const judge = given.request.model ?? '';
      // One judge may go by place where another does not.
      const key = JSON.stringify([name, judge]);
      const counts = pipelines.get(key) ?? startCounts(name, judge);
      pipelines.set(key, counts);
      counts.calls++;
      if (given.reply !== null) counts.replies++;
      if (subject === null) return;
      counts.examinable++;
      examinable++;
      const names = given.contestants?.length ?? subject.options.length;
      if (names !== subject.options.length)
        throw new InputError(
          given.place,
          `contestants: there are ${names} names, and the prompt has ${subject.options.length === 1 ? 'one option' : `${subject.options.length} options`}`,
        );
      // Of 100,000 judgments some 10 MB.
      const print = hash('sha1', JSON.stringify([given.path, judge, given.request.prompt]), 'base64').slice(
        0,
        16,
      );
      if (seen.has(print)) repeated++;
      seen.add(print);
      if (kept.length < sample) kept.push(given);
      else {
        const place = draw(examinable);
        if (place < sample) kept[place] = given;
      }
      if (given.reply === null) return;
      const verdict = readVerdict(given.reply, subject.form, subject.options);
      if (isNone(verdict)) {
        unread++;
        return;
      }
      verdicts++;
      counts.verdicts++;
      const said = records && kindOf(verdict).toDraw?.(verdict);
      if (said)
        records.push({ ...placeOf(given), judge: given.request.model || 'judge', order: 'given', ...said });
      const winner = subject.options.length > 1 ? winnerOf(verdict) : null;
      if (typeof winner !== 'number') return;
      counts.decided++;
      counts.chance += 1 / subject.options.length;
      if (winner === 0) counts.first++;
    },
    /** The judgments that were kept. */
    sample: (): readonly GivenRequest[] => kept,
    tell: (): LogTally => ({
      calls,
      judgments,
      examinable,
      verdicts,
      unread,
      repeated,
      left_alone: Object.fromEntries([...left].sort(([, a], [, b]) => b - a)),
      pipelines: [...pipelines.values()]
        .sort((a, b) => b.calls - a.calls)
        .map(({ decided, first, chance, ...counts }) => ({
          ...counts,
          first_wins:
            decided === 0
              ? null
              : {
                  n: decided,
                  share: first / decided,
                  chance: chance / decided,
                  interval: toInterval(wilson(first, decided)),
                },
        })),
    }),
  };
}
