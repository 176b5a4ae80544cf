/**
 * Keys over HTTP, for whoever holds one with scope admin: what each may do and has spent, new ones, and revoking them.
 * What is done here stands in the audit trail before it is done.
 */

import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import * as z from 'zod';
import { readJsonBody } from '../../http/index.ts';
import { explainIssue, strictFields } from '../../strict-fields.ts';
import type { AuditAction } from '../audit-trail.ts';
import type { Config } from '../config.ts';
import { noteBefore } from '../error-handler.ts';
import { keyLimits } from '../limits/account-book.ts';
import type { Ports } from '../proxy-ports.ts';
import { takeNoQuery, takeQuery } from '../query.ts';
import { RefusedError } from '../refusal.ts';
import { describeIssue } from '../request-body.ts';
import { createKey, keyRecord } from './key.ts';
import { listKeys } from './key-store.ts';
import { type CallerEnv, renderError, renderRefusal, requireScope } from './pages.ts';

/** Of a request that makes a key, in bytes. */
const LARGEST = 16 << 10;
/** Keys told at a time, unless asked otherwise: each may cost one of a judgment's 50 subrequests at the edge. */
const PAGE = 40;

const wanted = strictFields({
  name: keyRecord.shape.name,
  scopes: keyRecord.shape.scopes.default(['judge']),
  limits: keyLimits.default({}),
});

const listQuery = takeQuery({
  limit: z.coerce.number().pipe(z.int().min(1).max(1000)).default(PAGE),
  offset: z.coerce.number().pipe(z.int().min(0)).default(0),
  spent: z.enum(['true', 'false']).default('true'),
});

export function createKeyRoutes(ports: Ports, config: Config): Hono<CallerEnv> {
  const { clock, random, limits, log, keys: table } = ports;
  const { REMAND_KEYS: configured, REMAND_LIMITS: standard } = config;
  const app = new Hono<CallerEnv>();
  const noPlace = (c: Context) =>
    renderError(c, 501, 'there is no database here for keys; those of REMAND_KEYS are all there are');
  const note = (c: Context<CallerEnv>, action: AuditAction, subject: string) =>
    noteBefore(ports, c.get('caller').id ?? 'anyone', action, subject);

  app.use('*', requireScope(ports, 'admin'));
  app.onError((error, c) => {
    if (error instanceof RefusedError) return renderRefusal(c, error);
    // A database or an account that cannot be reached: what was asked for has not been done.
    log({ level: 'error', event: 'fault', method: c.req.method, path: c.req.path, message: error.message });
    return renderError(c, 503, 'what is kept of keys cannot be reached; the log tells more');
  });

  app.get('/', listQuery, async (c) => {
    const { limit, offset, spent } = c.req.valid('query');
    await note(c, 'keys-read', 'keys');
    const { anyone, ...page } = await listKeys(
      { configured, table, limits, standard },
      { limit, offset, spent: spent === 'true' },
    );
    return c.json({ ...page, ...(anyone && { anyone }) });
  });

  const small = bodyLimit({
    maxSize: LARGEST,
    onError: (c) => renderError(c, 413, `the request is larger than ${LARGEST} bytes`),
  });
  app.post('/', takeNoQuery, small, async (c) => {
    if (!table) return noPlace(c);
    const asked = wanted.safeParse(await jsonIn(c.req.raw), { error: explainIssue });
    if (!asked.success) return renderError(c, 400, describeIssue(asked.error));
    const { key, record } = await createKey(asked.data, random, clock.now());
    await note(c, 'key-added', record.id);
    await table.add(record);
    const { hash: _, ...shown } = record;
    return c.json({ key, ...shown }, 201);
  });

  app.delete('/:id', takeNoQuery, async (c) => {
    const id = c.req.param('id');
    if (configured.some((record) => record.id === id))
      return renderError(c, 409, 'this key stands in REMAND_KEYS; it is revoked by taking it out there');
    if (!table) return noPlace(c);
    const found = await table.find(id);
    if (!found || found.revoked !== null) return renderError(c, 404, 'no valid key has this id');
    await note(c, 'key-revoked', id);
    await table.revoke(id, new Date(clock.now()).toISOString());
    return c.json({ revoked: id });
  });
  return app;
}

/** Null for what is no JSON: then it is told what is missing from it. */
async function jsonIn(request: Request): Promise<unknown> {
  try {
    return await readJsonBody(request, LARGEST);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
