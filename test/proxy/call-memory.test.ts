/** Calls that two judgments would ask alike are asked once, and never the client's own. */
import { describe, expect, test, vi } from 'vitest';
import { createCallMemory, type MemoryCall, type Received } from '../../src/proxy/cache/call-memory.ts';
import { scriptedClock } from '../scripted-clock.ts';
import { fair, firstPlaceLover, pairwise, RIGHT, streamed, textFor, WRONG, whole } from './judges.ts';
import { exchange, type Reply, startProxy, startUpstream } from './servers.ts';

const PATH = '/v1/chat/completions';
const steady = { temperature: 0 };

async function running(reply: Reply, settings: Record<string, string> = {}) {
  const upstream = await startUpstream(reply);
  const proxy = await startProxy({
    JUDGE_BASE_URL: upstream.url,
    REMAND_BIASES: 'position',
    ...settings,
  });
  return {
    bodies: () => upstream.received.map(({ body }) => body.toString()),
    ask: (body: string, headers: Record<string, string> = {}) =>
      exchange(proxy.url + PATH, { method: 'POST', headers, body }),
  };
}

test('a pair judged in both orders takes three calls, not four', async () => {
  const { ask, bodies } = await running(whole(fair));
  const first = await ask(pairwise(RIGHT, WRONG, steady));
  const twin = await ask(pairwise(WRONG, RIGHT, steady));
  expect([first, twin].map(({ headers }) => headers['x-remand-calls'])).toEqual(['2', '1']);
  expect(twin.headers).toMatchObject({ 'x-remand-status': 'unchanged', 'x-remand-biases': '' });
  // The client's own request goes to the judge though its bytes were asked before.
  expect(bodies().filter((body) => body === pairwise(WRONG, RIGHT, steady))).toHaveLength(2);
});

test('of a judge that goes by the place the twin is sent back in the same calls', async () => {
  const { ask, bodies } = await running(whole(firstPlaceLover));
  const first = await ask(pairwise(WRONG, RIGHT, steady));
  const twin = await ask(pairwise(RIGHT, WRONG, steady));
  expect(first.headers).toMatchObject({ 'x-remand-status': 'revised', 'x-remand-calls': '4' });
  expect(twin.headers).toMatchObject({ 'x-remand-biases': 'position', 'x-remand-calls': '1' });
  expect(bodies()).toHaveLength(5);
});

test('a verdict that another request has paid for says nothing of that one call', async () => {
  let calls = 0;
  const { ask } = await running((received, response) => {
    response.setHeader('set-cookie', `call=${++calls}`);
    response.setHeader('x-ratelimit-remaining-requests', String(100 - calls));
    return whole(firstPlaceLover)(received, response);
  });
  const [first, again] = [
    await ask(pairwise(WRONG, RIGHT, steady)),
    await ask(pairwise(WRONG, RIGHT, steady)),
  ];
  expect([first, again].map(({ headers }) => headers['x-remand-calls'])).toEqual(['4', '1']);
  const usage = [first, again].map(({ body }) => JSON.parse(body.toString()).usage);
  expect(usage).toMatchObject([
    { total_tokens: 416, prompt_tokens_details: { cached_tokens: 40 } },
    { total_tokens: 104, prompt_tokens_details: { cached_tokens: 10 } },
  ]);
  expect(again.headers).not.toHaveProperty('set-cookie');
  expect(again.headers).not.toHaveProperty('x-ratelimit-remaining-requests');
  expect(again.headers['content-type']).toBe(first.headers['content-type']);
});

test.each<[string, Record<string, unknown>, (text: string) => string]>([
  ['that holds an error', steady, () => '{"error":{"message":"overloaded"}}'],
  [
    'whose stream ends too early',
    { ...steady, stream: true },
    (text) => `data: {"choices":[{"index":0,"delta":{"content":${JSON.stringify(text)}}}]}\n\n`,
  ],
])('a reply %s is told to nobody else', async (_what, rest, broken) => {
  const { ask, bodies } = await running((received, response) => {
    if (received.body.toString() === pairwise(RIGHT, WRONG, rest)) {
      const answer = 'stream' in rest ? streamed : whole;
      return answer(fair)(received, response);
    }
    response.setHeader('content-type', 'stream' in rest ? 'text/event-stream' : 'application/json');
    response.end(broken(textFor(received, fair)));
  });
  for (let n = 0; n < 2; n++) await ask(pairwise(RIGHT, WRONG, rest));
  expect(bodies().filter((body) => body !== pairwise(RIGHT, WRONG, rest))).toHaveLength(2);
});

test.each<[string, string, Record<string, string>]>([
  ['of another caller', pairwise(WRONG, RIGHT, steady), { authorization: 'Bearer sk-other' }],
  [
    'with another header that the judge reads',
    pairwise(WRONG, RIGHT, steady),
    { 'openai-organization': 'o' },
  ],
  ['that wants nothing stored', pairwise(WRONG, RIGHT, steady), { 'cache-control': 'no-store' }],
  ['of another model', pairwise(WRONG, RIGHT, { ...steady, model: 'other' }), {}],
])('a twin %s is examined with calls of its own', async (_what, body, headers) => {
  const { ask } = await running(whole(fair));
  await ask(pairwise(RIGHT, WRONG, steady), { authorization: 'Bearer sk-client' });
  const twin = await ask(body, { authorization: 'Bearer sk-client', ...headers });
  expect(twin.headers['x-remand-calls']).toBe('2');
});

test('where the judge may answer otherwise each time, nothing is shared', async () => {
  const { ask } = await running(whole(fair));
  await ask(pairwise(RIGHT, WRONG));
  const twin = await ask(pairwise(WRONG, RIGHT));
  expect(twin.headers['x-remand-calls']).toBe('2');
});

test('votes drawn at a temperature are probed once', async () => {
  const { ask } = await running(whole(fair));
  const votes = [1, 2, 3].map(() => ask(pairwise(RIGHT, WRONG, { temperature: 1 })));
  const calls = (await Promise.all(votes)).map(({ headers }) => Number(headers['x-remand-calls']));
  expect(calls.sort()).toEqual([1, 1, 2]);
});

test('a budget of calls is not charged for what was known', async () => {
  const { ask } = await running(whole(fair), { REMAND_LIMITS: '{"callsPerDay":4}' });
  const orders = [pairwise(RIGHT, WRONG, steady), pairwise(WRONG, RIGHT, steady)];
  for (const body of orders) expect((await ask(body)).headers['x-remand-status']).toBe('unchanged');
  // The fourth call of the day is left for it, and none for the other order.
  const last = await ask(pairwise(RIGHT, WRONG, { ...steady, seed: 1 }));
  expect(last.headers).toMatchObject({ 'x-remand-calls': '1', 'x-remand-reason': 'budget' });
});

describe('the memory', () => {
  const call = (judgment: object, body: unknown = steady): MemoryCall => ({
    ...{ who: null, url: 'http://judge', headers: new Headers() },
    body: JSON.stringify(body),
    judgment,
  });
  const reply = (text: string): Promise<Received> =>
    Promise.resolve({ status: 200, headers: new Headers(), text, isWhole: true });

  test('tells no judgment a reply twice: a repeat shows how far the judge wavers', async () => {
    const memory = createCallMemory(scriptedClock(0));
    const [one, other] = [{}, {}];
    const ask = async (judgment: object, text: string) => {
      const { received, known } = await memory.share(call(judgment), () => reply(text));
      return [received.text, known];
    };
    expect(await ask(one, 'a')).toEqual(['a', false]);
    expect(await ask(one, 'b')).toEqual(['b', false]);
    expect(await ask(other, 'c')).toEqual(['b', true]);
    expect(await ask(other, 'd')).toEqual(['d', false]);
  });

  test('waits for a call that is under way, and makes its own where that fails', async () => {
    const memory = createCallMemory(scriptedClock(0));
    const { promise, reject } = Promise.withResolvers<Received>();
    const underWay = Promise.withResolvers<void>();
    const first = memory.share(call({}), () => {
      underWay.resolve();
      return promise;
    });
    // Which of two that begin at once is the first to be made is not told by their order.
    await underWay.promise;
    const waits: boolean[] = [];
    const second = memory.share(
      call({}),
      () => reply('own'),
      (isHeld) => {
        waits.push(isHeld);
        if (isHeld) reject(new Error('the client left'));
      },
    );
    await expect(first).rejects.toThrow('the client left');
    expect(await second).toMatchObject({ received: { text: 'own' }, known: false });
    expect(waits).toEqual([true, false]);
  });

  test('makes a call of its own where the other one hangs, and takes the reply that comes first', async () => {
    const clock = scriptedClock(0);
    const memory = createCallMemory(clock, 4_000);
    const other = Promise.withResolvers<Received>();
    const own = Promise.withResolvers<Received>();
    const underWay = Promise.withResolvers<void>();
    void memory.share(call({}), () => {
      underWay.resolve();
      return other.promise;
    });
    await underWay.promise;
    const [second, waits] = [[] as unknown[], [] as boolean[]];
    const sharing = memory.share(
      call({}),
      () => {
        second.push('sent');
        return own.promise;
      },
      (isHeld) => waits.push(isHeld),
    );
    await clock.passOnceAsked(4_000);
    await vi.waitFor(() => expect([second, waits]).toEqual([['sent'], [true, false]]));
    other.resolve(await reply('other'));
    expect(await sharing).toMatchObject({ received: { text: 'other' }, known: false });
    own.resolve(await reply('own'));
    expect(await memory.share(call({}), () => reply('third'))).toMatchObject({
      received: { text: 'own' },
      known: true,
    });
  });

  test.each<[string, Partial<Received>]>([
    ['is no answer', { isWhole: false }],
    ['is very long', { text: 'x'.repeat(1 << 19) }],
  ])('makes a call of its own where the reply that it waits for %s', async (_what, over) => {
    const memory = createCallMemory(scriptedClock(0));
    const first = memory.share(call({}), async () => ({ ...(await reply('a')), ...over }));
    const second = memory.share(call({}), () => reply('own'));
    expect(await second).toMatchObject({ received: { text: 'own' }, known: false });
    expect((await first).known).toBe(false);
  });

  test('forgets after half an hour, and the oldest where it holds too much', async () => {
    const clock = scriptedClock(0);
    const memory = createCallMemory(clock);
    const ask = async (seed: number, text = '') =>
      (await memory.share(call({}, { seed }), () => reply(text))).known;
    expect([await ask(1), await ask(1)]).toEqual([false, true]);
    clock.pass(30 * 60_000 + 1);
    expect(await ask(1)).toBe(false);
    for (let seed = 2; seed < 70; seed++) await ask(seed, 'x'.repeat(1 << 18));
    expect([await ask(1), await ask(69)]).toEqual([false, true]);
  });
});
