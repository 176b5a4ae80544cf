/** One call bounded in time. */

import type { Clock } from '../ports.ts';
import { JudgeError } from './judge-errors.ts';
import { type Until, untilAbortedEach } from './wait.ts';

export interface TimeLimit extends Disposable {
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
