/** Where sealed replies lie: in SQLite on Node, in KV at the edge. */
import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import type { Clock } from '../../ports.ts';

export interface CacheStore {
  get(place: string): Promise<Uint8Array | null>;
  /** @param seconds for which it is kept at most */
  put(place: string, sealed: Uint8Array, seconds: number): Promise<void>;
}

const row = z.object({ sealed: z.instanceof(Uint8Array) });

/** Replies kept at most; those that end soonest go first. */
const KEPT = 100_000;
/** What is over is looked for once in so many writes. */
const PRUNE_EVERY = 64;

/** @param database with its tables: see storage/database.ts */
export function createSqliteCache(database: DatabaseSync, clock: Clock): CacheStore {
  const get = database.prepare('SELECT sealed FROM cache WHERE place = ? AND expires > ?');
  const put = database.prepare('INSERT OR REPLACE INTO cache (place, sealed, expires) VALUES (?, ?, ?)');
  const over = database.prepare('DELETE FROM cache WHERE expires <= ?');
  const many = database.prepare(
    'DELETE FROM cache WHERE place IN (SELECT place FROM cache ORDER BY expires DESC LIMIT -1 OFFSET ?)',
  );
  let writes = 0;
  return {
    async get(place) {
      const found = get.get(place, clock.now());
      return found ? row.parse(found).sealed : null;
    },
    async put(place, sealed, seconds) {
      put.run(place, sealed, clock.now() + seconds * 1000);
      if (writes++ % PRUNE_EVERY !== 0) return;
      over.run(clock.now());
      many.run(KEPT);
    },
  };
}

/** What is used of a KV namespace (https://developers.cloudflare.com/kv/api/). */
export interface Kv {
  get(key: string, type: 'arrayBuffer'): Promise<ArrayBuffer | null>;
  put(key: string, value: Uint8Array, options: { readonly expirationTtl: number }): Promise<void>;
}

/** KV refuses to keep anything for less, in seconds. */
const SHORTEST = 60;

export function createKvCache(namespace: Kv): CacheStore {
  return {
    async get(place) {
      const found = await namespace.get(place, 'arrayBuffer');
      return found ? new Uint8Array(found) : null;
    },
    put: (place, sealed, seconds) =>
      namespace.put(place, sealed, { expirationTtl: Math.max(SHORTEST, seconds) }),
  };
}
