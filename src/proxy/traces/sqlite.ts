/** Traces in SQLite, for Node. */
import type { DatabaseSync } from 'node:sqlite';
import type { TraceStore } from '../../trace.ts';
import { GET, LIST, listValues, PRUNE, PUT, putValues, readRow, readSums, SUMS } from './schema.ts';

/** Pruning scans from the oldest row, so it runs once in so many writes rather than at each. */
const PRUNE_EVERY = 64;

/**
 * @param database with its tables: see storage/database.ts
 * @param keep how many traces are kept, give or take 64
 */
export function sqliteTraces(database: DatabaseSync, keep: number): TraceStore {
  const put = database.prepare(PUT);
  const get = database.prepare(GET);
  const list = database.prepare(LIST);
  const prune = database.prepare(PRUNE);
  const sums = database.prepare(SUMS);
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
    async sums(from) {
      return sums.all(from).map(readSums);
    },
  };
}
