/** Traces in SQLite, for Node. */
import type { DatabaseSync } from 'node:sqlite';
import type { TraceStore } from '../../trace.ts';
import { type Together, writesTogether } from '../storage/together.ts';
import { directWriter } from '../storage/writes.ts';
import { GET, LIST, listValues, PRUNE, PUT, putValues, readRow, readSums, SUMS } from './schema.ts';

/** Pruning scans from the oldest row, so it runs once in so many writes rather than at each. */
const PRUNE_EVERY = 64;

/**
 * @param database with its tables: see storage/database.ts
 * @param keep how many traces are kept, give or take 64
 * @param together the one of this database, where there is more to write
 */
export function sqliteTraces(
  database: DatabaseSync,
  keep: number,
  together: Together = writesTogether(directWriter(database)),
): TraceStore {
  const get = database.prepare(GET);
  const list = database.prepare(LIST);
  const sums = database.prepare(SUMS);
  let writes = 0;
  return {
    async put(trace) {
      const written = [together.write({ statement: PUT, values: putValues(trace) })];
      if (writes++ % PRUNE_EVERY === 0) written.push(together.write({ statement: PRUNE, values: [keep] }));
      await Promise.all(written);
    },
    async get(id) {
      await together.now();
      const row = get.get(id);
      return row ? readRow(row) : null;
    },
    async list(query) {
      await together.now();
      return list.all(...listValues(query)).map(readRow);
    },
    async sums(from) {
      await together.now();
      return sums.all(from).map(readSums);
    },
  };
}
