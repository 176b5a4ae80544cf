/** Keys as whoever administers them sees them: what each may do and has spent, and never the key itself. */
import { type AccountSums, MILLION } from '../limits/account-book.ts';
import { hasBudget, isLimited, type KeyLimits } from '../limits/key-limits.ts';
import type { Limits } from '../limits/lease.ts';
import type { KeyRecord } from './key.ts';
import type { KeyTable } from './key-store.ts';

/** In the present day and month, UTC; money in the price table's currency. */
export interface KeySpending {
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

export interface KeyPage {
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
