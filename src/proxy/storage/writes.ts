/** A batch of writes to a SQLite database, made in one transaction. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { describeError } from '../../errors.ts';
import type { Sql } from '../limits/account-book.ts';

/** One statement. */
export interface Write {
  readonly statement: string;
  readonly values: readonly (string | number)[];
}

/** For each write of a batch why it failed; null where it is written down. */
export type WriteOutcome = string | null;

/** Where batches go: in at most one transaction at a time, in the order in which they are handed over. */
export interface Writer {
  /** Rejects where nothing of the batch is known to be written down. */
  write(batch: readonly Write[]): Promise<readonly WriteOutcome[]>;
  /** Once, after the last batch. */
  close(): Promise<void>;
}

/** One that cannot be written keeps none of the others from it: SQLite undoes that statement alone. */
export function writeBatch(database: DatabaseSync): (batch: readonly Write[]) => readonly WriteOutcome[] {
  const sql = createNodeSql(database);
  function outcomeOf({ statement, values }: Write): WriteOutcome {
    try {
      sql.run(statement, ...values);
      return null;
    } catch (error) {
      // A full disk and the like undo the whole transaction (https://www.sqlite.org/lang_transaction.html).
      if (!database.isTransaction) throw error;
      return describeError(error);
    }
  }
  return (batch) => sql.transaction(() => batch.map(outcomeOf));
}

/** Written where it is called: for a database in memory, which no other thread can open, and for commands that write little. */
export function createDirectWriter(database: DatabaseSync): Writer {
  const write = writeBatch(database);
  return { write: async (batch) => write(batch), close: async () => undefined };
}

/** A writer that remembers whether what it wrote last could be written. */
export interface MonitoredWriter extends Writer {
  /** Of the last batch of which not all was written: why, and its text in characters. Null where that is long past. */
  failure(): Failure | null;
  /** It is past: so much could be written meanwhile. */
  forget(): void;
}

export interface Failure {
  readonly reason: string;
  readonly length: number;
}

export function createMonitoredWriter(writer: Writer): MonitoredWriter {
  let failure: Failure | null = null;
  return {
    async write(batch) {
      const fails = (reason: string) => {
        failure = { reason, length: measureBatch(batch) };
      };
      try {
        const outcomes = await writer.write(batch);
        const reason = outcomes.find((outcome) => outcome !== null) ?? null;
        if (reason !== null) fails(reason);
        else if (failure && measureBatch(batch) >= failure.length) failure = null;
        return outcomes;
      } catch (error) {
        fails(describeError(error));
        throw error;
      }
    },
    close: writer.close,
    failure: () => failure,
    forget() {
      failure = null;
    },
  };
}

/** Of the text in it, in characters. */
export function measureBatch(batch: readonly Write[]): number {
  let length = 0;
  for (const { values } of batch)
    for (const value of values) if (typeof value === 'string') length += value.length;
  return length;
}

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
