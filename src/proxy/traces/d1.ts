/** Traces in Cloudflare D1, for the Worker. */
import type { TraceStore } from '../../trace.ts';
import { CREATE, GET, LIST, listValues, PRUNE, PUT, putValues, readRow } from './schema.ts';

/** What is used of a D1 database binding (https://developers.cloudflare.com/d1/worker-api/). */
export interface D1 {
  prepare(query: string): D1Statement;
  batch(statements: D1Statement[]): Promise<unknown>;
}

export interface D1Statement {
  bind(...values: unknown[]): D1Statement;
  first(): Promise<unknown>;
  all(): Promise<{ readonly results: readonly unknown[] }>;
}

/** @param keep how many traces are kept */
export function d1Traces(database: D1, keep: number): TraceStore {
  let created: Promise<unknown> | null = null;
  const ready = () => {
    created ??= database.batch(CREATE.map((statement) => database.prepare(statement))).catch((error) => {
      created = null;
      throw error;
    });
    return created;
  };
  return {
    async put(trace) {
      await ready();
      await database.batch([
        database.prepare(PUT).bind(...putValues(trace)),
        database.prepare(PRUNE).bind(keep),
      ]);
    },
    async get(id) {
      await ready();
      const row = await database.prepare(GET).bind(id).first();
      return row ? readRow(row) : null;
    },
    async list(query) {
      await ready();
      const { results } = await database
        .prepare(LIST)
        .bind(...listValues(query))
        .all();
      return results.map(readRow);
    },
  };
}
