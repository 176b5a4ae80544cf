/** Keys over HTTP at the edge: kept in D1, their accounts asked of the Durable Objects that keep them. */
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { createWorker } from '../../src/proxy/worker.ts';
import { SANDBOX_DEMO } from '../../src/sandbox/sandbox.ts';
import { addKey, execution, migrate } from './bindings.ts';

beforeAll(migrate);

/** Each in an isolate of its own. */
async function ask(key: string | null, method: string, path: string, body?: object, bindings: object = env) {
  const { context, settled } = execution();
  const request = new Request(`http://remand.test${path}`, {
    method,
    headers: key === null ? {} : { authorization: `Bearer ${key}` },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await createWorker().fetch(request, bindings as typeof env, context);
  const text = await answer.text();
  await settled();
  return { status: answer.status, headers: answer.headers, said: JSON.parse(text), text };
}

it('made, used, told with what it has spent in any isolate, revoked', async () => {
  const admin = await addKey(['admin']);
  const limits = { callsPerDay: 14 };
  const made = await ask(admin.key, 'POST', '/remand/keys', { name: 'nightly', limits });
  expect(made.status).toBe(201);
  const { key, id } = made.said;
  const judged = await ask(key, 'POST', '/v1/chat/completions', SANDBOX_DEMO);
  const calls = Number(judged.headers.get('x-remand-calls'));
  expect(calls).toBeGreaterThan(1);
  const listed = await ask(admin.key, 'GET', '/remand/keys');
  // What it took and did not use has been given back.
  const spent = { calls, money: 0 };
  expect(listed.said.keys).toContainEqual({
    ...{ id, name: 'nightly', scopes: ['judge'], limits, from: 'database', revoked: null },
    ...{ created: made.said.created, spent: { day: spent, month: spent } },
  });
  expect(listed.text).not.toContain(key.slice(17));
  expect(listed.text).not.toContain(admin.record.hash);

  expect((await ask(admin.key, 'DELETE', `/remand/keys/${id}`)).said).toEqual({ revoked: id });
  expect((await ask(key, 'POST', '/v1/chat/completions', SANDBOX_DEMO)).status).toBe(401);
  expect((await ask(admin.key, 'DELETE', `/remand/keys/${id}`)).status).toBe(404);
  const { results } = await env.DB.prepare('SELECT action, subject FROM audit WHERE who = ? ORDER BY seq')
    .bind(admin.record.id)
    .all();
  expect(results).toEqual([
    { action: 'key-added', subject: id },
    { action: 'keys-read', subject: 'keys' },
    { action: 'key-revoked', subject: id },
  ]);
});

it('is for keys of scope admin only', async () => {
  const other = await addKey(['judge', 'traces']);
  for (const [key, status] of [
    [null, 401],
    ['rmd_x', 401],
    [other.key, 403],
  ] as const)
    expect(await ask(key, 'GET', '/remand/keys')).toMatchObject({
      status,
      said: { error: { message: expect.any(String) } },
    });
});

it('without a database there are the settings’ keys, and none can be made', async () => {
  const { key, record } = await addKey(['admin']);
  const bindings = { REMAND_KEYS: JSON.stringify([record]) };
  const listed = await ask(key, 'GET', '/remand/keys', undefined, bindings);
  expect(listed.said).toMatchObject({ keys: [{ id: record.id, from: 'settings' }] });
  const made = await ask(key, 'POST', '/remand/keys', { name: 'x' }, bindings);
  expect([made.status, made.said.error.message]).toEqual([501, expect.stringContaining('REMAND_KEYS')]);
});
