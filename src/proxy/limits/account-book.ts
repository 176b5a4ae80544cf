/**
 * What has been spent, by whom and day (UTC): calls are entered before they are made, so that a process that is killed
 * has counted every call that it sent, and none twice.
 */

import * as z from 'zod';
import { createSpend, type Spend } from '../../models/index.ts';
import { strictFields } from '../../strict-fields.ts';
import { createWholeNumber } from '../options.ts';
import { RefusedError } from '../refusal.ts';

// What a key may spend and do at once. Whatever is not set is not limited.

const calls = createWholeNumber(0, 1_000_000_000);
/** In the currency of the price table. */
const money = z.number().min(0).max(1e9);

export const keyLimits = strictFields({
  /** Model calls in one day or month, UTC. A judgment makes several: `x-remand-calls`. */
  callsPerDay: calls.optional(),
  callsPerMonth: calls.optional(),
  moneyPerDay: money.optional(),
  moneyPerMonth: money.optional(),
  /** Requests under way at once. */
  concurrency: createWholeNumber(1, 100_000).optional(),
  /** Requests that may wait for one of those to end; default none. */
  queue: createWholeNumber(0, 100_000).optional(),
});
export type KeyLimits = z.output<typeof keyLimits>;

/** Whether anything is limited at all. */
export function isLimited(limits: KeyLimits): boolean {
  return Object.values(limits).some((limit) => limit !== undefined);
}

export function hasBudget({ callsPerDay, callsPerMonth, moneyPerDay, moneyPerMonth }: KeyLimits): boolean {
  return [callsPerDay, callsPerMonth, moneyPerDay, moneyPerMonth].some((limit) => limit !== undefined);
}

export function hasMoneyBudget({ moneyPerDay, moneyPerMonth }: KeyLimits): boolean {
  return moneyPerDay !== undefined || moneyPerMonth !== undefined;
}

/** Money in millionths of the price table's currency: whole numbers add up without an error. */
export interface Amount {
  readonly calls: number;
  readonly money: number;
}

export interface Taken {
  /** At least one. */
  readonly calls: number;
  /** What is left in millionths, of which nothing is taken; infinite where only calls are limited, which is null in JSON. */
  readonly money: number;
  /** The calls are entered under it. */
  readonly day: string;
}

export interface Book {
  /**
   * Takes up to `most` calls out of what is left.
   *
   * @throws RefusedError where nothing is left, or the rest is held by requests under way
   */
  take(who: string, limits: KeyLimits, most: number, now: number): Taken;
  /** How many calls `take` would give. */
  left(who: string, limits: KeyLimits, now: number): number;
  /**
   * Enters money, or gives calls back that were taken and not made (`calls` below zero). Never throws: what cannot be written
   * down is owed, counts from now on, and is written with whatever is taken next.
   */
  enter(who: string, day: string, amount: Amount): void;
  /** Writes what is owed. Throws where it still cannot be written. */
  settle(): void;
  spent(who: string, now: number): AccountSums;
}

/** Of `money` in one unit of the currency. */
export const MILLION = 1e6;

/** A clock that is set back further was wrong before: days begin by what it says now. In milliseconds. */
const SET_BACK_MS = 2 * 3_600_000;

/** Where it is written down; both answer at once. */
export interface SpendingTable {
  /** @param from first day */
  sum(who: string, from: string, to: string): Amount;
  add(who: string, day: string, amount: Amount): void;
  /** All or nothing, with nobody else's writes in between. */
  transaction<T>(work: () => T): T;
}

/** After which a request may have given calls back: judgments take seconds. */
const GIVEN_BACK_MS = 1_000;

/**
 * @param held calls of the table that requests under way may still give back, of these days; default none, where calls
 *   are taken one by one
 */
export function createBook(
  table: SpendingTable,
  held: (from: string, to: string, now: number) => number = () => 0,
): Book {
  /** The latest time at which anybody asked. */
  let latest = 0;

  /** The time by which days begin: a clock that is set back a little does not bring yesterday's budget, used up, back. */
  function timeAt(now: number): number {
    if (now > latest || latest - now > SET_BACK_MS) latest = now;
    return latest;
  }

  /** Of calls that have been made: nobody may have them for nothing because a disk was full. */
  const owed: { readonly who: string; readonly day: string; readonly amount: Amount }[] = [];

  /** All that is owed and what `work` writes, or nothing of it. */
  function paying<T>(work: () => T): T {
    const debts = owed.length;
    const result = table.transaction(() => {
      for (const { who, day, amount } of owed) table.add(who, day, amount);
      return work();
    });
    owed.splice(0, debts);
    return result;
  }

  /** With what is owed, where that is not in the table yet. */
  const sumOwed = (who: string, from: string, to: string): Amount =>
    owed
      .filter((one) => one.who === who && one.day >= from && one.day <= to)
      .reduce((sum, { amount }) => plus(sum, amount), table.sum(who, from, to));

  const spentBy = (who: string, now: number, sum: SpendingTable['sum']): AccountSums => {
    const day = dayOf(now);
    return { day: sum(who, day, day), month: sum(who, `${day.slice(0, 7)}-01`, day) };
  };
  const spent = (who: string, now: number) => spentBy(who, timeAt(now), sumOwed);
  return {
    take: (who, limits, most, time) =>
      paying(() => {
        const now = timeAt(time);
        const sums = spentBy(who, now, table.sum);
        const withoutHeld = spentBy(who, now, (_, from, to) =>
          plus(table.sum(who, from, to), { calls: -held(from, to, now), money: 0 }),
        );
        refuseReached(limits, withoutHeld, now, who);
        const calls = Math.min(most, callsLeft(limits, sums));
        if (calls <= 0)
          throw new RefusedError(429, 'budget', 'requests under way hold the rest of the budget', {
            who,
            againMs: GIVEN_BACK_MS,
          });
        const day = dayOf(now);
        table.add(who, day, { calls, money: 0 });
        return { calls, money: moneyLeft(limits, sums), day };
      }),
    left(who, limits, time) {
      const now = timeAt(time);
      const sums = spent(who, now);
      try {
        refuseReached(limits, sums, now, who);
      } catch (error) {
        if (error instanceof RefusedError) return 0;
        throw error;
      }
      return callsLeft(limits, sums);
    },
    enter(who, day, amount) {
      owed.push({ who, day, amount });
      try {
        paying(() => undefined);
      } catch {
        // Still owed: the next request of a key with a budget is refused where it cannot be written then, either.
      }
    },
    settle() {
      if (owed.length > 0) paying(() => undefined);
    },
    spent,
  };
}

function plus(one: Amount, other: Amount): Amount {
  return { calls: one.calls + other.calls, money: one.money + other.money };
}

export interface AccountSums {
  readonly day: Amount;
  readonly month: Amount;
}

/** @throws RefusedError naming the limit that is reached and when it begins anew */
function refuseReached(limits: KeyLimits, { day, month }: AccountSums, now: number, who: string): void {
  const { callsPerDay, callsPerMonth, moneyPerDay, moneyPerMonth } = limits;
  // The longest first: whoever has nothing left this month is not told to come back tomorrow.
  const reached: [string, number | undefined, number, number][] = [
    ['callsPerMonth', callsPerMonth, month.calls, nextMonth(now)],
    ['moneyPerMonth', moneyPerMonth, month.money / MILLION, nextMonth(now)],
    ['callsPerDay', callsPerDay, day.calls, nextDay(now)],
    ['moneyPerDay', moneyPerDay, day.money / MILLION, nextDay(now)],
  ];
  for (const [name, limit, used, anew] of reached)
    if (limit !== undefined && used >= limit)
      throw new RefusedError(429, 'budget', `the budget is used up (${name}: ${limit})`, {
        who,
        againMs: anew - now,
      });
}

/** Infinite where only money is limited. */
function callsLeft(
  { callsPerDay = Number.POSITIVE_INFINITY, callsPerMonth = Number.POSITIVE_INFINITY }: KeyLimits,
  { day, month }: AccountSums,
): number {
  return Math.min(callsPerMonth - month.calls, callsPerDay - day.calls);
}

/** In millionths. Infinite where only calls are limited. */
function moneyLeft(
  { moneyPerDay = Number.POSITIVE_INFINITY, moneyPerMonth = Number.POSITIVE_INFINITY }: KeyLimits,
  { day, month }: AccountSums,
): number {
  return Math.min(moneyPerMonth * MILLION - month.money, moneyPerDay * MILLION - day.money);
}

function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}

function nextDay(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1);
}

function nextMonth(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

// The table of what has been spent: in SQLite, with the same statements on Node and in a Durable Object; or in memory.

/** What is used of a SQLite database. */
export interface Sql {
  run(statement: string, ...values: (string | number)[]): void;
  get(statement: string, ...values: (string | number)[]): unknown;
  transaction<T>(work: () => T): T;
}

const ADD = `INSERT INTO spent (who, day, calls, money) VALUES (?, ?, ?, ?)
  ON CONFLICT (who, day) DO UPDATE SET calls = calls + excluded.calls, money = money + excluded.money`;
// At most 31 rows, beside each other in the primary key.
const SUM = `SELECT coalesce(sum(calls), 0) AS calls, coalesce(sum(money), 0) AS money FROM spent
  WHERE who = ? AND day BETWEEN ? AND ?`;

const sums = z.object({ calls: z.number(), money: z.number() });

/** @param sql with the table `spent`: see storage/migrations.ts */
export function createSqlSpending(sql: Sql): SpendingTable {
  return {
    sum: (who, from, to) => sums.parse(sql.get(SUM, who, from, to)),
    add: (who, day, { calls, money }) => sql.run(ADD, who, day, calls, money),
    transaction: sql.transaction,
  };
}

/** For as long as it is held: an app of one's own, or an isolate without a Durable Object. */
export function createMemorySpending(): SpendingTable {
  const rows = new Map<
    string,
    { readonly who: string; readonly day: string; calls: number; money: number }
  >();
  return {
    sum: (who, from, to) =>
      [...rows.values()]
        .filter((row) => row.who === who && row.day >= from && row.day <= to)
        .reduce<Amount>(plus, { calls: 0, money: 0 }),
    add(who, day, { calls, money }) {
      const row = rows.get(`${day} ${who}`) ?? { who, day, calls: 0, money: 0 };
      rows.set(`${day} ${who}`, row);
      row.calls += calls;
      row.money += money;
      // What lies two months back is asked for no more.
      for (const [key, { day: then }] of rows) if (monthsSince(then, day) > 1) rows.delete(key);
    },
    transaction: (work) => work(),
  };
}

function monthsSince(then: string, now: string): number {
  const months = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
  return months(now) - months(then);
}

/** One request's part of what its key may spend: taken when it comes in, given back when it is done. */
export interface Lease {
  /** Whether money is counted, so that every reply has to be read for its tokens. */
  readonly money: boolean;
  /**
   * Before each model call; the first is paid for already.
   *
   * @throws BudgetError where no further call is left
   */
  begin(): void;
  /** A call that was begun was never sent. */
  giveBack(): void;
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
  giveBack() {},
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
