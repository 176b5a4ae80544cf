/** Lists of a reply that are short in any honest one: its choices, the parts of a message, the functions called. */
import * as z from 'zod';

/** More than any endpoint gives; each element of a list is checked, which takes some microseconds. */
const MOST = 4_096;

/** A list that is looked at only where it has at most 4,096 elements; a longer one is of another form. */
export const few = <T extends z.ZodType>(element: T) =>
  z.custom<unknown[]>((list) => Array.isArray(list) && list.length <= MOST).pipe(z.array(element));
