/** A list of verdicts in a JSON reply, each the value of one field, compared as text. */
import type { NoVerdictReason, VerdictForm } from '../types.ts';
import { fieldIn, type JsonObject } from './json.ts';

export type ListForm = Extract<VerdictForm, { kind: 'list' }>;
export type List =
  | { readonly items: readonly string[] }
  | { readonly none: Extract<NoVerdictReason, 'no-label' | 'contradictory'> };

/** Longer ones are no verdicts. */
const LONGEST = 80;

export function listIn(objects: readonly JsonObject[], { field, item }: ListForm): List {
  const lists = objects.flatMap((object) => fieldIn(object, field));
  const [list] = lists;
  if (!Array.isArray(list)) return { none: 'no-label' };
  if (lists.length > 1) return { none: 'contradictory' };
  const items = list.map((entry: unknown) => textOf(entry, item));
  return items.every((text) => text !== null) ? { items } : { none: 'no-label' };
}

function textOf(entry: unknown, item: string): string | null {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return null;
  const [value] = Object.entries(entry).flatMap(([name, one]) => (name === item ? [one] : []));
  if (!/^(?:string|number|boolean)$/.test(typeof value)) return null;
  const text = String(value).trim().toLowerCase();
  return text !== '' && text.length <= LONGEST ? text : null;
}
