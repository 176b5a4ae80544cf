/** Traces in SQLite, for Node. */
import type { DatabaseSync } from 'node:sqlite';
import type { TraceLimits, TraceStore } from '../../trace/index.ts';
import { createWriteBatcher, type WriteBatcher } from '../storage/write-batcher.ts';
import { createDirectWriter } from '../storage/writes.ts';
import {
  bindListValues,
  encodeTrace,
  GET,
  listStatement,
  PRUNE,
  PRUNE_BODIES,
  PRUNE_BYTES,
  PUT,
  PUT_BODY,
  readListed,
  readRow,
  readSums,
  SUMS,
} from './trace-rows.ts';

/** Pruning runs once in so many writes, or in so large a part of all bytes, rather than at each write. */
const PRUNE_EVERY = 64;
const PRUNE_PART = 16;

/**
 * @param database with its tables: see storage/database.ts
 * @param limits held give or take 64 traces and a sixteenth of the bytes
 * @param together the one of this database, where there is more to write
 */
export function createSqliteTraces(
  database: DatabaseSync,
  { keep, bytes: most, bytesEach }: TraceLimits,
  together: WriteBatcher = createWriteBatcher(createDirectWriter(database)),
): TraceStore {
  const get = database.prepare(GET);
  const older = database.prepare(listStatement({ limit: 1 }));
  const newer = database.prepare(listStatement({ limit: 1, after: '' }));
  const sums = database.prepare(SUMS);
  let writes = 0;
  let unpruned = 0;
  return {
    async put(trace) {
      const { row, bodyRow, bytes } = encodeTrace(trace, Math.min(most, bytesEach));
      const written = [
        { statement: PUT, values: row },
        { statement: PUT_BODY, values: bodyRow },
      ];
      unpruned += bytes;
      if (writes++ % PRUNE_EVERY === 0 || unpruned > most / PRUNE_PART) {
        unpruned = 0;
        written.push(
          { statement: PRUNE, values: [keep] },
          { statement: PRUNE_BYTES, values: [most] },
          { statement: PRUNE_BODIES, values: [] },
        );
      }
      await together.write(...written);
    },
    async get(id) {
      await together.now();
      const row = get.get(id);
      return row ? readRow(id, row) : null;
    },
    async list(query) {
      await together.now();
      const list = query.after === undefined ? older : newer;
      return list.all(...bindListValues(query)).map(readListed);
    },
    async sums(from) {
      await together.now();
      return readSums(sums.all(from));
    },
  };
}
