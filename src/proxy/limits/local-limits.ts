/** Limits where one process sees every request: budgets in SQLite, who is under way in memory. */
import { BudgetError } from '../../http/index.ts';
import type { Clock } from '../../ports.ts';
import type { Config } from '../config.ts';
import { RefusedError } from '../refusal.ts';
import {
  type Book,
  hasBudget,
  hasMoneyBudget,
  type KeyLimits,
  type Lease,
  type Limits,
  UNLIMITED,
} from './account-book.ts';
import type { Admission, GateLimits } from './gate.ts';

/** Callers without a key share one account. */
export const NOBODY = 'anyone';

/** Until spending may be recorded again, in milliseconds. */
const AGAIN_MS = 30_000;

/** @param options.book asked for when it is needed first */
export function createLocalLimits(options: {
  readonly book: () => Book;
  /** For keys that have none of their own, and for callers without a key. */
  readonly standard: KeyLimits;
  readonly waitMs: number;
  readonly clock: Clock;
  readonly underWay: Admission;
}): Limits {
  const { book, standard, waitMs, clock, underWay } = options;

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

  /** Counted without a limit, too: there may be one when the configuration is read again. */
  function enter(who: string, limits: KeyLimits, signal: AbortSignal): Promise<() => void> {
    const { concurrency = Number.POSITIVE_INFINITY, queue = 0 } = limits;
    return underWay.enter(who, who === NOBODY ? null : who, { concurrency, queue, waitMs }, signal);
  }

  /** @throws RefusedError where nothing is left, or what is taken cannot be written down, so that the budget would not hold */
  function takeCall(who: string, limits: KeyLimits): { calls: number; day: string } {
    try {
      return book().take(who, limits, 1, clock.now());
    } catch (error) {
      if (error instanceof RefusedError) throw error;
      const message = 'what this key spends cannot be recorded at present';
      // The refusal is an entry of the audit trail, which is in the same place: none is tried.
      throw new RefusedError(503, 'account-down', message, { againMs: AGAIN_MS, cause: error });
    }
  }

  /** None where that cannot be looked up. */
  function left(who: string, limits: KeyLimits): number {
    try {
      return book().left(who, limits, clock.now());
    } catch {
      return 0;
    }
  }

  function account(who: string, limits: KeyLimits): Lease {
    if (!hasBudget(limits)) return UNLIMITED;
    let { day } = takeCall(who, limits);
    let prepaid = true;
    return {
      money: hasMoneyBudget(limits),
      left: () => (prepaid ? 1 : 0) + left(who, limits),
      begin() {
        if (prepaid) {
          prepaid = false;
          return;
        }
        try {
          ({ day } = takeCall(who, limits));
        } catch (error) {
          // The judgment goes on with what it has.
          throw error instanceof RefusedError ? new BudgetError(error.message) : error;
        }
      },
      giveBack: () => book().enter(who, day, { calls: -1, money: 0 }),
      pay: (money) => book().enter(who, day, { calls: 0, money }),
      async close() {
        // Answered without a call: from the cache, or with an error of ours.
        if (prepaid) book().enter(who, day, { calls: -1, money: 0 });
        prepaid = false;
      },
    };
  }

  return {
    spent: async (who) => book().spent(who ?? NOBODY, clock.now()),
    open(caller, _most, signal) {
      const limits = caller.limits ?? standard;
      return Object.keys(limits).length === 0 ? UNLIMITED : open(caller.id ?? NOBODY, limits, signal);
    },
  };
}

// Beside what each key may do: so many requests at once in this process, whosever they are. Keys that wait take turns; callers
// without a key are one party.

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
