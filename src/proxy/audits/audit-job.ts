/**
 * An audit as a job. A step of it asks what is left of the first batch that is not done or, where all are, makes the
 * report. Whoever drives it keeps nothing: all that is known is in the store, so that a step which is done twice, or by
 * another process, does what is left and no more.
 */
import type * as z from 'zod';
import { type AuditJudge, askMissing, isFailed, openPlan } from '../../audit/index.ts';
import { describeError, InputError, RemandError } from '../../errors.ts';
import { wait } from '../../http/index.ts';
import { createMemoryCalls, createModel, readModelName } from '../../models/index.ts';
import type { Clock, Fetch } from '../../ports.ts';
import { type Caller, createCaller } from '../access/door.ts';
import type { KeyStore } from '../access/key-store.ts';
import type { Config } from '../config.ts';
import { createPurse, type Limits, type Purse } from '../limits/account-book.ts';
import { withLane } from '../limits/breaker.ts';
import { countFetch, createPriceTable } from '../limits/money.ts';
import type { Log } from '../log.ts';
import type { CountedCall } from '../metrics.ts';
import { RefusedError, readAgainMs } from '../refusal.ts';
import { createRedactor, listOperatorKeys } from '../secrets.ts';
import { createConfiguredRoutes } from '../upstream.ts';
import type { AuditStore, StoredAudit, StoredBatch } from './audit-store.ts';

export interface AuditTools extends JudgeUpstreams {
  readonly store: AuditStore;
  /** Where the key that asked is looked up: its limits may have changed since, or it may have been revoked. */
  readonly keys: KeyStore;
  readonly limits: Limits;
}

/** Audits that go on by themselves once they are asked for, wherever that is. */
export interface Audits {
  readonly tools: AuditTools;
  /** Has an audit whose rows are there go on in the background. */
  start(id: string): Promise<void>;
  /** Has one that stands still go on. */
  resume(id: string): Promise<void>;
}

interface AuditStep {
  readonly calls: number;
  /** Above 0 where something failed that may not fail then. */
  readonly waitMs: number;
}

/** Tasks at a time, most of two calls: six connections may be open in one invocation at the edge. */
const CONCURRENCY = 3;
/** Attempts in a row that get nothing further; after them what fails is entered as failed. About half an hour. */
const MAX_TRIES = 12;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 5 * 60_000;
/** A budget may begin anew in a month, which is longer than a timer takes; by then it is looked at again. */
const LONGEST_MS = 24 * 3_600_000;
const OTHER_VERSION = 'another version of Remand took its rows; ask for it anew';

/** The audit cannot be done. */
class AuditError extends RemandError {
  override name = 'AuditError';
}

/** Null where the audit is over. Rejects where the store cannot be reached, and with the signal's reason. */
export async function advanceAudit(
  id: string,
  tools: AuditTools,
  signal: AbortSignal,
): Promise<AuditStep | null> {
  const { store, clock, config } = tools;
  const audit = await store.get(id);
  if (audit?.state !== 'running') return null;
  const redact = createRedactor(() => listOperatorKeys(config));
  const isoAfter = (ms: number) => new Date(clock.now() + ms).toISOString();
  try {
    const batch = await store.next(id);
    if (!batch) {
      await store.set(id, 'done', { ended: isoAfter(0), report: await makeReport(audit, tools) });
      return null;
    }
    const calls = await tryBatch(audit, batch, tools, redact, signal);
    if (audit.note !== null) await store.set(id, 'running');
    return { calls, waitMs: 0 };
  } catch (error) {
    if (error instanceof RefusedError && error.againMs !== null) {
      const waitMs = Math.min(error.againMs, LONGEST_MS);
      await store.set(id, 'running', { note: redact(error.message), until: isoAfter(waitMs) });
      return { calls: 0, waitMs };
    }
    // What cannot be used now will not be the next time.
    const known = error instanceof AuditError || error instanceof InputError || error instanceof RefusedError;
    if (!known) throw error;
    await store.set(id, 'failed', { ended: isoAfter(0), note: redact(error.message) });
    return null;
  }
}

/**
 * Ends a running audit whose key is no longer good: while it waits for its budget nothing else looks.
 *
 * @returns whether it goes on
 */
export async function checkAuditKey(id: string, { store, keys, clock }: AuditTools): Promise<boolean> {
  const audit = await store.get(id);
  if (audit?.state !== 'running') return false;
  try {
    await findCaller(audit.who, keys);
    return true;
  } catch (error) {
    if (!(error instanceof AuditError)) throw error;
    await store.set(id, 'failed', { ended: new Date(clock.now()).toISOString(), note: error.message });
    return false;
  }
}

async function makeReport({ id, asked, who }: StoredAudit, tools: AuditTools): Promise<object> {
  const account = { who, purse: createPurse() };
  const plan = await openPlan(asked, (...of) => readUpstreamJudges(...of, tools, account));
  const tally = plan.createTally();
  for await (const record of tools.store.records(id)) tally.add(readStored(plan.entry, record));
  const sums = await tools.store.sum(id);
  return { ...tally.report(), calls: sums?.calls, tokens: sums?.tokens };
}

/** @returns the calls that were made. Throws a RefusedError that says how long to wait where something failed in passing. */
async function tryBatch(
  { id, who, asked: settings }: StoredAudit,
  { place, rows, pieces, records: known, tries: before }: StoredBatch,
  tools: AuditTools,
  redact: (text: string) => string,
  signal: AbortSignal,
): Promise<number> {
  const { store, limits, clock, keys } = tools;
  const purse = createPurse();
  const plan = await openPlan(settings, (...of) => readUpstreamJudges(...of, tools, { who, purse }));
  const listed = rows.map((row) => plan.tasks(readStored(plan.row, row), signal));
  const tasks = (await Promise.all(listed)).flat();
  if (tasks.length !== pieces) throw new AuditError(OTHER_VERSION);
  const records = tasks.map((_, at): unknown => known[at] ?? null);
  const missing = () => tasks.filter(({ calls }, at) => calls > 0 && records[at] === null);
  const left = missing();
  const most = left.reduce((sum, { calls }) => sum + calls, 0);
  purse.lease = await limits.open(await findCaller(who, keys), Math.max(1, most), signal);
  const run = { concurrency: CONCURRENCY, signal };
  const asked = await askMissing(plan, tasks, records, run).finally(() => purse.lease.close());

  const failures = asked.map((one) => ({ ...one, againMs: readAgainMs(one.error, clock.now()) }));
  const got = left.length - missing().length;
  if (failures[0] && got + place + before === 0 && failures.every(({ againMs }) => againMs === null))
    throw new AuditError(`the judge refuses every request: ${failures[0].error.message}`);
  const tries = got > 0 || signal.aborted ? 0 : before + 1;
  const again = failures.filter(({ againMs }) => againMs !== null && tries < MAX_TRIES);
  for (const one of failures)
    if (!again.includes(one)) records[one.at] = one.task.fail(new Error(redact(one.error.message)));
  const sums = { failed: records.filter(isFailed).length, calls: purse.calls, tokens: purse.tokens };
  await store.save(id, { place, records, tries }, sums);
  signal.throwIfAborted();
  if (!again[0]) return purse.calls;
  const backoff = Math.min(FIRST_WAIT_MS * 2 ** tries, LONGEST_WAIT_MS);
  const againMs = Math.max(backoff, ...again.map((one) => one.againMs ?? 0));
  throw new RefusedError(503, 'upstream-down', again[0].error.message, { againMs });
}

function readStored<T>(schema: z.ZodType<T>, value: unknown): T {
  const read = schema.safeParse(value);
  if (!read.success) throw new AuditError(OTHER_VERSION);
  return read.data;
}

async function findCaller(id: string, keys: KeyStore): Promise<Caller> {
  const key = await keys.find(id);
  if (key && key.revoked === null) return createCaller(key);
  throw new AuditError(`the key ${id}, which asked for it, ${key ? 'was revoked' : 'is no longer there'}`);
}

// Audits on Node: each is driven by a loop in the process. Of several processes on one file one holds an audit. The others
// look, now and then, whether it still does, and go on where it was when it does not.

/** How long an audit is held without a word of its holder, which may have been killed; in milliseconds. */
const HELD_MS = 15_000;
/** Between two such words, and between two looks at audits that another process holds. */
const LOOK_MS = 5_000;

/** @param holder this process, by a name that no other has */
export function createLocalAudits(tools: AuditTools, log: Log, holder: string) {
  const { store, clock } = tools;
  const closed = new AbortController();
  const { signal } = closed;
  const driven = new Map<string, Promise<void>>();
  let watching: Promise<void> | null = null;

  const hold = (id: string, ms: number) => store.hold(id, holder, clock.now(), clock.now() + ms);

  function report(error: unknown): void {
    const message = `an audit stands still: ${describeError(error)}`;
    if (!signal.aborted) log({ level: 'error', event: 'fault', message });
  }

  async function drive(id: string): Promise<void> {
    while (!signal.aborted && (await hold(id, HELD_MS))) {
      const step = await advanceAudit(id, tools, signal);
      if (!step) return;
      await wait(step.waitMs, clock, signal);
    }
  }

  /** Goes on holding what is driven here, and drives what nobody holds. @returns whether any audit is running */
  async function look(): Promise<boolean> {
    const running = await store.listRunning();
    for (const { id } of running) {
      if (!(await hold(id, HELD_MS)) || !(await checkAuditKey(id, tools))) continue;
      if (driven.has(id) || signal.aborted) continue;
      const driving = drive(id)
        .catch(report)
        .finally(() => driven.delete(id));
      driven.set(id, driving);
    }
    return running.length > 0;
  }

  async function watch(): Promise<void> {
    while (!signal.aborted) await wait(LOOK_MS, clock, signal).then(look).catch(report);
  }

  async function start(): Promise<void> {
    if (await look()) watching ??= watch();
  }

  return {
    tools,
    start,
    resume: start,
    /** Goes on with all that are not over. Never rejects. */
    resumeAll: () => start().catch(report),
    /** Stops them; what was answered by then is kept. */
    async close() {
      closed.abort(new DOMException('the server stops', 'AbortError'));
      const ids = [...driven.keys()];
      await Promise.all([watching, ...driven.values()]);
      for (const id of ids) await hold(id, 0).catch(report);
    },
  };
}

// Audits at the edge: each is driven by a Cloudflare Workflow, which goes on where it was whatever becomes of an isolate.

/** What is used of a binding to a Workflow (https://developers.cloudflare.com/workflows/build/workers-api/). */
export interface Workflows {
  create(options: { readonly id: string; readonly params: Payload }): Promise<unknown>;
  /** Rejects where there is none. */
  get(id: string): Promise<unknown>;
}

/** What an instance is begun with: the rows are in the database, for an event holds 1 MiB. */
export interface Payload {
  readonly audit: string;
  /** What the ids of its instances begin with: the audit's own, or that of a line that was begun to go on with it. */
  readonly line: string;
  /** Instances of one line follow each other, from 0. */
  readonly part: number;
}

/** @param id a new one each time, hard to guess */
export function createEdgeAudits(tools: AuditTools, workflows: Workflows, id: () => string): Audits {
  return {
    tools,
    start: (audit) => beginInstance(workflows, { audit, line: audit, part: 0 }),
    resume: (audit) => beginInstance(workflows, { audit, line: id(), part: 0 }),
  };
}

/** Once, however often it is tried: an id is taken once. */
export async function beginInstance(workflows: Workflows, params: Payload): Promise<void> {
  const id = `${params.line}-${params.part}`;
  try {
    await workflows.create({ id, params });
  } catch (error) {
    const known = await workflows.get(id).catch(() => null);
    if (known === null) throw error;
  }
}

// Judges of a run of many calls: models behind the operator's own upstreams, paid for with the operator's keys.

/** The way to the judges, as the proxy has it. */
interface JudgeUpstreams {
  readonly fetch: Fetch;
  readonly judgeUrl: string;
  readonly config: Config;
  readonly clock: Clock;
  /** Missing at the edge: a Workflow runs in isolates that nobody asks for metrics. */
  readonly called?: (call: CountedCall) => void;
}

/** Who asked, by the id of the key, and what the calls are paid from. */
interface JudgePayer {
  readonly who: string;
  readonly purse: Purse;
}

/**
 * @param text `[name=][protocol:]model[@/path of an upstream]`, several with `;`
 * @param parameters further fields of each request
 * @throws InputError for a judge that cannot be meant, RefusedError for one without a price where its calls are paid in money
 */
export function readUpstreamJudges(
  text: string,
  parameters: Readonly<Record<string, unknown>>,
  { fetch, judgeUrl, config, clock, called }: JudgeUpstreams,
  { who, purse }: JudgePayer,
): AuditJudge[] {
  const routes = createConfiguredRoutes(config, judgeUrl);
  const prices = createPriceTable(config.REMAND_PRICES);

  function openJudge(spec: string): AuditJudge {
    const [head = '', path] = spec.split(/@(?=\/)/);
    const { name, model, protocol } = readModelName(head, 'judge');
    const target = `${path ?? ''}/`;
    const routed = routes.ofPath(target);
    if (path !== undefined && routed.target === target)
      throw new InputError('judge', `no upstream has the path ${path} (REMAND_UPSTREAMS)`);
    const { url, key = null } = routes.ofModel(model, routed).upstream;
    const check = () => purse.lease.money && prices.check(model);
    check();
    const lane = withLane(fetch, { upstream: url, model, who, isAdded: true });
    const counted = countFetch(lane, protocol, clock, (call) => {
      if (call.tokens && purse.lease.money) purse.lease.pay(prices.cost(model, call.tokens));
      called?.({ kind: 'audit', ...call });
    });
    return {
      name,
      protocol,
      open: async (more) =>
        createModel({
          name,
          model,
          protocol,
          url,
          key,
          clock,
          store: createMemoryCalls(),
          spend: purse,
          async fetch(to, init) {
            check();
            return counted(to, init);
          },
          parameters: { ...parameters, ...more },
          // Whoever runs them asks again what failed.
          retries: 0,
          timeoutMs: config.JUDGE_TIMEOUT_MS,
        }),
    };
  }

  const judges = text.split(';').map((one) => openJudge(one.trim()));
  if (new Set(judges.map(({ name }) => name)).size < judges.length)
    throw new InputError('judge', 'two judges have one name: name them with name=model');
  return judges;
}
