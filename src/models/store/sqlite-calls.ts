/** The call store as a SQLite file, for Node. */
import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import type { BatchedCall } from '../../../adapters/index.ts';
import { RemandError } from '../../errors.ts';
import { makePrivate, openSqlite } from '../../records/node.ts';
import { type CallStore, type StoredCall, storedCall } from '../call-store.ts';

interface SqliteCalls extends CallStore {
  /** Every call, one at a time. */
  all(): IterableIterator<StoredCall>;
  /** How many calls it holds. */
  count(): number;
  /** What was handed over in batches: tables of the same file. */
  batches(): BatchTables;
  /** @returns whether the file may be removed: it holds no call, and no other process has it open */
  release(): boolean;
  close(): void;
}

const counted = z.object({ calls: z.number() });

/**
 * @param path of the file, made with its folder where it does not exist
 * @throws where the file cannot be opened, or is no call store
 */
export function openSqliteCalls(path: string): SqliteCalls {
  if (path !== ':memory:') makePrivate(path);
  const database = openSqlite(path, (file) => {
    // What was written survives the process being killed; a power cut may cost the last calls, never the file.
    file.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    file.exec(
      'CREATE TABLE IF NOT EXISTS calls (key TEXT PRIMARY KEY, endpoint TEXT NOT NULL, model TEXT NOT NULL, request TEXT NOT NULL, reply TEXT NOT NULL) WITHOUT ROWID',
    );
  });
  const put = database.prepare(
    'INSERT OR IGNORE INTO calls (key, endpoint, model, request, reply) VALUES (?, ?, ?, ?, ?)',
  );
  const get = database.prepare('SELECT endpoint, model, request, reply FROM calls WHERE key = ?');
  const every = database.prepare('SELECT endpoint, model, request, reply FROM calls ORDER BY key');
  const count = database.prepare('SELECT count(*) AS calls FROM calls');
  return {
    async get(key) {
      const found = get.get(key);
      return found ? storedCall.parse(found) : null;
    },
    async put(key, call) {
      put.run(key, call.endpoint, call.model, call.request, call.reply);
    },
    *all() {
      for (const one of every.iterate()) yield storedCall.parse(one);
    },
    batches: () => createBatchTables(database),
    count: () => counted.parse(count.get()).calls,
    release() {
      if (counted.parse(count.get()).calls > 0) return false;
      // Only the last connection can leave the write-ahead log (https://www.sqlite.org/pragma.html#pragma_journal_mode).
      database.exec('PRAGMA busy_timeout = 0');
      try {
        return database.prepare('PRAGMA journal_mode = DELETE').get()?.journal_mode === 'delete';
      } catch (cause) {
        // SQLite refuses: another process is in it.
        if (cause instanceof RemandError) return false;
        throw cause;
      }
    },
    close: () => database.close(),
  };
}

// What was handed over in batches, in the call store's SQLite file: a run that was killed finds its batches again.

/** The calls of one batch go to one path of one model. */
export interface BatchPlace {
  /** As the call store names it. */
  readonly endpoint: string;
  readonly model: string;
  readonly protocol: string;
}

const batchRow = z.object({
  id: z.number(),
  /** The provider's file of its calls; null before they are uploaded, or where none is. */
  file: z.string().nullable(),
  /** The provider's id; null before it is known. */
  remote: z.string().nullable(),
  /** When its creation was first tried, in milliseconds since the epoch; null before. */
  since: z.number().nullable(),
  calls: z.number(),
});
/** A batch whose results are not collected yet. */
export type BatchRow = z.output<typeof batchRow>;

const entry = z.object({
  batch: z.number().nullable(),
  /** How often it came back without a reply. */
  tries: z.number(),
  error: z.string().nullable(),
  wanted: z.number(),
});
type BatchEntry = z.output<typeof entry>;

const called = z.object({ key: z.string(), request: z.string() });

export interface BatchTables {
  /** At a start: nothing is wanted yet. What was never sent, and by now nobody may want, is forgotten. */
  begin(): void;
  entry(key: string): BatchEntry | null;
  /** This start wants the call. */
  note(place: BatchPlace, call: BatchedCall): void;
  /** Wanted calls that are in no batch and came back less than `tries` times. */
  unsent(place: BatchPlace, tries: number): IterableIterator<BatchedCall>;
  /** A batch of calls, before anything of it is sent. */
  add(place: BatchPlace, keys: readonly string[]): number;
  update(id: number, fields: { file?: string; remote?: string; since?: number }): void;
  open(place: BatchPlace): BatchRow[];
  calls(id: number): BatchedCall[];
  taken(remote: string): boolean;
  /** Whether the call is in that batch and nothing has become of it yet. */
  holds(id: number, key: string): boolean;
  request(key: string): string;
  collected(key: string): void;
  /** @param tries how often it has come back by now */
  failed(key: string, error: string, tries: number): void;
  close(id: number): void;
  /** Calls that failed for good are forgotten, so that the next start tries them again. */
  forget(place: BatchPlace): void;
}

function createBatchTables(database: DatabaseSync): BatchTables {
  database.exec(`
    CREATE TABLE IF NOT EXISTS batches (id INTEGER PRIMARY KEY, endpoint TEXT NOT NULL, model TEXT NOT NULL,
      protocol TEXT NOT NULL, file TEXT, remote TEXT, since INTEGER, collected INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE IF NOT EXISTS batch_calls (key TEXT PRIMARY KEY, endpoint TEXT NOT NULL, model TEXT NOT NULL,
      protocol TEXT NOT NULL, request TEXT NOT NULL, batch INTEGER, tries INTEGER NOT NULL DEFAULT 0, error TEXT,
      wanted INTEGER NOT NULL);
    CREATE INDEX IF NOT EXISTS batch_calls_batch ON batch_calls (batch)`);
  const here = 'endpoint = :endpoint AND model = :model AND protocol = :protocol';
  const find = database.prepare('SELECT batch, tries, error, wanted FROM batch_calls WHERE key = ?');
  const note = database.prepare(
    `INSERT INTO batch_calls (key, endpoint, model, protocol, request, wanted)
     VALUES (:key, :endpoint, :model, :protocol, :request, 1) ON CONFLICT (key) DO UPDATE SET wanted = 1`,
  );
  const unsent = database.prepare(
    `SELECT key, request FROM batch_calls WHERE batch IS NULL AND wanted = 1 AND tries < :tries AND ${here} ORDER BY key`,
  );
  const add = database.prepare(
    'INSERT INTO batches (endpoint, model, protocol) VALUES (:endpoint, :model, :protocol)',
  );
  const assign = database.prepare('UPDATE batch_calls SET batch = ? WHERE key = ?');
  const update = database.prepare(
    'UPDATE batches SET file = coalesce(?, file), remote = coalesce(?, remote), since = coalesce(?, since) WHERE id = ?',
  );
  const open = database.prepare(
    `SELECT id, file, remote, since, (SELECT count(*) FROM batch_calls WHERE batch = batches.id) AS calls
     FROM batches WHERE collected = 0 AND ${here} ORDER BY id`,
  );
  const calls = database.prepare('SELECT key, request FROM batch_calls WHERE batch = ? ORDER BY key');
  const taken = database.prepare('SELECT 1 FROM batches WHERE remote = ?');
  const request = database.prepare('SELECT key, request FROM batch_calls WHERE key = ?');
  const remove = database.prepare('DELETE FROM batch_calls WHERE key = ?');
  const failed = database.prepare('UPDATE batch_calls SET batch = NULL, error = ?, tries = ? WHERE key = ?');
  const close = database.prepare('UPDATE batches SET collected = 1 WHERE id = ?');
  const forget = database.prepare(`DELETE FROM batch_calls WHERE batch IS NULL AND ${here}`);
  const entryOf = (key: string) => {
    const found = find.get(key);
    return found ? entry.parse(found) : null;
  };
  return {
    begin() {
      database.exec(
        'DELETE FROM batch_calls WHERE batch IS NULL AND tries = 0; UPDATE batch_calls SET wanted = 0',
      );
    },
    entry: entryOf,
    note: (place, call) => void note.run({ ...place, ...call }),
    *unsent(place, tries) {
      for (const one of unsent.iterate({ ...place, tries })) yield called.parse(one);
    },
    add(place, keys) {
      // All or none: a kill between leaves no call in two batches and none in half a batch.
      database.exec('BEGIN');
      try {
        const id = Number(add.run({ ...place }).lastInsertRowid);
        for (const key of keys) assign.run(id, key);
        database.exec('COMMIT');
        return id;
      } catch (cause) {
        database.exec('ROLLBACK');
        throw cause;
      }
    },
    update: (id, { file, remote, since }) => void update.run(file ?? null, remote ?? null, since ?? null, id),
    open: (place) => open.all({ ...place }).map((one) => batchRow.parse(one)),
    calls: (id) => calls.all(id).map((one) => called.parse(one)),
    taken: (remote) => taken.get(remote) !== undefined,
    holds: (id, key) => entryOf(key)?.batch === id,
    request: (key) => called.parse(request.get(key)).request,
    collected: (key) => void remove.run(key),
    failed: (key, error, tries) => void failed.run(error, tries, key),
    close: (id) => void close.run(id),
    forget: (place) => void forget.run({ ...place }),
  };
}
