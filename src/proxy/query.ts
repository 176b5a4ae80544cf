/** What a page of ours can be asked for in its URL. A field that there is not is a 400 that names the nearest one. */
import { validator } from 'hono/validator';
import * as z from 'zod';
import { strictFields } from '../strict-fields.ts';
import { describeIssue } from './request-body.ts';

/** Of a page that can be had as JSON, too: see `prefersHtml`. */
export const pageFormat = { format: z.literal('json').optional() };

/**
 * A route's middleware: the fields are read by `c.req.valid('query')`.
 *
 * @example app.get('/traces', takeQuery({ limit: z.coerce.number().default(50) }), (c) => c.json(c.req.valid('query').limit))
 */
export function takeQuery<const S extends z.core.$ZodLooseShape>(shape: S) {
  const schema = strictFields(shape);
  return validator('query', (fields, c) => {
    const read = schema.safeParse(fields);
    if (read.success) return read.data;
    const refusal: Response = c.json({ error: { message: describeIssue(read.error) } }, 400);
    return refusal;
  });
}

/** For routes that take no field, and for pages that take none but `format`. */
export const takeNoQuery = takeQuery({});
export const takeFormat = takeQuery(pageFormat);
