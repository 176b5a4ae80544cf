/**
 * One step of an audit: the pieces that are left of its first batch that is not done, or, where all are, the report.
 * Whoever drives it, a Workflow at the edge or a loop on Node, keeps nothing: all that is known is in the store, so
 * that a step which is done twice, or by another process, does what is left and no more.
 */
import { InputError, RemandError } from '../../errors.ts';
import { BudgetError, JudgeError } from '../../http/judge-errors.ts';
import { readRetryAfterMs } from '../../http/retry.ts';
import { runAll } from '../../models/run.ts';
import { createSpend, type Spend } from '../../models/spend.ts';
import type { Caller } from '../access/door.ts';
import type { KeyStore } from '../access/key-store.ts';
import type { Lease, Limits } from '../limits/lease.ts';
import { RefusedError } from '../refusal.ts';
import { createRedactor, listOperatorKeys } from '../secrets.ts';
import type { AuditStore, StoredAudit, StoredBatch } from './audit-store.ts';
import { createJudges, type JudgeUpstreams } from './judges.ts';
import type { AuditPiece, PreparedAudit } from './kinds/types.ts';
import { prepareAudit } from './prepare.ts';

export interface AuditTools extends JudgeUpstreams {
  readonly store: AuditStore;
  /** Where the key that asked is looked up: its limits may have changed since, or it may have been revoked. */
  readonly keys: KeyStore;
  readonly limits: Limits;
}

/** `calls`: made by this step. `again`: something failed that may not fail the next time; after `ms` milliseconds. */
export type AdvanceResult =
  | { readonly state: 'more' | 'over'; readonly calls: number }
  | { readonly state: 'again'; readonly calls: number; readonly ms: number };

/** Pieces at a time, of two calls at most: six connections may be open in one invocation at the edge. */
const CONCURRENCY = 3;
/** Attempts in a row that get nothing further; after them what fails is entered as failed. About half an hour. */
const MOST_TRIES = 12;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 5 * 60_000;
/** A budget may begin anew in a month, which is longer than a timer takes; by then it is looked at again. */
const LONGEST_MS = 24 * 3_600_000;
/** Records read at a time for the report, in batches. */
const PAGE = 25;

/** Rejects where the store cannot be reached, and with the signal's reason. */
export async function advanceAudit(
  id: string,
  tools: AuditTools,
  signal: AbortSignal,
): Promise<AdvanceResult> {
  const { store, clock } = tools;
  const audit = await store.get(id);
  if (audit?.state !== 'running') return { state: 'over', calls: 0 };
  try {
    const batch = await store.next(id);
    if (batch) return await attempt(audit, batch, tools, signal);
    await conclude(audit, tools);
    return { state: 'over', calls: 0 };
  } catch (error) {
    // What cannot be used now will not be the next time.
    if (!(error instanceof InputError || error instanceof FailedError)) throw error;
    await store.end(id, 'failed', error.message, null, new Date(clock.now()).toISOString());
    return { state: 'over', calls: 0 };
  }
}

/** The audit cannot be done. */
class FailedError extends RemandError {
  override name = 'FailedError';
}

async function attempt(
  audit: StoredAudit,
  batch: StoredBatch,
  tools: AuditTools,
  signal: AbortSignal,
): Promise<AdvanceResult> {
  const { id } = audit;
  const { store, limits, clock } = tools;
  const redact = createRedactor(new Headers(), listOperatorKeys(tools.config));
  const caller = await callerOf(audit, tools.keys);
  const records: unknown[] = Array.from({ length: batch.pieces }, (_, at) => batch.records[at] ?? null);
  const left = records.filter((record) => record === null).length;

  let lease: Lease;
  try {
    // Two calls a piece are the most; what is not used is given back.
    lease = await limits.open(caller, 2 * left, signal);
  } catch (error) {
    if (error instanceof RefusedError && error.againMs !== null) return wait(error.message, error.againMs, 0);
    throw error instanceof RefusedError ? new FailedError(error.message) : error;
  }
  const spend = paidFrom(lease);
  let outcome: Outcome;
  try {
    const prepared = await prepareAudit(
      audit.asked,
      createJudges(audit.asked, tools, { lease, spend, who: caller.id }),
    );
    const pieces = (await Promise.all(batch.rows.map((row) => prepared.pieces(row)))).flat();
    outcome = await askLeft(pieces, records, signal);
  } catch (error) {
    throw error instanceof RefusedError ? new FailedError(error.message) : error;
  } finally {
    await lease.close();
  }

  const { got, failures } = outcome;
  const hopeless = batch.place === 0 && batch.tries === 0 && got === 0 ? refusalIn(failures) : null;
  if (hopeless !== null) throw new FailedError(redact(hopeless));
  // A process that stops has tried nothing.
  const tries = got > 0 ? 0 : batch.tries + (signal.aborted ? 0 : 1);
  const again = failures.filter(({ error }) => isPassing(error) && tries < MOST_TRIES);
  for (const { at, piece, error } of failures)
    if (!again.some((one) => one.at === at)) records[at] = piece.failed(new Error(redact(error.message)));
  await store.save(id, batch.place, {
    records,
    done: records.filter((record) => record !== null).length,
    failed: records.filter(isFailed).length,
    tries,
    calls: spend.calls,
    ...spend.tokens,
  });
  // A process that stops has kept what it had.
  signal.throwIfAborted();
  const [first] = again;
  if (first) return wait(first.error.message, waitMs(again.map(({ error }) => error)), spend.calls);
  if (audit.note !== null) await store.wait(id, null, null);
  return { state: 'more', calls: spend.calls };

  async function wait(why: string, asked: number, calls: number): Promise<AdvanceResult> {
    const ms = Math.min(asked, LONGEST_MS);
    await store.wait(id, redact(why), new Date(clock.now() + ms).toISOString());
    return { state: 'again', ms, calls };
  }

  function waitMs(errors: readonly Error[]): number {
    const said = errors.map((error) => {
      if (error instanceof RefusedError) return error.againMs ?? 0;
      // Until the budget is asked for again, and says itself when it begins anew.
      if (!(error instanceof JudgeError)) return 0;
      return error.response ? (readRetryAfterMs(error.response.headers, clock.now()) ?? 0) : 0;
    });
    return Math.max(Math.min(FIRST_WAIT_MS * 2 ** tries, LONGEST_WAIT_MS), ...said);
  }
}

async function callerOf({ who }: StoredAudit, keys: KeyStore): Promise<Caller> {
  const record = await keys.find(who);
  if (!record || record.revoked !== null)
    throw new FailedError(
      `the key ${who}, which asked for it, ${record ? 'was revoked' : 'is no longer there'}`,
    );
  return {
    id: who,
    limits: Object.values(record.limits).some((one) => one !== undefined) ? record.limits : null,
  };
}

function paidFrom(lease: Lease): Spend {
  const spent = createSpend({ calls: null, tokens: null });
  return {
    get calls() {
      return spent.calls;
    },
    get tokens() {
      return spent.tokens;
    },
    begin() {
      lease.begin();
      spent.begin();
    },
    add: (tokens) => spent.add(tokens),
  };
}

interface Failure {
  readonly at: number;
  readonly piece: AuditPiece;
  readonly error: Error;
}

interface Outcome {
  /** Pieces that have a record now and had none. */
  readonly got: number;
  readonly failures: readonly Failure[];
}

/** Enters the records of those that have none. Where the signal aborts, of those that ended before. */
async function askLeft(
  pieces: readonly AuditPiece[],
  records: unknown[],
  signal: AbortSignal,
): Promise<Outcome> {
  if (pieces.length !== records.length)
    throw new FailedError('this version of Remand takes its rows apart in another way; ask for it anew');
  const left = pieces.flatMap((piece, at) => (records[at] === null ? [{ piece, at }] : []));
  const failures: Failure[] = [];
  const work = async ({ piece, at }: (typeof left)[number], within: AbortSignal) => {
    records[at] = await piece.ask(within);
  };
  try {
    for await (const result of runAll(left, work, { concurrency: CONCURRENCY, signal, fatal: () => false }))
      if ('error' in result) failures.push({ ...result.item, error: result.error });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return { got: left.filter(({ at }) => records[at] !== null).length, failures };
}

/** Whether another attempt may not meet it: an endpoint that is down or busy, a budget that begins anew. */
function isPassing(error: Error): boolean {
  if (error instanceof JudgeError) return error.retryable;
  return error instanceof BudgetError || (error instanceof RefusedError && error.againMs !== null);
}

function isFailed(record: unknown): boolean {
  return typeof record === 'object' && record !== null && 'error' in record && record.error !== null;
}

/** The error's own words, the endpoint's sentence in them, where it refuses every request from the first on: a wrong key, say. */
function refusalIn(failures: readonly Failure[]): string | null {
  const [first] = failures;
  if (!(first?.error instanceof JudgeError) || failures.some(({ error }) => isPassing(error))) return null;
  return `the judge refuses every request: ${first.error.message}`;
}

async function conclude({ id, asked }: StoredAudit, tools: AuditTools): Promise<void> {
  const { store, clock } = tools;
  const records: unknown[] = [];
  for (let from = 0; ; from += PAGE) {
    const page = await store.records(id, from, PAGE);
    records.push(...page.flat());
    if (page.length < PAGE) break;
  }
  const prepared: PreparedAudit = await prepareAudit(asked, createJudges(asked, tools, null));
  const { calls, input, output } = await store.progress(id);
  const report = { ...prepared.report(records), calls, tokens: { input, output } };
  await store.end(id, 'done', null, report, new Date(clock.now()).toISOString());
}
