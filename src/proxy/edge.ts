/** The proxy on Cloudflare Workers: the app as it is anywhere, with what is bound to it. Thin; can be loaded anywhere. */
import type { Hono } from 'hono';
import { InputError } from '../errors.ts';
import { systemClock } from '../ports.ts';
import { decideAccessPolicy } from './access/access-policy.ts';
import { createDoor } from './access/door.ts';
import { createD1Keys } from './access/key-store.ts';
import { createAnchorStore } from './anchors/anchor-store.ts';
import { type AnchorWatch, createAnchorWatch } from './anchors/anchor-watch.ts';
import { createApp } from './app.ts';
import { createD1AuditTrail } from './audit-trail.ts';
import { createEdgeAudits } from './audits/edge-audits.ts';
import { consoleLog, createAuditTools, type Env, openAccounts, openKeys } from './bindings.ts';
import { createKvCache } from './cache/cache-store.ts';
import { readConfig, readTraceLimits } from './config.ts';
import { openProxy } from './embedded.ts';
import { createD1Labels } from './labels/stores.ts';
import { createMetrics } from './metrics.ts';
import { createD1Tables } from './storage/table-sql.ts';
import { countUnkept, createTemplateKeeper, mayKeepTemplate } from './templates/keeper.ts';
import { d1Templates, memoryTemplates } from './templates/store.ts';
import { createD1Traces } from './traces/d1-traces.ts';

/** How soon an isolate knows what a person decided in another one, in milliseconds. */
const REFRESH_MS = 60_000;

interface Execution {
  waitUntil(work: Promise<unknown>): void;
  passThroughOnException(): void;
  readonly props: unknown;
}

/** The app, and the watch over the anchor cases; null where none are set, or there is no database to keep them in. */
function createEdgeApp(env: Env): { readonly app: Hono; readonly anchors: AnchorWatch | null } {
  const config = readConfig(env);
  const { DB, CACHE, AUDITS } = env;
  const limits = openAccounts(env, config);
  const audit = DB ? createD1AuditTrail(DB) : null;
  const metrics = createMetrics(undefined, systemClock.now());
  const templateKeeper = createTemplateKeeper({
    store: DB ? d1Templates(DB) : memoryTemplates(),
    clock: systemClock,
    failed: countUnkept({ metrics, log: consoleLog }),
    mayKeep: (pipeline) => mayKeepTemplate(pipeline, config.REMAND_TRACE_TEXTS),
    refreshMs: REFRESH_MS,
  });
  const store = DB && createAnchorStore(createD1Tables(DB));
  const { ports, config: read } = openProxy(env, {
    metrics,
    ...(store && { anchors: store }),
    templateKeeper,
    ...(DB && {
      traces: createD1Traces(DB, readTraceLimits(config, 'd1')),
      labels: createD1Labels(DB),
      audit,
    }),
    ...(DB && { keys: createD1Keys(DB) }),
    log: consoleLog,
    async ready() {
      await audit?.settle();
      // Of the last migration: a database that has not been brought up to date keeps no templates.
      await DB?.prepare('SELECT id FROM templates LIMIT 1').first();
    },
    cache: CACHE ? createKvCache(CACHE) : null,
    ...(limits && { limits }),
    ...(DB &&
      AUDITS && { audits: createEdgeAudits(createAuditTools(env, DB), AUDITS, () => crypto.randomUUID()) }),
    door: createDoor({
      keys: openKeys(env, config),
      policy: decideAccessPolicy(config, 'outside'),
      origins: config.REMAND_CORS_ORIGINS,
      // The database may be an ocean away.
      remember: true,
      clock: systemClock,
    }),
  });
  return { app: createApp(ports, read), anchors: store ? createAnchorWatch(ports, read, store) : null };
}

/**
 * One app an isolate, made at its first request: the bindings are known only then.
 *
 * @example export default createWorker();
 */
export function createWorker() {
  let made: ReturnType<typeof createEdgeApp> | null = null;
  return {
    fetch(request: Request, env: Env, execution: Execution): Response | Promise<Response> {
      try {
        made ??= createEdgeApp(env);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        return Response.json({ error: { message: `not set up: ${error.message}` } }, { status: 500 });
      }
      return made.app.fetch(request, env, execution);
    },
    /** Of a Cron Trigger: a round of the anchor cases, where one is due. */
    async scheduled(_event: unknown, env: Env): Promise<void> {
      made ??= createEdgeApp(env);
      await made.anchors?.round(new AbortController().signal);
    },
  };
}

/** The class of the binding ACCOUNTS. */
export { KeyAccount } from './limits/key-account.ts';

export default createWorker();
