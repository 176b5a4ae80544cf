/** At the edge a judgment is told by the request that asked for it, after its answer, in four requests. */
import { afterEach, expect, it, vi } from 'vitest';
import { createWorker } from '../../src/proxy/worker.ts';
import { SANDBOX_DEMO } from '../../src/sandbox/sandbox.ts';
import { execution } from './bindings.ts';

const SETTINGS = {
  LANGFUSE_PUBLIC_KEY: 'pk',
  LANGFUSE_SECRET_KEY: 'sk',
  LANGFUSE_BASE_URL: 'http://langfuse.test',
};

afterEach(() => vi.unstubAllGlobals());

async function judged(network: typeof fetch) {
  vi.stubGlobal('fetch', network);
  const { context, settled } = execution();
  const body = JSON.stringify(SANDBOX_DEMO);
  const request = new Request('http://remand.test/v1/chat/completions', { method: 'POST', body });
  const answer = await createWorker().fetch(request, SETTINGS, context);
  return { answer, settled };
}

it('tells Langfuse of a judgment within waitUntil', async () => {
  const sent: { url: string; body: string }[] = [];
  const { answer, settled } = await judged(async (url, init) => {
    sent.push({ url: String(url), body: await new Response(init?.body).text() });
    return new Response('{}');
  });
  expect(answer.headers.get('x-remand-status')).toBe('revised');
  await settled();
  expect(sent.map(({ url }) => url).sort()).toEqual([
    'http://langfuse.test/api/public/otel/v1/traces',
    'http://langfuse.test/api/public/scores',
    'http://langfuse.test/api/public/scores',
    'http://langfuse.test/api/public/scores',
  ]);
  const trace = (answer.headers.get('x-remand-trace') ?? '').replaceAll('-', '');
  for (const { body } of sent) expect(body).toContain(trace);
});

it('answers as well where Langfuse cannot be reached', async () => {
  const { answer, settled } = await judged(async () => {
    throw new TypeError('no route');
  });
  expect(answer.headers.get('x-remand-status')).toBe('revised');
  await settled();
});
