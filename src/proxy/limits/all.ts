/** Beside what each key may do: so many requests at once in this process, whosever they are. */

import type { Clock } from '../../judge/types.ts';
import { createGate, type GateLimits, memorySlots } from './gate.ts';
import type { Lease, Limits } from './lease.ts';

export function withProcessGate(
  limits: Limits,
  gate: GateLimits & { readonly waitMs: number; readonly clock: Clock; readonly id: () => string },
): Limits {
  const { waitMs, clock } = gate;
  const all = createGate({ slots: memorySlots(), waitMs, clock, who: null });

  async function enter(lease: Lease, signal: AbortSignal): Promise<Lease> {
    const id = gate.id();
    try {
      await all.enter(id, gate, signal);
    } catch (error) {
      await lease.close();
      throw error;
    }
    let left = false;
    return {
      ...lease,
      async close() {
        if (left) return;
        left = true;
        all.leave(id);
        await lease.close();
      },
    };
  }

  return {
    // The key's own limit first: whoever floods us waits in a queue of their own.
    open: async (caller, most, signal) => enter(await limits.open(caller, most, signal), signal),
  };
}
