/** A provider's limits, kept by what its replies say. */
import { describe, expect, it, test } from 'vitest';
import { createFleet, paceFetch, parseResetMs, readRestMs } from '../../src/models/run.ts';
import { type Clock, type FetchInit, systemClock } from '../../src/ports.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const post: FetchInit = { method: 'POST', headers: new Headers(), body: '{}' };

test.each([
  ['6m0s', 360_000],
  ['20ms', 20],
  ['1.5s', 1500],
  ['2', 2000],
  ['1h2m', 3_720_000],
  ['2026-03-01T12:00:07Z', 7000],
  ['2026-03-01T11:00:00Z', 0],
  ['soon', null],
  ['', null],
])('a reset of "%s" is in %s ms', (text, ms) => {
  expect(parseResetMs(text, NOW)).toBe(ms);
});

test.each([
  [200, { 'x-ratelimit-remaining-requests': '3', 'x-ratelimit-reset-requests': '9s' }, 0],
  [200, { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '9s' }, 9000],
  [
    200,
    {
      'anthropic-ratelimit-tokens-remaining': '0',
      'anthropic-ratelimit-tokens-reset': '2026-03-01T12:00:04Z',
    },
    4000,
  ],
  [429, { 'retry-after': '3' }, 3000],
  [429, {}, 0],
  [400, { 'retry-after': '3' }, 0],
])('after a %s with %j it rests %s ms', (status, headers, ms) => {
  expect(readRestMs(new Response(null, { status, headers: headers as Record<string, string> }), NOW)).toBe(
    ms,
  );
});

/** A clock whose waits pass at once. */
function handClock(): Clock & { waited: number[] } {
  let elapsed = 0;
  const waited: number[] = [];
  return {
    ...systemClock,
    waited,
    elapsed: () => elapsed,
    after(ms) {
      waited.push(ms);
      elapsed += ms;
      return AbortSignal.abort(new DOMException('over', 'TimeoutError'));
    },
  };
}

it('holds back the next call, and only that long', async () => {
  const clock = handClock();
  const replies = [
    new Response('a', {
      headers: { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '5s' },
    }),
    new Response('b'),
    new Response('c'),
  ];
  const fetch = paceFetch(async () => replies.shift() ?? new Response(''), clock);
  for (const text of ['a', 'b', 'c']) expect(await (await fetch('http://judge', post)).text()).toBe(text);
  expect(clock.waited).toEqual([5000]);
});

describe('a fleet', () => {
  it('shares the calls by weight', async () => {
    const calls: string[] = [];
    const member = (weight: number, url: string) => ({
      url,
      weight,
      fetch: async (to: string) => {
        calls.push(to);
        await new Promise((resolve) => setTimeout(resolve, 20));
        return new Response('');
      },
    });
    const fetch = createFleet('fleet:judges', [member(1, 'http://one'), member(3, 'http://three')]);
    await Promise.all(Array.from({ length: 8 }, () => fetch('fleet:judges/v1/x', post)));
    expect(calls.filter((url) => url === 'http://three/v1/x')).toHaveLength(6);
    expect(calls.filter((url) => url === 'http://one/v1/x')).toHaveLength(2);
  });

  it('passes over a member that is gone, and fails only where all are', async () => {
    const gone = { url: 'http://gone', weight: 1, fetch: () => Promise.reject(new Error('refused')) };
    const here = { url: 'http://here', weight: 1, fetch: async () => new Response('here') };
    expect(await (await createFleet('f:', [gone, here])('f:/', post)).text()).toBe('here');
    await expect(createFleet('f:', [gone, gone])('f:/', post)).rejects.toThrow('refused');
  });
});
