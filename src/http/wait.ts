/** Waiting by the clock that was handed in, given up when the signal aborts. */
import { type Clock, LONGEST_INTERVAL_MS } from '../ports.ts';

/** @throws the signal's reason, at once when it aborts */
export async function wait(ms: number, clock: Clock, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  if (ms <= 0) return;
  const timer = clock.after(ms);
  if (timer.aborted) return;
  // Node ends a process that has nothing but a signal's timer left: a command that rests between calls would be gone.
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
  // Nobody may be waiting when it aborts, and then it must not reject unseen.
  promise.catch(() => {});
  return (work) => Promise.race([work, promise]);
}
