/** node:sqlite as the interface that it shares with the storage of a Durable Object. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Sql } from '../limits/spending-table.ts';

export function createNodeSql(database: DatabaseSync): Sql {
  const prepared = new Map<string, StatementSync>();
  const statement = (text: string) => {
    const known = prepared.get(text) ?? database.prepare(text);
    prepared.set(text, known);
    return known;
  };
  return {
    run: (text, ...values) => void statement(text).run(...values),
    get: (text, ...values) => statement(text).get(...values),
    transaction(work) {
      // Other processes may share the file.
      database.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        database.exec('COMMIT');
        return result;
      } catch (error) {
        // Undone already where SQLite did so by itself.
        if (database.isTransaction) database.exec('ROLLBACK');
        throw error;
      }
    },
  };
}
