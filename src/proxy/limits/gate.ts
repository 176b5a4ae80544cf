/**
 * So many at once, some more in a queue, and whoever comes then is told to come later. Where several parties wait they take
 * turns, one request each (round robin: RFC 970 §6), so that a party with a thousand requests in the queue delays
 * another's by one turn. A full queue is shared likewise: whoever has fewest there takes the place of whoever has most.
 *
 * Not cockatiel's bulkhead: it knows no turns, only the order of arrival, and keeps a client that has left in its queue
 * until its turn comes.
 */
import type { Clock } from '../../ports.ts';
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
   * @param id another one each time
   * @param options.party whose request it is: parties take turns, and the requests of one keep their order
   * @throws RefusedError where the queue is full or the wait gets too long, the signal's reason
   */
  enter(
    id: string,
    limits: GateLimits,
    options?: { readonly party?: string; readonly signal?: AbortSignal },
  ): Promise<void>;
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
  readonly refuse: (reason: unknown) => void;
}

/** @param options.who id of the key that a refusal names; null for none */
export function createGate(options: {
  readonly slots: Slots;
  readonly clock: Clock;
  readonly who: string | null;
}): Gate {
  const { slots, clock, who } = options;
  // Whose turn it is comes first. Nobody is in it who has nothing waiting.
  const queues = new Map<string, Waiting[]>();
  let waitingNow = 0;
  const full = (message: string) => new RefusedError(429, 'concurrency', message, { who, againMs: AGAIN_MS });

  function remove(party: string, one: Waiting): void {
    const queue = queues.get(party) ?? [];
    const at = queue.indexOf(one);
    if (at < 0) return;
    queue.splice(at, 1);
    if (queue.length === 0) queues.delete(party);
    waitingNow--;
  }

  function admit(): void {
    for (;;) {
      const [party, queue] = queues.entries().next().value ?? [];
      const next = queue?.[0];
      if (party === undefined || !queue || !next || slots.taken() >= next.concurrency) return;
      remove(party, next);
      // The others' turn comes first now.
      if (queues.delete(party)) queues.set(party, queue);
      slots.take(next.id);
      next.in();
    }
  }

  /** Refuses the last request of the party that has most waiting, where that is more than `party` would have. */
  function makeRoom(party: string, reason: RefusedError): boolean {
    const [largest, queue] = [...queues].reduce((a, b) => (b[1].length > a[1].length ? b : a), ['', []]);
    const last = queue.at(-1);
    if (!last || queue.length <= (queues.get(party)?.length ?? 0) + 1) return false;
    remove(largest, last);
    last.refuse(reason);
    return true;
  }

  return {
    async enter(id, { concurrency, queue: length, waitMs }, { party = '', signal } = {}) {
      signal?.throwIfAborted();
      if (waitingNow === 0 && slots.taken() < concurrency) return slots.take(id);
      if (waitingNow >= length) {
        const refusal = full(
          `${concurrency} requests are under way and ${waitingNow} wait (concurrency, queue)`,
        );
        if (!makeRoom(party, refusal)) throw refusal;
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const waiting: Waiting = { id, concurrency, in: resolve, refuse: reject };
      const queue = queues.get(party) ?? [];
      queue.push(waiting);
      queues.set(party, queue);
      waitingNow++;
      const leave = (reason: unknown) => {
        remove(party, waiting);
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
    idle: () => waitingNow === 0 && slots.taken() === 0,
  };
}

/** In memory, for as long as the process is there: whoever was in when it ended is out. */
export function createMemorySlots(): Slots {
  const taken = new Set<string>();
  return {
    taken: () => taken.size,
    take: (id) => void taken.add(id),
    free: (id) => void taken.delete(id),
  };
}

// The requests in progress in this process. The account outlives a reload of the configuration: requests that were let in
// before the reload still count after it.

export interface Admission {
  /**
   * Lets one request in, after a wait in the queue where there is one.
   *
   * @param whose account it goes by: a key's id, or a name that no key has
   * @param who id of the key, for the refusal; null for none
   * @param party who of those that wait in this account takes turns with the others; default one for all
   * @returns to be called when it has left; a second call does nothing
   * @throws RefusedError, or the signal's reason
   */
  enter(
    whose: string,
    who: string | null,
    limits: GateLimits,
    signal: AbortSignal,
    party?: string,
  ): Promise<() => void>;
}

export function createAdmission(clock: Clock, newId: () => string): Admission {
  const gates = new Map<string, Gate>();
  return {
    async enter(whose, who, limits, signal, party = '') {
      const gate = gates.get(whose) ?? createGate({ slots: createMemorySlots(), clock, who });
      gates.set(whose, gate);
      const id = newId();
      await gate.enter(id, limits, { party, signal });
      let left = false;
      return () => {
        if (left) return;
        left = true;
        gate.leave(id);
        if (gate.idle()) gates.delete(whose);
      };
    },
  };
}
