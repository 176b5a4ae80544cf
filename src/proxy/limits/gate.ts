/** So many at once, some more in a queue, and whoever comes then is told to come later. */
import type { Clock } from '../../judge/types.ts';
import { RefusedError } from '../refusal.ts';

export interface GateLimits {
  readonly concurrency: number;
  /** Who may wait; none where it is 0. */
  readonly queue: number;
  /** Longest wait there, in milliseconds. */
  readonly waitMs: number;
}

/** Those who are in, wherever that is written down. */
export interface Slots {
  taken(): number;
  take(id: string): void;
  free(id: string): void;
}

export interface Gate {
  /**
   * In their order; `id` is to be another one each time.
   *
   * @throws RefusedError where the queue is full or the wait gets too long, the signal's reason
   */
  enter(id: string, limits: GateLimits, signal?: AbortSignal): Promise<void>;
  leave(id: string): void;
  /** Whether nobody is in or waits. */
  idle(): boolean;
}

/** After which a slot may have become free: judgments take seconds. */
const AGAIN_MS = 1_000;

interface Waiting {
  readonly id: string;
  readonly concurrency: number;
  readonly in: () => void;
}

/** @param options.who id of the key that a refusal names; null for none */
export function createGate(options: {
  readonly slots: Slots;
  readonly clock: Clock;
  readonly who: string | null;
}): Gate {
  const { slots, clock, who } = options;
  const queue: Waiting[] = [];
  const full = (message: string) => new RefusedError(429, 'concurrency', message, { who, againMs: AGAIN_MS });

  function admit(): void {
    for (let next = queue[0]; next && slots.taken() < next.concurrency; next = queue[0]) {
      queue.shift();
      slots.take(next.id);
      next.in();
    }
  }

  return {
    async enter(id, { concurrency, queue: length, waitMs }, signal) {
      signal?.throwIfAborted();
      if (queue.length === 0 && slots.taken() < concurrency) return slots.take(id);
      if (queue.length >= length)
        throw full(`${concurrency} requests are under way and ${queue.length} wait (concurrency, queue)`);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const waiting: Waiting = { id, concurrency, in: resolve };
      queue.push(waiting);
      const leave = (reason: unknown) => {
        const at = queue.indexOf(waiting);
        if (at >= 0) queue.splice(at, 1);
        reject(reason);
      };
      const timer = clock.after(waitMs);
      const late = () => leave(full(`no turn within ${waitMs} ms (concurrency: ${concurrency})`));
      const gone = () => leave(signal?.reason);
      timer.addEventListener('abort', late, { once: true });
      signal?.addEventListener('abort', gone, { once: true });
      return promise.finally(() => {
        timer.removeEventListener('abort', late);
        signal?.removeEventListener('abort', gone);
      });
    },
    leave(id) {
      slots.free(id);
      admit();
    },
    idle: () => queue.length === 0 && slots.taken() === 0,
  };
}

/** In memory, for as long as the process is there: whoever was in when it ended is out. */
export function memorySlots(): Slots {
  const taken = new Set<string>();
  return {
    taken: () => taken.size,
    take: (id) => void taken.add(id),
    free: (id) => void taken.delete(id),
  };
}
