/** Where the records of keys are: in SQLite on Node, in D1 at the edge, or in the configuration. */
import * as z from 'zod';
import {
  type AccountSums,
  hasBudget,
  isLimited,
  type KeyLimits,
  type Limits,
  MILLION,
} from '../limits/account-book.ts';
import { createJsonColumn, type TableSql } from '../storage/table-sql.ts';
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
  .object({ id: z.string(), name: z.string(), hash: z.string(), scopes: z.string() })
  .extend({ limits: createJsonColumn(z.unknown()), created: z.string(), revoked: z.string().nullable() })
  .transform(({ scopes, ...rest }) => storedKeyRecord.parse({ ...rest, scopes: scopes.split(',') }));

/** @param sql with the table `keys` of migration 0002 */
export function createKeyTable({ all, one, run }: TableSql): KeyTable {
  return {
    find: (id) => one(row, FIND, id),
    list: () => all(row, LIST),
    add: (record) => run([ADD, ...valuesOf(record)]),
    revoke: async (id, time) => (await one(z.unknown(), REVOKE, time, id)) !== null,
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
  const texts = [id, name, hash, scopes.join(','), JSON.stringify(limits), created].map(quoteSql);
  return `INSERT INTO keys (${COLUMNS}) VALUES (${texts.join(', ')}, NULL);`;
}

export function formatRevokeKey(id: string, time: string): string {
  return `UPDATE keys SET revoked = ${quoteSql(time)} WHERE id = ${quoteSql(id)} AND revoked IS NULL;`;
}

function quoteSql(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

// Keys as whoever administers them sees them: what each may do and has spent, and never the key itself.

/** In the present day and month, UTC; money in the price table's currency. */
interface KeySpending {
  readonly day: { readonly calls: number; readonly money: number };
  readonly month: { readonly calls: number; readonly money: number };
}

/** What may be told of a key. */
export interface KeyStatus extends Omit<KeyRecord, 'hash'> {
  /** `settings` for one of REMAND_KEYS, which is revoked there. */
  readonly from: 'settings' | 'database';
  /** Its own, or else those of REMAND_LIMITS. */
  readonly limits: KeyLimits;
  /** Null where it has no budget, so that nothing is counted, and where it was not asked for. */
  readonly spent: KeySpending | null;
}

interface KeyPage {
  readonly keys: readonly KeyStatus[];
  /** Where to go on; null at the end. */
  readonly next: number | null;
  /** Callers without a key, who share one account; null where it has no budget. */
  readonly anyone: Pick<KeyStatus, 'limits' | 'spent'> | null;
}

/**
 * A page of all keys, those of the settings first.
 *
 * @param from.table null where there is no database
 * @param from.standard limits of keys that have none of their own, and of all callers without one
 * @param page.spent whether accounts are looked up: at the edge that is one request to an object each
 */
export async function listKeys(
  from: {
    readonly configured: readonly KeyRecord[];
    readonly table: Pick<KeyTable, 'list'> | null;
    readonly limits: Pick<Limits, 'spent'>;
    readonly standard: KeyLimits;
  },
  { offset, limit, spent }: { readonly offset: number; readonly limit: number; readonly spent: boolean },
): Promise<KeyPage> {
  const { configured, table, limits, standard } = from;
  const account = async (who: string | null, of: KeyLimits): Promise<KeySpending | null> =>
    spent && hasBudget(of) ? inCurrency(await limits.spent(who)) : null;
  // Of two with one id it is the settings' that is let in.
  const stored = ((await table?.list()) ?? []).filter(({ id }) => !configured.some((one) => one.id === id));
  const all = [
    ...configured.map((record) => ({ record, from: 'settings' as const })),
    ...stored.map((record) => ({ record, from: 'database' as const })),
  ];
  const keys = all
    .slice(offset, offset + limit)
    .map(async ({ record: { hash: _, ...shown }, from: where }) => {
      const hold = isLimited(shown.limits) ? shown.limits : standard;
      return { ...shown, from: where, limits: hold, spent: await account(shown.id, hold) };
    });
  const end = offset + limit;
  return {
    keys: await Promise.all(keys),
    next: end < all.length ? end : null,
    anyone: hasBudget(standard) ? { limits: standard, spent: await account(null, standard) } : null,
  };
}

function inCurrency({ day, month }: AccountSums): KeySpending {
  const told = ({ calls, money }: AccountSums['day']) => ({ calls, money: money / MILLION });
  return { day: told(day), month: told(month) };
}
