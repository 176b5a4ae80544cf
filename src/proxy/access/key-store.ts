/** Where the records of keys are: in SQLite on Node, in D1 at the edge, or in the configuration. */
import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import type { D1 } from '../storage/table-sql.ts';
import { type KeyRecord, storedKeyRecord } from './key.ts';

export interface KeyStore {
  find(id: string): Promise<KeyRecord | null>;
}

export interface KeyTable extends KeyStore {
  /** The oldest first. */
  list(): Promise<KeyRecord[]>;
  add(record: KeyRecord): Promise<void>;
  /** Whether there was such a key that had not been revoked. */
  revoke(id: string, time: string): Promise<boolean>;
}

const COLUMNS = 'id, name, hash, scopes, limits, created, revoked';
const FIND = `SELECT ${COLUMNS} FROM keys WHERE id = ?`;
const LIST = `SELECT ${COLUMNS} FROM keys ORDER BY created, id`;
const ADD = `INSERT INTO keys (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`;
const REVOKE = 'UPDATE keys SET revoked = ? WHERE id = ? AND revoked IS NULL RETURNING id';

const valuesOf = ({ id, name, hash, scopes, limits, created, revoked }: KeyRecord) => [
  ...[id, name, hash, scopes.join(','), JSON.stringify(limits), created],
  revoked,
];

const row = z
  .object({ id: z.string(), name: z.string(), hash: z.string(), scopes: z.string(), limits: z.string() })
  .extend({ created: z.string(), revoked: z.string().nullable() })
  .transform(({ scopes, limits, ...rest }) => ({
    ...rest,
    scopes: scopes.split(','),
    limits: JSON.parse(limits) as unknown,
  }))
  .transform((said) => storedKeyRecord.parse(said));

/** @param database with its tables: see storage/database.ts */
export function createSqliteKeys(database: DatabaseSync): KeyTable {
  const find = database.prepare(FIND);
  return {
    async find(id) {
      const found = find.get(id);
      return found ? row.parse(found) : null;
    },
    list: async () =>
      database
        .prepare(LIST)
        .all()
        .map((one) => row.parse(one)),
    async add(record) {
      database.prepare(ADD).run(...valuesOf(record));
    },
    revoke: async (id, time) => database.prepare(REVOKE).get(time, id) !== undefined,
  };
}

/** @param database with its tables: `wrangler d1 migrations apply` */
export function createD1Keys(database: D1): KeyTable {
  return {
    async find(id) {
      const found = await database.prepare(FIND).bind(id).first();
      return found ? row.parse(found) : null;
    },
    async list() {
      const { results } = await database.prepare(LIST).all();
      return results.map((one) => row.parse(one));
    },
    async add(record) {
      await database
        .prepare(ADD)
        .bind(...valuesOf(record))
        .run();
    },
    revoke: async (id, time) => (await database.prepare(REVOKE).bind(time, id).first()) !== null,
  };
}

/** Keys that stand in the configuration go before those of the store. */
export function withConfiguredKeys(records: readonly KeyRecord[], store: KeyStore | null): KeyStore {
  return {
    async find(id) {
      return records.find((record) => record.id === id) ?? (await store?.find(id)) ?? null;
    },
  };
}

/** A record as a statement for `wrangler d1 execute`. */
export function formatInsertKey({ id, name, hash, scopes, limits, created }: KeyRecord): string {
  const texts = [id, name, hash, scopes.join(','), JSON.stringify(limits), created].map(quoted);
  return `INSERT INTO keys (${COLUMNS}) VALUES (${texts.join(', ')}, NULL);`;
}

export function formatRevokeKey(id: string, time: string): string {
  return `UPDATE keys SET revoked = ${quoted(time)} WHERE id = ${quoted(id)} AND revoked IS NULL;`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
