/** The SQLite file on Node: opened, and brought up to the last of the migrations. */
import { DatabaseSync } from 'node:sqlite';
import { makePrivate } from '../../records/private.ts';
import { MIGRATIONS } from './migrations.ts';

/** Wrangler's own table, so that a file here and a database at the edge are the same in this, too. */
const APPLIED = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;

/** How long a write waits for another process's, in milliseconds; and how long it does where it only tries. */
const BUSY_MS = 5_000;
const TRYING_MS = 100;

/**
 * @param path of the file, made with its folder where it does not exist; `:memory:` for none
 * @throws where it cannot be opened, or is no database
 */
export function openDatabase(path: string): DatabaseSync {
  if (path !== ':memory:') makePrivate(path);
  return connected(path, migrate);
}

/**
 * A further connection to a file that has been opened.
 * @throws where it cannot be had
 */
export function connect(path: string): DatabaseSync {
  return connected(path, () => {});
}

function connected(path: string, ready: (database: DatabaseSync) => void): DatabaseSync {
  const database = new DatabaseSync(path);
  try {
    // WAL with synchronous=NORMAL survives the process being killed; a power cut may cost the last entries.
    database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    ready(database);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

/** All steps or none, and one process at a time: two may start on one file at once. */
function migrate(database: DatabaseSync): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    database.exec(APPLIED);
    const applied = database.prepare('SELECT name FROM d1_migrations').all();
    const names = new Set(applied.map(({ name }) => name));
    const enter = database.prepare('INSERT INTO d1_migrations (name) VALUES (?)');
    for (const { name, statements } of MIGRATIONS) {
      if (names.has(name)) continue;
      for (const statement of statements) database.exec(statement);
      enter.run(name);
    }
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

/** Takes the lock for writing, and lets it go. Throws where it cannot be had soon. */
export function checkWritable(database: DatabaseSync): void {
  database.exec(`PRAGMA busy_timeout = ${TRYING_MS}`);
  try {
    database.exec('BEGIN IMMEDIATE; ROLLBACK');
  } finally {
    database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
  }
}
