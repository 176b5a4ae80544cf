/** What one judgment asks of the platform: the free plan allows 50 subrequests, calls to the judge included. */
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { SANDBOX_DEMO } from '../../src/judge/sandbox/demo.ts';
import type { Kv } from '../../src/proxy/cache/store.ts';
import type { Objects } from '../../src/proxy/limits/edge.ts';
import type { D1, D1Statement } from '../../src/proxy/storage/d1.ts';
import { createWorker } from '../../src/proxy/worker.ts';
import { addKey, execution, migrate } from './bindings.ts';

beforeAll(migrate);

/** The same bindings, with every use of them that leaves the isolate counted. */
function counted(used: Record<string, number>) {
  const count = <T>(name: string, work: () => T): T => {
    used[name] = (used[name] ?? 0) + 1;
    return work();
  };
  const { DB, ACCOUNTS, CACHE } = env;
  const inner = new Map<D1Statement, D1Statement>();
  const wrap = (statement: D1Statement): D1Statement => {
    const wrapped: D1Statement = {
      bind: (...values) => wrap(statement.bind(...values)),
      first: () => count('D1', () => statement.first()),
      all: () => count('D1', () => statement.all()),
      run: () => count('D1', () => statement.run()),
    };
    inner.set(wrapped, statement);
    return wrapped;
  };
  const counting: { DB: D1; ACCOUNTS: Objects; CACHE: Kv } = {
    DB: {
      prepare: (query) => wrap(DB.prepare(query)),
      batch: (statements) =>
        count('D1', () => DB.batch(statements.map((statement) => inner.get(statement) ?? statement))),
    },
    ACCOUNTS: {
      idFromName: (name) => ACCOUNTS.idFromName(name),
      get(id) {
        const account = ACCOUNTS.get(id);
        return { fetch: (url, init) => count('Durable Objects', () => account.fetch(url, init)) };
      },
    },
    CACHE: {
      get: (key, type) => count('KV', () => CACHE.get(key, type)),
      put: (key, value, options) => count('KV', () => CACHE.put(key, value, options)),
    },
  };
  return counting;
}

it('is few, and bounded', async () => {
  const { key } = await addKey(['judge'], { callsPerDay: 1_000, concurrency: 5 });
  const used: Record<string, number> = {};
  const { context, settled } = execution();
  const request = new Request('http://remand.test/v1/chat/completions', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ ...SANDBOX_DEMO, temperature: 0 }),
  });
  const bindings = { ...counted(used), REMAND_CACHE_S: '60' };
  const answer = await createWorker().fetch(request, bindings, context);
  await answer.text();
  await settled();
  expect(answer.headers.get('x-remand-status')).toBe('revised');
  expect(used).toEqual({ D1: 3, 'Durable Objects': 2, KV: 2 });
  const calls = Number(answer.headers.get('x-remand-calls'));
  // One, and REMAND_EXTRA_CALLS at most.
  expect(calls).toBeLessThanOrEqual(9);
});
