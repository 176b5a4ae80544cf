/**
 * An audit as a job. A step of it asks what is left of the first batch that is not done or, where all are, makes the
 * report. Whoever drives it keeps nothing: all that is known is in the store, so that a step which is done twice, or by
 * another process, does what is left and no more.
 */
import type * as z from 'zod';
import { askMissing, isFailed, openPlan } from '../../audit/index.ts';
import { InputError, RemandError } from '../../errors.ts';
import { type Caller, createCaller } from '../access/door.ts';
import type { KeyStore } from '../access/key-store.ts';
import { createPurse, type Limits } from '../limits/lease.ts';
import { RefusedError, readAgainMs } from '../refusal.ts';
import { createRedactor, listOperatorKeys } from '../secrets.ts';
import { type JudgeUpstreams, readUpstreamJudges } from '../upstream-judges.ts';
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

export interface AuditStep {
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
  const redact = createRedactor(new Headers(), listOperatorKeys(config));
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
