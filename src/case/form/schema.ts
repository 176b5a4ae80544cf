/** The verdict's field in a reply's JSON schema (`response_format`, a forced tool's parameters). */

import * as z from 'zod';
import { labelKey } from '../counterfactual.ts';
import type { VerdictForm } from '../types.ts';
import { categoryInWords, categoryOf } from '../verdicts/category.ts';
import type { FormSource } from '../verdicts/kind.ts';
import { listInField } from '../verdicts/list.ts';
import { passInWords } from '../verdicts/pass.ts';
import { polarityOfWords } from '../verdicts/polarity.ts';
import { readRankingForm } from '../verdicts/ranking.ts';
import { valuesInWords } from '../verdicts/score.ts';
import { scoreFields } from '../verdicts/scores.ts';
import {
  concludes,
  fieldSays,
  isBeside,
  isBesideAsNumber,
  namesVerdict,
  namesWinner,
} from '../words/field-names.ts';
import { wordsOfLabel } from '../words/vocabulary.ts';

const Property = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  description: z.string().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  $ref: z.string().optional(),
});
type Property = z.infer<typeof Property>;
const Schema = z.looseObject({
  properties: z.record(z.string(), z.unknown()),
  $defs: z.record(z.string(), z.unknown()).optional(),
  definitions: z.record(z.string(), z.unknown()).optional(),
});

/** Numbers that count or name something. */
const COUNT = /(?:^|_)(?:id|index|number|count|version|length)$/i;

const TIE = /^(?:tie|tied|draw|equal|same|both|neither|none|either)\b|\btie\b/i;
const PASSES =
  /^(?:y(?:es)?|n(?:o)?|pass(?:ed)?|fail(?:ed)?|true|false|correct|incorrect|c|i|valid|invalid)$/i;

/** A value that may stand for an option in another way than by its label. */
const PLACE =
  /^(?:[a-z]|\d{1,2})$|[_\s-](?:[a-z]|\d{1,2})$|first|second|third|left|right|former|latter|baseline|candidate|challenger|model|answer|response|output|option|\b(?:one|two)\b/i;

interface Field {
  readonly field: string;
  readonly property: Property;
  /** What it is limited to, as text; null where it is not. */
  readonly values: readonly string[] | null;
}

/**
 * @returns null where there is no schema, or none of its fields can hold the verdict; `mismatch` where verdicts
 *   would stand deeper in it, as in a list of one for each claim
 */
export function formFromSchema({
  schema,
  labels,
  orders,
}: Pick<FormSource, 'schema' | 'labels' | 'orders'>): VerdictForm | 'mismatch' | null {
  // Most requests have none, and an error that says so would be made for nothing.
  if (schema === null) return null;
  const read = Schema.safeParse(schema);
  if (!read.success) return null;
  const defs = { ...read.data.definitions, ...read.data.$defs };
  const fields = fieldsIn(read.data.properties, defs);
  const isNumber = ({ property, values }: Field) =>
    values === null && /number|integer/.test(typeOf(property));
  const isTelling = (one: Field) =>
    one.values !== null || isNumber(one) || typeOf(one.property).includes('bool');
  const isText = ({ property }: Field) => typeOf(property) === 'string';
  const own =
    labels.length > 1
      ? scoreFields(
          fields.filter(isNumber).map(({ field }) => field),
          labels,
        )
      : null;
  const rest = fields.filter(({ field }) => !own?.includes(field));
  const isAlone = labels.length === 1;
  const flat = rest.filter(isTelling);
  const telling = isAlone
    ? verdictsIn(flat.length > 0 ? flat : nestedIn(fields, defs).filter(isTelling))
    : flat.filter((one) => !isCriterion(one, flat));
  if (telling.length < flat.length && telling.length === 0) return 'mismatch';
  const truth = isAlone ? truthIn(telling) : undefined;
  if (isAlone && !truth && areCriteria(telling))
    return { kind: 'list', field: null, item: null, fields: telling.map(({ field }) => field) };
  const chosen =
    (isAlone ? telling.find(isOnTheWhole) : undefined) ??
    telling.find(isNamed) ??
    truth ??
    telling[0] ??
    rest.find((one) => isText(one) && isNamed(one));
  if (own && !chosen) return scoresIn(own, fields);
  if (!chosen) {
    const rankings = fields.flatMap(({ field, property }) => readRankingForm(field, property, labels) ?? []);
    if (labels.length > 1 && rankings.length === 1) return rankings[0] ?? null;
    const lists = fields.flatMap(
      ({ field, property }) => listInField(field, property, (raw) => resolve(raw, defs)) ?? [],
    );
    const arrays = fields.filter(({ property }) => typeOf(property).includes('array'));
    if (labels.length === 1 && lists.length === 1 && arrays.length === 1) return lists[0] ?? null;
    return fields.some(({ property }) => /array|object/.test(typeOf(property))) ? 'mismatch' : null;
  }
  const { field, property, values } = chosen;
  return labels.length > 1
    ? choice(field, values, typeOf(property), property, labels, orders)
    : alone(field, property, values, orders);
}

function fieldsIn(properties: Record<string, unknown>, defs: Record<string, unknown>, path = ''): Field[] {
  return Object.entries(properties).flatMap(([field, raw]) => {
    const property = resolve(raw, defs);
    if (!property || isFixed(property)) return [];
    const isNumber = /number|integer/.test(typeOf(property));
    const values = valuesOf(property, defs);
    // `best_summary` chooses one of the summaries.
    const isChoice = values !== null && namesWinner(field) && !fieldSays(field, 'sureness');
    return (isNumber ? isBesideAsNumber(field) : isBeside(field) && !isChoice)
      ? []
      : [{ field: path + field, property, values }];
  });
}

/** What can only be one value says nothing of an answer: pydantic's `strict: Literal[True]`. */
const isFixed = ({ const: only, enum: values }: Property) => only !== undefined || values?.length === 1;

/** What stands one step deeper: `{"scores": {"accuracy": 4, "clarity": 5}}`. */
function nestedIn(fields: readonly Field[], defs: Record<string, unknown>): Field[] {
  return fields.flatMap(({ field, property: { properties } }) =>
    properties ? fieldsIn(properties, defs, `${field}.`) : [],
  );
}

/** Whether a field is called as what holds the verdict, first of all: where several could hold it, this one does. */
function isNamed({ field }: Field): boolean {
  const [first = '', second = first] = wordsOfLabel(field);
  const word = first === 'final' ? second : first;
  // What is overall may be a text: `overallAssessment`.
  const isVerdict = namesVerdict(word) && !fieldSays(word, 'whole');
  return isVerdict || namesWinner(word) || OUTCOME.test(word);
}

/** Words for what comes out that are no verdict's name elsewhere. */
const OUTCOME = /^(?:pass(?:ed)?|selected|answer)$/;

/** Whether a field holds the verdict on one answer as a whole, where others hold a verdict on this and that. */
function isOnTheWhole({ field }: Field): boolean {
  const [name = '', ...inner] = field.split('.');
  const isVerdict = wordsOfLabel(name).every((word) => namesVerdict(word) || OUTCOME.test(word));
  // What is called so in front of others holds them: `scores.accuracy`.
  return fieldSays(name, 'whole') || (isVerdict && inner.length === 0);
}

/** Less what counts or names something, unless nothing else is told. */
function verdictsIn(telling: readonly Field[]): readonly Field[] {
  const verdicts = telling.filter(({ field }) => !COUNT.test(field));
  return verdicts.length > 0 ? verdicts : telling;
}

/** Whether a field chooses by one criterion, where another one chooses as well: `style_winner` beside `winner`. */
const isCriterion = ({ field, values }: Field, fields: readonly Field[]) =>
  values !== null &&
  !concludes(field) &&
  fields.some((other) => other.field !== field && other.values?.join() === values.join());

/** Whether there is a verdict by each of several criteria, and none on the whole. */
const areCriteria = (telling: readonly Field[]) => telling.length > 1 && !telling.some(isOnTheWhole);

/** The one yes or no beside words that say more of it: `{"breached": true, "severity": "minor"}`. */
function truthIn(telling: readonly Field[]): Field | undefined {
  const [truth, ...more] = telling.filter(({ property }) => typeOf(property).includes('bool'));
  const isWord = ({ values }: Field) => values?.some((value) => !Number.isFinite(Number(value))) === true;
  return more.length === 0 && telling.every((one) => one === truth || isWord(one)) ? truth : undefined;
}

/** JSON mode without a schema (`json_object`) tells no fields. */
export const tellsFields = (schema: unknown): boolean => schema !== null && Schema.safeParse(schema).success;

/** Whether the reply is to hold a verdict on each of several things. */
export function asksForList(schema: unknown): boolean {
  const form = formFromSchema({ schema, labels: [''], orders: '' });
  return form !== null && form !== 'mismatch' && form.kind === 'list';
}

/** A score for each option, and no field that chooses. */
function scoresIn(own: readonly string[], fields: readonly Field[]): VerdictForm {
  const scored = fields.filter(({ field }) => own.includes(field));
  const end = (of: (property: Property) => number | undefined) => {
    const ends = new Set(scored.map(({ property }) => of(property)));
    return ends.size === 1 ? ([...ends][0] ?? null) : null;
  };
  return {
    kind: 'scores',
    min: end(({ minimum }) => minimum),
    max: end(({ maximum }) => maximum),
    template: null,
    fields: own,
    field: null,
  };
}

function choice(
  field: string,
  values: readonly string[] | null,
  type: string,
  ends: Pick<Property, 'minimum' | 'maximum'>,
  labels: readonly string[],
  orders: string,
): VerdictForm | 'mismatch' {
  const open = { kind: 'choice', write: null, tie: null, field } as const;
  if (values === null) {
    const keys = labels.map(labelKey);
    // True or false is no choice, unless the prompt says of what; no known client asks so.
    if (type === 'boolean') return 'mismatch';
    if (/number|integer/.test(type) && !isIndex(field, ends, keys)) return 'mismatch';
    return /number|integer/.test(type) && keys.every((key) => /^\d+$/.test(key))
      ? { ...open, write: { template: '{}', labels: keys } }
      : open;
  }
  if (labels.length === 2 && values.length === 2 && /\bis the first\b[^\n?]{0,200}\bbetter\b/i.test(orders)) {
    const [yes, no] = [/^y/i, /^n/i].map((word) => values.find((value) => word.test(value)));
    if (yes !== undefined && no !== undefined)
      return { ...open, write: { template: '{}', labels: [yes, no], rule: 'unique' } };
  }
  const written = labels.map(
    (label) => values.find((value) => value === label) ?? values.find((value) => names(value, label)),
  );
  const rest = values.filter((value) => !written.includes(value));
  // Words that sort (`complete`, `incomplete`) choose none of the options.
  if (written.every((value) => value === undefined))
    return values.some((value) => PLACE.test(value)) ? open : 'mismatch';
  // A label for an option that was not found: the reader has missed one, or found one too many.
  if (written.some((value) => value === undefined)) return 'mismatch';
  const tie =
    rest.find((value) => TIE.test(value)) ??
    (rest.length === 1 && /^.$/.test(rest[0] ?? '') ? rest[0] : undefined);
  if (rest.some((value) => value !== tie && !TIE.test(value))) return 'mismatch';
  return {
    ...open,
    write: {
      template: '{}',
      labels: written.filter((value) => value !== undefined),
      // `m` and `M` are told apart by nothing but letter case.
      ...(new Set(labels.map((label) => label.toLowerCase())).size < labels.length && {
        rule: 'unique' as const,
      }),
    },
    tie: tie ?? null,
  };
}

/** A number that picks one of the options as they are counted; not a score, nor how much better one of them is. */
function isIndex(
  field: string,
  { minimum, maximum }: Pick<Property, 'minimum' | 'maximum'>,
  keys: readonly string[],
): boolean {
  if (
    !/index|(?:^|_)number$|id$|choice|option|winner|verdict|select|best|better|prefer|decision|answer/i.test(
      field,
    )
  )
    return false;
  if (/score|rating|strength|count/i.test(field)) return false;
  const [first, last] = [Number(keys[0]), Number(keys.at(-1))];
  return (minimum === undefined || minimum === first) && (maximum === undefined || maximum === last);
}

const names = (value: string, label: string) =>
  value.toLowerCase() === label.toLowerCase() ||
  labelKey(value).toLowerCase() === labelKey(label).toLowerCase();

function passIn(field: string, orders: string, words: readonly string[] = []): VerdictForm {
  const polarity = polarityOfWords(words, field, orders);
  return { kind: 'pass', field, ...(polarity !== 'higher' && { polarity }) };
}

function alone(
  field: string,
  property: Property,
  values: readonly string[] | null,
  orders: string,
): VerdictForm | 'mismatch' {
  const type = typeOf(property);
  if (values === null) {
    if (type.includes('bool')) return passIn(field, orders);
    // mlflow's `result` is text: the prompt says what may stand in it.
    const said = type === 'string' ? passInWords(orders) : null;
    if (said) return { kind: 'pass', field, ...(said.polarity && { polarity: said.polarity }) };
    const listed = type === 'string' ? categoryInWords(orders) : null;
    if (listed) return { ...listed, field };
    const { minimum = null, maximum = null, description = '' } = property;
    const open = { kind: 'score', min: minimum, max: maximum, template: null, field } as const;
    const range = minimum === null && maximum === null ? valuesInWords(description) : null;
    if (range === null) return open;
    if (range.legal?.join() === '0,1') return passIn(field, orders);
    return { ...open, ...range };
  }
  const numbers = values.map(Number);
  if (values.every((value, i) => value.trim() !== '' && Number.isFinite(numbers[i])))
    return {
      kind: 'score',
      min: Math.min(...numbers),
      max: Math.max(...numbers),
      template: null,
      field,
      legal: numbers.toSorted((a, b) => a - b),
    };
  const category = categoryOf(values, orders, field);
  if (category) return category;
  return values.length === 2 && values.every((value) => PASSES.test(value))
    ? passIn(field, orders, values)
    : 'mismatch';
}

function resolve(raw: unknown, defs: Record<string, unknown>): Property | null {
  const property = Property.safeParse(raw);
  if (!property.success) return null;
  const name = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(property.data.$ref ?? '')?.[1];
  if (name === undefined) return property.data;
  const target = Property.safeParse(defs[name]);
  return target.success ? target.data : null;
}

/** The values a field is limited to, as text; null where it is not. */
function valuesOf(property: Property, defs: Record<string, unknown>): string[] | null {
  if (property.enum) return property.enum.filter((value) => value !== null).map(String);
  const branches = (property.anyOf ?? property.oneOf)?.map((branch) => resolve(branch, defs));
  const all = branches?.flatMap(
    (branch) => branch?.enum ?? (branch?.const === undefined ? [] : [branch.const]),
  );
  return all && all.length > 1 ? all.map(String) : null;
}

function typeOf(property: Property): string {
  if (property.type !== undefined) return [property.type].flat().join(' ');
  return (property.anyOf ?? property.oneOf ?? [])
    .flatMap((branch) => Property.safeParse(branch).data?.type ?? [])
    .join(' ');
}
