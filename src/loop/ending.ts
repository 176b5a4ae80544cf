/** What the calls of one judgment end with: its client, its deadline, or the judgment itself. */

import { createInFlight } from '../http/in-flight.ts';
import type { Clock } from '../ports.ts';

export interface Ending {
  readonly signal: AbortSignal;
  abort(reason: unknown): void;
  /** Starts the time that the judgment has; at most once. */
  startDeadline(): void;
  /** Notes that a call has begun and hands it back. */
  begin<T>(call: Promise<T>): Promise<T>;
  /** Calls that nobody waits for any more are not paid to the end. Once, when the judgment is over. */
  over(): void;
}

/** One for all: a DOMException takes its time to be made, with the trace of where it was. */
const OVER = new DOMException('the judgment is over', 'AbortError');

/** @param deadlineMs milliseconds from `startDeadline` */
export function createEnding(client: AbortSignal, clock: Clock, deadlineMs: number): Ending {
  // Not AbortSignal.any, which is dear: its signals are kept track of for as long as any of them lives.
  const controller = new AbortController();
  const { signal } = controller;
  const leave = () => controller.abort(client.reason);
  if (client.aborted) leave();
  else client.addEventListener('abort', leave, { once: true });
  let silence = () => {};
  const calls = createInFlight();
  return {
    signal,
    abort: (reason) => controller.abort(reason),
    startDeadline() {
      silence = clock.alarm(deadlineMs, () =>
        controller.abort(new DOMException(`not done within ${deadlineMs} ms`, 'TimeoutError')),
      );
    },
    begin: calls.begin,
    over() {
      client.removeEventListener('abort', leave);
      // Left there, it would hold on to the judgment until the deadline, long after its end.
      silence();
      // Only then: an abort is dear, too.
      if (!calls.idle()) controller.abort(OVER);
    },
  };
}
