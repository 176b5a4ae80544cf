/** Asking for an audit, looking how far it is, reading its report, and having it removed: for keys of scope admin. */
import { type Context, Hono } from 'hono';
import { stream } from 'hono/streaming';
import { InputError } from '../../errors.ts';
import { type CallerEnv, renderRefusal, requireScope } from '../access/pages.ts';
import { BodyTooLargeError } from '../error-response.ts';
import { hasMoneyBudget } from '../limits/key-limits.ts';
import { createPriceTable } from '../limits/money.ts';
import type { Ports } from '../proxy-ports.ts';
import { RefusedError } from '../refusal.ts';
import { noteBefore, noteRefusal } from '../refusal-handler.ts';
import { readBody } from '../request-body.ts';
import type { StoredAudit } from './audit-store.ts';
import { MOST_BYTES, takeRows } from './intake.ts';
import { createJudges, type JudgeUpstreams } from './judges.ts';
import type { AuditSettings, Judges, PreparedAudit } from './kinds/types.ts';
import { prepareAudit } from './prepare.ts';

/** Seconds after which it is worth looking again. */
const AGAIN_S = 5;
const LATEST = 50;
/** Batches whose records are read at a time. */
const PAGE = 25;

export function createAuditRoutes(ports: Ports): Hono<CallerEnv> {
  const { audits, clock } = ports;
  const app = new Hono<CallerEnv>();
  app.use(
    '*',
    requireScope(ports.door, 'admin', (error, c) => noteRefusal(ports, c, error, c.req.path)),
  );
  app.onError((error, c) => {
    if (error instanceof RefusedError) return renderRefusal(c, error);
    const message = `an audit could not be taken or told of: ${error.message}`;
    ports.log({ level: 'error', event: 'fault', path: c.req.path, message });
    return c.json(fault('the database or the Workflow could not be reached; the log tells more', null), 503);
  });
  if (!audits) {
    app.all('*', (c) => c.json(UNAVAILABLE, 501));
    return app;
  }
  const { store, upstreams } = audits;

  app.post('/', async (c) => {
    const { id: who, limits } = c.get('caller');
    // The door asks every caller of this scope for a key.
    if (who === null) return c.json(fault('a key of scope admin is needed', null), 401);
    const asked: AuditSettings = { kind: 'cues', ...c.req.query() };
    let text: string;
    let prepared: PreparedAudit;
    try {
      const judges = createJudges(asked, upstreams, null);
      const standard = upstreams.config.REMAND_LIMITS;
      if (hasMoneyBudget(limits ?? standard)) checkPrices(judges, upstreams);
      prepared = await prepareAudit(asked, judges);
      text = textOf(await readBody(c.req.raw, MOST_BYTES));
    } catch (error) {
      return refusal(c, error);
    }
    const taken = await takeRows(text, prepared);
    if ('wrong' in taken) {
      const [{ line = 1, field = null, message = '' } = {}] = taken.wrong;
      const place = field === null ? `line ${line}` : `line ${line}: ${field}`;
      return c.json({ error: { message: `${place}: ${message}`, line, field, wrong: taken.wrong } }, 400);
    }
    const id = ports.id();
    await noteBefore(ports, who, 'audit-started', id);
    await store.begin({ id, who, created: new Date(clock.now()).toISOString(), asked });
    await store.add(id, taken.batches);
    await store.ready(id);
    await audits.start(id);
    const url = `/remand/audits/${id}`;
    c.header('location', url);
    c.header('retry-after', String(AGAIN_S));
    return c.json({ id, url, state: 'running', rows: taken.rows, calls: taken.calls }, 202);
  });

  app.get('/', async (c) => c.json({ audits: (await store.list(LATEST)).map(summary) }));

  app.get('/:id', async (c) => {
    const found = await store.get(c.req.param('id'));
    if (!found) return c.json(NONE, 404);
    const { pieces, done, failed, calls, input, output } = await store.progress(found.id);
    if (found.state === 'running') c.header('retry-after', String(AGAIN_S));
    const progress = { pieces, done, failed, calls, tokens: { input, output } };
    return c.json({ ...summary(found), progress, report: found.report });
  });

  app.get('/:id/records', async (c) => {
    const found = await store.get(c.req.param('id'));
    if (!found) return c.json(NONE, 404);
    c.header('content-type', 'application/jsonl; charset=utf-8');
    return stream(c, async (out) => {
      for (let from = 0; ; from += PAGE) {
        const page = await store.records(found.id, from, PAGE);
        for (const record of page.flat()) if (record !== null) await out.write(`${JSON.stringify(record)}\n`);
        if (page.length < PAGE) return;
      }
    });
  });

  app.post('/:id/resume', async (c) => {
    const found = await store.get(c.req.param('id'));
    if (!found) return c.json(NONE, 404);
    if (found.state !== 'running')
      return c.json(fault(`the audit is ${found.state}, so there is nothing to go on with`, null), 409);
    await audits.resume(found.id);
    return c.json(summary(found), 202);
  });

  app.delete('/:id', async (c) => {
    const found = await store.get(c.req.param('id'));
    if (!found) return c.json(NONE, 404);
    const { id: who } = c.get('caller');
    if (who !== null) await noteBefore(ports, who, 'audit-removed', found.id);
    await store.remove(found.id);
    return c.body(null, 204);
  });

  return app;
}

const UNAVAILABLE = fault(
  'audits cannot be run here: a Worker needs the bindings DB and AUDITS (docs/deploy.md), and an app of your own has ' +
    'no place for them; `npx remand audit` makes the same ones from a command line',
  null,
);
const NONE = fault('no such audit', null);

function fault(message: string, field: string | null) {
  return { error: { message, field } };
}

function summary({ id, who, created, asked, state, note, until, ended }: StoredAudit) {
  const { kind, ...settings } = asked;
  const why = state === 'failed' ? { error: note } : { waiting: note && { why: note, until } };
  return { id, url: `/remand/audits/${id}`, kind, settings, state, ...why, who, created, ended };
}

/** @throws RefusedError where a judge has no price, so that a budget in money could not be held */
function checkPrices({ specs }: Judges, { config }: JudgeUpstreams): void {
  const prices = createPriceTable(config.REMAND_PRICES);
  for (const { model } of specs) prices.check(model);
}

/** @throws InputError where it is none */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new InputError('rows', 'must be UTF-8 text, one JSON object a line');
  }
}

/** Rethrows what is no fault of the request. */
function refusal(c: Context, error: unknown): Response {
  if (error instanceof InputError) return c.json(fault(error.message, error.field), 400);
  if (error instanceof BodyTooLargeError)
    return c.json(fault(`the rows are larger than ${MOST_BYTES} bytes; send them in parts`, null), 413);
  if (error instanceof RefusedError) return c.json(fault(error.message, null), error.status);
  throw error;
}
