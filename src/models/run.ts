/**
 * Running many items past a model: so many at a time, results in the order of the items, what fails listed with
 * its reason. Memory holds the items under way and no more, so a run may be as long as it likes.
 */
import { pMapIterable } from 'p-map';
import {
  BudgetError,
  JudgeError,
  readRetryAfterMs,
  readSenderClock,
  WaitingError,
  wait,
} from '../http/index.ts';
import type { Clock, Fetch } from '../ports.ts';

export interface RunOptions {
  /** Items worked on at a time, at least 1. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Called after each item, in the order in which they end. */
  readonly onProgress?: (progress: { readonly done: number; readonly failed: number }) => void;
  /** Whether an error ends the run; default: only a used-up budget does. Others are that item's failure. */
  readonly fatal?: (error: unknown) => boolean;
}

/** Statuses that say the same of every item: a wrong key, no credit, a wrong model or URL. */
const HOPELESS: readonly (number | null)[] = [401, 402, 403, 404];

/** Whether an error means that no further item need be tried. */
export function endsRun(error: unknown): boolean {
  return !(error instanceof JudgeError) || HOPELESS.includes(error.status);
}

type RunResult<Item, Out> = { readonly item: Item; readonly index: number } & (
  | { readonly value: Out }
  | { readonly error: Error }
);

/**
 * @param work given the run's signal, which aborts when the run ends early
 * @returns one result an item, in the order of the items
 * @throws what `fatal` says ends the run, or the signal's reason; a WaitingError at the end where items wait for
 *   calls that are made later: of those there is no result
 */
export async function* runAll<Item, Out>(
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item, signal: AbortSignal) => Promise<Out>,
  options: RunOptions,
): AsyncGenerator<RunResult<Item, Out>> {
  const { concurrency, fatal = (error) => error instanceof BudgetError } = options;
  const ended = new AbortController();
  const signal = AbortSignal.any([options.signal, ended.signal]);
  let done = 0;
  let failed = 0;
  let waiting = 0;
  const underWay = new Set<Promise<unknown>>();
  let spent: BudgetError | null = null;
  const one = async (item: Item, index: number): Promise<RunResult<Item, Out> | null> => {
    signal.throwIfAborted();
    if (spent) throw spent;
    try {
      const value = await work(item, signal);
      options.onProgress?.({ done: ++done, failed });
      return { item, index, value };
    } catch (cause) {
      if (cause instanceof WaitingError && !signal.aborted) {
        waiting++;
        return null;
      }
      if (signal.aborted || fatal(cause)) {
        if (cause instanceof BudgetError) spent = cause;
        throw cause;
      }
      failed++;
      options.onProgress?.({ done: ++done, failed });
      return { item, index, error: cause instanceof Error ? cause : new Error(String(cause)) };
    }
  };
  const tracked = (item: Item, index: number) => {
    const promise = one(item, index).finally(() => underWay.delete(promise));
    underWay.add(promise);
    return promise;
  };
  try {
    const results = pMapIterable(items, tracked, { concurrency, backpressure: concurrency * 2 });
    for await (const result of results) if (result) yield result;
    if (waiting > 0) throw new WaitingError(`${waiting} of the items wait for calls that are made later`);
  } catch (error) {
    // Calls that were sent are paid for, and whoever stores replies keeps theirs. The budget lets no further call be sent.
    if (error instanceof BudgetError) await Promise.allSettled(underWay);
    throw error;
  } finally {
    // Whether it failed or the caller stopped reading: nobody waits for what else is under way.
    ended.abort(new DOMException('the run is over', 'AbortError'));
  }
}

/**
 * Waits for all of an item's calls even where one fails, so that none is still under way when the item is over.
 *
 * @throws the first one's error, in their order
 */
export async function settleAll<const T extends readonly Promise<unknown>[] | []>(
  calls: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(calls);
  return Promise.all(calls);
}

/** Every item with each of the others: a paper with one model after the other, then the next paper. */
export async function* pairUp<Item, Other>(
  items: Iterable<Item> | AsyncIterable<Item>,
  others: readonly Other[],
): AsyncGenerator<readonly [Item, Other]> {
  for await (const item of items) for (const other of others) yield [item, other];
}

// Several endpoints that serve the same model (a vLLM fleet), used by weight as one.

interface FleetMember {
  /** Base URL, without the path that is asked for. */
  readonly url: string;
  /** Share of the calls, above 0. */
  readonly weight: number;
  readonly fetch: Fetch;
}

/**
 * Sends each call to the member that has least to do for its weight, the first of equals. A member that gives
 * no reply at all is passed over for that call.
 *
 * @param base the URL under which the fleet is asked; what follows it is appended to the member's own
 * @throws the last member's error, where none replies
 */
export function createFleet(base: string, members: readonly FleetMember[]): Fetch {
  if (members.length === 0) throw new RangeError('a fleet has at least one member');
  const load = members.map(() => 0);
  return async (url, init) => {
    const path = url.startsWith(base) ? url.slice(base.length) : new URL(url).pathname;
    const tried = new Set<number>();
    for (;;) {
      const chosen = leastLoaded(members, load, tried);
      const member = members[chosen];
      if (!member) throw new RangeError('no member of the fleet is left');
      tried.add(chosen);
      load[chosen] = (load[chosen] ?? 0) + 1;
      try {
        return await member.fetch(member.url + path, init);
      } catch (error) {
        if (init.signal?.aborted || tried.size === members.length) throw error;
      } finally {
        load[chosen] = (load[chosen] ?? 1) - 1;
      }
    }
  };
}

function leastLoaded(
  members: readonly FleetMember[],
  load: readonly number[],
  without: ReadonlySet<number>,
): number {
  const costs = members.map((member, index) =>
    without.has(index) ? Number.POSITIVE_INFINITY : ((load[index] ?? 0) + 1) / member.weight,
  );
  return costs.indexOf(Math.min(...costs));
}

// Keeping a provider's rate limits by what its replies say: a call waits while the endpoint has said that
// nothing is left, rather than being refused and tried again.

/** Remaining and reset, as OpenAI-compatible endpoints and as Anthropic name them. */
const LIMITS = [
  ['x-ratelimit-remaining-requests', 'x-ratelimit-reset-requests'],
  ['x-ratelimit-remaining-tokens', 'x-ratelimit-reset-tokens'],
  ['anthropic-ratelimit-requests-remaining', 'anthropic-ratelimit-requests-reset'],
  ['anthropic-ratelimit-tokens-remaining', 'anthropic-ratelimit-tokens-reset'],
] as const;

/** A longer rest than this is not taken for a pause: the call is made, and the endpoint may refuse it. */
const LONGEST_MS = 10 * 60_000;

/** A transport that rests while its endpoint has nothing left to give. One for each endpoint. */
export function paceFetch(fetch: Fetch, clock: Clock): Fetch {
  let restUntil = Number.NEGATIVE_INFINITY;
  return async (url, init) => {
    for (let now = clock.elapsed(); now < restUntil; now = clock.elapsed())
      await wait(restUntil - now, clock, init.signal);
    const response = await fetch(url, init);
    const rest = readRestMs(response, clock.now());
    if (rest > 0) restUntil = Math.max(restUntil, clock.elapsed() + Math.min(rest, LONGEST_MS));
    return response;
  };
}

/** How long nothing more should be sent after a reply, in milliseconds; 0 for not at all. */
export function readRestMs({ status, headers }: Response, now: number): number {
  if (status === 429 || status === 529 || status === 503) {
    const asked = readRetryAfterMs(headers, now);
    if (asked !== null) return asked;
  }
  const waits = LIMITS.map(([remaining, reset]) => {
    const left = headers.get(remaining)?.trim();
    return left === '0'
      ? (parseResetMs(headers.get(reset)?.trim() ?? '', readSenderClock(headers, now)) ?? 0)
      : 0;
  });
  return Math.max(0, ...waits);
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `6m0s`, `20ms` and `1.5s` (OpenAI), plain seconds, or an RFC 3339 time (Anthropic); null for anything else. */
export function parseResetMs(text: string, now: number): number | null {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  if (/^(\d{1,15}(\.\d{1,15})?(ms|s|m|h)){1,8}$/.test(text)) {
    const parts = text.matchAll(/(\d{1,15}(?:\.\d{1,15})?)(ms|s|m|h)/g);
    return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (UNITS[unit ?? ''] ?? 0), 0);
  }
  const time = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : Math.max(0, time - now);
}
