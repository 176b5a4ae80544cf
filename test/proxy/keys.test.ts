/** Keys over HTTP: who may see, make and revoke them, what is told of them, and what stands in the audit trail. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { firstPlaceLover, pairwise, RIGHT, WRONG, whole } from './judges.ts';
import { exchange, keyOf, startProxy, startUpstream, until } from './servers.ts';

const PRICES = '{"test-judge": {"input": 1000, "output": 5000}}';

async function administered(settings: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'remand-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'state.sqlite');
  const upstream = await startUpstream(whole(firstPlaceLover));
  const [admin, reader] = [await keyOf('admin', ['admin']), await keyOf('reader', ['judge', 'traces'])];
  const proxy = await startProxy({
    JUDGE_BASE_URL: upstream.url,
    REMAND_BIASES: 'position',
    REMAND_ACCESS: 'keys',
    REMAND_KEYS: JSON.stringify([admin.record, reader.record]),
    REMAND_TRACES: file,
    REMAND_PRICES: PRICES,
    ...settings,
  });
  const ask = async (
    method: string,
    path: string,
    key: string | null,
    body = '',
    more: Record<string, string> = {},
  ) => {
    const headers = { ...more, ...(key !== null && { 'x-remand-key': key }) };
    const answer = await exchange(`${proxy.url}/remand/keys${path}`, { method, headers, body });
    return {
      status: answer.status,
      headers: answer.headers,
      text: answer.body.toString(),
      said: JSON.parse(answer.body.toString()),
    };
  };
  const judge = (key: string) =>
    exchange(`${proxy.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'x-remand-key': key },
      body: pairwise(WRONG, RIGHT),
    });
  const trail = (who: string) => {
    const database = new DatabaseSync(file);
    try {
      return database.prepare('SELECT action, subject FROM audit WHERE who = ? ORDER BY seq').all(who);
    } finally {
      database.close();
    }
  };
  return { proxy, upstream, ask, judge, trail, admin, reader };
}

test('made, used, told with what it has spent, revoked; every act is in the audit trail', async () => {
  const { ask, judge, trail, admin, reader } = await administered();
  const wanted = { name: 'nightly', limits: { callsPerDay: 50, moneyPerMonth: 2 } };
  const made = await ask('POST', '', admin.key, JSON.stringify(wanted));
  expect([made.status, made.headers['cache-control']]).toEqual([201, 'no-store']);
  expect(made.said).toEqual({
    key: expect.stringMatching(/^rmd_[0-9a-f]{12}_[\w-]{43}$/),
    id: expect.stringMatching(/^[0-9a-f]{12}$/),
    ...wanted,
    scopes: ['judge'],
    created: expect.any(String),
    revoked: null,
  });
  const { key, id } = made.said;
  expect((await judge(key)).headers['x-remand-calls']).toBe('4');

  const listed = await ask('GET', '', admin.key);
  expect(listed.status).toBe(200);
  const unlimited = { limits: {}, spent: null, from: 'settings' };
  // 100 tokens in and 4 out, at these prices: 0.12 a call.
  const spent = { calls: 4, money: 0.48 };
  expect(listed.said).toMatchObject({
    keys: [
      { id: admin.record.id, name: 'admin', scopes: ['admin'], ...unlimited },
      { id: reader.record.id, ...unlimited },
      { id, ...wanted, from: 'database', spent: { day: spent, month: spent } },
    ],
    next: null,
  });
  // Neither a key nor what it is known by.
  for (const secret of [key.slice(17), admin.record.hash, 'hash']) expect(listed.text).not.toContain(secret);
  const page = (await ask('GET', '?offset=1&limit=1&spent=false', admin.key)).said;
  expect([page.keys.map((one: { name: string }) => one.name), page.next]).toEqual([['reader'], 2]);

  expect((await ask('DELETE', `/${id}`, admin.key)).said).toEqual({ revoked: id });
  expect((await judge(key)).status).toBe(401);
  expect((await ask('DELETE', `/${id}`, admin.key)).status).toBe(404);
  expect(trail(admin.record.id)).toEqual([
    { action: 'key-added', subject: id },
    { action: 'keys-read', subject: 'keys' },
    { action: 'keys-read', subject: 'keys' },
    { action: 'key-revoked', subject: id },
  ]);
});

test.each(['GET', 'POST', 'DELETE'])('%s is refused without a key of scope admin', async (method) => {
  const { ask, trail, admin, reader } = await administered();
  const path = method === 'DELETE' ? `/${reader.record.id}` : '';
  const wrong = `${admin.key.slice(0, -1)}${admin.key.endsWith('A') ? 'B' : 'A'}`;
  const other = { origin: 'https://evil.example' };
  for (const [key, headers, status] of [
    [null, {}, 401],
    [wrong, {}, 401],
    [reader.key, {}, 403],
    [admin.key, other, 403],
  ] as const) {
    const { status: got, said } = await ask(
      method,
      path,
      key,
      method === 'POST' ? '{"name": "x"}' : '',
      headers,
    );
    expect([got, said]).toEqual([status, { error: { message: expect.any(String) } }]);
  }
  await until(() => trail(reader.record.id).length > 0, 'the refusal is written down');
  expect(trail(reader.record.id)).toEqual([{ action: 'refused', subject: 'scope' }]);
  expect((await ask('GET', '', admin.key)).said.keys).toHaveLength(2);
});

test('a key is needed even where this machine’s own users need none for anything else', async () => {
  const proxy = await startProxy({});
  expect((await exchange(`${proxy.url}/remand/traces`)).status).toBe(200);
  expect((await exchange(`${proxy.url}/remand/keys`)).status).toBe(401);
});

test.each<[string, string, string, string, number, string]>([
  ['what is no JSON', 'POST', '', 'name=x', 400, 'body'],
  ['no name', 'POST', '', '{"name": ""}', 400, 'name'],
  ['an unknown scope', 'POST', '', '{"name": "x", "scopes": ["root"]}', 400, 'scopes'],
  ['a limit below zero', 'POST', '', '{"name": "x", "limits": {"callsPerDay": -1}}', 400, 'callsPerDay'],
  ['a key of one’s own', 'POST', '', '{"name": "x", "hash": "0"}', 400, 'hash'],
  ['too much', 'POST', '', `{"name": "${'x'.repeat(20_000)}"}`, 413, 'larger than'],
  ['a page of none', 'GET', '?limit=0', '', 400, 'limit'],
  ['nobody’s id', 'DELETE', '/000000000000', '', 404, 'no valid key'],
  ['the id of a key in the settings', 'DELETE', '/ADMIN', '', 409, 'REMAND_KEYS'],
])('%s is told to be wrong, and nothing is done', async (_what, method, path, body, status, words) => {
  const { ask, trail, admin } = await administered();
  const answer = await ask(method, path.replace('ADMIN', admin.record.id), admin.key, body);
  expect([answer.status, answer.said]).toEqual([
    status,
    { error: { message: expect.stringContaining(words) } },
  ]);
  expect(trail(admin.record.id)).toEqual([]);
});
