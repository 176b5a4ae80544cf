/** Limits where one process sees every request: budgets in SQLite, who is under way in memory. */
import { BudgetError } from '../../judge/errors.ts';
import type { Clock } from '../../judge/types.ts';
import { RefusedError } from '../refusal.ts';
import type { Book } from './book.ts';
import { createGate, type Gate, memorySlots } from './gate.ts';
import { type Lease, type Limits, UNLIMITED } from './lease.ts';
import { hasBudget, hasMoneyBudget, type KeyLimits } from './limits.ts';

/** Callers without a key share one account. */
export const NOBODY = 'anyone';

/** @param options.book asked for when it is needed first */
export function localLimits(options: {
  readonly book: () => Book;
  /** For keys that have none of their own, and for callers without a key. */
  readonly standard: KeyLimits;
  readonly waitMs: number;
  readonly clock: Clock;
  readonly id: () => string;
}): Limits {
  const { book, standard, waitMs, clock } = options;
  const gates = new Map<string, Gate>();

  async function open(who: string, limits: KeyLimits, signal: AbortSignal): Promise<Lease> {
    const leave = await enter(who, limits, signal);
    try {
      const lease = account(who, limits);
      const close = async () => {
        leave();
        await lease.close();
      };
      return { ...lease, close };
    } catch (error) {
      leave();
      throw error;
    }
  }

  async function enter(
    who: string,
    { concurrency, queue = 0 }: KeyLimits,
    signal: AbortSignal,
  ): Promise<() => void> {
    if (concurrency === undefined) return () => undefined;
    const key = who === NOBODY ? null : who;
    const gate = gates.get(who) ?? createGate({ slots: memorySlots(), waitMs, clock, who: key });
    gates.set(who, gate);
    const id = options.id();
    await gate.enter(id, { concurrency, queue }, signal);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      gate.leave(id);
      if (gate.idle()) gates.delete(who);
    };
  }

  function account(who: string, limits: KeyLimits): Lease {
    if (!hasBudget(limits)) return UNLIMITED;
    let { day } = book().take(who, limits, 1, clock.now());
    let prepaid = true;
    return {
      money: hasMoneyBudget(limits),
      left: () => (prepaid ? 1 : 0) + book().left(who, limits, clock.now()),
      begin() {
        if (prepaid) {
          prepaid = false;
          return;
        }
        try {
          ({ day } = book().take(who, limits, 1, clock.now()));
        } catch (error) {
          // The judgment goes on with what it has.
          throw error instanceof RefusedError ? new BudgetError(error.message) : error;
        }
      },
      pay: (money) => book().enter(who, day, { calls: 0, money }),
      async close() {
        // Answered without a call: from the cache, or with an error of ours.
        if (prepaid) book().enter(who, day, { calls: -1, money: 0 });
        prepaid = false;
      },
    };
  }

  return {
    open(caller, _most, signal) {
      const limits = caller.limits ?? standard;
      return Object.keys(limits).length === 0 ? UNLIMITED : open(caller.id ?? NOBODY, limits, signal);
    },
  };
}
