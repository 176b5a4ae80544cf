/**
 * Writes that come in the same moment, made in one transaction: what a transaction costs is mostly its end, when it is
 * written to disk, and a proxy has one for each judgment.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { describeError } from '../../errors.ts';
import type { Sql } from '../limits/account-book.ts';

/** How long a write waits for others, in milliseconds. A process that is killed loses what came since, and what is being written. */
const MOMENT_MS = 20;

/** Of text that waits, in characters: a disk that does not keep up must not take all memory. */
const MOST_WAITING = 64 << 20;

/** Of text in one transaction, in characters: whoever shares the writer waits for one of them at most. */
const MOST_TOGETHER = 4 << 20;

export interface WriteBatcher {
  /**
   * Resolves when all of it is written down, in one transaction; rejects where a part, or the transaction, fails, or too much
   * waits.
   */
  write(...what: Write[]): Promise<void>;
  /** Resolves when what waits is written down, or has failed: before something is read. */
  now(): Promise<void>;
}

export interface WriteBatcherOptions {
  readonly mostWaiting?: number;
  readonly momentMs?: number;
}

interface Waiting {
  readonly what: readonly Write[];
  readonly length: number;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** @param writer may have others who write, too: a batch at a time is handed over to it */
export function createWriteBatcher(
  writer: Pick<Writer, 'write'>,
  { mostWaiting = MOST_WAITING, momentMs = MOMENT_MS }: WriteBatcherOptions = {},
): WriteBatcher {
  const waiting: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing = false;
  /** Of what came last, and so of all before it: batches are written in turn. */
  let ended: Promise<void> = Promise.resolve();
  let length = 0;

  async function writeAll(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (writing) return;
    writing = true;
    while (waiting.length > 0) await handOver(nextBatch());
    writing = false;
  }

  function nextBatch(): readonly Waiting[] {
    let [count, sum] = [0, 0];
    for (const one of waiting) {
      sum += one.length;
      if (count > 0 && sum > MOST_TOGETHER) break;
      count++;
    }
    return waiting.splice(0, count);
  }

  async function handOver(batch: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await writer.write(batch.flatMap(({ what }) => what));
      let place = 0;
      for (const one of batch) {
        const end = place + one.what.length;
        const reason = outcomes.slice(place, end).find((outcome) => outcome !== null) ?? null;
        if (reason === null) one.done();
        else one.failed(new Error(reason));
        place = end;
      }
    } catch (error) {
      for (const { failed } of batch) failed(error);
    } finally {
      for (const one of batch) length -= one.length;
    }
  }

  return {
    async write(...what) {
      if (length >= mostWaiting)
        throw new Error('not written: the disk does not keep up, and too much waits for it');
      const own = measureBatch(what);
      length += own;
      const { promise, resolve: done, reject: failed } = Promise.withResolvers<void>();
      ended = promise.catch(() => undefined);
      waiting.push({ what, length: own, done, failed });
      timer ??= setTimeout(writeAll, momentMs);
      await promise;
    },
    async now() {
      void writeAll();
      await ended;
    },
  };
}

// A batch of writes to a SQLite database, made in one transaction.

export type SqlValue = string | number | null;

/** One statement. */
export interface Write {
  readonly statement: string;
  readonly values: readonly SqlValue[];
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

interface Failure {
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
function measureBatch(batch: readonly Write[]): number {
  let length = 0;
  for (const { values } of batch)
    for (const value of values) if (typeof value === 'string') length += value.length;
  return length;
}

export interface NodeSql extends Sql {
  run(statement: string, ...values: readonly SqlValue[]): void;
  get(statement: string, ...values: readonly SqlValue[]): unknown;
  all(statement: string, ...values: readonly SqlValue[]): unknown[];
}

export function createNodeSql(database: DatabaseSync): NodeSql {
  const prepared = new Map<string, StatementSync>();
  const statement = (text: string) => {
    const known = prepared.get(text) ?? database.prepare(text);
    prepared.set(text, known);
    return known;
  };
  return {
    run: (text, ...values) => void statement(text).run(...values),
    get: (text, ...values) => statement(text).get(...values),
    all: (text, ...values) => statement(text).all(...values),
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
