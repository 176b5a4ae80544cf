/** The call store: nothing is paid twice, and what cannot be read is asked for again. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  CACHED_HEADER,
  type CallStore,
  callKey,
  createMemoryCalls,
  createStoredFetch,
} from '../../src/models/call-store.ts';
import { openSqliteCalls } from '../../src/models/store/sqlite-calls.ts';
import type { Fetch } from '../../src/ports.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'remand-store-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const identity = { endpoint: 'http://judge/v1', model: 'm', request: '{}', attempt: 0 };
const post = (body: string) => ({ method: 'POST', headers: new Headers(), body });

function counting(reply: (asked: number) => Response): { fetch: Fetch; asked: () => number } {
  let asked = 0;
  return { fetch: async () => reply(++asked), asked: () => asked };
}

function through(fetch: Fetch, store: CallStore, attempt = 0): Fetch {
  return createStoredFetch(fetch, {
    store,
    identify: () => ({ endpoint: 'http://judge/v1', model: 'm', attempt }),
    accept: (reply) => reply.startsWith('{') && reply.endsWith('}'),
  });
}

it('knows a call by all that makes it one', async () => {
  const others = [
    { ...identity, endpoint: 'http://other/v1' },
    { ...identity, model: 'n' },
    { ...identity, request: '{ }' },
    { ...identity, attempt: 1 },
    // Moved from one field into the next, it is another call.
    { ...identity, endpoint: 'http://judge/v1m', model: '' },
  ];
  const keys = await Promise.all([identity, ...others].map(callKey));
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
});

describe('a transport with a store', () => {
  it('asks once for the same thing, byte for byte, and says where the second reply came from', async () => {
    const judge = counting((n) => new Response(`{"n": ${n}}`));
    const store = createMemoryCalls();
    const first = await through(judge.fetch, store)('http://judge/v1', post('{}'));
    const second = await through(judge.fetch, store)('http://judge/v1', post('{}'));
    expect([await first.text(), await second.text()]).toEqual(['{"n": 1}', '{"n": 1}']);
    expect([first.headers.has(CACHED_HEADER), second.headers.has(CACHED_HEADER)]).toEqual([false, true]);
    expect(judge.asked()).toBe(1);
  });

  it('asks once for the same thing at the same time', async () => {
    const judge = counting((n) => new Response(`{"n": ${n}}`));
    const fetch = through(judge.fetch, createMemoryCalls());
    const replies = await Promise.all([1, 2, 3].map(() => fetch('http://judge/v1', post('{}'))));
    expect(await Promise.all(replies.map((reply) => reply.text()))).toEqual(Array(3).fill('{"n": 1}'));
    expect(judge.asked()).toBe(1);
  });

  it('keeps neither an error nor a reply that was cut off', async () => {
    const replies = [new Response('{}', { status: 500 }), new Response('{"half": '), new Response('{}')];
    const judge = counting((n) => replies[n - 1] ?? new Response('{}'));
    const fetch = through(judge.fetch, createMemoryCalls());
    for (const status of [500, 200, 200, 200])
      expect((await fetch('http://judge/v1', post('{}'))).status).toBe(status);
    expect(judge.asked()).toBe(3);
  });

  it('takes another attempt for another call', async () => {
    const judge = counting((n) => new Response(`{"n": ${n}}`));
    const store = createMemoryCalls();
    for (const attempt of [0, 1, 1])
      await through(judge.fetch, store, attempt)('http://judge/v1', post('{}'));
    expect(judge.asked()).toBe(2);
  });
});

describe('in a file', () => {
  it('is there for the next process', async () => {
    const path = join(folder, 'deep', 'calls.sqlite');
    const one = openSqliteCalls(path);
    await one.put('k', { endpoint: 'e', model: 'm', request: 'q', reply: 'r' });
    // Not closed: a killed process does not close it either.
    const two = openSqliteCalls(path);
    expect(await two.get('k')).toEqual({ endpoint: 'e', model: 'm', request: 'q', reply: 'r' });
    expect(await two.get('other')).toBeNull();
    expect(two.count()).toBe(1);
    one.close();
    two.close();
  });

  it('says so where the file is something else', () => {
    const path = join(folder, 'notes.txt');
    writeFileSync(path, 'these are notes, and far too long to be the start of a database file\n'.repeat(20));
    expect(() => openSqliteCalls(path)).toThrow(path);
  });
});
