/** Traces in a SQLite file, for Node. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TraceStore } from '../../trace.ts';
import { CREATE, GET, LIST, listValues, PRUNE, PUT, putValues, readRow } from './schema.ts';

/** Pruning scans from the oldest row, so it runs once in so many writes rather than at each. */
const PRUNE_EVERY = 64;

export interface SqliteTraces extends TraceStore {
  close(): void;
}

/**
 * @param path of the file, made with its folder where it does not exist
 * @param keep how many traces are kept, give or take 64
 */
export function sqliteTraces(path: string, keep: number): SqliteTraces {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path);
  // WAL with synchronous=NORMAL survives a crash of the process; a power cut may cost the last traces.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 2000');
  for (const statement of CREATE) database.exec(statement);
  const put = database.prepare(PUT);
  const get = database.prepare(GET);
  const list = database.prepare(LIST);
  const prune = database.prepare(PRUNE);
  let writes = 0;
  return {
    async put(trace) {
      put.run(...putValues(trace));
      if (writes++ % PRUNE_EVERY === 0) prune.run(keep);
    },
    async get(id) {
      const row = get.get(id);
      return row ? readRow(row) : null;
    },
    async list(query) {
      return list.all(...listValues(query)).map(readRow);
    },
    close() {
      database.close();
    },
  };
}
