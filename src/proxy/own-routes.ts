/** Remand's own pages and data, under `/remand`. Nothing below it is ever passed on to the judge. */
import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import * as z from 'zod';
import { describeError } from '../errors.ts';
import { UnreadableTraceError } from '../trace/index.ts';
import { createKeyRoutes } from './access/key-routes.ts';
import { type CallerEnv, pageHeaders, renderError, renderRefusal, requireScope } from './access/pages.ts';
import { createAnchorWatch, untilAlarm } from './anchors/anchor-watch.ts';
import { createAuditRoutes } from './audits/audit-routes.ts';
import type { Config } from './config.ts';
import { noteBefore } from './error-handler.ts';
import { countLabels, findLabel } from './labels/label.ts';
import { createLabelRoutes } from './labels/label-routes.ts';
import { type JudgmentPage, listJudgments } from './labels/trace-records.ts';
import { createAgreementRoutes } from './pages/agreement-page.ts';
import { createNumbersRoutes } from './pages/numbers-page.ts';
import { filterShape, firstDay, formatLink, renderOverview, storyQuery } from './pages/overview.ts';
import { errorPages, ICON, KEYBOARD_SCRIPT, PAGE_STYLE, prefersHtml, renderPage } from './pages/page.ts';
import { createQueueRoutes } from './pages/queue.ts';
import { renderStory } from './pages/story.ts';
import type { Ports } from './proxy-ports.ts';
import { pageFormat, takeNoQuery, takeQuery } from './query.ts';
import { RefusedError } from './refusal.ts';
import { templateRoutes } from './templates/routes.ts';

const LATEST = 50;

const { status, would, bias, judge, day } = filterShape;

const listQuery = takeQuery({
  limit: z.coerce.number().pipe(z.int().min(1).max(1000)).default(LATEST),
  before: z.string().optional(),
  status,
  would,
  bias,
  judge,
  day,
});

/** What is left on the port for clients where the pages have one of their own. */
export function createHealthRoutes(): Hono<CallerEnv> {
  const app = new Hono<CallerEnv>();
  app.use('*', pageHeaders);
  app.get('/health', takeNoQuery, (c) => c.json({ status: 'ok' }));
  app.all('*', (c) => renderError(c, 404, 'no such page'));
  return app;
}

export function createOwnRoutes(ports: Ports, config: Config): Hono<CallerEnv> {
  const { traces, metrics, labels, log } = ports;
  const app = new Hono<CallerEnv>();
  app.use('*', pageHeaders);
  app.use('*', errorPages);
  app.onError((error, c) => {
    if (error instanceof RefusedError) return renderRefusal(c, error);
    // Of hono's csrf().
    if (error instanceof HTTPException)
      return renderError(
        c,
        error.status,
        'a form is taken from a page of this Remand only; a program sends JSON (content-type: application/json)',
      );
    log({ level: 'error', event: 'fault', method: c.req.method, path: c.req.path, message: error.message });
    return error instanceof UnreadableTraceError
      ? renderError(c, 500, error.message)
      : renderError(c, 503, 'what is kept cannot be reached; the log tells more');
  });

  app.get('/health', takeNoQuery, (c) => c.json({ status: 'ok' }));

  app.get('/ready', takeNoQuery, async (c) => {
    try {
      await ports.ready();
      return c.json({ status: 'ready' });
    } catch (error) {
      // Why is for the operator: whoever asks here shows no key.
      const message = describeError(error);
      ports.log({ level: 'warn', event: 'not-ready', message });
      return c.json({ status: 'not ready' }, 503);
    }
  });

  app.get('/style.css', takeNoQuery, (c) =>
    c.text(PAGE_STYLE, 200, { 'content-type': 'text/css; charset=utf-8' }),
  );

  app.get('/icon.svg', takeNoQuery, (c) => c.text(ICON, 200, { 'content-type': 'image/svg+xml' }));

  app.get('/keys.js', takeNoQuery, (c) =>
    c.text(KEYBOARD_SCRIPT, 200, { 'content-type': 'text/javascript; charset=utf-8' }),
  );

  app.route('/keys', createKeyRoutes(ports, config));
  app.route('/audits', createAuditRoutes(ports));

  app.use('*', requireScope(ports, 'traces'));

  app.get('/metrics', takeNoQuery, (c) =>
    c.text(metrics.text(), 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }),
  );

  app.get('/traces', listQuery, async (c) => {
    return c.json({ traces: traces ? await traces.list(c.req.valid('query')) : [] });
  });

  app.get('/traces/:id', storyQuery, async (c) => {
    const trace = traces ? await traces.get(c.req.param('id')) : null;
    const asPage = prefersHtml(c);
    c.header('vary', 'accept');
    if (!trace || !traces) return renderError(c, 404, 'no such trace; the oldest are dropped');
    const { id } = c.get('caller');
    if (id !== null) await noteBefore(ports, id, 'read', trace.id);
    if (!asPage) return c.json(trace);
    const { format: _, ...chosen } = c.req.valid('query');
    const reader = id ?? 'anyone';
    const beside = { ...chosen, limit: 1 };
    const [label, older, newer] = await Promise.all([
      labels?.of(trace.id).then((all) => findLabel(all, reader)),
      listJudgments({ traces, labels }, { ...beside, before: trace.id }, reader),
      listJudgments({ traces, labels }, { ...beside, after: trace.id }, reader),
    ]);
    const linkBeside = ({ judgments: [one] }: JudgmentPage) =>
      one ? formatLink(chosen, `/traces/${encodeURIComponent(one.trace.id)}`) : null;
    const link = formatLink(chosen);
    const query = link.slice('/remand'.length);
    const links = { query, list: `${link}#latest`, older: linkBeside(older), newer: linkBeside(newer) };
    return renderPage(c, trace.status, renderStory(trace, links, label));
  });

  app.route('/', createLabelRoutes(ports, storyQuery));
  app.route('/queue', createQueueRoutes(ports));
  app.route('/agreement', createAgreementRoutes(ports));
  app.get('/anchors', takeNoQuery, async (c) => {
    const watch = ports.anchors ? createAnchorWatch(ports, config, ports.anchors) : null;
    const rounds = watch ? await watch.list() : [];
    return c.json({ compared: untilAlarm(rounds).length, rounds });
  });
  app.route('/numbers', createNumbersRoutes(ports, config.REMAND_PRICES));
  app.route('/templates', templateRoutes(ports, config));

  app.get('/', takeQuery({ ...pageFormat, ...filterShape }), async (c) => {
    const { format: _, ...asked } = c.req.valid('query');
    const now = ports.clock.now();
    const from = firstDay(asked, now);
    const reader = c.get('caller').id ?? 'anyone';
    const [sums, counts, page] = await Promise.all([
      traces?.sums(from) ?? [],
      labels ? countLabels(labels, asked) : { labelled: 0, right: 0 },
      listJudgments({ traces, labels }, { limit: LATEST, from, ...asked }, reader),
    ]);
    return renderPage(
      c,
      'Judgments',
      renderOverview({
        sums,
        labels: counts,
        page,
        filter: asked,
        now,
        left: metrics.left(),
        changes: metrics.changes(),
      }),
    );
  });

  app.all('*', (c) => renderError(c, 404, 'no such page'));
  return app;
}
