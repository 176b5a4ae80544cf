/**
 * Writes that come in the same moment, made in one transaction: what a transaction costs is mostly its end, when it is
 * written to disk, and a proxy has one for each judgment.
 */
import type { DatabaseSync } from 'node:sqlite';

/** How long a write waits for others, in milliseconds. A process that is killed loses what came in that time. */
const MOMENT_MS = 50;

export interface Together {
  /** Resolves when it is written down; rejects where it, or the transaction, fails. */
  write(what: () => void): Promise<void>;
  /** Writes down what waits: before something is read, and before the database is closed. */
  now(): void;
}

interface Waiting {
  readonly what: () => void;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

export function writesTogether(database: DatabaseSync): Together {
  let waiting: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;

  function now(): void {
    clearTimeout(timer);
    timer = undefined;
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    const written: Waiting[] = [];
    try {
      database.exec('BEGIN IMMEDIATE');
      for (const one of batch) if (succeeds(one)) written.push(one);
      database.exec('COMMIT');
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      for (const one of batch) one.failed(error);
      return;
    }
    for (const one of written) one.done();
  }

  return {
    write(what) {
      const { promise, resolve: done, reject: failed } = Promise.withResolvers<void>();
      waiting.push({ what, done, failed });
      timer ??= setTimeout(now, MOMENT_MS);
      return promise;
    },
    now,
  };
}

/** One that cannot be written keeps none of the others from it: SQLite undoes that statement alone. */
function succeeds({ what, failed }: Waiting): boolean {
  try {
    what();
    return true;
  } catch (error) {
    failed(error);
    return false;
  }
}
