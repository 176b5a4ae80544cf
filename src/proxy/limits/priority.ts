/**
 * Clients' requests before the calls that Remand adds. An upstream that takes only so many calls at once, or in a minute, must
 * answer with Remand what it answers without. So a refusal of a client's request is marked where added calls may be the cause
 * of it: it is asked again, and added calls hold back meanwhile. They also hold back while as many calls are under way as
 * there were at the last refusal. At the edge each isolate knows of its own calls.
 */
import { readRetryAfterMs } from '../../http/index.ts';
import type { Clock, Fetch, FetchInit, FetchReply } from '../../ports.ts';
import { accountOf, modelOf, recent } from './breaker.ts';
import { watchBody } from './money.ts';

/** How upstreams say that they have no room: a rate limit, or a full queue. */
const REFUSALS = new Set([429, 503]);
/** How long a refusal counts, in milliseconds. */
const REMEMBERED_MS = 30_000;
/** For so long an upstream may still count a call that has ended here, in milliseconds. */
const JUST_ENDED_MS = 250;
/**
 * How long added calls hold back for a client's request that is going to be asked again, in milliseconds; less once one is
 * answered. Where the upstream says when (`retry-after`), a little longer than that; clients' libraries wait up to a minute.
 */
const HOLD_MS = { least: 3_000, beyond: 500, most: 60_500 };
/** Accounts and models that are remembered; those that were used longest ago are forgotten first. */
const MOST_ACCOUNTS = 1_000;

/** Calls of one account to one model. Times are of the clock's elapsed time. */
interface Traffic {
  underWay: number;
  /** How many of them Remand added. */
  added: number;
  /** When an added call ended last. */
  addedEnded: number;
  /** From when until when added calls hold back for a client's request. */
  heldAt: number;
  heldUntil: number;
  /** How many calls at once are known to be too many, and how long that counts. */
  full: { readonly most: number; readonly until: number };
  /** Wakes the added calls that hold back, in the order in which they came. */
  readonly waiting: Set<() => void>;
}

/** The same transport, for calls of clients and added ones (see Lane). */
export function withPriority(fetch: Fetch, clock: Clock): Fetch {
  const accounts = recent<Traffic>(MOST_ACCOUNTS);

  function trafficOf(url: string, init: FetchInit): Traffic {
    const account = `${accountOf(url, init)}\n${modelOf(url, init)}`;
    const never = Number.NEGATIVE_INFINITY;
    const traffic = accounts.get(account) ?? {
      underWay: 0,
      added: 0,
      addedEnded: never,
      heldAt: never,
      heldUntil: never,
      full: { most: Number.POSITIVE_INFINITY, until: never },
      waiting: new Set<() => void>(),
    };
    accounts.set(account, traffic);
    return traffic;
  }

  return async (url, init) => {
    const { lane, signal } = init;
    const isAdded = lane?.isAdded ?? false;
    // Where nobody has read a client's request, its model is looked for only once it was refused.
    const known = isAdded || typeof lane?.model === 'string' ? trafficOf(url, init) : null;
    if (known && isAdded) {
      // From the last look to `count` nothing is awaited: of several that are woken together, each sees those before it.
      for (let ms = readWaitMs(known, clock); ms > 0; ms = readWaitMs(known, clock)) {
        init.held?.(true);
        await nextChange(known, clock, ms, signal);
      }
      signal?.throwIfAborted();
      init.held?.(false);
    }
    const began = clock.elapsed();
    const beside = known?.underWay ?? 0;
    const end = known ? count(known, isAdded, clock, signal) : () => undefined;
    let response: FetchReply;
    try {
      response = await fetch(url, init);
    } catch (error) {
      end();
      throw error;
    }
    if (!REFUSALS.has(response.status)) {
      if (known) noteRoom(known, Math.min(beside, known.underWay - 1) + 1);
      if (known && !isAdded && began >= known.heldAt) known.heldUntil = Number.NEGATIVE_INFINITY;
      if (!known || !response.ok) {
        end();
        return response;
      }
      return watchBody(response, { end });
    }
    const traffic = known ?? trafficOf(url, init);
    end();
    const now = clock.elapsed();
    traffic.full = { most: Math.max(1, traffic.underWay), until: now + REMEMBERED_MS };
    const isCrowded = traffic.added > 0 || traffic.addedEnded >= began - JUST_ENDED_MS;
    if (isAdded || !isCrowded) return response;
    traffic.heldAt = now;
    const againMs = (readRetryAfterMs(response.headers, clock.now()) ?? 0) + HOLD_MS.beyond;
    traffic.heldUntil = now + Math.min(HOLD_MS.most, Math.max(HOLD_MS.least, againMs));
    return Object.assign(response, { crowded: true });
  };
}

/** How long an added call waits unless something changes, in milliseconds; 0 where it may begin. */
function readWaitMs({ heldUntil, underWay, full }: Traffic, clock: Clock): number {
  const now = clock.elapsed();
  if (now < heldUntil) return heldUntil - now;
  return underWay >= full.most ? Math.max(0, full.until - now) : 0;
}

/** A call begins. @returns to be called when it has ended; a second call does nothing */
function count(
  traffic: Traffic,
  isAdded: boolean,
  clock: Clock,
  signal: AbortSignal | undefined,
): () => void {
  traffic.underWay++;
  if (isAdded) traffic.added++;
  let hasEnded = false;
  const end = () => {
    if (hasEnded) return;
    hasEnded = true;
    signal?.removeEventListener('abort', end);
    traffic.underWay--;
    if (isAdded) {
      traffic.added--;
      traffic.addedEnded = clock.elapsed();
    }
    for (const tell of traffic.waiting) tell();
    traffic.waiting.clear();
  };
  signal?.addEventListener('abort', end, { once: true });
  return end;
}

/** So many at once were answered. */
function noteRoom(traffic: Traffic, calls: number): void {
  const { most, until } = traffic.full;
  if (calls > most) traffic.full = { most: calls, until };
}

/** @throws DOMException where the call is given up: its upstream never saw it */
function nextChange(
  { waiting }: Traffic,
  clock: Clock,
  withinMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const leave = () => reject(new DOMException('given up before its turn', 'AbortError'));
  if (signal?.aborted) leave();
  waiting.add(resolve);
  signal?.addEventListener('abort', leave, { once: true });
  const silence = clock.alarm(withinMs, resolve);
  return promise.finally(() => {
    silence();
    waiting.delete(resolve);
    signal?.removeEventListener('abort', leave);
  });
}
