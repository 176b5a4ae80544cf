/** Reads the settings of an audit: each is a text, named as the command line's option is. */
import * as z from 'zod';
import { InputError } from '../../../errors.ts';
import type { AuditSettings } from './types.ts';

/** Settings that every kind has. */
const COMMON = ['kind', 'judge', 'parameters'];

/** @throws InputError naming a setting that is not known, or cannot be meant */
export function readAuditSettings<T>(asked: AuditSettings, schema: z.ZodObject & z.ZodType<T>): T {
  const known = [...Object.keys(schema.shape), ...COMMON];
  const stray = Object.keys(asked).find((name) => !known.includes(name));
  if (stray !== undefined) throw new InputError(stray, `no such setting; there are ${known.join(', ')}`);
  const read = schema.safeParse(Object.fromEntries(Object.entries(asked).filter(([, text]) => text !== '')));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new InputError(String(issue?.path[0] ?? 'settings'), issue?.message ?? 'cannot be read');
}

/** Some of the known words, with commas between them, in the order in which they are known. */
export function createWordList<const T extends string>(known: readonly T[]) {
  const list = z.string().transform((text) => text.split(',').map((one) => one.trim()));
  return list
    .pipe(z.array(z.enum(known as readonly [T, ...T[]], { error: `must be among ${known.join(', ')}` })))
    .transform((words) => known.filter((one) => words.includes(one)));
}

export function createPositiveNumber() {
  const error = 'must be a number above 0';
  return z.coerce.number({ error }).pipe(z.number({ error }).positive({ error }));
}
