/** SQLite on Node and D1 at the edge behind one port, so that a table's statements are written once. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import * as z from 'zod';

type Value = string | number | null;

export type SqlStatement = readonly [text: string, ...values: readonly Value[]];

export interface TableSql {
  all<T>(row: z.ZodType<T>, text: string, ...values: readonly Value[]): Promise<T[]>;
  /** The first row; null where there is none. */
  one<T>(row: z.ZodType<T>, text: string, ...values: readonly Value[]): Promise<T | null>;
  /** All of the statements or none. */
  run(...statements: readonly SqlStatement[]): Promise<void>;
}

/** A column that holds JSON as text. */
export function createJsonColumn<T extends z.ZodType>(value: T) {
  return z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(value);
}

/** @param opened the database with its tables (see database.ts), when it is needed first */
export function createSqliteTables(opened: () => DatabaseSync): TableSql {
  const prepared = new Map<string, StatementSync>();
  const statement = (text: string) => {
    const known = prepared.get(text) ?? opened().prepare(text);
    prepared.set(text, known);
    return known;
  };
  return {
    all: async (row, text, ...values) =>
      statement(text)
        .all(...values)
        .map((found) => row.parse(found)),
    async one(row, text, ...values) {
      const found = statement(text).get(...values);
      return found === undefined ? null : row.parse(found);
    },
    async run(...statements) {
      const database = opened();
      database.exec('BEGIN IMMEDIATE');
      try {
        for (const [text, ...values] of statements) statement(text).run(...values);
        database.exec('COMMIT');
      } catch (error) {
        database.exec('ROLLBACK');
        throw error;
      }
    },
  };
}

/** @param database with its tables: `wrangler d1 migrations apply` */
export function createD1Tables(database: D1): TableSql {
  const prepare = (text: string, values: readonly Value[]) => database.prepare(text).bind(...values);
  return {
    all: async (row, text, ...values) => {
      const { results } = await prepare(text, values).all();
      return results.map((found) => row.parse(found));
    },
    async one(row, text, ...values) {
      const found = await prepare(text, values).first();
      return found === null ? null : row.parse(found);
    },
    // One transaction (https://developers.cloudflare.com/d1/worker-api/d1-database/#batch).
    run: async (...statements) =>
      void (await database.batch(statements.map(([text, ...values]) => prepare(text, values)))),
  };
}

/** What is used of a D1 database binding (https://developers.cloudflare.com/d1/worker-api/). */
export interface D1 {
  prepare(query: string): D1Statement;
  batch(statements: D1Statement[]): Promise<unknown>;
}

export interface D1Statement {
  bind(...values: unknown[]): D1Statement;
  first(): Promise<unknown>;
  all(): Promise<{ readonly results: readonly unknown[] }>;
  run(): Promise<unknown>;
}
