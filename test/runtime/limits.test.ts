/** Accounts of keys at the edge, in real Durable Objects: one for each key, wherever it is asked for. */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { KeyLimits } from '../../src/proxy/limits/account-book.ts';
import { createEdgeLimits } from '../../src/proxy/limits/key-account.ts';
import { createWorker } from '../../src/proxy/worker.ts';
import { SANDBOX_DEMO } from '../../src/sandbox/sandbox.ts';
import { addKey, execution, migrate } from './bindings.ts';

beforeAll(migrate);

/** As the Worker is, with its bindings, in an isolate of its own. */
async function judge(key: string, settings: Readonly<Record<string, string>> = {}) {
  const { context, settled } = execution();
  const request = new Request('http://remand.test/v1/chat/completions', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify(SANDBOX_DEMO),
  });
  const answer = await createWorker().fetch(request, { ...env, ...settings }, context);
  const body = await answer.text();
  await settled();
  return {
    status: answer.status,
    outcome: answer.headers.get('x-remand-status'),
    headers: answer.headers,
    body,
  };
}

describe('a budget', () => {
  it('is taken for all that a judgment may do, and given back as far as it was not used', async () => {
    // The judgment makes 6 calls and may make 9.
    const { key } = await addKey(['judge'], { callsPerDay: 16 });
    expect((await judge(key)).outcome).toBe('revised');
    expect((await judge(key)).outcome).toBe('revised');
    // Of four calls a round sent back in both orders would have taken the last two; one was left.
    expect((await judge(key)).outcome).toBe('failed-open');
    expect((await judge(key)).headers.get('x-remand-calls')).toBe('1');
    const refused = await judge(key);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(JSON.parse(refused.body)).toMatchObject({ error: { type: 'rate_limit_error' } });
  });

  it('is one for all isolates, at once', async () => {
    const { key } = await addKey(['judge'], { callsPerDay: 30 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => judge(key)));
    const judged = answers.filter(({ status }) => status === 200);
    expect(judged.length).toBeGreaterThanOrEqual(3);
    const calls = judged.reduce((sum, { headers }) => sum + Number(headers.get('x-remand-calls')), 0);
    expect(calls).toBeLessThanOrEqual(30);
    expect(answers.every(({ status }) => status === 200 || status === 429)).toBe(true);
  });

  it('of another key is another', async () => {
    const [one, other] = [
      await addKey(['judge'], { callsPerDay: 1 }),
      await addKey(['judge'], { callsPerDay: 1 }),
    ];
    expect((await judge(one.key)).status).toBe(200);
    expect((await judge(one.key)).status).toBe(429);
    expect((await judge(other.key)).status).toBe(200);
  });
});

it('a budget that requests under way hold is no reason to go away for the day', async () => {
  const options = { objects: env.ACCOUNTS, standard: {}, waitMs: 0, id: () => crypto.randomUUID() };
  const limits = createEdgeLimits({ ...options, failed: (_, error) => expect.unreachable(String(error)) });
  const caller = { id: 'ca0000000001', limits: { callsPerDay: 10, callsPerMonth: 12 } };
  const open = async () => limits.open(caller, 9, new AbortController().signal);
  const soon = { reason: 'budget', againMs: 1_000, message: expect.stringContaining('under way') };
  const [first, second] = [await open(), await open()];
  expect([first.left(), second.left()]).toEqual([9, 1]);
  await expect(open()).rejects.toMatchObject(soon);
  for (let calls = 0; calls < 9; calls++) first.begin();
  await first.close();
  await expect(open()).rejects.toMatchObject(soon);
  // One call is left of ten: it is given back unused, taken again, and made.
  await second.close();
  const last = await open();
  expect(last.left()).toBe(1);
  last.begin();
  await last.close();
  const gone = { reason: 'budget', message: 'the budget is used up (callsPerDay: 10)' };
  await expect(open()).rejects.toMatchObject(gone);
});

describe('a budget of money', () => {
  // A call costs some hundred millionths.
  const settings = { REMAND_PRICES: JSON.stringify({ [SANDBOX_DEMO.model]: { input: 1, output: 1 } }) };

  it('ends a judgment in its middle; the call that crosses the limit is the last', async () => {
    const { key } = await addKey(['judge'], { moneyPerDay: 0.00001 });
    const crossing = await judge(key, settings);
    // Both orders are asked at once. Nothing is left for the statement.
    expect(crossing.headers.get('x-remand-calls')).toBe('2');
    expect(crossing.headers.get('x-remand-untested')).toBe('bandwagon');
    const refused = await judge(key, settings);
    expect(refused.status).toBe(429);
    expect(refused.body).toContain('moneyPerDay');
  });

  it('that is not reached changes nothing', async () => {
    const { key } = await addKey(['judge'], { moneyPerMonth: 1 });
    expect((await judge(key, settings)).outcome).toBe('revised');
    expect((await judge(key, settings)).outcome).toBe('revised');
  });
});

it('lets so many in at once, some wait, and the others are told to come later', async () => {
  const standard: KeyLimits = { concurrency: 2, queue: 1 };
  const options = { objects: env.ACCOUNTS, standard, waitMs: 5_000, id: () => crypto.randomUUID() };
  const open = () =>
    createEdgeLimits({ ...options, failed: (_, error) => expect.unreachable(String(error)) }).open(
      { id: 'c0c0c0c0c0c0', limits: null },
      1,
      new AbortController().signal,
    );
  const [first, second] = [await open(), await open()];
  const third = open();
  await expect.poll(() => Promise.resolve(open()).catch(String)).toContain('under way and 1 wait');
  await first.close();
  const in3 = await third;
  await second.close();
  await in3.close();
  await (await open()).close();
});

describe('a request is closed once', () => {
  /** @param fail what becomes of the first message that closes */
  function openFailing(fail: (close: () => Promise<unknown>) => Promise<never>) {
    const told: unknown[] = [];
    let closings = 0;
    const limits = createEdgeLimits({
      objects: {
        idFromName: (name) => env.ACCOUNTS.idFromName(name),
        get(id) {
          const account = env.ACCOUNTS.get(id);
          return {
            fetch: async (url, init) =>
              url.endsWith('/close') && closings++ === 0
                ? fail(() => account.fetch(url, init))
                : account.fetch(url, init),
          };
        },
      },
      standard: {},
      waitMs: 0,
      id: () => crypto.randomUUID(),
      failed: (what, error) => told.push([what, error]),
    });
    return { limits, told };
  }

  const RESET = 'Durable Object reset because its code was updated.';

  it.each([
    ['before the object has read it', 'ba0000000001', async () => Promise.reject(new Error(RESET))],
    [
      'after the object has done it',
      'ba0000000002',
      async (close: () => Promise<unknown>) => {
        await close();
        throw new Error(RESET);
      },
    ],
  ])('where the message fails %s', async (_, id, fail) => {
    const { limits, told } = openFailing(fail);
    const caller = { id, limits: { concurrency: 1, callsPerDay: 9, moneyPerDay: 1 } };
    const open = async () => limits.open(caller, 9, new AbortController().signal);
    const lease = await open();
    for (const _call of [1, 2]) lease.begin();
    lease.pay(70);
    await lease.close();
    expect(told).toEqual([]);
    expect((await limits.spent(id)).day).toEqual({ calls: 2, money: 70 });
    const next = await open();
    expect(next.left()).toBe(7);
    await next.close();
  });

  it('where it took longer than any judgment does', async () => {
    onTestFinished(() => void vi.useRealTimers());
    const { limits, told } = openFailing(() => Promise.reject(new Error(RESET)));
    const caller = { id: 'ba0000000003', limits: { concurrency: 1, callsPerDay: 9, moneyPerDay: 1 } };
    const open = async () => limits.open(caller, 9, new AbortController().signal);
    const noon = Date.UTC(2027, 0, 1, 12);
    vi.setSystemTime(noon);
    const lost = await open();
    lost.begin();
    lost.pay(70);
    // As soon as it is given up, its slot is free; what it took is taken until it is closed.
    await expect(open()).rejects.toThrow('1 requests are under way');
    vi.setSystemTime(noon + 16 * 60_000);
    await expect(open()).rejects.toThrow('the budget is used up');
    await lost.close();
    expect((await limits.spent(caller.id)).day).toEqual({ calls: 1, money: 70 });
    expect(told).toEqual([]);
  });
});

it.each([
  ['cannot be reached', () => Promise.reject(new Error('Exceeded allowed rows written'))],
  ['answers something else', () => Promise.resolve(new Response('<h1>1101</h1>'))],
])('an account that %s lets nobody in, and says when to come again', async (_, fetch) => {
  const told: string[] = [];
  const limits = createEdgeLimits({
    objects: { idFromName: (name) => name, get: () => ({ fetch }) },
    standard: {},
    waitMs: 0,
    id: () => crypto.randomUUID(),
    failed: (what) => told.push(what),
  });
  const caller = { id: 'c0c0c0c0c0c0', limits: { callsPerDay: 9 } };
  const refused = await Promise.resolve(limits.open(caller, 1, new AbortController().signal)).catch(
    (error: unknown) => error,
  );
  expect(refused).toMatchObject({ status: 503, reason: 'account-down', againMs: 30_000 });
  expect(told).toEqual(['opened']);
});
