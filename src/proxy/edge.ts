/** The proxy on Cloudflare Workers: the app as it is anywhere, with what is bound to it. Thin; can be loaded anywhere. */
import type { Hono } from 'hono';
import { InputError } from '../errors.ts';
import { systemClock } from '../ports.ts';
import { createDoor } from './access/door.ts';
import { d1Keys } from './access/keys.ts';
import { accessPolicy } from './access/policy.ts';
import { d1Audit } from './audit-trail.ts';
import { edgeAudits } from './audits/edge.ts';
import { accountsOf, auditTools, consoleLog, type Env, keysOf } from './bindings.ts';
import { kvCache } from './cache/store.ts';
import { readConfig, traceLimits } from './config.ts';
import { createProxy } from './embedded.ts';
import { d1Labels } from './labels/stores.ts';
import { createMetrics } from './metrics.ts';
import { countUnkept, createTemplateKeeper, mayKeepTemplate } from './templates/keeper.ts';
import { d1Templates, memoryTemplates } from './templates/store.ts';
import { d1Traces } from './traces/d1.ts';

/** How soon an isolate knows what a person decided in another one, in milliseconds. */
const REFRESH_MS = 60_000;

interface Execution {
  waitUntil(work: Promise<unknown>): void;
  passThroughOnException(): void;
  readonly props: unknown;
}

function createEdgeApp(env: Env): Hono {
  const config = readConfig(env);
  const { DB, CACHE, AUDITS } = env;
  const limits = accountsOf(env, config);
  const audit = DB ? d1Audit(DB) : null;
  const metrics = createMetrics(undefined, systemClock.now());
  const templateKeeper = createTemplateKeeper({
    store: DB ? d1Templates(DB) : memoryTemplates(),
    clock: systemClock,
    failed: countUnkept({ metrics, log: consoleLog }),
    mayKeep: (pipeline) => mayKeepTemplate(pipeline, config.REMAND_TRACE_TEXTS),
    refreshMs: REFRESH_MS,
  });
  return createProxy(env, {
    metrics,
    templateKeeper,
    ...(DB && { traces: d1Traces(DB, traceLimits(config, 'd1')), labels: d1Labels(DB), audit }),
    ...(DB && { keys: d1Keys(DB) }),
    log: consoleLog,
    async ready() {
      await audit?.settle();
      // Of the last migration: a database that has not been brought up to date keeps no templates.
      await DB?.prepare('SELECT id FROM templates LIMIT 1').first();
    },
    cache: CACHE ? kvCache(CACHE) : null,
    ...(limits && { limits }),
    ...(DB && AUDITS && { audits: edgeAudits(auditTools(env, DB), AUDITS, () => crypto.randomUUID()) }),
    door: createDoor({
      keys: keysOf(env, config),
      policy: accessPolicy(config, 'outside'),
      origins: config.REMAND_CORS_ORIGINS,
      // The database may be an ocean away.
      remember: true,
      clock: systemClock,
    }),
  });
}

/** One app an isolate, made at its first request: the bindings are known only then. */
export function createWorker() {
  let app: Hono | null = null;
  return {
    fetch(request: Request, env: Env, execution: Execution): Response | Promise<Response> {
      try {
        app ??= createEdgeApp(env);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        return Response.json({ error: { message: `not set up: ${error.message}` } }, { status: 500 });
      }
      return app.fetch(request, env, execution);
    },
  };
}

/** The class of the binding ACCOUNTS. */
export { KeyAccount } from './limits/object.ts';

export default createWorker();
