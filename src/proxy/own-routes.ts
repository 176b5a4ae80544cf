/** Remand's own pages and data, under `/remand`. Nothing below it is ever passed on to the judge. */
import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import * as z from 'zod';
import { UnreadableTraceError } from '../trace/schema.ts';
import { type Entered, needs, pageHeaders, refusedPage } from './access/pages.ts';
import { keyRoutes } from './access/routes.ts';
import { auditRoutes } from './audits/routes.ts';
import type { Config } from './config.ts';
import { labelRoutes } from './labels/routes.ts';
import { filter } from './pages/filter.ts';
import { KEYS } from './pages/keys.ts';
import { overviewPage, PERIOD } from './pages/overview.ts';
import { page, prefersHtml } from './pages/page.ts';
import { storyPage } from './pages/story.ts';
import { ICON, STYLE } from './pages/style.ts';
import { daysUpTo } from './pages/tally.ts';
import type { Ports } from './ports.ts';
import { RefusedError } from './refusal.ts';
import { noteBefore, noteRefusal } from './refusing.ts';
import { templateRoutes } from './templates/routes.ts';

const LATEST = 50;

const query = z.object({
  limit: z.coerce.number().pipe(z.int().min(1).max(1000)).default(LATEST),
  before: z.string().optional(),
  status: z.string().optional(),
  bias: z.string().optional(),
  judge: z.string().optional(),
  day: z.iso.date().optional(),
});

/** What is left on the port for clients where the pages have one of their own. */
export function healthRoutes(): Hono<Entered> {
  const app = new Hono<Entered>();
  app.use('*', pageHeaders);
  app.get('/health', (c) => c.json({ status: 'ok' }));
  app.all('*', (c) => c.json({ error: { message: 'no such page' } }, 404));
  return app;
}

export function ownRoutes(ports: Ports, config: Config): Hono<Entered> {
  const { traces, metrics, labels, log } = ports;
  const app = new Hono<Entered>();
  app.use('*', pageHeaders);
  app.onError((error, c) => {
    if (error instanceof RefusedError) return refusedPage(c, error);
    // Of hono's csrf().
    if (error instanceof HTTPException)
      return c.json({ error: { message: 'a form has to come from a page of this Remand' } }, error.status);
    log({ level: 'error', event: 'fault', method: c.req.method, path: c.req.path, message: error.message });
    return error instanceof UnreadableTraceError
      ? c.json({ error: { message: error.message } }, 500)
      : c.json({ error: { message: 'what is kept cannot be reached; the log tells more' } }, 503);
  });

  app.get('/health', (c) => c.json({ status: 'ok' }));

  app.get('/ready', async (c) => {
    try {
      await ports.ready();
      return c.json({ status: 'ready' });
    } catch (error) {
      // Why is for the operator: whoever asks here shows no key.
      const message = error instanceof Error ? error.message : String(error);
      ports.log({ level: 'warn', event: 'not-ready', message });
      return c.json({ status: 'not ready' }, 503);
    }
  });

  app.get('/style.css', (c) => c.text(STYLE, 200, { 'content-type': 'text/css; charset=utf-8' }));

  app.get('/icon.svg', (c) => c.text(ICON, 200, { 'content-type': 'image/svg+xml' }));

  app.get('/keys.js', (c) => c.text(KEYS, 200, { 'content-type': 'text/javascript; charset=utf-8' }));

  app.route('/keys', keyRoutes(ports, config));
  app.route('/audits', auditRoutes(ports));

  app.use(
    '*',
    needs(ports.door, 'traces', (error, c) => noteRefusal(ports, c, error, c.req.path)),
  );

  app.get('/metrics', (c) =>
    c.text(metrics.text(), 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }),
  );

  app.get('/traces', async (c) => {
    const asked = query.safeParse(c.req.query());
    if (!asked.success) return c.json({ error: { message: complaint(asked.error) } }, 400);
    return c.json({ traces: traces ? await traces.list(asked.data) : [] });
  });

  app.get('/traces/:id', async (c) => {
    const trace = traces ? await traces.get(c.req.param('id')) : null;
    const asPage = prefersHtml(c);
    c.header('vary', 'accept');
    if (!trace) return c.json({ error: { message: 'no such trace; the oldest are dropped' } }, 404);
    const { id } = c.get('caller');
    if (id !== null) await noteBefore(ports, id, 'read', trace.id);
    return asPage ? page(c, trace.status, storyPage(trace, await labels?.get(trace.id))) : c.json(trace);
  });

  app.route('/', labelRoutes(ports));
  app.route('/templates', templateRoutes(ports, config));

  app.get('/', async (c) => {
    const asked = filter.safeParse(c.req.query());
    if (!asked.success) return c.json({ error: { message: complaint(asked.error) } }, 400);
    const now = ports.clock.now();
    const [from = ''] = daysUpTo(now, asked.data.days ?? PERIOD);
    const [sums, list] = await Promise.all([
      traces?.sums(from) ?? [],
      traces?.list({ limit: LATEST, ...asked.data }) ?? [],
    ]);
    return page(
      c,
      'Judgments',
      overviewPage({ sums, traces: list, filter: asked.data, now, left: metrics.left() }),
    );
  });

  app.all('*', (c) => c.json({ error: { message: 'no such page' } }, 404));
  return app;
}

function complaint({ issues: [issue] }: z.ZodError): string {
  return `${issue?.path.join('.')}: ${issue?.message}`;
}
