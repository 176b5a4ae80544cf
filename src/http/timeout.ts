/** One call bounded in time. */

import type { Clock } from '../ports.ts';
import { JudgeError } from './judge-errors.ts';

/**
 * Aborts `work` with the signal or after `timeoutMs` milliseconds. Not AbortSignal.any: its sources would hold
 * on to every call's timer until it fires, minutes after the call ended.
 *
 * @throws a retryable JudgeError where time was up, the signal's reason where that was aborted
 */
export async function runWithTimeout<T>(
  timeoutMs: number,
  clock: Clock,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const controller = new AbortController();
  const { promise: cut, reject } = Promise.withResolvers<never>();
  const stop = (reason: unknown) => {
    controller.abort(reason);
    // A port may be deaf to its signal.
    reject(reason);
  };
  const leave = () => stop(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  const silence = clock.alarm(timeoutMs, () => {
    const cause = new DOMException(`nothing within ${timeoutMs} ms`, 'TimeoutError');
    stop(new JudgeError(`the judge did not answer within ${timeoutMs} ms`, { retryable: true, cause }));
  });
  try {
    return await Promise.race([work(controller.signal), cut]);
  } finally {
    signal.removeEventListener('abort', leave);
    silence();
  }
}
