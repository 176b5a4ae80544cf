/** The proxy inside somebody's own app, under a path of theirs, in a runtime that has no waitUntil. */
import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { createProxy } from '../../src/proxy/embedded.ts';
import { firstPlaceLover, pairwise, RIGHT, WRONG, whole } from './judges.ts';
import { startUpstream } from './servers.ts';

const silent = { log: () => {} };

it('debiases under a path of the app, passes the rest on, and keeps its traces', async () => {
  const upstream = await startUpstream(whole(firstPlaceLover));
  const app = new Hono().get('/', (c) => c.text('mine'));
  const settings = { JUDGE_BASE_URL: upstream.url, REMAND_BIASES: 'position' };
  app.mount('/judge', createProxy(settings, silent).fetch);

  const judged = await app.request('/judge/v1/chat/completions', {
    method: 'POST',
    headers: { authorization: 'Bearer sk-client' },
    body: pairwise(WRONG, RIGHT),
  });

  expect(judged.headers.get('x-remand-status')).toBe('revised');
  expect(await judged.text()).toContain('"content": "Output (b)"');
  expect(new Set(upstream.received.map(({ url }) => url))).toEqual(new Set(['/v1/chat/completions']));
  expect(upstream.received[0]?.headers.authorization).toBe('Bearer sk-client');
  const story = await app.request(`/judge/remand/traces/${judged.headers.get('x-remand-trace')}`);
  expect(await story.json()).toMatchObject({ status: 'revised', biases: ['position'] });
  expect(await (await app.request('/')).text()).toBe('mine');
  await app.request('/judge/v1/models?after=x');
  expect(upstream.received.at(-1)?.url).toBe('/v1/models?after=x');
});

it('answers with the sandbox judge where no judge is set', async () => {
  const answered = await createProxy({ REMAND_TRACES: 'off' }, silent).request('/v1/chat/completions', {
    method: 'POST',
    body: pairwise(WRONG, RIGHT, { model: 'remand-sandbox' }),
  });
  expect(answered.status).toBe(200);
  expect(answered.headers.get('x-remand-status')).toBe('unchanged');
  expect(answered.headers.get('x-remand-trace')).toBeNull();
});

it('names the setting that cannot be used', () => {
  expect(() => createProxy({ REMAND_ROUNDS: 'many' })).toThrow(/REMAND_ROUNDS/);
  expect(() => createProxy({ JUDGE_BASE_URL: 'recorded:verdicts.jsonl' })).toThrow(InputError);
});

it.each([
  ['REMAND_TRACES', { REMAND_TRACES: 'traces.sqlite' }],
  ['REMAND_STATE', { REMAND_STATE: 'state.sqlite' }],
  ['REMAND_CACHE_S', { REMAND_CACHE_S: 60 }],
])('%s, which nothing here would heed, is refused', (field, settings) => {
  expect(() => createProxy(settings, silent)).toThrow(expect.objectContaining({ field }));
});
