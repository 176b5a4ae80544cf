/**
 * Whether a re-judgment can take the place of the reply that the client would have got: it is as good a document, its
 * label stands where the first one stood, and what stands beside its verdict agrees with it.
 */

import { type Schema, type SchemaDraft, Validator } from '@cfworker/json-schema';
import { isObject, parseJson } from '../parse-json.ts';
import type { VerdictForm } from './types.ts';
import { formKindOf } from './verdicts/index.ts';
import { fieldIn, type JsonObject, jsonIn } from './verdicts/reading/json.ts';
import { ownWords } from './verdicts/reading/own-words.ts';

/**
 * For replies that are one JSON document and nothing else, which a client hands to its parser as they are.
 *
 * @param schema the reply's JSON schema as the request demands it; null where there is none
 * @returns whether `text` is as good a document as `first`, which may itself break the schema: not every
 *   endpoint enforces it
 */
export function standsInFor(text: string, first: string, schema: unknown): boolean {
  const before = documentIn(first, schema);
  const now = documentIn(text, schema);
  if (now.standing < before.standing) return false;
  if (before.standing === 0 || namesFields(schema)) return true;
  // No schema says what the client reads: then it is what the first reply had, on one line where that was on one
  // (promptfoo's g-eval takes nothing else).
  const has = new Set(now.fields);
  return before.fields.every((field) => has.has(field)) && (isOneLine(text) || !isOneLine(first));
}

/**
 * A verdict that we wrote as JSON, in the types of the reply whose place it takes: `{"winner": 2}` where a number stood,
 * `{"best": [2]}` where a list of one did.
 *
 * @example writtenLike('{"winner":"2"}', '{"winner": 1}') // '{"winner":2}'
 */
export function writtenLike(written: string, first: string): string {
  const [own, before] = [written, first].map(parseJson);
  if (!isObject(own) || !isObject(before)) return written;
  return JSON.stringify(
    Object.fromEntries(Object.entries(own).map(([name, value]) => [name, valueLike(value, before[name])])),
  );
}

function valueLike(value: unknown, before: unknown): unknown {
  if (Array.isArray(before) && before.length === 1 && !Array.isArray(value))
    return [valueLike(value, before[0])];
  if (typeof value !== 'string') return value;
  const isNull = value === 'null' && before !== value;
  const isTruth = (typeof before === 'boolean' || before === null) && /^(?:true|false)$/.test(value);
  const isNumeral = typeof before === 'number' && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(value);
  return isNull || isTruth || isNumeral ? parseJson(value) : value;
}

interface Document {
  /** 0: no document; 1: one that breaks the schema; 2: one that does not, as far as can be told. */
  readonly standing: 0 | 1 | 2;
  /** Names of its fields. */
  readonly fields: readonly string[];
}

function documentIn(text: string, schema: unknown): Document {
  const value = parseJson(text);
  if (value === undefined) return { standing: 0, fields: [] };
  // A bare number or word may be JSON by accident, where no schema demands it.
  if (typeof value !== 'object' || value === null)
    return { standing: conforms(value, schema) === true ? 2 : 0, fields: [] };
  return { standing: conforms(value, schema) === false ? 1 : 2, fields: Object.keys(value) };
}

function namesFields(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && 'properties' in schema;
}

function isOneLine(text: string): boolean {
  return !text.trim().includes('\n');
}

/**
 * Whether what stands beside the verdict agrees with it, for the client reads both: promptfoo a pass and a score,
 * openevals a score and the sentence that closes its reasoning.
 *
 * @param text a re-judgment
 * @param before the reply whose place it is to take
 */
export function companionsAgree(text: string, before: string, form: VerdictForm): boolean {
  const { field } = form;
  if (field === null) return true;
  const objects = objectsIn(text);
  const kind = formKindOf(form);
  if (!kind.isList && objects.some((object) => saysOtherwise(object, field))) return false;
  return kind.companionsAgree?.(objects, objectsIn(before), form) ?? true;
}

function objectsIn(text: string): readonly JsonObject[] {
  const words = ownWords(text);
  return 'raw' in words ? jsonIn(words.raw).objects : [];
}

const CLOSING =
  /\bthus,? the score should be:?\s*["'`*]{0,3}([^\s"'`*]{1,40}?)["'`*]{0,3}\.?["'`*]{0,3}\s*$/i;

/** The reasoning closes with another value than the field's. */
function saysOtherwise(object: JsonObject, field: string): boolean {
  const said = CLOSING.exec(fieldIn(object, 'reasoning').map(String).join('\n').slice(-400))?.[1]?.trim();
  const [value] = fieldIn(object, field);
  if (said === undefined || value === undefined) return false;
  const numbers = [said, value].map(Number);
  const number = said !== '' && typeof value !== 'boolean' && numbers.every(Number.isFinite);
  return number ? numbers[0] !== numbers[1] : said.toLowerCase() !== String(value).trim().toLowerCase();
}

/** `Winner: 1`, `**Score** = 4` */
const NAMED = /^\P{L}{0,4}\p{L}[^\n:：=]{0,40}[:：=]/u;

/**
 * Where the client is not known, its parser may be one that takes a label only where the first reply had it: alone, on
 * the first of several lines, or with nothing behind it. A label that is named (`Winner: 1`) is looked for by its name, and may
 * stand behind reasons though the first reply had none.
 *
 * @returns whether the label of `text` stands in every such place where that of `first` does; true for forms whose
 *   one client is known (`rule`), as they are read by its own rule, and for fields of JSON
 */
export function keepsPlace(text: string, first: string, form: VerdictForm): boolean {
  const label = form.field === null ? formKindOf(form).labelSource?.(form) : null;
  if (!label) return true;
  // At the beginning of a sentence it may only be what the sentence is about: "Output (a) is longer, but …".
  const last = `(?<![\\p{L}\\p{N}])(?:${label})$`;
  const places = NAMED.test(first.trim())
    ? [`^(?:${label})[.:]?[ \\t]*\\n`, last]
    : [`^(?:${label})$`, `^(?:${label})[.:]?[ \\t]*(?:\\n|$)`, last];
  return places.every((place) => {
    const there = new RegExp(place, 'u');
    return !there.test(first.trim()) || there.test(text.trim());
  });
}

/*
 * Whether a JSON value is valid under the schema that a request demands of the reply. The schema is the client's,
 * so it may be anything: what is not understood is left out of the check, and what could run for long is stopped.
 * Nothing is ever fetched: a reference to another document is one that cannot be resolved.
 */

/** Looks at one subschema with one value; a long list of verdicts takes a few thousand. */
const MAX_STEPS = 50_000;

/** @returns null where it cannot be told: there is no schema, or it is none that can be checked */
export function conforms(value: unknown, schema: unknown): boolean | null {
  const plain = plainSchema(schema, stepCounter());
  if (plain === null) return null;
  try {
    return new Validator(plain, draftOf(plain)).validate(value).valid;
  } catch {
    // The validator throws what it trips over: references that lead nowhere, keywords of the wrong type, a step too many.
    return null;
  }
}

/** A `$ref` hides what stands beside it up to draft 7, and `items` may be a list up to 2019-09. */
function draftOf({ $schema }: Schema): SchemaDraft {
  const said = /draft-0([467])|(2019-09)/.exec(typeof $schema === 'string' ? $schema : '');
  if (said?.[2]) return '2019-09';
  if (said?.[1]) return said[1] === '4' ? '4' : '7';
  return '2020-12';
}

const ONE = ['additionalProperties', 'additionalItems', 'contains', 'not', 'if', 'then', 'else', 'items'];
const LIST = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'];
const MAP = ['properties', '$defs', 'definitions', 'dependentSchemas'];
/**
 * Not here: `pattern` and `uniqueItems`, whose time grows faster than the text; `format`, which says what a value
 * means; `$id`, which would give references another base.
 */
const PLAIN: Readonly<Record<string, (value: unknown) => boolean>> = {
  $schema: isText,
  $ref: isText,
  type: (value) => [value].flat().every(isText),
  enum: Array.isArray,
  const: () => true,
  required: (value) => Array.isArray(value) && value.every(isText),
  ...Object.fromEntries(
    (
      'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength ' +
      'minItems maxItems minContains maxContains minProperties maxProperties'
    )
      .split(' ')
      .map((name) => [name, (value: unknown) => typeof value === 'number']),
  ),
};

/** A copy with what is checked and no more; null where it is no schema. */
function plainSchema(schema: unknown, counter: object): Schema | null {
  if (!isObject(schema)) return null;
  const copy: Schema = Object.create(counter);
  const sub = (one: unknown) => (typeof one === 'boolean' ? one : plainSchema(one, counter));
  for (const [name, value] of Object.entries(schema)) {
    let kept: unknown = PLAIN[name]?.(value) ? value : null;
    if (Array.isArray(value) && LIST.includes(name)) kept = value.map((one) => sub(one) ?? true);
    else if (ONE.includes(name)) kept = sub(value);
    else if (MAP.includes(name) && isObject(value))
      kept = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, sub(one) ?? true]));
    if (kept !== null || (name === 'const' && value === null)) copy[name] = kept;
  }
  // OpenAPI 3.0, and Gemini's schemas with it.
  return schema.nullable === true ? Object.assign(Object.create(counter), nullOr(copy, counter)) : copy;
}

function nullOr(schema: Schema, counter: object): Schema {
  const nothing: Schema = Object.assign(Object.create(counter), { type: 'null' });
  return { anyOf: [nothing, schema] };
}

/**
 * What all copies inherit from: the validator reads this property of a subschema whenever it looks at one, which
 * bounds schemas that refer to themselves or double with every level.
 */
function stepCounter(): object {
  let steps = 0;
  return Object.defineProperty({}, '__absolute_recursive_ref__', {
    get() {
      if (++steps > MAX_STEPS) throw new RangeError('the schema takes too many steps');
    },
  });
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}
