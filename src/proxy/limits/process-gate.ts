/**
 * Beside what each key may do: so many requests at once in this process, whosever they are. Keys that wait take turns; callers
 * without a key are one party.
 */

import type { Config } from '../config.ts';
import type { Admission, GateLimits } from './gate.ts';
import type { Lease, Limits } from './lease.ts';

/** No key's id: those are hexadecimal. */
const EVERYBODY = 'everybody';

function withProcessGate(limits: Limits, gate: GateLimits, underWay: Admission): Limits {
  async function enter(lease: Lease, party: string, signal: AbortSignal): Promise<Lease> {
    let leave: () => void;
    try {
      leave = await underWay.enter(EVERYBODY, null, gate, signal, party);
    } catch (error) {
      await lease.close();
      throw error;
    }
    return {
      ...lease,
      async close() {
        leave();
        await lease.close();
      },
    };
  }

  return {
    spent: limits.spent,
    // The key's own limit first: whoever floods us waits in a queue of their own.
    open: async (caller, most, signal) =>
      enter(await limits.open(caller, most, signal), caller.id ?? '', signal),
  };
}

/** With the gate of the whole process before it, where the operator set one. */
export function withConfiguredGate(limits: Limits, config: Config, underWay: Admission): Limits {
  const { REMAND_CONCURRENCY: concurrency, REMAND_QUEUE: queue, REMAND_QUEUE_MS: waitMs } = config;
  return concurrency === undefined
    ? limits
    : withProcessGate(limits, { concurrency, queue, waitMs }, underWay);
}
