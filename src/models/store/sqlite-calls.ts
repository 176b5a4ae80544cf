/** The call store as a SQLite file, for Node. */
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { describeError, InputError } from '../../errors.ts';
import { makePrivate } from '../../records/node.ts';
import type { CallStore, StoredCall } from '../call-store.ts';
import { type BatchTables, createBatchTables } from './batch-tables.ts';

interface SqliteCalls extends CallStore {
  /** Every call, one at a time. */
  all(): IterableIterator<StoredCall>;
  /** How many calls it holds. */
  count(): number;
  /** What was handed over in batches: tables of the same file. */
  batches(): BatchTables;
  close(): void;
}

const row = z.object({ endpoint: z.string(), model: z.string(), request: z.string(), reply: z.string() });
const counted = z.object({ calls: z.number() });

/**
 * @param path of the file, made with its folder where it does not exist
 * @throws InputError where the file is there and is no call store
 */
export function openSqliteCalls(path: string): SqliteCalls {
  if (path !== ':memory:') makePrivate(path);
  const database = open(path);
  const put = database.prepare(
    'INSERT OR IGNORE INTO calls (key, endpoint, model, request, reply) VALUES (?, ?, ?, ?, ?)',
  );
  const get = database.prepare('SELECT endpoint, model, request, reply FROM calls WHERE key = ?');
  const every = database.prepare('SELECT endpoint, model, request, reply FROM calls ORDER BY key');
  const count = database.prepare('SELECT count(*) AS calls FROM calls');
  return {
    async get(key) {
      const found = get.get(key);
      return found ? row.parse(found) : null;
    },
    async put(key, call) {
      put.run(key, call.endpoint, call.model, call.request, call.reply);
    },
    *all() {
      for (const one of every.iterate()) yield row.parse(one);
    },
    batches: () => createBatchTables(database),
    count: () => counted.parse(count.get()).calls,
    close: () => database.close(),
  };
}

function open(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  try {
    // What was written survives the process being killed; a power cut may cost the last calls, never the file.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 5000');
    database.exec(
      'CREATE TABLE IF NOT EXISTS calls (key TEXT PRIMARY KEY, endpoint TEXT NOT NULL, model TEXT NOT NULL, request TEXT NOT NULL, reply TEXT NOT NULL) WITHOUT ROWID',
    );
  } catch (cause) {
    database.close();
    throw new InputError('store', `${path} is no call store: ${describeError(cause)}`);
  }
  return database;
}
