/** The proxy on Cloudflare Workers: the app as it is anywhere, with what is bound to it. Thin. */
import type { Hono } from 'hono';
import { InputError } from '../case/errors.ts';
import { systemClock } from '../judge/types.ts';
import { createDoor } from './access/door.ts';
import { configuredKeys, d1Keys } from './access/keys.ts';
import { accessPolicy } from './access/policy.ts';
import { d1Audit } from './audit-trail.ts';
import { type Kv, kvCache } from './cache/store.ts';
import { readConfig } from './config.ts';
import { createProxy } from './embedded.ts';
import { d1Labels } from './labels/stores.ts';
import { edgeLimits, type Objects } from './limits/edge.ts';
import { jsonLog } from './log.ts';
import type { D1 } from './storage/d1.ts';
import { d1Traces } from './traces/d1.ts';

/** The bindings, each of which may be missing, and the settings. */
interface Env {
  /** Traces, keys and the audit trail. */
  readonly DB?: D1;
  /** Accounts of keys: what they have spent, and who is under way. Without it each isolate counts for itself. */
  readonly ACCOUNTS?: Objects;
  /** Answers that may be given again. */
  readonly CACHE?: Kv;
  readonly [name: string]: unknown;
}

interface Execution {
  waitUntil(work: Promise<unknown>): void;
  passThroughOnException(): void;
  readonly props: unknown;
}

function createEdgeApp(env: Env): Hono {
  const config = readConfig(env);
  const { DB, ACCOUNTS, CACHE } = env;
  const log = jsonLog((line) => console.log(line.trimEnd()));
  return createProxy(env, {
    ...(DB && { traces: d1Traces(DB, config.REMAND_TRACES_KEEP), labels: d1Labels(DB), audit: d1Audit(DB) }),
    ...(DB && { keys: d1Keys(DB) }),
    log,
    async ready() {
      // Of the last migration: a database that has not been brought up to date keeps no traces.
      await DB?.prepare('SELECT place FROM cache LIMIT 1').first();
    },
    cache: CACHE ? kvCache(CACHE) : null,
    ...(ACCOUNTS && {
      limits: edgeLimits({
        objects: ACCOUNTS,
        standard: config.REMAND_LIMITS,
        waitMs: config.REMAND_QUEUE_MS,
        id: () => crypto.randomUUID(),
        failed: (error) =>
          log({
            level: 'error',
            event: 'fault',
            message: `an account could not be closed: ${error instanceof Error ? error.message : error}`,
          }),
      }),
    }),
    door: createDoor({
      keys: configuredKeys(config.REMAND_KEYS, DB ? d1Keys(DB) : null),
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
