/**
 * Who is under way in this process. Handed in beside the configuration rather than made from it: what was let in before
 * the configuration is read again still takes its place after.
 */
import type { Clock } from '../../ports.ts';
import { createGate, createMemorySlots, type Gate, type GateLimits } from './gate.ts';

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
