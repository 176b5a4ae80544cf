/** `remand keys`: a key is shown once, works on a server that is running, and is out as soon as it is revoked. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/proxy/storage/database.ts';
import { exchange, startProxy, startUpstream } from '../proxy/servers.ts';
import { remand } from './command.ts';

const LIMIT = { timeout: 300_000 };

function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'remand-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'state.sqlite');
}

const keys = (file: string, ...args: string[]) => remand(['keys', ...args], { REMAND_STATE: file });

test('made, listed, used, revoked', LIMIT, async () => {
  const file = temporaryFile();
  const proxy = await startProxy({ REMAND_STATE: file, REMAND_ACCESS: 'keys' });
  const limits = '{"callsPerDay":100}';
  const added = await keys(
    file,
    'add',
    '--name',
    'nightly',
    '--scopes',
    'judge,traces',
    '--limits',
    limits,
    '--json',
  );
  expect(added.code).toBe(0);
  const { key, id } = JSON.parse(added.out);
  expect(key).toMatch(/^rmd_[0-9a-f]{12}_[\w-]{43}$/);
  const get = () => exchange(`${proxy.url}/remand/traces`, { headers: { 'x-remand-key': key } });
  expect((await get()).status).toBe(200);
  const listed = await keys(file, 'list', '--json');
  expect(JSON.parse(listed.out).keys).toMatchObject([
    { id, name: 'nightly', scopes: ['judge', 'traces'], limits: { callsPerDay: 100 }, revoked: null },
  ]);
  const secret = key.slice(-43);
  expect(listed.out + listed.err).not.toContain(secret);
  expect(readFileSync(file, 'latin1') + readFileSync(`${file}-wal`, 'latin1')).not.toContain(secret);
  expect((await keys(file, 'revoke', key)).code).toBe(0);
  expect((await get()).status).toBe(401);
  expect((await keys(file, 'revoke', id)).code).toBe(2);
  const database = new DatabaseSync(file);
  const trail = database.prepare('SELECT who, action, subject FROM audit ORDER BY seq').all();
  database.close();
  expect(trail.filter(({ who }) => who === 'operator')).toEqual([
    { who: 'operator', action: 'key-added', subject: id },
    { who: 'operator', action: 'key-revoked', subject: id },
  ]);
});

test(
  'what a key has spent is told against its budget; callers without a key have one account',
  LIMIT,
  async () => {
    const file = temporaryFile();
    const REMAND_LIMITS = '{"callsPerMonth": 9}';
    const upstream = await startUpstream((_, response) => void response.end('{}'));
    const proxy = await startProxy({ REMAND_STATE: file, REMAND_LIMITS, JUDGE_BASE_URL: upstream.url });
    const made = async (limits: string) => {
      const added = await keys(file, 'add', '--name', 'a', '--limits', limits, '--json');
      return JSON.parse(added.out);
    };
    const [limited, unlimited] = [await made('{"callsPerDay": 5}'), await made('{"concurrency": 2}')];
    const ask = (key: string | null) =>
      exchange(`${proxy.url}/v1/embeddings`, {
        method: 'POST',
        body: '{}',
        headers: key === null ? {} : { 'x-remand-key': key },
      });
    for (const key of [limited.key, limited.key, unlimited.key, null])
      expect((await ask(key)).status).toBe(200);
    const list = async (...args: string[]) =>
      (await remand(['keys', 'list', ...args], { REMAND_STATE: file, REMAND_LIMITS })).out;
    const told = JSON.parse(await list('--json'));
    const calls = (calls: number) => ({ calls, money: 0 });
    expect(told).toMatchObject({
      keys: [
        { id: limited.id, limits: { callsPerDay: 5 }, spent: { day: calls(2), month: calls(2) } },
        { id: unlimited.id, limits: { concurrency: 2 }, spent: null },
      ],
      anyone: { limits: { callsPerMonth: 9 }, spent: { day: calls(1), month: calls(1) } },
    });
    const lines = await list();
    expect(lines).toContain('{"callsPerDay":5}  2 of 5 calls today, 2 this month\n');
    expect(lines).toContain('without a key  {"callsPerMonth":9}  1 calls today, 1 of 9 this month\n');
  },
);

test('printed for a place without this file, it changes nothing here', LIMIT, async () => {
  const file = temporaryFile();
  const name = `Robert'); DROP TABLE keys;--`;
  const { out, err } = await keys(file, 'add', '--name', name, '--sql');
  const database = openDatabase(':memory:');
  database.exec(out);
  const [row] = database.prepare('SELECT * FROM keys').all();
  const key = /rmd_\S+/.exec(err)?.[0] ?? '';
  expect(row).toMatchObject({ name, id: key.slice(4, 16), scopes: 'judge', revoked: null });
  expect(out).not.toContain(key);
  database.exec((await keys(file, 'revoke', key.slice(4, 16), '--sql')).out);
  expect(database.prepare('SELECT revoked FROM keys').get()?.revoked).toMatch(/^\d{4}-/);
  database.close();
  const record = await keys(file, 'add', '--name', 'b', '--record');
  const other = /rmd_\S+/.exec(record.err)?.[0] ?? '';
  const proxy = await startProxy({ REMAND_ACCESS: 'keys', REMAND_KEYS: `[${record.out}]` });
  const answer = await exchange(`${proxy.url}/v1/models`, { headers: { 'x-remand-key': other } });
  expect(answer.status).not.toBe(401);
  expect(JSON.parse((await keys(file, 'list', '--json')).out)).toEqual({ keys: [] });
});

test.each([
  [['add', '--name', ' '], 'name'],
  [['add', '--name', 'a', '--scopes', 'judge,root'], 'scopes'],
  [['add', '--name', 'a', '--limits', '{"callsPerDay": -1}'], 'limits.callsPerDay'],
  [['add', '--name', 'a', '--limits', '{"calls": 1}'], 'limits'],
  [['revoke', 'nightly'], 'id'],
])('%j is refused, and why is said', LIMIT, async (args, field) => {
  const { code, err } = await keys(temporaryFile(), ...args);
  expect(code).toBe(2);
  expect(err).toContain(field);
});
