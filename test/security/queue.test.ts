/** Two tenants and one queue for the upstream: a hostile one with a thousand requests delays another's by one turn. */
import { describe, expect, test } from 'vitest';
import { createGate, createMemorySlots } from '../../src/proxy/limits/gate.ts';
import { RefusedError } from '../../src/proxy/refusal.ts';
import { exchange, keyOf, type Reply, startProxy, startUpstream, until } from '../proxy/servers.ts';
import { scriptedClock } from '../scripted-clock.ts';

test('over HTTP: a thousand requests that wait delay a neighbour’s by one turn', async () => {
  const keys = [await keyOf('hostile'), await keyOf('neighbour')];
  const [hostile = '', neighbour = ''] = keys.map(({ key }) => key);
  let held = true;
  const waiting: { readonly tenant: string; readonly answer: () => void }[] = [];
  const reply: Reply = async ({ headers }, response) => {
    const tenant = String(headers['x-tenant']);
    if (held) await new Promise<void>((answer) => waiting.push({ tenant, answer }));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  };
  const upstream = await startUpstream(reply);
  const proxy = await startProxy({
    JUDGE_BASE_URL: upstream.url,
    JUDGE_API_KEY: 'sk-of-the-operator',
    REMAND_PASS_PATHS: 'POST /v1/embeddings',
    REMAND_CONCURRENCY: '1',
    REMAND_QUEUE: '1000',
    REMAND_QUEUE_MS: '600000',
    REMAND_KEYS: JSON.stringify(keys.map(({ record }) => record)),
  });
  const statuses: number[] = [];
  const ask = async (key: string, tenant: string) => {
    const headers = { 'x-remand-key': key, 'x-tenant': tenant };
    const { status } = await exchange(`${proxy.url}/v1/embeddings`, { method: 'POST', headers, body: '{}' });
    statuses.push(status);
    return status;
  };
  const refused = () => statuses.filter((status) => status === 429).length;

  const flood = Promise.allSettled(Array.from({ length: 1_011 }, () => ask(hostile, 'hostile')));
  await until(() => refused() === 10, 'one is at the judge, a thousand wait, and ten are refused', 60_000);
  const asked = ask(neighbour, 'neighbour');
  // The queue is full: the neighbour's request takes the place of the hostile tenant's last one.
  await until(() => refused() === 11, 'the neighbour’s request waits');
  expect(upstream.received).toHaveLength(1);

  let answered = 0;
  const turn = async () => {
    const next = await until(() => waiting[answered], 'the next one is at the judge');
    answered++;
    next.answer();
    return next.tenant;
  };
  const turns = [await turn(), await turn(), await turn()];
  expect(turns[0]).toBe('hostile');
  expect(turns).toContain('neighbour');
  expect(await asked).toBe(200);
  held = false;
  for (const { answer } of waiting) answer();
  await flood;
  expect(refused()).toBe(11);
}, 120_000);

describe('a gate', () => {
  function gate(limits: { readonly concurrency: number; readonly queue: number }) {
    const clock = scriptedClock(0);
    const { enter, leave } = createGate({ slots: createMemorySlots(), clock, who: null });
    const inside: string[] = [];
    const order: string[] = [];
    const refused: string[] = [];
    let next = 0;
    return {
      order,
      refused,
      clock,
      /** Asks for so many places, one after the other. */
      async ask(party: string, times: number, signal?: AbortSignal) {
        for (let i = 0; i < times; i++) {
          const id = `${party}${next++}`;
          void enter(id, { ...limits, waitMs: 1_000 }, { party, ...(signal && { signal }) }).then(
            () => {
              inside.push(id);
              order.push(party);
            },
            (error) => refused.push(error instanceof RefusedError ? party : `${party} left`),
          );
        }
        await settled();
      },
      /** Whoever is in the longest leaves, so many times. */
      async serve(times: number) {
        for (let i = 0; i < times; i++) {
          leave(inside.shift() ?? '');
          await settled();
        }
      },
    };
  }

  const settled = () => new Promise((resolve) => setImmediate(resolve));

  test('parties that wait take turns, however many requests each has; those of one keep their order', async () => {
    const { ask, serve, order } = gate({ concurrency: 2, queue: 2_000 });
    await ask('a', 1_002);
    await ask('b', 3);
    await ask('c', 1);
    await serve(8);
    expect(order.join('')).toBe('aa' + 'abc' + 'ab' + 'ab' + 'a');
  });

  test('a request that comes later than a thousand others waits for one turn of each party at most', async () => {
    const { ask, serve, order } = gate({ concurrency: 1, queue: 100_000 });
    for (const party of ['a', 'b', 'c']) await ask(party, 1_000);
    for (const served of [0, 1, 2, 7, 20, 500]) {
      await serve(served);
      const before = order.length;
      await ask('late', 1);
      await serve(4);
      expect(order.slice(before).filter((party) => party === 'late')).toHaveLength(1);
    }
  });

  test('a full queue is shared: whoever has most there gives way to whoever has fewer', async () => {
    const { ask, refused, serve, order } = gate({ concurrency: 1, queue: 6 });
    await ask('a', 8);
    expect(refused).toEqual(['a']);
    await ask('b', 4);
    // Three each, and nobody takes more than that.
    expect(refused.toSorted()).toEqual(['a', 'a', 'a', 'a', 'b']);
    await serve(7);
    expect(order.join('')).toBe('a' + 'ababab');
  });

  test('who waits too long, or leaves, keeps nobody’s turn', async () => {
    const { ask, serve, clock, order, refused } = gate({ concurrency: 1, queue: 100 });
    const client = new AbortController();
    await ask('a', 1);
    await ask('b', 5, client.signal);
    await ask('c', 5);
    client.abort(new Error('gone'));
    await settled();
    clock.pass(999);
    await ask('d', 1);
    clock.pass(1);
    await settled();
    expect(refused).toEqual([...Array(5).fill('b left'), ...Array(5).fill('c')]);
    await serve(1);
    expect(order.join('')).toBe('ad');
  });
});
