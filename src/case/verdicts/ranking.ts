/**
 * The place of every option, as a list of names with their ranks: `[{'model': 'model_1', 'rank': 1}, …]`. alpaca_eval
 * evaluates the whole reply as a Python literal, so nothing else may stand in it; what a forced function was given is
 * JSON. Of a pair who is first is the choice; of more the verdict is a score for each.
 */
import { type ParseError, parse } from 'jsonc-parser';
import * as z from 'zod';
import { strictFields } from '../../strict-fields.ts';
import { closingEnd } from '../nested.ts';
import { countAsked } from './choice/choice-in-words.ts';
import { decideChoice } from './choice.ts';
import * as fields from './file-fields.ts';
import { type FormKind, type FormOf, type FormSource, noVerdict } from './kind.ts';
import { listIn } from './list.ts';
import { valuesFramed } from './reading/frames.ts';
import { asObject, type JsonObject } from './reading/json.ts';
import { isUnread, type Reply, readInBoth, type Unread, valuesOf, withReason } from './reading/reply.ts';
import { fieldPattern, namesFor, numberPatterns, withPoints } from './spelling.ts';

type RankingForm = FormOf<'ranking'>;

const file = strictFields({
  kind: z.literal('ranking'),
  labels: fields.labels,
  separator: fields.words.exactOptional(),
  template: fields.frames,
  field: fields.field,
  fields: z.array(fields.words).min(2).max(32).exactOptional(),
  item: fields.words.exactOptional(),
  bestLast: z.boolean().exactOptional(),
});

export const rankingForm = {
  read(reply, form) {
    const read = withReason(rankingIn(reply, form), reply);
    if (read === 'tie') return { kind: 'tie' };
    if (typeof read === 'number') return { kind: 'choice', option: read };
    return isUnread(read) ? noVerdict(read.none) : { kind: 'scores', scores: read.scores };
  },
  write(verdict, form) {
    if (verdict.kind === 'choice' && form.names.length === 2)
      return rankingText([verdict.option, 1 - verdict.option], form);
    if (verdict.kind !== 'scores' || new Set(verdict.scores).size < verdict.scores.length) return null;
    const { scores } = verdict;
    const order = scores.map((_, option) => option).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
    return rankingText(order, form);
  },
  describe: ({ names, bestLast }) =>
    `the options in order, the best ${bestLast ? 'last' : 'first'}: ${names.join(', ')}`,
  patterns: ({ fields: each, separator, template }) =>
    each?.flatMap(fieldPattern) ??
    (separator === null && template !== undefined ? numberPatterns(template) : null) ?? [
      /["']rank["'][ \t]{0,40}:[ \t]{0,40}\d{1,3}/g,
    ],
  isList: true,
  decide: (liked) =>
    liked.length > 2 ? { kind: 'scores', scores: countBelow(liked) } : decideChoice(liked, false),
  file,
  fromFile: ({ labels, separator = null, template, field = null, fields: each, item, bestLast }) => ({
    kind: 'ranking',
    names: labels,
    separator,
    field,
    ...(template !== undefined && { template }),
    ...(each !== undefined && { fields: each }),
    ...(item !== undefined && { item }),
    ...(bestLast !== undefined && { bestLast }),
  }),
  countOptions: ({ labels }) => labels.length,
  forOptions({ labels, fields: each, template, ...rest }, count) {
    const names = namesFor(labels, count);
    const own = each && namesFor(each, count);
    const lines =
      rest.separator === undefined ? template && namesFor(template.split('\n'), count) : [template];
    if (!names || own === null || lines === null) return null;
    return {
      ...rest,
      labels: [...names],
      ...(own && { fields: [...own] }),
      ...(template !== undefined && { template: lines ? lines.join('\n') : template }),
    };
  },
} as const satisfies FormKind<'ranking', z.infer<typeof file>>;

/** For each option how many come after it; of equally liked ones the earlier is first. */
const countBelow = (liked: readonly number[]) =>
  liked.map((one, i) => liked.filter((other, j) => other < one || (other === one && j > i)).length);

function rankingIn(reply: Reply, form: RankingForm): RankingRead {
  const { field, fields: each, names, template, separator } = form;
  const ofEach = (ranks: readonly string[]) =>
    readPlaces(
      ranks.map((rank, option) => ({ name: names[option] ?? '', rank: Number(rank) })),
      form,
    );
  if (each) {
    const read = listIn(reply.json.objects, { field, item: null, fields: each });
    return isUnread(read) ? read : ofEach(read.items);
  }
  if (template !== undefined && separator === null) {
    const read = valuesFramed(withPoints(reply.said, template), template, '\\d{1,2}');
    return isUnread(read) ? read : ofEach(read);
  }
  return field === null
    ? readInBoth(reply, (text) => rankingInText(text, form))
    : rankingInField(valuesOf(reply, field), form);
}

/** Of two options the one that is first; of more, a point for each option that is ranked below. */
type RankingRead = number | 'tie' | { readonly scores: readonly number[] } | Unread;

interface Place {
  readonly name: string;
  readonly rank: number;
}

/** Longer literals are no ranking. In UTF-16 code units. */
const LONGEST = 10_000;

/** A list as a Python literal, whose texts hold neither quotation marks nor escape sequences. @param text the whole reply */
function rankingInText(text: string, form: RankingForm): RankingRead {
  if (form.separator === '\n') return rankingByLine(text, form);
  if (form.separator !== null) return rankingInLine(text, form.separator, form);
  const json = text.trim().replaceAll("'", '"');
  // A list of entries is two levels deep; the parser is recursive.
  const isList = json.length <= LONGEST && closingEnd(json, 0, json.length, 2) === json.length;
  if (!isList || json.includes('\\')) return { none: 'no-label' };
  const errors: ParseError[] = [];
  const options = { allowTrailingComma: true, disallowComments: true };
  const list: unknown = parse(json, errors, options);
  return errors.length > 0 ? { none: 'no-label' } : rankingInField([list], form);
}

/** Whether the best stands last in a row: `C < B < A`. */
export const rises = (separator: string | null): boolean => /^\s*[<＜≺]\s*$/.test(separator ?? '');

/** Whether the sign between names says that the best stands first: `A > B`. */
export const falls = (separator: string | null): boolean => /^\s*[>＞≻]{1,3}\s*$/.test(separator ?? '');

/** Names as they are written between such separators with the best first, or the other way round. */
const bestFirst = (names: readonly string[], separator: string, bestLast = false) =>
  rises(separator) || bestLast ? names.toReversed() : names;

/** Lines that hold every name once, with the separator between them: the last counts, and no other may differ. */
function rankingInLine(text: string, separator: string, form: RankingForm): RankingRead {
  // Full-width signs count as plain ones.
  const plain = (words: string) => words.normalize('NFKC').trim();
  const [lead = '', tail = ''] = (form.template ?? '{}').split('{}').map(plain);
  const sign = plain(separator);
  const named = { ...form, names: form.names.map(plain) };
  const orders = text.split('\n').flatMap((whole) => {
    const line = plain(whole);
    if (!line.startsWith(lead) || !line.endsWith(tail)) return [];
    const row = line.slice(lead.length, line.length - tail.length).replace(/[.。]$/, '');
    const names = row.split(sign).map(plain);
    return names.length === form.names.length ? [readNames(bestFirst(names, separator), named)] : [];
  });
  const read = orders.filter((order) => !isUnread(order));
  if (new Set(read.map((order) => JSON.stringify(order))).size > 1) return { none: 'contradictory' };
  return read[0] ?? { none: 'no-label' };
}

/** What a line begins with that tells a place, and what may open a name behind it: `1. Candidate 2`, `**2)** **Candidate 1**`, `| 3 | Candidate 4 |`. */
const NUMBERED = /^[\s*_#>|-]{0,8}(\d{1,2})\s{0,4}[.):|]/;
const OPENING = /^[\s*_"'`[-]{1,6}/;

/** One name a line, each behind its number or all alone; nothing where the numbers do not count or a line begins with no name. */
function rankingByLine(text: string, form: RankingForm): RankingRead {
  const all = text.split('\n').map((line) => line.trim());
  const alone = all.filter((line) => form.names.includes(line));
  if (alone.length > 0 && !all.some((line) => NUMBERED.test(line))) return readNames(alone, form);
  const lines = all.flatMap((line) => {
    const [lead, number] = NUMBERED.exec(line) ?? [];
    if (lead === undefined) return [];
    const rest = line.slice(lead.length).replace(OPENING, '');
    const named = form.names.filter(
      (name) => rest.startsWith(name) && !/^[\p{L}\p{N}]/u.test(rest.slice(name.length, name.length + 2)),
    );
    return [{ rank: Number(number), name: named.length === 1 ? (named[0] ?? '') : '' }];
  });
  const counts = lines.length === form.names.length && lines.every(({ rank }, n) => rank === n + 1);
  const names = lines.map(({ name }) => name);
  return counts ? readNames(names, form) : { none: 'no-label' };
}

const readNames = (names: readonly unknown[], form: RankingForm): RankingRead =>
  readPlaces(
    names.flatMap((name, n) =>
      typeof name === 'string' || typeof name === 'number' ? [{ name: String(name), rank: n + 1 }] : [],
    ),
    form,
  );

/** @param values the list's field in every object of the reply */
function rankingInField(values: readonly unknown[], form: RankingForm): RankingRead {
  const [list, ...more] = values;
  if (!Array.isArray(list)) return { none: 'no-label' };
  if (more.length > 0) return { none: 'contradictory' };
  if (form.separator !== null) return readNames(list, form);
  const places = list.map((entry: unknown) => placeOf(asObject(entry) ?? {}, form));
  return places.every((place) => place !== null) ? readPlaces(places, form) : { none: 'no-label' };
}

/** A ranking said as the literal or the JSON that the form asks for, the best first; null for anything else. */
function rankingText(
  best: readonly number[],
  { names, separator, field, fields: each, template, item = 'model', bestLast = false }: RankingForm,
): string | null {
  const named = best.flatMap((option) => names[option] ?? []);
  if (named.length !== names.length || new Set(named).size < names.length) return null;
  const rankAt = (place: number) => (bestLast ? names.length - place : place + 1);
  if (each)
    return JSON.stringify(
      Object.fromEntries(each.map((name, option) => [name, rankAt(best.indexOf(option))])),
    );
  if (separator === null && template !== undefined)
    return names.reduce(
      (text, _, option) => text.replace('{}', () => `${rankAt(best.indexOf(option))}`),
      template,
    );
  if (separator !== null && field === null)
    return (template ?? '{}').replace('{}', () => bestFirst(named, separator, bestLast).join(separator));
  if (separator !== null && field !== null) return JSON.stringify({ [field]: named });
  if (field !== null)
    return JSON.stringify({ [field]: named.map((name, i) => ({ [item]: name, rank: rankAt(i) })) });
  return `[${named.map((model, i) => `{'model': '${model}', 'rank': ${rankAt(i)}}`).join(', ')}]`;
}

function placeOf(entry: JsonObject, { item }: RankingForm): Place | null {
  const named = Object.entries(entry).filter(([key]) =>
    item === undefined ? NAMED_BY.test(key) : key === item,
  );
  const [name] = named.map(([, value]) => value);
  const { rank } = entry;
  const isName = typeof name === 'string' || (item !== undefined && typeof name === 'number');
  return named.length === 1 && isName && typeof rank === 'number' ? { name: String(name), rank } : null;
}

function readPlaces(places: readonly Place[], { names, bestLast }: RankingForm): RankingRead {
  const ranks = names.flatMap((name) =>
    places.filter((place) => place.name === name).map(({ rank }) => rank),
  );
  if (places.length !== names.length) return { none: 'no-label' };
  if (ranks.length !== names.length || names.some((name) => !places.some((place) => place.name === name)))
    return { none: 'no-label' };
  if (ranks.some((rank) => !Number.isInteger(rank) || rank < 1 || rank > names.length))
    return { none: 'off-scale' };
  const points = ranks.map((rank) => (bestLast ? rank - 1 : names.length - rank));
  const [first = 0, second = 0] = points;
  if (names.length > 2) return { scores: points };
  return first === second ? 'tie' : first > second ? 0 : 1;
}

/** What names an option in such a list. */
const NAMED_BY = /^(?:model|model_identifier|model_name|name|id|label|option)$/;

const SHOWN =
  /\{\s*["'](?:model|model_identifier|model_name|name|id|label|option)["']\s*:[^{}\n]{1,60},\s*["']rank["']\s*:/g;

/** @returns null where the prompt shows no such list, `mismatch` where it has another number of entries */
export function rankingInWords({
  orders,
  labels,
  noun,
}: Pick<FormSource, 'orders' | 'labels' | 'noun'>): RankingForm | 'mismatch' | null {
  const shown = (orders.includes('{') && orders.match(SHOWN)?.length) || 0;
  if (shown === 0) return null;
  const counted = countAsked(orders, noun) ?? labels.length;
  return counted === labels.length && (shown === 1 || shown === labels.length)
    ? { kind: 'ranking', names: labels, separator: null, field: null }
    : 'mismatch';
}

const RankingSchema = z.looseObject({
  type: z.literal('array'),
  items: z.looseObject({ properties: z.record(z.string(), z.unknown()) }),
});

/** @returns null where the schema's field is no such list */
export function readRankingForm(
  field: string,
  property: unknown,
  labels: readonly string[],
): RankingForm | null {
  const list = RankingSchema.safeParse(property);
  if (!list.success) return null;
  const names = Object.keys(list.data.items.properties);
  return names.includes('rank') && names.filter((name) => NAMED_BY.test(name)).length === 1
    ? { kind: 'ranking', names: labels, separator: null, field }
    : null;
}
