/** Which calls are let through beside each other, by a clock that the test moves. */
import { expect, test } from 'vitest';
import type { Lane } from '../../src/ports.ts';
import { withPriority } from '../../src/proxy/limits/priority.ts';
import { scriptedClock } from '../scripted-clock.ts';

/** An upstream that answers when the test says so. */
function upstream() {
  const clock = scriptedClock(0);
  const open: { readonly isAdded: boolean; readonly answer: (response: Response) => void }[] = [];
  const fetch = withPriority(async (_url, { lane }) => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    open.push({ isAdded: lane?.isAdded ?? false, answer: resolve });
    return promise;
  }, clock);
  const lane: Lane = { upstream: 'http://judge', model: 'm', who: null };
  const call = async (isAdded: boolean) =>
    fetch('http://judge/v1', { method: 'POST', headers: new Headers(), lane: { ...lane, isAdded } });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  /** Answers the call that is under way longest. */
  const answer = async (status: number, headers = {}) => {
    open.shift()?.answer(new Response(null, { status, headers }));
    await settle();
  };
  return { clock, open, call, answer, settle };
}

test('added calls that are woken together go one by one', async () => {
  const { clock, open, call, answer, settle } = upstream();
  // A client's request has no room beside a client's request and an added call.
  void call(true);
  void call(false);
  await settle();
  const refused = call(false);
  await settle();
  open.reverse();
  await answer(429);
  expect((await refused).status).toBe(429);
  clock.pass(3_000);
  const waiting = Array.from({ length: 6 }, () => call(true));
  await settle();
  // Two are known to have room.
  expect(open).toHaveLength(2);
  for (let left = 7; left >= 0; left--) {
    await answer(204);
    expect(open).toHaveLength(Math.min(2, left));
  }
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(6).fill(204));
});

test.each([
  ['5', 5_500],
  ['1', 3_000],
  // A client waits for a minute at most.
  ['3600', 60_500],
])('a refusal with retry-after %s holds added calls back for %d ms', async (after, heldMs) => {
  const { clock, open, call, answer, settle } = upstream();
  void call(true);
  await settle();
  const refused = call(false);
  await settle();
  open.reverse();
  await answer(429, { 'retry-after': after });
  expect(await refused).toMatchObject({ status: 429, crowded: true });
  await answer(204);
  void call(true);
  await settle();
  clock.pass(heldMs - 1);
  await settle();
  expect(open).toHaveLength(0);
  clock.pass(1);
  await settle();
  expect(open).toHaveLength(1);
});
