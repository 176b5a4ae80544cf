/** `remand erase`: what a key judged, or what is old, is gone from the file while its server runs on. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { firstPlaceLover, pairwise, RIGHT, whole } from '../proxy/judges.ts';
import { exchange, startProxy, startUpstream, until } from '../proxy/servers.ts';
import { remand } from './command.ts';

const LIMIT = { timeout: 300_000 };

async function judged(settings: (folder: string) => Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'remand-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const env = settings(folder);
  const upstream = await startUpstream(whole(firstPlaceLover));
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url, REMAND_ACCESS: 'pages', ...env });
  const added = async (scopes: string) =>
    JSON.parse((await remand(['keys', 'add', '--name', 'n', '--scopes', scopes, '--json'], env)).out);
  const [tenant, reader] = [await added('judge'), await added('traces')];
  const ask = (answer: string, headers = {}) =>
    exchange(`${proxy.url}/v1/chat/completions`, { method: 'POST', headers, body: pairwise(RIGHT, answer) });
  await ask('the zebra of the tenant', { 'x-remand-key': tenant.key });
  await ask('the okapi of anybody');
  const list = async (): Promise<{ id: string; status: string }[]> => {
    const headers = { 'x-remand-key': reader.key };
    return JSON.parse((await exchange(`${proxy.url}/remand/traces`, { headers })).body.toString()).traces;
  };
  await until(async () => ((await list()).length === 2 ? true : null), 'both traces are kept');
  const kept = () => ['', '-wal'].map((end) => readFileSync(env.REMAND_TRACES + end, 'latin1')).join('');
  return { env, tenant, list, kept, ask };
}

function trail(env: Readonly<Record<string, string>>) {
  const database = new DatabaseSync(env.REMAND_STATE ?? env.REMAND_TRACES ?? '');
  const rows = database.prepare("SELECT who, subject FROM audit WHERE action = 'traces-erased'").all();
  database.close();
  return rows.map((row) => ({ ...row }));
}

test.each([
  ['one file', (folder: string) => ({ REMAND_TRACES: join(folder, 't.sqlite') })],
  [
    'two files',
    (folder: string) => ({ REMAND_TRACES: join(folder, 't.sqlite'), REMAND_STATE: join(folder, 's.sqlite') }),
  ],
])(
  'of a key, from %s: its texts are in the file no more, and those of others are',
  LIMIT,
  async (_, settings) => {
    const { env, tenant, list, kept, ask } = await judged(settings);
    expect(kept()).toContain('zebra');
    expect(await remand(['erase', '--key', tenant.id, '--json'], env)).toMatchObject({
      code: 0,
      out: expect.stringContaining('"erased":1'),
    });
    expect(trail(env)).toEqual([{ who: 'operator', subject: `key ${tenant.id}` }]);
    expect(await list()).toHaveLength(1);
    expect(kept()).not.toContain('zebra');
    expect(kept()).toContain('okapi');
    await ask('the tapir of anybody');
    await until(async () => ((await list()).length === 2 ? true : null), 'the next trace is kept');
  },
);

test('of days before one, and for D1 as statements', LIMIT, async () => {
  const { env, list } = await judged((folder) => ({ REMAND_TRACES: join(folder, 't.sqlite') }));
  expect((await remand(['erase', '--before', '2020-01-01'], env)).out).toBe('0 traces erased.\n');
  expect(await list()).toHaveLength(2);
  expect(trail(env)).toEqual([]);
  const { out } = await remand(['erase', '--before', '2999-01-01', '--sql'], env);
  expect(await list()).toHaveLength(2);
  const database = new DatabaseSync(env.REMAND_TRACES ?? '');
  database.exec(out);
  const count = (table: string) => database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n;
  expect([count('traces'), count('trace_bodies')]).toEqual([0, 0]);
  database.close();
  expect(trail(env)).toEqual([{ who: 'operator', subject: 'before 2999-01-01' }]);
  const again = new DatabaseSync(env.REMAND_TRACES ?? '');
  again.exec(out);
  again.close();
  expect(trail(env)).toHaveLength(1);
});

test(
  'where the file of the trail is empty or is none, the trail says so, or the error names the file',
  LIMIT,
  async () => {
    const { env, list } = await judged((folder) => ({ REMAND_TRACES: join(folder, 't.sqlite') }));
    const state = { ...env, REMAND_STATE: join(env.REMAND_TRACES ?? '', '..', 'state.sqlite') };
    writeFileSync(state.REMAND_STATE, 'no database. '.repeat(100));
    const refused = await remand(['erase', '--before', '2999-01-01'], state);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('state.sqlite')]);
    expect(await list()).toHaveLength(2);
    writeFileSync(state.REMAND_STATE, '');
    expect((await remand(['erase', '--before', '2999-01-01'], state)).code).toBe(0);
    expect(trail(state)).toEqual([{ who: 'operator', subject: 'before 2999-01-01' }]);
  },
);

test.each([
  ['--before', []],
  ['--before', ['--before', 'yesterday']],
  ['--before', ['--before', '2026-02-30']],
  ['--key', ['--key', "' OR 1"]],
  ['REMAND_TRACES', ['--before', '2026-01-01']],
])('a mistake in %s: %o', async (field, args) => {
  const { code, err } = await remand(['erase', ...args], { REMAND_TRACES: '/none/of/these.sqlite' });
  expect([code, err]).toEqual([2, expect.stringContaining(field)]);
});
