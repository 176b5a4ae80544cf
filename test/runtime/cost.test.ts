/**
 * What one judgment asks of the platform, with each binding and without: docs/deploy.md tells it, and what the plans allow.
 * Counted where it is asked for, rows as the databases count them.
 */
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Kv } from '../../src/proxy/cache/cache-store.ts';
import type { KeyLimits } from '../../src/proxy/limits/account-book.ts';
import { KeyAccount, type Objects, openReply } from '../../src/proxy/limits/key-account.ts';
import type { D1, D1Statement } from '../../src/proxy/storage/table-sql.ts';
import { createD1Traces } from '../../src/proxy/traces/trace-stores.ts';
import { createWorker } from '../../src/proxy/worker.ts';
import { SANDBOX_DEMO } from '../../src/sandbox/sandbox.ts';
import { traceSchema } from '../../src/trace/index.ts';
import { addKey, execution, migrate } from './bindings.ts';

beforeAll(migrate);

type Used = Record<string, number>;

const traceOf = (id: string) =>
  traceSchema.parse({
    ...{ id, time: '2026-11-21T00:00:00.000Z', ms: 5, status: 'unchanged', stop: 'clean', judge: 'm' },
    ...{ detector: 'probe', mode: 'debias', layout: 'any', policy: 'last-word', rounds: 0, error: null },
    case: {
      instruction: null,
      options: [
        { label: 'A', text: 'a' },
        { label: 'B', text: 'b' },
      ],
      context: [],
    },
    ...{ verdicts: [{ text: 'A', choice: 'A' }], final: { text: 'A', choice: 'A' } },
    ...{ written: null, analyses: [], calls: [], biases: [] },
  });

const written = z.object({ meta: z.object({ rows_written: z.number() }) });

/** The same bindings, with every use of them that leaves the isolate counted. */
function counted(used: Used) {
  const count = <T>(name: string, work: () => T): T => {
    used[name] = (used[name] ?? 0) + 1;
    return work();
  };
  const rows = (results: readonly unknown[]) => {
    const all = results.map((result) => written.parse(result).meta.rows_written);
    used['D1 rows'] = all.reduce((sum, one) => sum + one, used['D1 rows'] ?? 0);
  };
  const { DB, ACCOUNTS, CACHE } = env;
  const inner = new Map<D1Statement, D1Statement>();
  const wrap = (statement: D1Statement): D1Statement => {
    const wrapped: D1Statement = {
      bind: (...values) => wrap(statement.bind(...values)),
      // Of what only reads.
      first: () => count('D1', () => statement.first()),
      all: () => count('D1', () => statement.all()),
      async run() {
        const result = await count('D1', () => statement.run());
        rows([result]);
        return result;
      },
    };
    inner.set(wrapped, statement);
    return wrapped;
  };
  const counting: { DB: D1; ACCOUNTS: Objects; CACHE: Kv } = {
    DB: {
      prepare: (query) => wrap(DB.prepare(query)),
      async batch(statements) {
        const results = await count('D1', () =>
          DB.batch(statements.map((statement) => inner.get(statement) ?? statement)),
        );
        rows(z.array(z.unknown()).parse(results));
        return results;
      },
    },
    ACCOUNTS: {
      idFromName: (name) => ACCOUNTS.idFromName(name),
      get(id) {
        const account = ACCOUNTS.get(id);
        return { fetch: (url, init) => count('objects', () => account.fetch(url, init)) };
      },
    },
    CACHE: {
      get: (key, type) => count('KV reads', () => CACHE.get(key, type)),
      put: (key, value, options) => count('KV writes', () => CACHE.put(key, value, options)),
    },
  };
  return counting;
}

/** Without templates, which an isolate loads once: the first test tells what that costs. */
async function judgment(key: string | null, settings: (bindings: ReturnType<typeof counted>) => object) {
  const used: Used = {};
  const { context, settled } = execution();
  const request = new Request('http://remand.test/v1/chat/completions', {
    method: 'POST',
    headers: key === null ? {} : { authorization: `Bearer ${key}` },
    body: JSON.stringify({ ...SANDBOX_DEMO, temperature: 0 }),
  });
  const bindings = { REMAND_LEARN: 'off', ...settings(counted(used)) } as Parameters<
    ReturnType<typeof createWorker>['fetch']
  >[1];
  const answer = await createWorker().fetch(request, bindings, context);
  await answer.text();
  await settled();
  expect(answer.headers.get('x-remand-status')).toBe('revised');
  // One, and REMAND_EXTRA_CALLS at most.
  expect(Number(answer.headers.get('x-remand-calls'))).toBeLessThanOrEqual(9);
  return used;
}

describe('a judgment asks', () => {
  it('nothing but model calls without bindings', async () => {
    expect(await judgment(null, () => ({}))).toEqual({});
  });

  it('one query of D1 for what was learned before, the first one of an isolate alone', async () => {
    const off = { REMAND_TRACES: 'off' };
    expect(await judgment(null, ({ DB }) => ({ DB, ...off, REMAND_LEARN: 'auto' }))).toEqual({ D1: 1 });
    expect(await judgment(null, ({ DB }) => ({ DB, ...off }))).toEqual({});
  });

  it('one batch of D1 for its trace: two rows, two index entries and the sequence, and two once the oldest goes', async () => {
    expect(await judgment(null, ({ DB }) => ({ DB }))).toEqual({ D1: 1, 'D1 rows': 5 });
    expect(await judgment(null, ({ DB }) => ({ DB, REMAND_TRACES_KEEP: '1' }))).toEqual({
      D1: 1,
      'D1 rows': 7,
    });
  });

  it('two more of D1 where it comes with a key: its record, and an entry of the audit trail', async () => {
    const { key } = await addKey(['judge']);
    expect(await judgment(key, ({ DB }) => ({ DB }))).toMatchObject({ D1: 3 });
    const { key: other } = await addKey(['judge']);
    expect(await judgment(other, ({ DB }) => ({ DB, REMAND_TRACES: 'off' }))).toEqual({
      D1: 2,
      'D1 rows': 2,
    });
  });

  it('its object twice where the key has limits, and KV twice where answers are kept', async () => {
    const { key } = await addKey(['judge'], { callsPerDay: 1_000, concurrency: 5 });
    const all = (bindings: object) => ({ ...bindings, REMAND_CACHE_S: '60' });
    expect(await judgment(key, all)).toEqual({
      D1: 3,
      'D1 rows': 7,
      objects: 2,
      'KV reads': 1,
      'KV writes': 1,
    });
    // Again, from the cache: its record, and the entry of the audit trail.
    expect(await judgment(key, all)).toEqual({ D1: 2, 'D1 rows': 2, objects: 2, 'KV reads': 1 });
  });
});

describe('a look at all that is kept asks D1', () => {
  const KEPT = 30;
  const headers = { authorization: '' };
  beforeAll(async () => {
    headers.authorization = `Bearer ${(await addKey(['traces'])).key}`;
    await env.DB.prepare('DELETE FROM traces').run();
    const traces = createD1Traces(env.DB, { keep: 100, bytes: 1e7, bytesEach: 1e6 });
    for (let n = 0; n < KEPT; n++) await traces.put(traceOf(`t${n}`));
  });

  async function look(path: string, init: RequestInit = {}) {
    const used: Used = {};
    const { context, settled } = execution();
    const bindings = { DB: counted(used).DB, REMAND_LEARN: 'off' };
    const request = new Request(`http://remand.test${path}`, { ...init, headers });
    const answer = await createWorker().fetch(request, bindings, context);
    const text = await answer.text();
    expect(answer.status, text).toBe(200);
    await settled();
    return { used, text };
  }

  it.each(['/remand/records', '/remand/records?verdicts=both', '/remand/numbers'])(
    'once for the key and three times for %s: a list, the traces, their labels',
    async (path) => {
      const { used, text } = await look(path);
      expect(used).toMatchObject({ D1: 4 });
      if (path.includes('records')) expect(new Set(text.match(/"item":"t\d+"/g)).size).toBe(KEPT);
      else expect(JSON.parse(text)).toMatchObject({ judgments: KEPT });
    },
  );

  it('for an import once for the traces and once for the labels, beside the key and the audit trail', async () => {
    const lines = ['ann', 'bob', 'ann'].flatMap((annotator, turn) =>
      Array.from({ length: KEPT }, (_, n) => ({ item: `t${n}`, label: turn === 2 ? 0 : 1, annotator })),
    );
    const body = lines.map((line) => JSON.stringify(line)).join('\n');
    const { used, text } = await look('/remand/labels', { method: 'POST', body });
    expect(used).toMatchObject({ D1: 4 });
    expect(JSON.parse(text)).toEqual({ labels: lines.length });
    const kept = (await look('/remand/labels')).text.trim().split('\n');
    // What a person said last counts.
    expect(kept.map((line) => JSON.parse(line)).map(({ who, decision }) => [who, decision])).toEqual(
      Array.from({ length: KEPT }, () => [
        ['ann', 0],
        ['bob', 1],
      ]).flat(),
    );
  });
});

describe('the object of a key writes', () => {
  it.each<[string, KeyLimits, number]>([
    ['four rows for a budget', { callsPerDay: 100 }, 4],
    ['two for requests at once', { concurrency: 3 }, 2],
    ['four for both', { callsPerDay: 100, concurrency: 3 }, 4],
  ])('%s', async (name, limits, expected) => {
    const stub = env.ACCOUNTS.get(env.ACCOUNTS.idFromName(name));
    const rows = await runInDurableObject(stub, async (_, { storage }) => {
      let sum = 0;
      const account = new KeyAccount({
        storage: {
          sql: {
            exec(statement, ...values) {
              const cursor = storage.sql.exec(statement, ...values);
              const all = cursor.toArray();
              sum += cursor.rowsWritten;
              return { toArray: () => all };
            },
          },
          transactionSync: (work) => storage.transactionSync(work),
        },
      });
      const tell = async (path: string, said: object) => {
        const body = JSON.stringify(said);
        const answer = await account.fetch(
          new Request(`http://account.invalid${path}`, { method: 'POST', body }),
        );
        return answer.json();
      };
      // Its tables are made once.
      sum = 0;
      const lease = { id: 'one', who: 'c0c0c0c0c0c0', limits, most: 9, waitMs: 100 };
      expect(openReply.parse(await tell('/open', lease))).toHaveProperty('calls');
      await tell('/close', { id: 'one', made: 5, money: 0 });
      return sum;
    });
    expect(rows).toBe(expected);
  });
});
