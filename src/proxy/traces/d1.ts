/** Traces in Cloudflare D1, for the Worker. */
import type { TraceStore } from '../../trace.ts';
import type { D1 } from '../storage/d1.ts';
import { GET, LIST, listValues, PRUNE, PUT, putValues, readRow, readSums, SUMS } from './schema.ts';

/**
 * @param database with its tables: `wrangler d1 migrations apply`
 * @param keep how many traces are kept
 */
export function d1Traces(database: D1, keep: number): TraceStore {
  return {
    async put(trace) {
      await database.batch([
        database.prepare(PUT).bind(...putValues(trace)),
        database.prepare(PRUNE).bind(keep),
      ]);
    },
    async get(id) {
      const row = await database.prepare(GET).bind(id).first();
      return row ? readRow(row) : null;
    },
    async list(query) {
      const { results } = await database
        .prepare(LIST)
        .bind(...listValues(query))
        .all();
      return results.map(readRow);
    },
    async sums(from) {
      const { results } = await database.prepare(SUMS).bind(from).all();
      return results.map(readSums);
    },
  };
}
