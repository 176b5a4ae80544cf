/** SQLite on Node and D1 at the edge behind one port, so that a table's statements are written once. */
import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { parseJson } from '../../parse-json.ts';
import { createNodeSql, type NodeSql, type SqlValue, type WriteBatcher } from './write-batcher.ts';

export type SqlStatement = readonly [text: string, ...values: readonly SqlValue[]];

export interface TableSql {
  all<T>(row: z.ZodType<T>, text: string, ...values: readonly SqlValue[]): Promise<T[]>;
  /** The first row; null where there is none. */
  one<T>(row: z.ZodType<T>, text: string, ...values: readonly SqlValue[]): Promise<T | null>;
  /** All of the statements or none; in the queue of a file the others stay where one breaks a rule of its table. */
  run(...statements: readonly SqlStatement[]): Promise<void>;
}

/** A column that holds JSON as text. */
export function createJsonColumn<T extends z.ZodType>(value: T) {
  return z
    .string()
    .transform((input, { issues }): unknown => {
      const read = parseJson(input);
      if (read === undefined) issues.push({ code: 'custom', message: 'is no JSON', input });
      return read;
    })
    .pipe(value);
}

/**
 * @param opened the database with its tables (see database.ts), when it is needed first
 * @param together the queue of the database's writer, where writes wait for others of the same moment
 */
export function createSqliteTables(opened: () => DatabaseSync, together?: () => WriteBatcher): TableSql {
  let sql: NodeSql | null = null;
  async function openWritten(): Promise<NodeSql> {
    if (together) {
      await together().now();
      // SQLite answers at once: whoever reads all there is would keep everybody else waiting.
      await new Promise((resolve) => setImmediate(resolve));
    }
    sql ??= createNodeSql(opened());
    return sql;
  }
  return {
    all: async (row, text, ...values) =>
      (await openWritten()).all(text, ...values).map((found) => row.parse(found)),
    async one(row, text, ...values) {
      const found = (await openWritten()).get(text, ...values);
      return found === undefined ? null : row.parse(found);
    },
    async run(...statements) {
      if (together)
        return together().write(...statements.map(([statement, ...values]) => ({ statement, values })));
      const { transaction, run } = await openWritten();
      transaction(() => {
        for (const [text, ...values] of statements) run(text, ...values);
      });
    },
  };
}

/** @param database with its tables: `wrangler d1 migrations apply` */
export function createD1Tables(database: D1): TableSql {
  const prepare = (text: string, values: readonly SqlValue[]) => database.prepare(text).bind(...values);
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
