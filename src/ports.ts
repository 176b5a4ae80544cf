/** What is handed in from outside: transport, time, a model that rewords; and what a call is. */

/** What a model call was for. */
export type CallKind = 'judge' | 'sample' | 'swap' | 'probe' | 'rewrite' | 'detect' | 'remand' | 'read';

/** Tokens of one call, as the endpoint counted them; null where it did not say. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
}

/** One model call, for the trace. Failed calls are calls, too. */
export interface Call {
  /** Model name. */
  readonly to: string;
  readonly kind: CallKind;
  /** When it was begun, in milliseconds from the opening of its ledger, which is when the request had been read. */
  readonly at: number;
  /** Wall time in milliseconds. */
  readonly ms: number;
  readonly tokens: Tokens | null;
  readonly cached: boolean;
  /** What went wrong, in words; null for a call that was answered. */
  readonly error: string | null;
}

/** Asks the judge's endpoint to reword a text (condense it, say it in a neutral tone). */
export type Rewrite = (prompt: RewritePrompt, signal: AbortSignal) => Promise<string>;

export interface RewritePrompt {
  readonly system: string;
  readonly user: string;
}

/**
 * The transport: `fetch`, a connection pool, the sandbox judge or a recorded one. Whatever stands behind
 * it, what goes in and what comes out are the bytes of the wire.
 */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchReply>;

/**
 * `whole` is the body where all of it had come when the reply was handed out: reading it takes no stream. `crowded` tells of a
 * refusal that calls of ours may be the cause of: the upstream had no room beside them.
 */
export type FetchReply = Response & { readonly whole?: Uint8Array; readonly crowded?: boolean };

export interface FetchInit {
  readonly method: string;
  readonly headers: Headers;
  readonly body?: Uint8Array | string | ReadableStream<Uint8Array> | null;
  readonly signal?: AbortSignal;
  /**
   * Told where a reply breaks off in its middle, by a transport that knows; then its body does not end with an error but
   * stays as it is until it is cancelled: whoever gives this ends what the reply was for.
   */
  readonly broken?: (reason: unknown) => void;
  /**
   * Told by a transport that holds the call back (true), and once it goes out (false). A call that is given up while it is
   * held back was never sent.
   */
  readonly held?: (isHeld: boolean) => void;
  /** For a transport that leaves alone what fails again and again, and no more than that. */
  readonly lane?: Lane;
}

/** What calls have in common that are likely to fail together. */
export interface Lane {
  /** The endpoint's base URL. */
  readonly upstream: string;
  /** Null where nobody has read the request. */
  readonly model: string | null;
  /** Id of the caller's key; null without one. */
  readonly who: string | null;
  /** Whether Remand makes the call of its own accord: no client waits for its reply. Default: a client sent it. */
  readonly isAdded?: boolean;
}

/** Time, handed in. */
export interface Clock {
  /**
   * Wall time in milliseconds since the epoch: only for what is written down or sent. An operator or NTP may set it back
   * or forward at any moment, so a difference of two readings is no duration.
   */
  now(): number;
  /**
   * Whole milliseconds from some fixed moment of this process. It never goes back and ignores changes of the wall clock.
   * Every duration, rest, deadline and cache age in memory is a difference of two readings.
   */
  elapsed(): number;
  /** A signal that aborts with a `TimeoutError` DOMException after `ms` milliseconds. */
  after(ms: number): AbortSignal;
  /**
   * Calls `ring` after `ms` milliseconds, unless it is silenced before; keeps no process alive. For what is nearly
   * always silenced: a signal's timer goes on to its end, minutes after the call that it was for.
   *
   * @returns what silences it; harmless afterwards
   */
  alarm(ms: number, ring: () => void): () => void;
}

/** What a timer takes at most (a signed 32-bit number of milliseconds): 24 days, which is never. */
export const LONGEST_INTERVAL_MS = 2 ** 31 - 1;

/** The real clock, for Node and workerd. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => Math.floor(performance.now()),
  after: (ms) => AbortSignal.timeout(ms),
  alarm(ms, ring) {
    const timer: unknown = setTimeout(ring, Math.min(ms, LONGEST_INTERVAL_MS));
    // A number at the edge, where nothing has to be kept from waiting for it.
    if (typeof timer === 'object') (timer as NodeJS.Timeout).unref();
    return () => clearTimeout(timer as NodeJS.Timeout);
  },
};

/** A client's redirect is the client's to follow. */
export const runtimeFetch: Fetch = (url, { method, headers, body, signal }) =>
  fetch(url, {
    method,
    headers,
    body: body as BodyInit | null,
    redirect: 'manual',
    ...(signal ? { signal } : {}),
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  });
