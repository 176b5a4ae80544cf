/**
 * One model's calls in batches: what the call store lacks is noted, handed over, and collected at a later start.
 * Every step is noted before it is made, so that a run may be killed anywhere: a batch is found again, never made twice.
 */

import type {
  Adapter,
  BatchApi,
  BatchConnection,
  BatchedCall,
  BatchLook,
  BatchOrder,
} from '../../../adapters/index.ts';
import {
  explainError,
  JudgeError,
  joinUrl,
  readLines,
  readText,
  runWithTimeout,
  sendRequest,
  TooLongError,
  WaitingError,
  withRetry,
} from '../../http/index.ts';
import type { Clock, Fetch } from '../../ports.ts';
import { shorten } from '../../shorten.ts';
import type { CallStore } from '../call-store.ts';
import type { Spend } from '../ledger.ts';
import { type DeferCall, isReply } from '../model.ts';
import type { BatchPlace, BatchRow, BatchTables } from '../store/sqlite-calls.ts';

interface BatchesOptions {
  readonly api: BatchApi;
  readonly tables: BatchTables;
  readonly place: BatchPlace;
  readonly protocol: Adapter;
  readonly store: CallStore;
  readonly spend: Spend;
  readonly clock: Clock;
  /** Most calls in one batch, where fewer than the interface takes. */
  readonly size: number;
}

/** A batch whose results are not collected yet. */
export interface OpenBatch {
  readonly id: string;
  readonly endpoint: string;
  readonly model: string;
  readonly calls: number;
  readonly done: number;
  readonly status: string;
  readonly ended: boolean;
}

export interface Batches {
  /** The model's calls come here instead of to its endpoint. */
  readonly later: DeferCall;
  /** Ends what a kill left half-done, and collects the batches that have ended. */
  settle(signal: AbortSignal): Promise<void>;
  /** Hands over what was noted. */
  submit(signal: AbortSignal): Promise<void>;
  look(signal: AbortSignal): Promise<OpenBatch[]>;
  /** When a run is complete: what failed for good may be tried anew. */
  forget(): void;
}

/** How often a call is handed over before it counts as failed. */
const TRIES = 3;
/** How often a batch is tried to be created in one start. */
const CREATIONS = 4;
const MAX_WAIT_MS = 30_000;

export function createBatches(options: BatchesOptions): Batches {
  const { api, tables, place, protocol, spend, clock } = options;
  const path = protocol.compose({ model: place.model, system: null, user: '', parameters: {} }).path;

  /** From wherever it stopped: not uploaded, not created, or created without our knowing. */
  async function handOver(row: BatchRow, signal: AbortSignal): Promise<string> {
    const since = row.since ?? clock.now();
    const calls = () => tables.calls(row.id);
    const order: BatchOrder = { path, file: row.file, calls, size: row.calls, since, taken: tables.taken };
    const file = row.file ?? (await api.upload(order, signal));
    if (file !== null) tables.update(row.id, { file });
    let doubtful = row.since !== null;
    tables.update(row.id, { since });
    const remote = await withRetry(
      async () => {
        const whole = { ...order, file };
        const there = doubtful ? await api.find(whole, signal) : null;
        doubtful = true;
        return there ?? (await api.create(whole, signal));
      },
      { retries: CREATIONS - 1, maxWaitMs: MAX_WAIT_MS, signal, clock },
    );
    tables.update(row.id, { remote });
    return remote;
  }

  async function collect(row: BatchRow, { results, failure, status }: BatchLook, signal: AbortSignal) {
    for (const from of results) {
      for await (const line of api.lines(from, signal)) {
        const outcome = api.read(line);
        // A name that is none of ours, or came before: the first reply counts.
        if (!outcome || !tables.holds(row.id, outcome.key)) continue;
        if ('reply' in outcome && isReply(protocol, outcome.reply)) await keep(outcome.key, outcome.reply);
        else if ('reply' in outcome) fail(outcome.key, 'it is no reply of the protocol', true);
        else fail(outcome.key, outcome.error, outcome.passing);
      }
    }
    for (const { key } of tables.calls(row.id))
      fail(key, failure ?? `the batch ended (${status}) without a reply to it`, true);
    tables.close(row.id);
  }

  async function keep(key: string, reply: string) {
    const { endpoint, model } = place;
    await options.store.put(key, { endpoint, model, request: tables.request(key), reply });
    spend.add(protocol.readReply(reply, false).tokens);
    tables.collected(key);
  }

  function fail(key: string, error: string, passing: boolean) {
    const before = tables.entry(key)?.tries ?? 0;
    tables.failed(key, `in a batch: ${error}`, passing ? before + 1 : TRIES);
  }

  return {
    later({ key, request }) {
      const known = tables.entry(key);
      if (known && known.batch === null && known.tries >= TRIES)
        throw new JudgeError(known.error ?? 'the call failed');
      if (!known?.batch && !known?.wanted) {
        spend.begin();
        tables.note(place, { key, request });
      }
      throw new WaitingError('the call waits in a batch');
    },
    async settle(signal) {
      for (const row of tables.open(place)) {
        const id = row.remote ?? (await handOver(row, signal));
        const look = await lookAt(api, id, signal);
        if (!look.ended) continue;
        await withRetry(() => collect(row, look, signal), {
          retries: CREATIONS - 1,
          maxWaitMs: MAX_WAIT_MS,
          signal,
          clock,
        });
      }
    },
    async submit(signal) {
      for (;;) {
        const calls = firstBatch(tables.unsent(place, TRIES), api, path, options.size);
        if (calls.length === 0) return;
        const id = tables.add(
          place,
          calls.map(({ key }) => key),
        );
        const row = { id, file: null, remote: null, since: null, calls: calls.length };
        await handOver(row, signal);
      }
    },
    async look(signal) {
      const found: OpenBatch[] = [];
      for (const { remote, calls } of tables.open(place)) {
        if (remote === null) continue;
        const { status, done, ended } = await lookAt(api, remote, signal);
        found.push({ id: remote, endpoint: place.endpoint, model: place.model, calls, done, status, ended });
      }
      return found;
    },
    forget: () => tables.forget(place),
  };
}

/** A batch that the endpoint no longer knows has ended. */
async function lookAt(api: BatchApi, id: string, signal: AbortSignal): Promise<BatchLook> {
  try {
    return await api.look(id, signal);
  } catch (cause) {
    if (!(cause instanceof JudgeError) || cause.status !== 404) throw cause;
    return { id, ended: true, status: 'gone', done: 0, failure: `the batch ${id} is gone`, results: [] };
  }
}

/** As many calls as one batch takes, and at least one. */
function firstBatch(all: Iterable<BatchedCall>, api: BatchApi, path: string, size: number): BatchedCall[] {
  const calls: BatchedCall[] = [];
  const encoder = new TextEncoder();
  let bytes = 0;
  for (const call of all) {
    bytes += encoder.encode(api.line(call, path)).byteLength + 1;
    if (calls.length > 0 && bytes > api.most.bytes) break;
    calls.push(call);
    if (calls.length >= Math.min(api.most.requests, size)) break;
  }
  return calls;
}

// Requests to a provider's batch interface: its key on each, failures in passing tried again, results line by line.

interface ConnectionOptions {
  readonly protocol: Adapter;
  /** Base URL of the one endpoint that gets the key. */
  readonly url: string;
  readonly key: string | null;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly retries: number;
  /** For one request, uploads included, in milliseconds. */
  readonly timeoutMs: number;
}

const MAX_REPLY = 32 << 20;
const LONGEST_RETRY_WAIT_MS = 60_000;

/** @param headers on every request, beside the credential */
export function createConnection(
  options: ConnectionOptions,
  headers: Readonly<Record<string, string>>,
): BatchConnection {
  const { protocol, clock, retries, timeoutMs } = options;
  const headersFor = (path: string, more: Readonly<Record<string, string>> = {}) => {
    const all = new Headers({ 'accept-encoding': 'identity', ...headers, ...more });
    if (options.key !== null) all.set(...protocol.credential(options.key, path));
    return all;
  };
  const asked = (
    path: string,
    init: { method: string; headers: Headers; body?: Uint8Array | string },
    tries: number,
    signal: AbortSignal,
  ) =>
    explainError(
      withRetry(
        () =>
          runWithTimeout(timeoutMs, clock, signal, async (bounded) => {
            const response = await sendRequest(options.fetch, joinUrl(options.url, path), {
              ...init,
              signal: bounded,
            });
            return parseAnswer(
              await readText(response, { maxBytes: MAX_REPLY, again: true, signal: bounded }),
              path,
            );
          }),
        { retries: tries, maxWaitMs: LONGEST_RETRY_WAIT_MS, signal, clock },
      ),
      { keys: [options.key], signal, clock },
    );
  return {
    get: (path, signal) => asked(path, { method: 'GET', headers: headersFor(path) }, retries, signal),
    post: (path, { type, bytes }, again, signal) =>
      asked(
        path,
        { method: 'POST', headers: headersFor(path, { 'content-type': type }), body: bytes },
        again ? retries : 0,
        signal,
      ),
    async *lines(path, signal) {
      const init = { method: 'GET', headers: headersFor(path), signal };
      const response = await explainError(sendRequest(options.fetch, joinUrl(options.url, path), init), {
        keys: [options.key],
        signal,
        clock,
      });
      if (response.body) yield* resultLines(response.body);
    },
  };
}

function parseAnswer(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new JudgeError(`${path} answered with no JSON: ${shorten(text, 120)}`, { retryable: true, cause });
  }
}

async function* resultLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  try {
    yield* readLines(body, MAX_REPLY);
  } catch (cause) {
    if (cause instanceof TooLongError)
      throw new JudgeError(`a line of results is longer than ${MAX_REPLY}`, { cause });
    throw new JudgeError('the results were cut off', { retryable: true, cause });
  }
}
