/** Waiting by the clock that was handed in, given up when the signal aborts. */
import type { Clock } from './types.ts';

/** @throws the signal's reason, at once when it aborts */
export async function wait(ms: number, clock: Clock, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  if (ms <= 0) return;
  const timer = clock.after(ms);
  if (timer.aborted) return;
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
  });
}

/** Work that ends with the signal, too: a port may be deaf to it, and whoever waits must not be. */
export function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const leave = () => reject(signal.reason);
  if (signal.aborted) leave();
  else signal.addEventListener('abort', leave, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', leave));
}
