/** Objects that users write: a field that there is not is an error that names the nearest one. */
import * as z from 'zod';
import { suggestName } from './nearest-name.ts';

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
