/** The wall clock is set back or forward by an hour: nothing is refused longer for it, and nothing ends early. */
import { describe, expect, test } from 'vitest';
import { withRetry } from '../../src/http/retry.ts';
import { JudgeError } from '../../src/http/send.ts';
import { createLedger } from '../../src/models/ledger.ts';
import { paceFetch } from '../../src/models/run.ts';
import type { FetchInit } from '../../src/ports.ts';
import { createDoor } from '../../src/proxy/access/door.ts';
import { createKey } from '../../src/proxy/access/key.ts';
import { createBook, createMemorySpending } from '../../src/proxy/limits/account-book.ts';
import { createAdmission } from '../../src/proxy/limits/gate.ts';
import { scriptedClock } from '../scripted-clock.ts';

const HOUR = 3_600_000;
const NOON = Date.parse('2026-03-01T12:00:00Z');
const JUMPS = [
  ['back', -HOUR],
  ['forward', HOUR],
] as const;
const post: FetchInit = { method: 'POST', headers: new Headers(), body: '{}' };

describe.each(JUMPS)('the clock is set %s by an hour', (_way, jump) => {
  test('a call lasted as long as it lasted', async () => {
    const clock = scriptedClock(NOON);
    const ledger = createLedger({ clock, extraCalls: 1 });
    await ledger.run({ to: 'm', kind: 'judge' }, async () => {
      clock.pass(40);
      clock.jump(jump);
      return { value: null, tokens: null, cached: false };
    });
    expect(ledger.calls).toMatchObject([{ at: 0, ms: 40 }]);
  });

  test('an endpoint that asked for five seconds is left alone for five seconds', async () => {
    const clock = scriptedClock(NOON, { auto: true });
    const headers = { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '5s' };
    const replies = [new Response('a', { headers }), new Response('b')];
    const fetch = paceFetch(async () => replies.shift() ?? new Response(''), clock);
    await fetch('http://judge', post);
    clock.jump(jump);
    await fetch('http://judge', post);
    expect(clock.asked).toEqual([5000]);
  });

  test('a time in a reply is read by the clock of whoever sent it', async () => {
    const clock = scriptedClock(NOON + jump, { auto: true });
    const headers = { date: 'Sun, 01 Mar 2026 12:00:00 GMT', 'retry-after': 'Sun, 01 Mar 2026 12:00:03 GMT' };
    const response = new Response(null, { status: 503, headers });
    let attempts = 0;
    const attempt = async () => {
      if (attempts++ > 0) return 'answered';
      throw new JudgeError('busy', { retryable: true, response });
    };
    const signal = new AbortController().signal;
    // p-retry waits its own first half second itself.
    expect(await withRetry(attempt, { retries: 1, maxWaitMs: 5000, signal, clock })).toBe('answered');
    expect(clock.asked).toHaveLength(1);
    expect(clock.asked[0]).toBeGreaterThan(2000);
    expect(clock.asked[0]).toBeLessThanOrEqual(3000);
  });

  test('a revoked key is out ten seconds later, and not before it is looked up again', async () => {
    const clock = scriptedClock(NOON);
    const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));
    const { key, record } = await createKey({ name: 'a', scopes: ['judge'], limits: {} }, random, NOON);
    let [revoked, looks]: [string | null, number] = [null, 0];
    const door = createDoor({
      keys: {
        async find() {
          looks++;
          return { ...record, revoked };
        },
      },
      policy: { judging: 'key', pages: 'key', answersTo: () => true, answersFor: () => true },
      origins: [],
      remember: true,
      clock,
    });
    const enter = async () =>
      door.enter(new Request('http://remand/', { headers: { 'x-remand-key': key } }), '/', 'judge');
    await enter();
    revoked = '2026-03-01T12:00:00Z';
    clock.jump(jump);
    await enter();
    expect(looks).toBe(1);
    clock.pass(10_000);
    await expect(enter()).rejects.toThrow('was revoked');
  });
});

test('a budget of a new day is there though the clock is set back into a day whose budget is used up', () => {
  const book = createBook(createMemorySpending());
  const limits = { callsPerDay: 1 };
  const HALF_PAST_TWELVE = Date.parse('2026-03-02T00:30:00Z');
  book.take('a', limits, 1, HALF_PAST_TWELVE - HOUR);
  expect(() => book.take('a', limits, 1, HALF_PAST_TWELVE - HOUR)).toThrow('callsPerDay');
  expect(book.left('a', { callsPerDay: 3 }, HALF_PAST_TWELVE)).toBe(3);
  expect(book.take('a', limits, 1, HALF_PAST_TWELVE - HOUR)).toMatchObject({ calls: 1, day: '2026-03-02' });
  // Once only.
  expect(() => book.take('a', limits, 1, HALF_PAST_TWELVE)).toThrow('callsPerDay');
  // It had been wrong by a month: days begin by the clock as it is now.
  book.left('a', limits, HALF_PAST_TWELVE + 30 * 24 * HOUR);
  expect(book.take('b', limits, 1, HALF_PAST_TWELVE)).toMatchObject({ calls: 1, day: '2026-03-02' });
});

test.each(JUMPS)('who waits for a turn waits as long as was said, the clock set %s', async (_way, jump) => {
  const clock = scriptedClock(NOON);
  const underWay = createAdmission(clock, () => crypto.randomUUID());
  const gate = { concurrency: 1, queue: 2, waitMs: 5_000 };
  const { signal } = new AbortController();
  const leave = await underWay.enter('a', null, gate, signal);
  const first = underWay.enter('a', null, gate, signal);
  const second = underWay.enter('a', null, gate, signal);
  clock.jump(jump);
  clock.pass(4_999);
  leave();
  (await first)();
  (await second)();
  const again = await underWay.enter('a', null, gate, signal);
  const late = underWay.enter('a', null, gate, signal);
  const told = expect(late).rejects.toThrow('no turn within 5000 ms');
  clock.jump(jump);
  clock.pass(5_000);
  await told;
  again();
});
