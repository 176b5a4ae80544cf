/** SQLite on Node and D1 at the edge, as the store of audits uses both. */
import type { DatabaseSync } from 'node:sqlite';
import type { D1 } from '../storage/d1.ts';

type Value = string | number | null;

export interface AuditSql {
  all(text: string, values: readonly Value[]): Promise<readonly unknown[]>;
  /** All of them or none. */
  run(statements: readonly (readonly [text: string, values: readonly Value[]])[]): Promise<void>;
}

/** @param opened the database with its tables (see storage/database.ts), when it is needed first */
export function createSqliteAuditSql(opened: () => DatabaseSync): AuditSql {
  return {
    all: async (text, values) =>
      opened()
        .prepare(text)
        .all(...values),
    async run(statements) {
      const database = opened();
      database.exec('BEGIN IMMEDIATE');
      try {
        for (const [text, values] of statements) database.prepare(text).run(...values);
        database.exec('COMMIT');
      } catch (error) {
        database.exec('ROLLBACK');
        throw error;
      }
    },
  };
}

/** @param database with its tables: `wrangler d1 migrations apply` */
export function createD1AuditSql(database: D1): AuditSql {
  return {
    all: async (text, values) =>
      (
        await database
          .prepare(text)
          .bind(...values)
          .all()
      ).results,
    // One transaction (https://developers.cloudflare.com/d1/worker-api/d1-database/#batch).
    run: async (statements) =>
      void (await database.batch(statements.map(([text, values]) => database.prepare(text).bind(...values)))),
  };
}
