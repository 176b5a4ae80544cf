/** What a Worker is bound to, and what is made of it: for requests and for Workflows alike. */

import { describeError } from '../errors.ts';
import { systemClock } from '../ports.ts';
import { createD1Keys, type KeyStore, withConfiguredKeys } from './access/key-store.ts';
import type { AuditTools } from './audits/audit-job.ts';
import { createAuditStore } from './audits/audit-store.ts';
import type { Workflows } from './audits/edge-audits.ts';
import type { Kv } from './cache/cache-store.ts';
import { type Config, readConfig } from './config.ts';
import { chooseJudge } from './embedded.ts';
import { createBook } from './limits/account-book.ts';
import { createAdmission } from './limits/admission.ts';
import { createEdgeLimits, type Objects } from './limits/edge-limits.ts';
import type { Limits } from './limits/lease.ts';
import { createLocalLimits } from './limits/local-limits.ts';
import { createMemorySpending } from './limits/spending-table.ts';
import { createJsonLog } from './log.ts';
import { runtimeFetch } from './runtime-fetch.ts';
import type { D1 } from './storage/d1.ts';
import { createD1Tables } from './storage/table-sql.ts';

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

export const consoleLog = createJsonLog((line) => console.log(line.trimEnd()));

export function openKeys({ DB }: Env, config: Config): KeyStore {
  return withConfiguredKeys(config.REMAND_KEYS, DB ? createD1Keys(DB) : null);
}

/** The accounts that all isolates share; null without their binding. */
export function openAccounts({ ACCOUNTS }: Env, config: Config): Limits | null {
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

/** @throws InputError naming the setting that cannot be used */
export function createAuditTools(env: Env, database: D1): AuditTools {
  const config = readConfig(env);
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
