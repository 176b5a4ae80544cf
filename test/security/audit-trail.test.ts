/** The audit trail loses nothing: not to a tenant who fills the queue of traces, and not to a disk that does not keep up. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/proxy/config.ts';
import { openStorage } from '../../src/proxy/storage/node.ts';
import { traceSchema } from '../../src/trace/schema.ts';
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

function connected(file: string): DatabaseSync {
  const database = new DatabaseSync(file);
  onTestFinished(() => database.close());
  return database;
}

test('an entry is written though another tenant has filled the queue of traces', async () => {
  const file = temporaryFile();
  const storage = openStorage(readConfig({ REMAND_TRACES: file }), { thread: true });
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
