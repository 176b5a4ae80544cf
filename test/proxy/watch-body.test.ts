/** A body that is watched ends once: what is charged at its end is charged once. */
import { expect, test } from 'vitest';
import { watchBody } from '../../src/proxy/limits/money.ts';

test('a client that leaves while a piece is awaited ends it once', async () => {
  let ends = 0;
  const body = new ReadableStream<Uint8Array>({
    start: (stream) => stream.enqueue(new Uint8Array([1, 2, 3])),
  });
  const watched = watchBody(new Response(body), { end: () => ends++ });
  const reader = watched.body?.getReader();
  await reader?.read();
  // The next read is under way.
  await new Promise((resolve) => setTimeout(resolve, 0));
  await reader?.cancel(new Error('the client left'));
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(ends).toBe(1);
});
