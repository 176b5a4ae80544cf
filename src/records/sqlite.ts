/** A SQLite file on Node, whose errors say which file it is: SQLite's own say only `file is not a database`. */
import { DatabaseSync } from 'node:sqlite';
import { describeError, RemandError } from '../errors.ts';

/**
 * @param path of the file; `:memory:` for none
 * @param ready makes what has to be there; where it throws, the file is closed
 * @throws RemandError naming the file, SQLite's error its cause
 */
export function openSqlite(path: string, ready: (database: DatabaseSync) => void): DatabaseSync {
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(path);
    ready(database);
    return database;
  } catch (cause) {
    database?.close();
    if (cause instanceof RemandError) throw cause;
    throw new RemandError(`${path} cannot be opened as a SQLite file: ${describeError(cause)}`, { cause });
  }
}
