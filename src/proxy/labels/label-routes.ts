/** Taking labels from people who read traces, and giving all of them to `remand calibrate`. */
import { Hono, type MiddlewareHandler } from 'hono';
import { csrf } from 'hono/csrf';
import { stream } from 'hono/streaming';
import * as z from 'zod';
import { verdictValue } from '../../case/index.ts';
import { readWhole, TooLongError } from '../../http/index.ts';
import { strictFields } from '../../strict-fields.ts';
import type { TraceStore } from '../../trace/index.ts';
import type { CallerEnv } from '../access/pages.ts';
import { noteBefore } from '../error-handler.ts';
import { linkTo } from '../page-link.ts';
import type { Ports } from '../proxy-ports.ts';
import { takeNoQuery, takeQuery } from '../query.ts';
import { describeIssue, readPostedFields } from '../request-body.ts';
import { type Label, listLabels } from './label.ts';
import { describeTrace, labelTrace, listRecords, RECORDED } from './trace-records.ts';

/** Which of the two verdicts is right. */
const RIGHT = {
  both: { before: true, after: true },
  first: { before: true, after: false },
  last: { before: false, after: true },
  neither: { before: false, after: false },
} as const;

/** A line of an imported file, as `remand calibrate --labels` reads it: the item is the trace's id. */
const labelRecord = strictFields({
  item: z.string().min(1),
  label: verdictValue,
  annotator: z.string().min(1).max(60).optional(),
  random: z.boolean().optional(),
});
type LabelRecord = z.infer<typeof labelRecord>;

const said = z.object({ right: z.enum(['both', 'first', 'last', 'neither']) });

/** Of what says which is right, in bytes. */
const LARGEST = 4 << 10;
/** Of a file of labels, in bytes. */
const LARGEST_FILE = 4 << 20;

/** @param storyQuery reads what a story can be asked for: the form of a label stands on one, and leads back to it */
export function createLabelRoutes(ports: Ports, storyQuery: MiddlewareHandler): Hono<CallerEnv> {
  const { labels, traces, clock } = ports;
  const app = new Hono<CallerEnv>();

  // A page of somebody else's must not label in a reader's name; what is no form asks the browser first (CORS).
  app.post('/traces/:id/label', csrf(), storyQuery, async (c) => {
    const trace = await traces?.get(c.req.param('id'));
    if (!trace || !labels)
      return c.json({ error: { message: 'no such trace; the oldest are dropped' } }, 404);
    const body = said.safeParse(await readPostedFields(c, LARGEST));
    if (!body.success)
      return c.json({ error: { message: `right: must be ${Object.keys(RIGHT).join(', ')}` } }, 400);
    const { id } = c.get('caller');
    const time = new Date(clock.now()).toISOString();
    const verdicts = RIGHT[body.data.right];
    const told = describeTrace(trace);
    const label: Label = {
      ...{ ...told, ...verdicts, decision: verdicts.after ? told.judged : null },
      ...{ random: false, who: id ?? 'anyone', time },
    };
    if (!trace.moved && label.before !== label.after)
      return c.json({ error: { message: 'right: there is one verdict, so it is both or neither' } }, 400);
    if (id !== null) await noteBefore(ports, id, 'labelled', trace.id);
    await labels.put(label);
    return c.req.header('accept')?.includes('text/html')
      ? c.redirect(
          linkTo(c, `/remand/traces/${encodeURIComponent(trace.id)}${new URL(c.req.url).search}`),
          303,
        )
      : c.json(label);
  });

  app.get('/labels', takeNoQuery, (c) => {
    c.header('content-type', 'application/jsonl; charset=utf-8');
    return stream(c, async (out) => {
      if (!labels) return;
      for await (const label of listLabels(labels)) await out.write(`${JSON.stringify(label)}\n`);
    });
  });
  app.post('/labels', takeNoQuery, async (c) => {
    if (!traces || !labels)
      return c.json({ error: { message: 'traces are not kept here (REMAND_TRACES)' } }, 404);
    const lines = (await readBody(c.req.raw, LARGEST_FILE))?.split('\n') ?? null;
    if (!lines)
      return c.json({ error: { message: `at most ${LARGEST_FILE} bytes of labels at a time` } }, 413);
    const who = c.get('caller').id;
    const read = await readImport(traces, lines, who, new Date(clock.now()).toISOString());
    if ('error' in read) return c.json({ error: { message: read.error } }, 400);
    if (who !== null) await noteBefore(ports, who, 'labelled', `${read.labels.length} imported`);
    for (const label of read.labels) await labels.put(label);
    return c.json({ labels: read.labels.length });
  });

  app.get('/records', takeQuery({ verdicts: z.enum(RECORDED).optional() }), (c) => {
    const { verdicts } = c.req.valid('query');
    c.header('content-type', 'application/jsonl; charset=utf-8');
    return stream(c, async (out) => {
      if (!traces) return;
      for await (const record of listRecords(traces, labels, verdicts))
        await out.write(`${JSON.stringify(record)}\n`);
    });
  });
  return app;
}

async function readBody(request: Request, most: number): Promise<string | null> {
  try {
    return new TextDecoder().decode(await readWhole(request, most));
  } catch (error) {
    if (error instanceof TooLongError) return null;
    throw error;
  }
}

/** Nothing is kept of a file that has a mistake. */
async function readImport(
  traces: TraceStore,
  lines: readonly string[],
  who: string | null,
  time: string,
): Promise<{ readonly labels: readonly Label[] } | { readonly error: string }> {
  const labels: Label[] = [];
  for (const [n, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const record = readRecord(line);
    if (typeof record === 'string') return { error: `line ${n + 1}: ${record}` };
    const { item, label, annotator, random = false } = record;
    const trace = await traces.get(item);
    if (!trace) return { error: `line ${n + 1}: item: no trace "${item}" is kept` };
    // People who label elsewhere may name an option by its label.
    const named = trace.case.options.findIndex((option) => option.label === label);
    const decision = named < 0 ? label : named;
    labels.push(labelTrace(trace, { decision, random, who: annotator ?? who ?? 'anyone', time }));
  }
  return { labels };
}

/** @returns what is wrong with it, where something is */
function readRecord(line: string): LabelRecord | string {
  let told: unknown;
  try {
    told = JSON.parse(line);
  } catch {
    return 'is no JSON';
  }
  const read = labelRecord.safeParse(told);
  return read.success ? read.data : describeIssue(read.error);
}
