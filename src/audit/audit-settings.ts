/** Settings of an audit: one schema is read from the query of a request and from the options of a command. */

import * as z from 'zod';
import { InputError } from '../errors.ts';
import { parseJson } from '../parse-json.ts';
import { explainIssue } from '../strict-fields.ts';

/** How an error names a setting: `seed` over HTTP, `--seed` on the command line. */
export type SettingPrefix = '' | '--';

/**
 * @param given texts by their names; what the schema does not name is left alone
 * @throws InputError naming the setting that cannot be used
 */
export function readSettings<S extends z.ZodObject>(
  schema: S,
  given: Readonly<Record<string, unknown>>,
): z.output<S> {
  const read = schema.safeParse(given, { error: explainIssue });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new InputError(String(issue?.path[0]), issue?.message ?? 'cannot be read');
}

export function createChoice<const T extends string>(known: readonly T[]): z.ZodType<T, string> {
  const error = ({ input }: { readonly input?: unknown }) => `"${input}" is none of ${known.join(', ')}`;
  return z.enum(known as readonly [T, ...T[]], { error });
}

/** Some of the known words, with commas between them; a word that stands twice counts once. */
export function createWordList<const T extends string>(known: readonly T[]): z.ZodType<readonly T[], string> {
  return z
    .string()
    .transform((text) => text.split(',').map((word) => word.trim()))
    .pipe(z.array(createChoice(known)))
    .transform((words): readonly T[] => [...new Set(words)]);
}

export function createCount(least: number, most: number) {
  const error = ({ input }: { readonly input?: unknown }) =>
    `must be a whole number from ${least} to ${most}, not "${input}"`;
  return z
    .string()
    .regex(/^\d{1,15}$/, { error })
    .transform(Number)
    .pipe(z.int({ error }).min(least, { error }).max(most, { error }));
}

export function createPositiveNumber() {
  const error = 'must be a number above 0';
  return z.string().transform(Number).pipe(z.number({ error }).positive({ error }));
}

/** A JSON object as text. */
export function createJsonObject() {
  const error = 'must be a JSON object';
  return z
    .string()
    .transform((text) => parseJson(text))
    .pipe(z.record(z.string(), z.unknown(), { error }));
}
