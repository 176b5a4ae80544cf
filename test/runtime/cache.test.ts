/** The cache at the edge: the platform's own KV, in which nothing can be read. */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { createWorker } from '../../src/proxy/worker.ts';
import { SANDBOX_DEMO } from '../../src/sandbox/sandbox.ts';
import { execution } from './bindings.ts';

it('gives the same tenant the same answer again, from any isolate', async () => {
  async function judge(authorization: string, body: object) {
    const { context, settled } = execution();
    const request = new Request('http://remand.test/v1/chat/completions', {
      method: 'POST',
      headers: { authorization },
      body: JSON.stringify(body),
    });
    const bindings = { ...env, REMAND_CACHE_S: '3600' };
    const answer = await createWorker().fetch(request, bindings, context);
    const text = await answer.text();
    await settled();
    return { hit: answer.headers.get('x-remand-cache') === 'hit', text };
  }
  const steady = { ...SANDBOX_DEMO, temperature: 0 };
  const first = await judge('Bearer sk-one', steady);
  expect(first.hit).toBe(false);
  expect(await judge('Bearer sk-one', steady)).toEqual({ hit: true, text: first.text });
  expect((await judge('Bearer sk-two', steady)).hit).toBe(false);
  expect((await judge('Bearer sk-one', { ...steady, temperature: 1 })).hit).toBe(false);
  const { keys } = await env.CACHE.list();
  expect(keys).toHaveLength(2);
  for (const { name } of keys) {
    const sealed = new Uint8Array((await env.CACHE.get(name, 'arrayBuffer')) ?? new ArrayBuffer());
    expect(sealed.length).toBeGreaterThan(100);
    expect(new TextDecoder('latin1').decode(sealed)).not.toContain('Output');
  }
});
