/**
 * Whether a JSON value is valid under the schema that a request demands of the reply. The schema is the client's,
 * so it may be anything: what is not understood is left out of the check, and what could run for long is stopped.
 * Nothing is ever fetched: a reference to another document is one that cannot be resolved.
 */
import { type Schema, type SchemaDraft, Validator } from '@cfworker/json-schema';

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

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}
