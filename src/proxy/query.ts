/** What a page of ours can be asked for in its URL, and how it answers with records. A field that there is not is a 400 that names the nearest one. */

import type { Context } from 'hono';
import { stream } from 'hono/streaming';
import { validator } from 'hono/validator';
import * as z from 'zod';
import { explainIssue, strictFields } from '../strict-fields.ts';
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
    const read = schema.safeParse(fields, { error: explainIssue });
    if (read.success) return read.data;
    const refusal: Response = c.json({ error: { message: describeIssue(read.error) } }, 400);
    return refusal;
  });
}

/** For routes that take no field, and for pages that take none but `format`. */
export const takeNoQuery = takeQuery({});
export const takeFormat = takeQuery(pageFormat);

/** Answers with records as JSONL, as they come. */
export function streamRecords(c: Context, records: AsyncIterable<unknown>): Response {
  c.header('content-type', 'application/jsonl; charset=utf-8');
  return stream(c, async (out) => {
    for await (const record of records) await out.write(`${JSON.stringify(record)}\n`);
  });
}

// Links between our own pages.

/**
 * A link to one of our pages that holds wherever the app is mounted: a prefix that a mount takes off the path is not known here, so
 * links go up from where the page is.
 *
 * @param to from the root on: `/remand/queue`
 *
 * @example linkTo(c, '/remand/queue') // on /remand/traces/7: '../../remand/queue'
 */
export function linkTo(c: Context, to: string): string {
  return '../'.repeat(Math.max(0, c.req.path.split('/').length - 2)) + to.slice(1);
}
