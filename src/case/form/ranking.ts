/**
 * Whether the options are to be ranked, in a list of their names: `[{'model': 'model_1', 'rank': 1}, …]` as a
 * Python literal (alpaca_eval), or the same as a field of the reply's schema (its `make_partial_leaderboard`).
 */
import * as z from 'zod';
import type { VerdictForm } from '../types.ts';
import type { FormSource } from './source.ts';
import { countAsked } from './words.ts';

type Ranking = Extract<VerdictForm, { kind: 'ranking' }>;

/** What names an option in such a list. */
export const NAMED_BY = /^(?:model|model_identifier|model_name|name|id|label|option)$/;

const SHOWN =
  /\{\s*["'](?:model|model_identifier|model_name|name|id|label|option)["']\s*:[^{}\n]{1,60},\s*["']rank["']\s*:/g;

/** @returns null where the prompt shows no such list, `mismatch` where it has another number of entries */
export function rankingInWords({
  orders,
  labels,
  noun,
}: Pick<FormSource, 'orders' | 'labels' | 'noun'>): Ranking | 'mismatch' | null {
  const shown = (orders.includes('{') && orders.match(SHOWN)?.length) || 0;
  if (shown === 0) return null;
  const counted = countAsked(orders, noun) ?? labels.length;
  return counted === labels.length && (shown === 1 || shown === labels.length)
    ? { kind: 'ranking', names: labels, field: null }
    : 'mismatch';
}

const List = z.looseObject({
  type: z.literal('array'),
  items: z.looseObject({ properties: z.record(z.string(), z.unknown()) }),
});

/** @returns null where the schema's field is no such list */
export function readRankingForm(field: string, property: unknown, labels: readonly string[]): Ranking | null {
  const list = List.safeParse(property);
  if (!list.success) return null;
  const names = Object.keys(list.data.items.properties);
  return names.includes('rank') && names.filter((name) => NAMED_BY.test(name)).length === 1
    ? { kind: 'ranking', names: labels, field }
    : null;
}
