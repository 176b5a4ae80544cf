/** The proxy on Cloudflare Workers: the app as it is anywhere, with what is bound to it. Thin; can be loaded anywhere. */
import '../runtime-check.ts';

import type { Hono } from 'hono';
import { describeError, InputError, RemandError } from '../errors.ts';
import { runtimeFetch, systemClock } from '../ports.ts';
import { createDoor, decideAccessPolicy } from './access/door.ts';
import { createAnchorStore } from './anchors/anchor-store.ts';
import { type AnchorWatch, createAnchorWatch } from './anchors/anchor-watch.ts';
import { createApp } from './app.ts';
import { createStoredTrail } from './audit-trail.ts';
import { type AuditTools, createEdgeAudits, type Workflows } from './audits/audit-job.ts';
import { createKvCache, type Kv } from './cache/cache-store.ts';
import { type Config, readConfig, readTraceLimits } from './config.ts';
import { chooseJudge, openProxy } from './embedded.ts';
import { createLabelStore } from './labels/label.ts';
import { createMetrics } from './metrics.ts';
import { MIGRATIONS } from './storage/migrations.ts';
import { createD1Tables, type D1 } from './storage/table-sql.ts';
import { createTemplateKeeper, mayKeepTemplate, reportTemplates } from './templates/keeper.ts';
import { d1Templates, memoryTemplates } from './templates/store.ts';
import { createD1Traces } from './traces/trace-stores.ts';

export { KeyAccount } from './limits/key-account.ts';

import { createKeyTable, type KeyStore, withConfiguredKeys } from './access/key-store.ts';
import { createAuditStore } from './audits/audit-store.ts';
import { createBook, createMemorySpending, type Limits } from './limits/account-book.ts';
import { createAdmission } from './limits/gate.ts';
import { createEdgeLimits, type Objects } from './limits/key-account.ts';
import { createLocalLimits } from './limits/local-limits.ts';
import { createJsonLog } from './log.ts';

interface Execution {
  waitUntil(work: Promise<unknown>): void;
  passThroughOnException(): void;
  readonly props: unknown;
}

/** The app, and the watch over the anchor cases; null where none are set, or there is no database to keep them in. */
function createEdgeApp(env: Env): { readonly app: Hono; readonly anchors: AnchorWatch | null } {
  const config = readConfig({ ...env });
  const { DB, CACHE, AUDITS } = env;
  const limits = openAccounts(env, config);
  const audit = DB ? createStoredTrail(createD1Tables(DB)) : null;
  const metrics = createMetrics(undefined, systemClock.now());
  const templateKeeper = createTemplateKeeper({
    store: DB ? d1Templates(DB) : memoryTemplates(),
    clock: systemClock,
    ...reportTemplates({ metrics, log: consoleLog }),
    mayKeep: (pipeline) => mayKeepTemplate(pipeline, config.REMAND_TRACE_TEXTS),
  });
  const store = DB && createAnchorStore(createD1Tables(DB));
  const { ports, config: read } = openProxy(
    { ...env },
    {
      metrics,
      ...(store && { anchors: store }),
      templateKeeper,
      ...(DB && {
        traces: createD1Traces(DB, readTraceLimits(config, 'd1')),
        labels: createLabelStore(createD1Tables(DB), consoleLog),
        audit,
      }),
      ...(DB && { keys: createKeyTable(createD1Tables(DB)) }),
      log: consoleLog,
      async ready() {
        await audit?.settle();
        if (DB) await checkMigrated(DB);
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
    },
  );
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
        consoleLog({ level: 'error', event: 'fault', message: `not set up: ${error.message}` });
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

export default createWorker();

/** The bindings, each of which may be missing, beside the settings: an Env of your own fits, whatever else it declares. */
export type Env = Bindings & object;

interface Bindings {
  /** Traces, keys, the audit trail, and audits. */
  readonly DB?: D1;
  /** Accounts of keys: what they have spent, and who is under way. Without it each isolate counts for itself. */
  readonly ACCOUNTS?: Objects;
  /** Answers that may be given again. */
  readonly CACHE?: Kv;
  /** Audits of judges that are asked for over HTTP; needs DB, too. */
  readonly AUDITS?: Workflows;
}

const consoleLog = createJsonLog((line) => console.log(line));

function openKeys({ DB }: Env, config: Config): KeyStore {
  return withConfiguredKeys(config.REMAND_KEYS, DB ? createKeyTable(createD1Tables(DB)) : null);
}

/** @throws where the database has not been brought up to date, in Wrangler's own list of what it has applied */
async function checkMigrated(database: D1): Promise<void> {
  const last = MIGRATIONS.at(-1)?.name;
  const lookUp = database.prepare('SELECT name FROM d1_migrations WHERE name = ?').bind(last);
  const applied = await lookUp.first().catch((error: unknown) => {
    // Nothing has been applied yet, so Wrangler has not made its list.
    if (/no such table/.test(describeError(error))) return null;
    throw error;
  });
  if (applied === null)
    throw new RemandError(`the database lacks ${last}: \`wrangler d1 migrations apply DB --remote\``);
}

/** The accounts that all isolates share; null without their binding. */
function openAccounts({ ACCOUNTS }: Env, config: Config): Limits | null {
  if (!ACCOUNTS) return null;
  return createEdgeLimits({
    objects: ACCOUNTS,
    standard: config.REMAND_LIMITS,
    waitMs: config.REMAND_QUEUE_MS,
    id: () => crypto.randomUUID(),
    failed: (what, error) =>
      consoleLog({
        level: 'error',
        event: 'fault',
        message: `an account could not be ${what}: ${describeError(error)}`,
      }),
  });
}

/**
 * What an audit of the Workflow runs with: the judges of the settings and the stores in D1.
 *
 * @throws InputError naming the setting that cannot be used
 *
 * @example const tools = createAuditTools(env, env.DB)
 */
export function createAuditTools(env: Env, database: D1): AuditTools {
  const config = readConfig({ ...env });
  const id = () => crypto.randomUUID();
  const book = createBook(createMemorySpending());
  const ofIsolate = () =>
    createLocalLimits({
      book: () => book,
      standard: config.REMAND_LIMITS,
      waitMs: config.REMAND_QUEUE_MS,
      clock: systemClock,
      underWay: createAdmission(systemClock, id),
    });
  return {
    ...chooseJudge(config, runtimeFetch),
    config,
    clock: systemClock,
    store: createAuditStore(createD1Tables(database)),
    keys: openKeys(env, config),
    limits: openAccounts(env, config) ?? ofIsolate(),
  };
}
