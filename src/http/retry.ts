/**
 * Trying a model call again when that can help. The one owner of retries: clients handed in here are to be
 * told not to retry by themselves.
 */
import pRetry from 'p-retry';
import { type Clock, systemClock } from '../ports.ts';
import { JudgeError } from './judge-errors.ts';
import { wait } from './wait.ts';

export interface RetryPolicy {
  /** How often to try again after the first attempt; 0 for never. */
  readonly retries: number;
  /** Longest single wait in milliseconds. Where the endpoint asks for a longer one, we give up at once. */
  readonly maxWaitMs: number;
  /** Aborts the waiting, too. The total time is its business: there is no limit of its own here. */
  readonly signal: AbortSignal;
  /** For `Retry-After` given as a date. */
  readonly clock?: Clock;
}

const FIRST_WAIT_MS = 500;

/**
 * Runs `attempt` until it succeeds, fails with something that trying again cannot mend, or the retries are
 * used up. Waits as long as the endpoint asks (`retry-after-ms`, `Retry-After`), else 0.5 s, 1 s, 2 s …
 *
 * @throws the last attempt's error, its response unread; or the signal's reason
 */
export function withRetry<T>(attempt: () => Promise<T>, policy: RetryPolicy): Promise<T> {
  const { retries, maxWaitMs, signal, clock = systemClock } = policy;
  return pRetry(attempt, {
    retries,
    signal,
    minTimeout: Math.min(FIRST_WAIT_MS, maxWaitMs),
    maxTimeout: maxWaitMs,
    factor: 2,
    // Counted from the first attempt's start, it would forbid retrying any slow model; the signal is the limit.
    maxRetryTime: Number.POSITIVE_INFINITY,
    shouldRetry: async ({ error, retryDelay }) => {
      if (!(error instanceof JudgeError) || !mayRetry(error)) return false;
      const asked = error.response ? readRetryAfterMs(error.response.headers, clock.now()) : null;
      if (asked !== null && asked > maxWaitMs) return false;
      await discard(error.response);
      // p-retry waits `retryDelay` itself, right after this.
      if (asked !== null && asked > retryDelay) await wait(asked - retryDelay, clock, signal);
      return true;
    },
  });
}

/** How long to wait, in milliseconds: 0 where the endpoint does not say, null where trying again cannot help. */
export function readRetryMs(error: JudgeError, now: number): number | null {
  if (!mayRetry(error)) return null;
  return (error.response && readRetryAfterMs(error.response.headers, now)) ?? 0;
}

/** The endpoint knows best: `x-should-retry`, as OpenAI and Anthropic send it, goes before the status. */
function mayRetry(error: JudgeError): boolean {
  const said = error.response?.headers.get('x-should-retry');
  if (said === 'true') return true;
  if (said === 'false') return false;
  return error.retryable;
}

/**
 * How long a reply asks to wait, in milliseconds; null where it does not say.
 * `Retry-After` is a number of seconds or an HTTP-date (RFC 9110 §10.2.3).
 */
export function readRetryAfterMs(headers: Headers, now: number): number | null {
  const ms = headers.get('retry-after-ms')?.trim();
  if (ms && /^\d+(\.\d+)?$/.test(ms)) return Number(ms);
  const after = headers.get('retry-after')?.trim();
  if (!after) return null;
  // Whole seconds by the RFC; some gateways send fractions.
  if (/^\d+(\.\d+)?$/.test(after)) return Number(after) * 1000;
  const date = httpDate(after);
  return Number.isNaN(date) ? null : Math.max(0, date - readSenderClock(headers, now));
}

/**
 * What the sender's clock showed when it replied (`date`, RFC 9110 §6.6.1): a time that it names is read by its own clock,
 * so that ours may be wrong by hours.
 *
 * @param now by our clock, for a reply without that header
 */
export function readSenderClock(headers: Headers, now: number): number {
  const date = httpDate(headers.get('date')?.trim() ?? '');
  return Number.isNaN(date) ? now : date;
}

/** All three forms of RFC 9110 §5.6.7; the asctime one names no zone and means UTC. */
function httpDate(text: string): number {
  // Date.parse reads a lone number as a year.
  if (!/[a-z]/i.test(text)) return Number.NaN;
  return Date.parse(/GMT$/i.test(text) ? text : `${text} GMT`);
}

/** Frees the connection of a reply that nobody will read. */
async function discard(response: Response | null): Promise<void> {
  if (response?.body && !response.bodyUsed) await response.body.cancel();
}
