/** Traces in Cloudflare D1, for the Worker. */
import type { TraceLimits, TraceStore } from '../../trace/index.ts';
import type { D1 } from '../storage/d1.ts';
import {
  bindListValues,
  encodeTrace,
  GET,
  LIST,
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

/** D1 takes 2,000,000 bytes in a row (https://developers.cloudflare.com/d1/platform/limits/); some are the row's own. */
const LARGEST_ROW = 1_900_000;

/**
 * @param database with its tables: `wrangler d1 migrations apply`
 *
 * @example createD1Traces(env.DB, { keep: 1_000, bytes: 100e6, bytesEach: 1e6 })
 */
export function createD1Traces(database: D1, { keep, bytes, bytesEach }: TraceLimits): TraceStore {
  const most = Math.min(bytes, bytesEach, LARGEST_ROW);
  return {
    async put(trace) {
      const { row, bodyRow } = encodeTrace(trace, most);
      await database.batch([
        database.prepare(PUT).bind(...row),
        database.prepare(PUT_BODY).bind(...bodyRow),
        database.prepare(PRUNE).bind(keep),
        database.prepare(PRUNE_BYTES).bind(bytes),
        database.prepare(PRUNE_BODIES),
      ]);
    },
    async get(id) {
      const row = await database.prepare(GET).bind(id).first();
      return row ? readRow(id, row) : null;
    },
    async list(query) {
      const { results } = await database
        .prepare(LIST)
        .bind(...bindListValues(query))
        .all();
      return results.map(readListed);
    },
    async sums(from) {
      const { results } = await database.prepare(SUMS).bind(from).all();
      return readSums(results);
    },
  };
}
