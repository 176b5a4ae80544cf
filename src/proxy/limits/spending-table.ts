/** The table of what has been spent: in SQLite, with the same statements on Node and in a Durable Object; or in memory. */
import * as z from 'zod';
import type { SpendingTable } from './account-book.ts';

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
        .reduce((sum, { calls, money }) => ({ calls: sum.calls + calls, money: sum.money + money }), {
          calls: 0,
          money: 0,
        }),
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
