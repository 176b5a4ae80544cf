/** Taking labels from people who read traces, and giving all of them to `remand calibrate`. */
import { Hono } from 'hono';
import { csrf } from 'hono/csrf';
import { stream } from 'hono/streaming';
import * as z from 'zod';
import type { Trace } from '../../trace/index.ts';
import type { CallerEnv } from '../access/pages.ts';
import { noteBefore } from '../error-handler.ts';
import { readPostedFields } from '../posted-fields.ts';
import type { Ports } from '../proxy-ports.ts';
import type { Label } from './label.ts';
import { listRecords } from './trace-records.ts';

/** Which of the two verdicts is right. */
const RIGHT = {
  both: { before: true, after: true },
  first: { before: true, after: false },
  last: { before: false, after: true },
  neither: { before: false, after: false },
} as const;

const said = z.object({ right: z.enum(['both', 'first', 'last', 'neither']) });

/** Of what says which is right, in bytes. */
const LARGEST = 4 << 10;
/** Labels read at a time. */
const PAGE = 500;

export function createLabelRoutes(ports: Ports): Hono<CallerEnv> {
  const { labels, traces, clock } = ports;
  const app = new Hono<CallerEnv>();

  // A page of somebody else's must not label in a reader's name; what is no form asks the browser first (CORS).
  app.post('/traces/:id/label', csrf(), async (c) => {
    const trace = await traces?.get(c.req.param('id'));
    if (!trace || !labels)
      return c.json({ error: { message: 'no such trace; the oldest are dropped' } }, 404);
    const body = said.safeParse(await readPostedFields(c, LARGEST));
    if (!body.success)
      return c.json({ error: { message: `right: must be ${Object.keys(RIGHT).join(', ')}` } }, 400);
    const { id } = c.get('caller');
    const time = new Date(clock.now()).toISOString();
    const label: Label = { ...labelled(trace), ...RIGHT[body.data.right], who: id ?? 'anyone', time };
    if (!trace.moved && label.before !== label.after)
      return c.json({ error: { message: 'right: there is one verdict, so it is both or neither' } }, 400);
    if (id !== null) await noteBefore(ports, id, 'labelled', trace.id);
    await labels.put(label);
    return c.req.header('accept')?.includes('text/html')
      ? c.redirect(`/remand/traces/${encodeURIComponent(trace.id)}`, 303)
      : c.json(label);
  });

  app.get('/labels', (c) => {
    c.header('content-type', 'application/jsonl; charset=utf-8');
    return stream(c, async (out) => {
      let last = '';
      for (;;) {
        const page = (await labels?.after(last, PAGE)) ?? [];
        for (const label of page) await out.write(`${JSON.stringify(label)}\n`);
        last = page.at(-1)?.trace ?? '';
        if (page.length < PAGE) return;
      }
    });
  });
  app.get('/records', (c) => {
    c.header('content-type', 'application/jsonl; charset=utf-8');
    return stream(c, async (out) => {
      if (!traces) return;
      for await (const record of listRecords(traces, labels)) await out.write(`${JSON.stringify(record)}\n`);
    });
  });
  return app;
}

function labelled({ id, judge, rounds, biases }: Trace): Pick<Label, 'trace' | 'judge' | 'biases'> {
  return { trace: id, judge, biases: rounds > 0 ? biases : [] };
}
