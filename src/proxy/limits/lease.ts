/** One request's part of what its key may spend: taken when it comes in, given back when it is done. */
import { createSpend, type Spend } from '../../models/index.ts';
import type { AccountSums } from './account-book.ts';
import type { KeyLimits } from './key-limits.ts';

export interface Lease {
  /** Whether money is counted, so that every reply has to be read for its tokens. */
  readonly money: boolean;
  /**
   * Before each model call; the first is paid for already.
   *
   * @throws BudgetError where no further call is left
   */
  begin(): void;
  /** Calls that may still be begun. */
  left(): number;
  /** @param money what a call has cost, in millionths */
  pay(money: number): void;
  /** Gives back what was not used. Once; never rejects. */
  close(): Promise<void>;
}

/** Whose account a request is charged to. */
export interface Spender {
  /** Id of the key; null for those without one. */
  readonly id: string | null;
  /** Null where the operator's default holds. */
  readonly limits: KeyLimits | null;
}

export interface Limits {
  /**
   * Lets a request in, after a wait in the queue where there is one.
   *
   * @param most model calls that it may make
   * @throws RefusedError, or the signal's reason
   */
  open(spender: Spender, most: number, signal: AbortSignal): Lease | Promise<Lease>;
  /**
   * What an account has spent in the present day and month, as far as it has a budget: nothing is counted without one.
   *
   * @param who id of the key; null for those without one
   */
  spent(who: string | null): Promise<AccountSums>;
}

/** Of a caller that nothing is counted of. */
export const UNLIMITED: Lease = {
  money: false,
  left: () => Number.POSITIVE_INFINITY,
  begin() {},
  pay() {},
  async close() {},
};

/** What a run of many calls is paid from: by a lease that is taken when it is known how many calls there are. */
export interface Purse extends Spend {
  lease: Lease;
}

export function createPurse(lease = UNLIMITED): Purse {
  const spent = createSpend({ calls: null, tokens: null });
  const purse: Purse = {
    lease,
    get calls() {
      return spent.calls;
    },
    get tokens() {
      return spent.tokens;
    },
    begin() {
      purse.lease.begin();
      spent.begin();
    },
    add: (tokens) => spent.add(tokens),
  };
  return purse;
}
