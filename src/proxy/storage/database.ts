/** The SQLite file on Node: opened, and brought up to the last of the migrations. */
import type { DatabaseSync } from 'node:sqlite';
import { makePrivate, openSqlite } from '../../records/node.ts';
import { CREATE_APPLIED, ENTER_APPLIED, MIGRATIONS } from './migrations.ts';

/** How long a write waits for another process's, in milliseconds; and how long it does where it only tries. */
const BUSY_MS = 5_000;
const TRYING_MS = 100;

/**
 * @param path of the file, made with its folder where it does not exist; `:memory:` for none
 * @throws where it cannot be opened, or is no database
 */
export function openDatabase(path: string): DatabaseSync {
  if (path !== ':memory:') makePrivate(path);
  return connect(path, migrate);
}

/**
 * A further connection to a file that has been opened.
 * @throws where it cannot be had
 */
export function connectDatabase(path: string): DatabaseSync {
  return connect(path, () => {});
}

function connect(path: string, ready: (database: DatabaseSync) => void): DatabaseSync {
  return openSqlite(path, (database) => {
    // WAL with synchronous=NORMAL survives the process being killed; a power cut may cost the last entries.
    database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    ready(database);
  });
}

/** All steps or none, and one process at a time: two may start on one file at once. */
function migrate(database: DatabaseSync): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    database.exec(CREATE_APPLIED);
    const applied = database.prepare('SELECT name FROM d1_migrations').all();
    const names = new Set(applied.map(({ name }) => name));
    const enter = database.prepare(ENTER_APPLIED);
    for (const { name, statements } of MIGRATIONS) {
      if (names.has(name)) continue;
      for (const statement of statements) database.exec(statement);
      enter.run(name);
    }
    database.exec('COMMIT');
  } catch (error) {
    // SQLite ends the transaction itself where the disk is full.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** Takes the lock for writing, and lets it go. Throws where it cannot be had soon. */
export function checkLock(database: DatabaseSync): void {
  soon(database, () => database.exec('BEGIN IMMEDIATE; ROLLBACK'));
}

/** Of what is written to find out whether anything can be, in bytes. */
const TRIED_BYTES = 4096;

/** Entries of the cache are named in hexadecimal. */
const TRIED = 'ready';

/**
 * Writes so many bytes down, and takes them out again: a lock that can be had says nothing of a disk that is full.
 *
 * @param bytes that could not be written the last time
 * @throws where that cannot be done soon
 */
export function checkWritable(database: DatabaseSync, bytes: number): void {
  soon(database, () => {
    database.exec('BEGIN IMMEDIATE');
    try {
      const put = 'INSERT OR REPLACE INTO cache (place, sealed, expires) VALUES (?, zeroblob(?), 0)';
      database.prepare(put).run(TRIED, Math.max(TRIED_BYTES, bytes));
      database.exec('COMMIT');
    } finally {
      if (database.isTransaction) database.exec('ROLLBACK');
    }
    // The pages that are freed are there for what is written next.
    database.prepare('DELETE FROM cache WHERE place = ?').run(TRIED);
  });
}

function soon(database: DatabaseSync, work: () => void): void {
  database.exec(`PRAGMA busy_timeout = ${TRYING_MS}`);
  try {
    work();
  } finally {
    database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
  }
}
