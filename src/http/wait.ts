/** Waits by the injected clock, and limits the time of a call. An abort of the signal ends either. */
import { type Clock, LONGEST_INTERVAL_MS } from '../ports.ts';
import { JudgeError } from './judge-errors.ts';

/** @throws the signal's reason, at once when it aborts */
export async function wait(ms: number, clock: Clock, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  if (ms <= 0) return;
  const timer = clock.after(ms);
  if (timer.aborted) return;
  // Keep the process alive: Node exits when only the timer of a signal is left, and a command may wait between two calls.
  const held = setInterval(() => {}, LONGEST_INTERVAL_MS);
  await new Promise<void>((resolve, reject) => {
    const onAbort = () => {
      timer.removeEventListener('abort', onTime);
      reject(signal?.reason);
    };
    const onTime = () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    timer.addEventListener('abort', onTime, { once: true });
  }).finally(() => clearInterval(held));
}

/** Waits for work that may be deaf to a signal: it ends with the signal, too. */
export type Until = <T>(work: Promise<T>) => Promise<T>;

/** @param signal a short-lived one: one listener serves all pieces of work, and stays for as long as the signal does */
export function untilAbortedEach(signal: AbortSignal): Until {
  const { promise, reject } = Promise.withResolvers<never>();
  const leave = () => reject(signal.reason);
  if (signal.aborted) leave();
  else signal.addEventListener('abort', leave, { once: true });
  // Mark the rejection as handled: nobody may be waiting when the signal aborts.
  promise.catch(() => {});
  return (work) => Promise.race([work, promise]);
}

interface TimeLimit extends Disposable {
  /** Aborted with the outer signal, or when time is up. */
  readonly signal: AbortSignal;
  /** Waits for work that may be deaf to the signal. */
  readonly until: Until;
}

/**
 * Not AbortSignal.any: it would hold on to every call's timer until that fires, minutes after the call ended.
 *
 * @param timeoutMs in milliseconds; where it is left out, the outer signal is the only limit
 * @throws the outer signal's reason where that is aborted already
 */
export function openTimeLimit(timeoutMs: number | undefined, clock: Clock, outer: AbortSignal): TimeLimit {
  outer.throwIfAborted();
  const controller = new AbortController();
  const { signal } = controller;
  const leave = () => controller.abort(outer.reason);
  outer.addEventListener('abort', leave, { once: true });
  const silence =
    timeoutMs === undefined
      ? null
      : clock.alarm(timeoutMs, () => {
          const cause = new DOMException(`nothing within ${timeoutMs} ms`, 'TimeoutError');
          const message = `the judge did not answer within ${timeoutMs} ms`;
          controller.abort(new JudgeError(message, { retryable: true, cause }));
        });
  return {
    signal,
    until: untilAbortedEach(signal),
    [Symbol.dispose]() {
      outer.removeEventListener('abort', leave);
      silence?.();
    },
  };
}

/**
 * Aborts `work` with the signal or after `timeoutMs` milliseconds.
 *
 * @throws a retryable JudgeError where time was up, the signal's reason where that was aborted
 */
export async function runWithTimeout<T>(
  timeoutMs: number,
  clock: Clock,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  using limit = openTimeLimit(timeoutMs, clock, signal);
  return await limit.until(work(limit.signal));
}
