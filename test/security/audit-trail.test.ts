/** The audit trail loses nothing: not to a tenant who fills the queue of traces, and not to a disk that does not keep up. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/proxy/config.ts';
import { openStorage } from '../../src/proxy/node-storage.ts';
import { traceSchema } from '../../src/trace/trace-schema.ts';
import { fair, pairwise, RIGHT, WRONG, whole } from '../proxy/judges.ts';
import { exchange, keyOf, startProxy, startUpstream, until } from '../proxy/servers.ts';

function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'remand-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'traces.sqlite');
}

function trail(database: DatabaseSync): unknown[] {
  return database.prepare('SELECT who, action, subject FROM audit').all();
}

/** Eight of them are more than what may wait to be written. */
const LONG = pairwise(RIGHT, `381 ${'and so on '.repeat(1_300_000)}`);

function connected(file: string): DatabaseSync {
  const database = new DatabaseSync(file);
  onTestFinished(() => database.close());
  return database;
}

test('an entry is written though another tenant has filled the queue of traces', async () => {
  const file = temporaryFile();
  const storage = openStorage(readConfig({ REMAND_TRACES: file }), { thread: true, log: () => {} });
  onTestFinished(() => storage.close());
  storage.state();
  const disk = connected(file);
  // Nothing can be written until this is over.
  disk.exec('BEGIN IMMEDIATE');
  const flood = Array.from({ length: 80 }, (_, i) =>
    storage.traces?.put(
      traceSchema.parse({
        ...{ id: `t${i}`, time: '2026-03-01T12:00:00.000Z', ms: 5, status: 'unchanged', stop: 'clean' },
        ...{ judge: 'm', detector: 'probe', mode: 'debias', layout: 'any', policy: 'last-word', rounds: 0 },
        case: { instruction: 'x'.repeat(1 << 20), options: [], context: [] },
        ...{
          verdicts: [],
          final: { text: '' },
          written: null,
          analyses: [],
          calls: [],
          biases: [],
          error: null,
        },
      }),
    ),
  );
  const kept = Promise.allSettled(flood);
  const entry = storage.audit.addDone({ time: 0, who: 'tenant', action: 'judged', subject: 'theirs' });
  disk.exec('ROLLBACK');
  await entry;
  expect(trail(disk)).toEqual([{ who: 'tenant', action: 'judged', subject: 'theirs' }]);
  expect((await kept).filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0);
});

test('an answer to a key goes out when its entry can be read by others, and not before', async () => {
  const file = temporaryFile();
  const upstream = await startUpstream(whole(fair));
  const { key, record } = await keyOf('tenant', ['judge', 'traces']);
  const proxy = await startProxy({
    JUDGE_BASE_URL: upstream.url,
    REMAND_TRACES: file,
    REMAND_KEYS: JSON.stringify([record]),
  });
  const headers = { 'x-remand-key': key };
  const judge = () =>
    exchange(`${proxy.url}/v1/chat/completions`, { method: 'POST', headers, body: pairwise(RIGHT, WRONG) });
  const disk = connected(file);
  const answer = await judge();
  const trace = answer.headers['x-remand-trace'];
  expect(trail(disk)).toEqual([{ who: record.id, action: 'judged', subject: trace }]);
  await exchange(`${proxy.url}/remand/keys`, { headers });
  expect(trail(disk)).toContainEqual({ who: record.id, action: 'refused', subject: 'scope' });
  await exchange(`${proxy.url}/remand/traces/${trace}`, { headers });
  expect(trail(disk)).toContainEqual({ who: record.id, action: 'read', subject: trace });

  disk.exec('BEGIN IMMEDIATE');
  const asked = upstream.received.length;
  let answered = false;
  const waiting = judge().then((said) => {
    answered = true;
    return said;
  });
  await until(() => upstream.received.length > asked, 'the judge was asked');
  // Whatever the proxy does by itself, it does meanwhile.
  await exchange(`${proxy.url}/remand/health`);
  expect(answered).toBe(false);
  disk.exec('ROLLBACK');
  const { status, headers: said } = await waiting;
  expect(status).toBe(200);
  expect(trail(disk)).toContainEqual({
    who: record.id,
    action: 'judged',
    subject: said['x-remand-trace'],
  });
});

test('over HTTP: a tenant who floods it loses nobody an entry, its own included', {
  timeout: 120_000,
}, async () => {
  const file = temporaryFile();
  const held = Promise.withResolvers<void>();
  const reply = whole(fair);
  const upstream = await startUpstream(async (received, response) => {
    if (received.body.length > LONG.length / 2) await held.promise;
    await reply(received, response);
  });
  const [hostile, other] = await Promise.all([keyOf('hostile'), keyOf('other')]);
  const proxy = await startProxy({
    JUDGE_BASE_URL: upstream.url,
    REMAND_TRACES: file,
    REMAND_KEYS: JSON.stringify([hostile.record, other.record]),
    REMAND_READ_LIMIT: String(16 << 20),
    REMAND_READ_MS: '60000',
    REMAND_TRACE_BYTES: String(1 << 29),
    REMAND_ROUNDS: '0',
  });
  const judge = (key: string, body: string) =>
    exchange(`${proxy.url}/v1/chat/completions`, { method: 'POST', headers: { 'x-remand-key': key }, body });
  const refusals = () =>
    Array.from({ length: 100 }, () =>
      exchange(`${proxy.url}/remand/keys`, { headers: { 'x-remand-key': hostile.key } }),
    );
  const disk = connected(file);
  const flood = Array.from({ length: 8 }, () => judge(hostile.key, LONG));
  await until(() => upstream.received.length === 8, 'the judge was asked for all of them', 60_000);
  // Nothing can be written until this is over.
  disk.exec('BEGIN IMMEDIATE');
  held.resolve();
  const notStored = async () => {
    const text = (await exchange(`${proxy.url}/remand/metrics`)).body.toString();
    return Number(/^remand_not_stored_total (\d+)$/m.exec(text)?.[1]);
  };
  await until(async () => (await notStored()) > 0, 'the flood has filled the queue of traces');
  const refused = refusals();
  const beside = Array.from({ length: 5 }, () => judge(other.key, pairwise(RIGHT, WRONG)));
  await until(() => upstream.received.length === 13, 'the other tenant is under way');
  disk.exec('ROLLBACK');
  const others = await Promise.all(beside);
  expect(others.map(({ status }) => status)).toEqual(Array(5).fill(200));
  for (const { headers } of others)
    expect(trail(disk)).toContainEqual({
      who: other.record.id,
      action: 'judged',
      subject: headers['x-remand-trace'],
    });
  expect((await Promise.all(refused)).map(({ status }) => status)).toEqual(Array(100).fill(403));
  const judged = await Promise.all(flood);
  const count = (action: string) =>
    disk
      .prepare('SELECT count(*) AS count FROM audit WHERE action = ? AND who = ?')
      .get(action, hostile.record.id);
  expect(judged.map(({ status }) => status)).toEqual(Array(8).fill(200));
  expect([count('judged'), count('refused')]).toEqual([{ count: 8 }, { count: 100 }]);
});
