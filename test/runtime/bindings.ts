/** The simulator's own D1, as it is after `wrangler d1 migrations apply`, and keys in it. */
import { env } from 'cloudflare:workers';
import { createKey, type KeyScope } from '../../src/proxy/access/key.ts';
import { formatInsertKey } from '../../src/proxy/access/key-store.ts';
import type { KeyLimits } from '../../src/proxy/limits/account-book.ts';
import { CREATE_APPLIED, ENTER_APPLIED, MIGRATIONS } from '../../src/proxy/storage/migrations.ts';

/** Once a test file: storage is kept within one. */
export const migrate = () => applyMigrations(MIGRATIONS);

export async function applyMigrations(migrations: typeof MIGRATIONS): Promise<void> {
  const steps = migrations.flatMap(({ name, statements }) => [
    ...statements.map((statement) => env.DB.prepare(statement)),
    env.DB.prepare(ENTER_APPLIED).bind(name),
  ]);
  await env.DB.batch([env.DB.prepare(CREATE_APPLIED), ...steps]);
}

export async function addKey(scopes: KeyScope[], limits: KeyLimits = {}) {
  const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));
  const made = await createKey({ name: "a name's", scopes, limits }, random, Date.now());
  await env.DB.prepare(formatInsertKey(made.record)).run();
  return made;
}

/** What the runtime hands a Worker that is called directly. */
export function execution() {
  const under: Promise<unknown>[] = [];
  return {
    context: {
      waitUntil: (work: Promise<unknown>) => void under.push(work),
      passThroughOnException() {},
      props: {},
    },
    settled: () => Promise.all(under),
  };
}
