/**
 * A verdict for each of several claims about one answer: mastra's `{verdicts: [{verdict, reason}]}`, ragas'
 * `{statements: [{statement, reason, verdict}]}`, or by each of several criteria: `{coherence: 4, fluency: 5}`. The list
 * is one verdict: the client counts it as a whole. Entries are compared as text.
 */

import * as z from 'zod';
import { isObject } from '../../parse-json.ts';
import { strictFields } from '../../strict-fields.ts';
import { fieldSays, isBeside } from '../words/field-names.ts';
import * as fields from './file-fields.ts';
import { type FormKind, type FormOf, noVerdict, type VerdictKind } from './kind.ts';
import { everyFramed, isRow, valuesFramed, valuesInRow } from './reading/frames.ts';
import { asObject, fieldIn, type JsonObject } from './reading/json.ts';
import { isUnread, type Unread, withReason } from './reading/reply.ts';
import { fieldPattern, jsonField, NUMBER, tellTemplate, withPoints } from './spelling.ts';

export const list = {
  isSame: (a, b) => a.items.length === b.items.length && a.items.every((item, i) => item === b.items[i]),
  distance: (a, b) =>
    a.items.length === b.items.length ? a.items.filter((item, i) => item !== b.items[i]).length : null,
  // Where each option has its verdict, the verdicts are exchanged with the options.
  mapBack: (verdict, order) => ({
    ...verdict,
    items:
      verdict.items.length === order.length && order.length > 1
        ? order.map((_, option) => verdict.items[order.indexOf(option)] ?? '')
        : verdict.items,
  }),
  describe: ({ items }) => `the verdicts ${items.join(', ')}`,
  remind: () => 'the verdicts you gave then',
  brief: ({ items }) => `Verdicts: ${items.join(', ')}`,
  readBrief(text) {
    const [, said] = /^Verdicts: ([\s\S]+)$/.exec(text) ?? [];
    return said === undefined ? null : { kind: 'list', items: said.split(', ') };
  },
  traced: { list: z.array(z.string()).optional() },
  toTrace: ({ items }) => ({ list: [...items] }),
  fromTrace({ list: told }) {
    const read = z.array(z.string()).safeParse(told);
    return read.success ? { kind: 'list', items: read.data } : null;
  },
} as const satisfies VerdictKind<'list'>;

type ListForm = FormOf<'list'>;

/**
 * `field` holds the list, of which each entry has its verdict in `item`, or is it; without it the reply is the list; or `fields` hold a verdict each; or they
 * stand in the places of a `template`, of which one is taken as often as it stands there.
 */
const file = strictFields({
  kind: z.literal('list'),
  field: fields.field,
  item: fields.field,
  fields: z.array(fields.words).min(2).max(32).exactOptional(),
  template: fields.frames,
}).refine(
  ({ field, item, fields: each, template }) =>
    [field ?? item, each, template].filter((one) => one !== undefined).length === 1,
  { error: 'must have a field, an item or both, or fields, or a template', path: ['field'] },
);

export const listForm = {
  read(reply, form) {
    const { template } = form;
    const found =
      template === undefined ? listIn(reply.json.objects, form) : listInText(reply.said, template);
    const read = withReason(found, reply);
    return isUnread(read) ? noVerdict(read.none) : { kind: 'list', items: read.items };
  },
  // An entry has its claim and its reason beside the verdict.
  write: () => null,
  describe({ item, fields: each, template }) {
    if (template !== undefined) return `verdicts${tellTemplate(template)}`;
    if (each) return `a verdict in each of the JSON fields ${each.map((one) => `"${one}"`).join(', ')}`;
    return item === null ? 'a verdict in each entry' : `a verdict in the field "${item}" of each entry`;
  },
  patterns: ({ field, item, fields: each, template }) =>
    template === undefined
      ? (each ?? [item ?? field ?? '']).flatMap(fieldPattern)
      : [new RegExp(template.split('{}').map(RegExp.escape).join('[^\\n]{1,40}?'), 'giu')],
  isList: true,
  // One text may hold all that is judged, or each option has its entry.
  countOptions: () => null,
  /** The client expects an entry for every claim it asked about. */
  companionsAgree(objects, first, form) {
    if (form.field === null) return true;
    const [now, then] = [listIn(objects, form), listIn(first, form)];
    if (isUnread(now) || isUnread(then)) return true;
    return now.items.length === then.items.length && namesTheSame(objects, first, form);
  },
  // A judge that reads no claims has nothing to say of any.
  decide: () => ({ kind: 'list', items: [] }),
  file,
  fromFile: ({ field = null, item = null, fields: each = null, template }) => ({
    kind: 'list',
    field,
    item,
    fields: each,
    ...(template !== undefined && { template }),
  }),
} as const satisfies FormKind<'list', z.infer<typeof file>>;

type ListRead = { readonly items: readonly string[] } | Unread;

/** Longer ones are no verdicts. */
const LONGEST = 80;

/** A verdict in plain text: a number, or a few words. */
const SHORT =
  '(?:-?\\d{1,4}(?:\\.\\d{1,4})?|[\\p{L}][\\p{L}\\p{M}\\p{N}_-]{0,30}(?: [\\p{L}\\p{M}\\p{N}_-]{1,30}){0,2}?)';

function listInText(said: string, template: string): ListRead {
  const text = withPoints(said, template);
  const isOne = template.split('{}').length === 2;
  if (isRow(template) && !isOne) return rowIn(text, template);
  const items = isOne ? everyFramed(text, template, SHORT) : valuesFramed(text, template, SHORT);
  if (isUnread(items)) return items;
  return items.length > 0 ? { items: items.map((item) => item.toLowerCase()) } : { none: 'no-label' };
}

/** Numbers that are the whole reply: `0.8,0.7,0.9`. */
function rowIn(text: string, template: string): ListRead {
  const items = text.trim().includes('\n') ? null : valuesInRow(text, template);
  return items?.every((item) => new RegExp(`^${NUMBER}$`).test(item)) ? { items } : { none: 'no-label' };
}

/** The values of a list in JSON, as texts in lower case. */
export function listIn(
  objects: readonly JsonObject[],
  { field, item, fields: each }: Pick<ListForm, 'field' | 'item' | 'fields'>,
): ListRead {
  const found = (each ?? (field === null ? [] : [field])).map((name) =>
    objects.flatMap((object) => fieldIn(object, name)),
  );
  if (found.some((values) => values.length > 1)) return { none: 'contradictory' };
  const [list] = field === null ? [objects] : found.flat();
  const entries = each ? found.map(([value]) => value) : Array.isArray(list) ? list : null;
  const items = entries?.map((entry: unknown) => textOf(item === null ? entry : valueIn(entry, item)));
  return items?.every((text) => text !== null) ? { items } : { none: 'no-label' };
}

function valueIn(entry: unknown, item: string): unknown {
  if (!isObject(entry)) return null;
  const [value] = Object.entries(entry).flatMap(([name, one]) => (name === item ? [one] : []));
  return value;
}

function textOf(value: unknown): string | null {
  if (!/^(?:string|number|boolean)$/.test(typeof value)) return null;
  const text = String(value).trim().toLowerCase();
  return text !== '' && text.length <= LONGEST ? text : null;
}

/** Whether every entry is on what the one in its place was on: the same number, the same claim, the same criterion. */
function namesTheSame(now: readonly JsonObject[], then: readonly JsonObject[], form: ListForm): boolean {
  const [entries, before] = [now, then].map((objects) => entriesOf(objects, form));
  return (before ?? []).every((entry, i) =>
    Object.entries(entry).every(
      ([name, value]) =>
        name === form.item || isBeside(name) || asSaid(entries?.[i]?.[name]) === asSaid(value),
    ),
  );
}

function entriesOf(objects: readonly JsonObject[], { field }: ListForm): JsonObject[] {
  const lists = objects.flatMap((object) => (field === null ? [] : fieldIn(object, field)));
  return lists.flat().flatMap((entry: unknown): JsonObject[] => [asObject(entry) ?? {}]);
}

/** A judge may copy a claim with another full stop. */
const asSaid = (value: unknown) =>
  typeof value === 'string'
    ? value
        .toLowerCase()
        .replace(/\s+/g, ' ')
        .replace(/^["'\s]+/, '')
        .replace(/(?<!["'.\s])["'.\s]+$/, '')
    : JSON.stringify(value);

const Items = z.looseObject({ type: z.literal('array'), items: z.unknown() });
const Entry = z.looseObject({ properties: z.record(z.string(), z.unknown()) });

const VERDICT = /^(?:verdict|result|passed|pass|is_?fulfilled|was_?appropriate|satisfied|attributed|label)$/i;
const VALUE = z.looseObject({ type: z.enum(['string', 'boolean', 'integer', 'number']) });

/**
 * @param resolve follows a `$ref` of the schema
 * @returns null where the field is no such list, or an entry has several fields that could be its verdict
 */
export function listInField(
  field: string,
  property: unknown,
  resolve: (raw: unknown) => unknown,
): ListForm | null {
  const list = Items.safeParse(property);
  const entry = list.success ? Entry.safeParse(resolve(list.data.items)) : null;
  if (!entry?.success) return null;
  const named = Object.entries(entry.data.properties).filter(
    ([name, value]) => VERDICT.test(name) && VALUE.safeParse(value).success,
  );
  const [only] = named;
  return only && named.length === 1 ? { kind: 'list', field, item: only[0], fields: null } : null;
}

/** A criterion in the JSON that a prompt shows, and the verdict in it: `"accuracy": {"score": 0`. */
const CRITERION =
  /"([A-Za-z]\w{0,39})"\s{0,40}:\s{0,40}\{[^{}"]{0,40}"(score|rating|grade|verdict|passed|met)"\s{0,9}:/gi;

/** @returns null where the prompt shows no verdict by each of several criteria, or one on the whole beside them */
export function criteriaInWords(orders: string): ListForm | null {
  const shown = Array.from(orders.matchAll(CRITERION), ([, name = '', item = '']) => ({ name, item })).filter(
    ({ name }) => !isBeside(name),
  );
  const each = [...new Set(shown.map(({ name, item }) => `${name}.${item}`))];
  const items = new Set(shown.map(({ item }) => item));
  if (each.length < 2 || items.size > 1 || shown.some(({ name }) => fieldSays(name, 'whole'))) return null;
  // What stands beside the criteria, not in them, and not in an example in front of them.
  const object = orders.slice(orders.lastIndexOf('{', orders.search(CRITERION)) + 1);
  const beside = object.replaceAll(/\{[^{}]{0,2000}\}/g, '{}');
  const fields = [jsonField(beside, 'number'), jsonField(beside, 'truth')];
  if (fields.some((name) => name !== null && fieldSays(name, 'whole'))) return null;
  return { kind: 'list', field: null, item: null, fields: each };
}
