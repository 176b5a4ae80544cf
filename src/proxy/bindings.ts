/** What a Worker is bound to, and what is made of it: for requests and for Workflows alike. */
import { systemClock } from '../ports.ts';
import { configuredKeys, d1Keys, type KeyStore } from './access/keys.ts';
import type { Tools } from './audits/advance.ts';
import type { Workflows } from './audits/edge.ts';
import { d1AuditSql } from './audits/sql.ts';
import { createAuditStore } from './audits/store.ts';
import type { Kv } from './cache/store.ts';
import { type Config, readConfig } from './config.ts';
import { judgeOf } from './embedded.ts';
import { createBook } from './limits/book.ts';
import { edgeLimits, type Objects } from './limits/edge.ts';
import type { Limits } from './limits/lease.ts';
import { localLimits } from './limits/local.ts';
import { memorySpent } from './limits/spent.ts';
import { createUnderWay } from './limits/under-way.ts';
import { jsonLog } from './log.ts';
import { runtimeFetch } from './runtime-fetch.ts';
import type { D1 } from './storage/d1.ts';

/** The bindings, each of which may be missing, and the settings. */
export interface Env {
  /** Traces, keys, the audit trail, and audits. */
  readonly DB?: D1;
  /** Accounts of keys: what they have spent, and who is under way. Without it each isolate counts for itself. */
  readonly ACCOUNTS?: Objects;
  /** Answers that may be given again. */
  readonly CACHE?: Kv;
  /** Audits of judges that are asked for over HTTP; needs DB, too. */
  readonly AUDITS?: Workflows;
  readonly [name: string]: unknown;
}

export const consoleLog = jsonLog((line) => console.log(line.trimEnd()));

export function keysOf({ DB }: Env, config: Config): KeyStore {
  return configuredKeys(config.REMAND_KEYS, DB ? d1Keys(DB) : null);
}

/** The accounts that all isolates share; null without their binding. */
export function accountsOf({ ACCOUNTS }: Env, config: Config): Limits | null {
  if (!ACCOUNTS) return null;
  return edgeLimits({
    objects: ACCOUNTS,
    standard: config.REMAND_LIMITS,
    waitMs: config.REMAND_QUEUE_MS,
    id: () => crypto.randomUUID(),
    failed: (what, error) =>
      consoleLog({
        level: 'error',
        event: 'fault',
        message: `an account could not be ${what}: ${error instanceof Error ? error.message : error}`,
      }),
  });
}

/** @throws InputError naming the setting that cannot be used */
export function auditTools(env: Env, database: D1): Tools {
  const config = readConfig(env);
  const id = () => crypto.randomUUID();
  const book = createBook(memorySpent());
  const ofIsolate = () =>
    localLimits({
      book: () => book,
      standard: config.REMAND_LIMITS,
      waitMs: config.REMAND_QUEUE_MS,
      clock: systemClock,
      underWay: createUnderWay(systemClock, id),
    });
  return {
    ...judgeOf(config, runtimeFetch),
    config,
    clock: systemClock,
    store: createAuditStore(d1AuditSql(database)),
    keys: keysOf(env, config),
    limits: accountsOf(env, config) ?? ofIsolate(),
  };
}
