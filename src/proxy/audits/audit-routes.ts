/** Asking for an audit, looking how far it is, reading its report, and having it removed: for keys of scope admin. */
import { type Context, Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { openPlan, splitRows } from '../../audit/index.ts';
import { RecordError } from '../../records/index.ts';
import { type CallerEnv, renderRefusal, requireScope } from '../access/pages.ts';
import { noteBefore } from '../error-handler.ts';
import { toFault } from '../error-response.ts';
import { createPurse, hasMoneyBudget, UNLIMITED } from '../limits/account-book.ts';
import type { Ports } from '../proxy-ports.ts';
import { streamRecords, takeNoQuery } from '../query.ts';
import { RefusedError } from '../refusal.ts';
import { readBody } from '../request-body.ts';
import { readUpstreamJudges } from './audit-job.ts';
import type { StoredAudit } from './audit-store.ts';

/** Of a request: rows are kept in D1, and read into an isolate of 128 MB. */
const MAX_BYTES = 8 << 20;
/** Seconds after which it is worth looking again. */
const AGAIN_S = '5';
const LATEST = 50;

export function createAuditRoutes(ports: Ports): Hono<CallerEnv> {
  const { audits, clock } = ports;
  const app = new Hono<CallerEnv>();
  app.use('*', requireScope(ports, 'admin'));
  app.onError((error, c) => {
    if (error instanceof RefusedError) return renderRefusal(c, error);
    const headers = { 'cache-control': 'no-store' };
    const answer = (status: number, error: object) => Response.json({ error }, { status, headers });
    if (error instanceof RecordError) {
      const { line, field } = error;
      return answer(400, { message: `line ${line}: ${error.message}`, line, field });
    }
    if (error instanceof HTTPException) return answer(error.status, { message: error.message, field: null });
    const { status, message, field } = toFault(error, false);
    if (status < 500) return answer(status, { message, field });
    const told = `an audit could not be taken or told of: ${error.message}`;
    ports.log({ level: 'error', event: 'fault', path: c.req.path, message: told });
    return answer(503, { message: UNREACHABLE, field: null });
  });
  const refuse = () => {
    throw new HTTPException(501, { message: UNAVAILABLE });
  };
  if (!audits) return app.all('*', refuse);
  const { store, config } = audits.tools;

  app.post('/', async (c) => {
    const { id: who, limits } = c.get('caller');
    // The door asks every caller of this scope for a key.
    if (who === null) throw new HTTPException(401, { message: 'a key of scope admin is needed' });
    const asked = { kind: 'cues', ...c.req.query() };
    const purse = createPurse({ ...UNLIMITED, money: hasMoneyBudget(limits ?? config.REMAND_LIMITS) });
    const plan = await openPlan(asked, (...of) => readUpstreamJudges(...of, audits.tools, { who, purse }));
    const batches = await splitRows(await readBody(c.req.raw, MAX_BYTES), plan);
    const id = ports.id();
    await noteBefore(ports, who, 'audit-started', id);
    await store.add({ id, who, created: new Date(clock.now()).toISOString(), asked }, batches);
    await audits.start(id);
    const url = `/remand/audits/${id}`;
    const rows = batches.reduce((sum, batch) => sum + batch.rows.length, 0);
    const calls = batches.reduce((sum, batch) => sum + batch.calls, 0);
    const headers = { location: url, 'retry-after': AGAIN_S };
    return c.json({ id, url, state: 'running', rows, calls }, 202, headers);
  });

  app.get('/', takeNoQuery, async (c) => c.json({ audits: (await store.list(LATEST)).map(summarise) }));

  /** @throws HTTPException where there is none */
  async function find(c: Context): Promise<StoredAudit> {
    const found = await store.get(c.req.param('id') ?? '');
    if (!found) throw new HTTPException(404, { message: 'no such audit' });
    return found;
  }

  app.get('/:id', takeNoQuery, async (c) => {
    const audit = await find(c);
    if (audit.state === 'running') c.header('retry-after', AGAIN_S);
    return c.json({ ...summarise(audit), progress: await store.sum(audit.id), report: audit.report });
  });

  app.get('/:id/records', takeNoQuery, async (c) => {
    const { id } = await find(c);
    return streamRecords(c, ports, store.records(id));
  });

  app.post('/:id/resume', takeNoQuery, async (c) => {
    const audit = await find(c);
    const message = `the audit is ${audit.state}, so there is nothing to go on with`;
    if (audit.state !== 'running') throw new HTTPException(409, { message });
    await audits.resume(audit.id);
    return c.json(summarise(audit), 202);
  });

  app.delete('/:id', takeNoQuery, async (c) => {
    const { id } = await find(c);
    await noteBefore(ports, c.get('caller').id ?? 'anyone', 'audit-removed', id);
    await store.remove(id);
    return c.body(null, 204);
  });

  return app;
}

const UNREACHABLE = 'the database or the Workflow could not be reached; the log tells more';
const UNAVAILABLE =
  'audits cannot be run here: a Worker needs the bindings DB and AUDITS (docs/deploy.md), and an app of your own has ' +
  'no place for them; `npx remand audit` makes the same ones from a command line';

function summarise({ id, who, created, asked, state, note, until, ended }: StoredAudit) {
  const { kind, ...settings } = asked;
  const why = state === 'failed' ? { error: note } : { waiting: note && { why: note, until } };
  return { id, url: `/remand/audits/${id}`, kind, settings, state, ...why, who, created, ended };
}
