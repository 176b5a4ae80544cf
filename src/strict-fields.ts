/** Values that users write: what is wrong with one is said in a sentence, and an unknown field names the nearest one. */

import * as z from 'zod';
import { InputError } from './errors.ts';
import { suggestName } from './nearest-name.ts';
import { isObject } from './parse-json.ts';
import { shorten } from './shorten.ts';

/** Of what is judged or trained on: trainers fail on, or silently drop, an empty turn. */
export const nonBlankText = z.string().refine((text) => text.trim() !== '', 'must not be empty');

/** Values that a message lists whole. Of more it names the nearest. */
const LISTED_VALUES = 12;

/**
 * What is wrong with a value, in words: follows a field's name. It says nothing where a schema has a message of its own.
 *
 * @example z.object({ mode: z.enum(['debias', 'off']) }).safeParse({ mode: 'of' }, { error: explainIssue })
 * // its issue says: must be debias or off, not "of"
 */
export function explainIssue(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined && issue.code !== 'unrecognized_keys') return 'is missing';
  const written =
    typeof issue.input === 'string' ? JSON.stringify(cut(issue.input)) : kindOfValue(issue.input);
  switch (issue.code) {
    case 'invalid_type':
      if (issue.expected === 'int') return 'must be a whole number';
      if (Number.isNaN(issue.input)) return 'must be a number';
      return `must be ${NOUNS[issue.expected] ?? issue.expected}, not ${kindOfValue(issue.input)}`;
    case 'invalid_value': {
      const names = issue.values.map(String);
      if (names.length > LISTED_VALUES)
        return `there is no ${written}${suggestName(String(issue.input), names)}`;
      return `must be ${listChoices(names)}, not ${written}`;
    }
    case 'invalid_union':
      return issue.discriminator === undefined
        ? explainUnion(issue.errors, written)
        : explainKind(issue.input, issue.discriminator, Array.isArray(issue.options) ? issue.options : []);
    case 'too_small':
    case 'too_big': {
      const [bound, word] = issue.code === 'too_small' ? [issue.minimum, 'least'] : [issue.maximum, 'most'];
      const unit = SIZES[issue.origin];
      if (unit === undefined) return `must be at ${word} ${bound}`;
      return bound === 1 && word === 'least' ? 'must not be empty' : `must have at ${word} ${bound} ${unit}`;
    }
    default:
      return undefined;
  }
}

/** The branch that the value was meant for: one that takes its kind. */
function explainUnion(
  branches: readonly (readonly z.core.$ZodIssue[])[],
  written: string,
): string | undefined {
  const isOfOtherKind = ([first]: readonly z.core.$ZodIssue[]) =>
    first?.path.length === 0 && (first.code === 'invalid_type' || first.code === 'invalid_value');
  const issue = pickIssue(branches.find((branch) => branch.length > 0 && !isOfOtherKind(branch)) ?? []);
  if (issue) return [issue.path.join('.'), issue.message].filter(Boolean).join(': ');
  const kinds = branches.flatMap(([first]) =>
    first?.code === 'invalid_type' ? (NOUNS[first.expected] ?? first.expected) : [],
  );
  return kinds.length > 0 && kinds.length === branches.length
    ? `must be ${listChoices(kinds)}, not ${written}`
    : undefined;
}

/** @param kinds that the field can name which tells one form of the object from another */
function explainKind(object: unknown, field: string, kinds: readonly unknown[]): string {
  const said = isObject(object) ? object[field] : undefined;
  if (said === undefined) return 'is missing';
  const written = typeof said === 'string' ? JSON.stringify(cut(said)) : kindOfValue(said);
  return `must be ${listChoices(kinds.map(String))}, not ${written}`;
}

/** A field that there is not explains why the one that was meant is missing. */
export const pickIssue = (issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue | undefined =>
  issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];

const NOUNS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  null: 'null',
};

const SIZES: Readonly<Record<string, string>> = { string: 'characters', array: 'entries', set: 'entries' };

function kindOfValue(value: unknown): string {
  if (value === null) return 'null';
  const kind = Array.isArray(value) ? 'array' : typeof value;
  return kind === 'boolean' ? String(value) : (NOUNS[kind] ?? kind);
}

const cut = (text: string) => shorten(text, 60);

function listChoices(names: readonly string[]): string {
  const rest = names.slice(0, -1);
  const last = names.at(-1) ?? '';
  return rest.length === 0 ? last : `${rest.join(', ')} or ${last}`;
}

/** All that is wrong, each with its field: `item: is missing; judge: is missing`. */
export function describeIssues({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': ')).join('; ');
}

/** @param fault makes the error of all that is wrong */
export function checkFields<T>(schema: z.ZodType<T>, value: unknown, fault: (what: string) => Error): T {
  const read = schema.safeParse(value, { error: explainIssue });
  if (read.success) return read.data;
  throw fault(describeIssues(read.error));
}

/**
 * Reads what somebody wrote.
 *
 * @param place what the value is called: `remand.case`. Nothing where its fields are named by themselves
 * @throws InputError for the first thing that is wrong, by its field
 *
 * @example readWritten(z.object({ limit: z.number() }), { limit: 'x' }, 'audit')
 * // throws: audit.limit: must be a number, not text
 */
export function readWritten<T>(schema: z.ZodType<T>, value: unknown, place = ''): T {
  const read = schema.safeParse(value, { error: explainIssue });
  if (read.success) return read.data;
  const issue = pickIssue(read.error.issues);
  const field = [place, ...(issue?.path ?? []).map(String)].filter(Boolean).join('.');
  throw new InputError(field || 'the value', issue?.message ?? 'cannot be read');
}

/**
 * A schema of exactly these fields.
 *
 * @example strictFields({ limit: z.number().optional() }).safeParse({ limt: 3 })
 * // its issue says: no such field "limt"; did you mean "limit"?
 */
export function strictFields<const S extends z.core.$ZodLooseShape>(
  shape: S,
): z.ZodObject<S, z.core.$strict> {
  const names = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return undefined;
      const [wrong = ''] = issue.keys;
      if (names.length === 0) return `no such field "${wrong}"; nothing can be given here`;
      return `no such field "${wrong}"${suggestName(wrong, names, (name) => `"${name}"`)}`;
    },
  });
}
