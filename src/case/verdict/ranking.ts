/**
 * A ranking in a reply. alpaca_eval evaluates the whole reply as a Python literal, so nothing else may stand in
 * it; what a forced function was given is JSON.
 */
import { NAMED_BY } from '../form/ranking.ts';
import type { NoVerdictReason, VerdictForm } from '../types.ts';
import type { JsonObject } from './json.ts';

export type RankingForm = Extract<VerdictForm, { kind: 'ranking' }>;
/** Of two options the one that is first; of more, a point for each option that is ranked below. */
export type Ranking =
  | number
  | 'tie'
  | { readonly scores: readonly number[] }
  | { readonly none: Extract<NoVerdictReason, 'no-label' | 'contradictory' | 'off-scale'> };

interface Place {
  readonly name: string;
  readonly rank: number;
}

const PAIR =
  /["']([\w-]{1,40})["']\s{0,20}:\s{0,20}(?:["']([^"'\\\n]{1,80})["']|(\d{1,3}))\s{0,20}(,|\})\s{0,20}/y;

/** @param text the whole reply */
export function rankingInText(text: string, form: RankingForm): Ranking {
  const inner = /^\s*\[([\s\S]{0,10000})\]\s*$/.exec(text)?.[1];
  if (inner === undefined) return { none: 'no-label' };
  const places: Place[] = [];
  let at = 0;
  while (at < inner.length) {
    const open = /\s*\{\s*/y;
    open.lastIndex = at;
    if (!open.test(inner)) return { none: 'no-label' };
    const entry: Record<string, unknown> = {};
    for (PAIR.lastIndex = open.lastIndex; ; ) {
      const [, key, word, digits, end] = PAIR.exec(inner) ?? [];
      if (key === undefined) return { none: 'no-label' };
      entry[key] = word ?? Number(digits);
      at = PAIR.lastIndex;
      if (end === '}') break;
    }
    const place = placeOf(entry);
    if (!place) return { none: 'no-label' };
    places.push(place);
    const comma = /\s*(?:,\s*)?/y;
    comma.lastIndex = at;
    comma.test(inner);
    if (comma.lastIndex === at && at < inner.length) return { none: 'no-label' };
    at = comma.lastIndex;
  }
  return rankingOf(places, form);
}

/** @param values the list's field in every object of the reply */
export function rankingInField(values: readonly unknown[], form: RankingForm): Ranking {
  const [list, ...more] = values;
  if (!Array.isArray(list)) return { none: 'no-label' };
  if (more.length > 0) return { none: 'contradictory' };
  const places = list.map((entry: unknown) => (isObject(entry) ? placeOf(entry) : null));
  return places.every((place) => place !== null) ? rankingOf(places, form) : { none: 'no-label' };
}

/** A ranking said as the literal or the JSON that the form asks for, the best first; null for anything else. */
export function rankingText(best: readonly number[], { names, field }: RankingForm): string | null {
  const named = best.flatMap((option) => names[option] ?? []);
  if (named.length !== names.length || new Set(named).size < names.length) return null;
  if (field !== null) return JSON.stringify({ [field]: named.map((model, i) => ({ model, rank: i + 1 })) });
  return `[${named.map((model, i) => `{'model': '${model}', 'rank': ${i + 1}}`).join(', ')}]`;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function placeOf(entry: JsonObject): Place | null {
  const named = Object.entries(entry).filter(([key]) => NAMED_BY.test(key));
  const [name] = named.map(([, value]) => value);
  const { rank } = entry;
  return named.length === 1 && typeof name === 'string' && typeof rank === 'number' ? { name, rank } : null;
}

function rankingOf(places: readonly Place[], { names }: RankingForm): Ranking {
  const ranks = names.flatMap((name) =>
    places.filter((place) => place.name === name).map(({ rank }) => rank),
  );
  if (places.length !== names.length) return { none: 'no-label' };
  if (ranks.length !== names.length || names.some((name) => !places.some((place) => place.name === name)))
    return { none: 'no-label' };
  if (ranks.some((rank) => !Number.isInteger(rank) || rank < 1 || rank > names.length))
    return { none: 'off-scale' };
  const [first = 0, second = 0] = ranks;
  if (names.length > 2) return { scores: ranks.map((rank) => names.length - rank) };
  return first === second ? 'tie' : first < second ? 0 : 1;
}
