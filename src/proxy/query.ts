/** What a page of ours can be asked for in its URL, and how it answers with records. A field that there is not is a 400 that names the nearest one. */

import type { Context } from 'hono';
import { validator } from 'hono/validator';
import * as z from 'zod';
import { describeError } from '../errors.ts';
import { explainIssue, strictFields } from '../strict-fields.ts';
import type { Ports } from './proxy-ports.ts';
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

/**
 * Answers with records as JSONL, as they come. Where they break off, so does the connection: what merely ended would look
 * complete.
 *
 * @throws what the first record throws: nothing has been sent by then
 */
export async function streamRecords(
  c: Context,
  { log, cutOff }: Pick<Ports, 'log' | 'cutOff'>,
  records: AsyncGenerator<unknown>,
): Promise<Response> {
  const encoder = new TextEncoder();
  let next = await records.next();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (next.done) return controller.close();
      controller.enqueue(encoder.encode(`${JSON.stringify(next.value)}\n`));
      try {
        next = await records.next();
      } catch (error) {
        const message = `the records broke off: ${describeError(error)}`;
        log({ level: 'error', event: 'fault', method: c.req.method, path: c.req.path, message });
        if (cutOff) cutOff(c);
        else controller.error(error);
      }
    },
    async cancel() {
      await records.return(undefined);
    },
  });
  return c.body(body, 200, { 'content-type': 'application/jsonl; charset=utf-8' });
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
