/** Traces take no more room than they may, a list reads none of them as a whole, and one bad row fails no list. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listKept } from '../../src/proxy/labels/trace-records.ts';
import { openDatabase } from '../../src/proxy/storage/database.ts';
import { createMemoryTraces, createSqliteTraces } from '../../src/proxy/traces/trace-stores.ts';
import { isWithheld } from '../../src/trace/build.ts';
import { type Trace, type TraceLimits, type TraceStore, traceSchema } from '../../src/trace/trace-schema.ts';
import { startChild } from '../proxy/child.ts';
import { fair, pairwise, RIGHT, replyBody, WRONG, whole } from '../proxy/judges.ts';
import { exchange, startProxy, startUpstream, until } from '../proxy/servers.ts';

const MB = 1e6;
const HTML = { headers: { accept: 'text/html' } };

function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'remand-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'traces.sqlite');
}

/** A trace whose first answer has so many characters. */
function traceOf(id: string, length: number): Trace {
  return traceSchema.parse({
    ...{ id, time: new Date().toISOString(), ms: 5, status: 'unchanged', stop: 'clean', judge: 'm' },
    ...{ detector: 'probe', mode: 'debias', layout: 'any', policy: 'last-word', rounds: 0, error: null },
    case: {
      instruction: 'Which?',
      options: [
        { label: 'A', text: 'x'.repeat(length) },
        { label: 'B', text: 'y' },
      ],
      context: [],
    },
    verdicts: [{ text: 'A', choice: 'A' }],
    final: { text: 'A', choice: 'A' },
    ...{ written: null, analyses: [], calls: [], biases: [] },
  });
}

describe.each<[string, (limits: TraceLimits) => TraceStore]>([
  ['memory', (limits) => createMemoryTraces(limits)],
  [
    'sqlite',
    (limits) => {
      const database = openDatabase(temporaryFile());
      onTestFinished(() => database.close());
      return createSqliteTraces(database, limits);
    },
  ],
])('the %s store', (_name, open) => {
  test('holds as many bytes as it may, the newest traces', async () => {
    const bytes = 10 * MB;
    const store = open({ keep: 1_000, bytes, bytesEach: bytes });
    for (let i = 0; i < 40; i++) await store.put(traceOf(`t${i}`, MB));
    const kept = await store.list({ limit: 1_000 });
    expect(kept[0]?.id).toBe('t39');
    // SQLite looks at it once in a sixteenth of the bytes.
    expect(kept.length).toBeGreaterThanOrEqual(9);
    expect(kept.length).toBeLessThanOrEqual(11);
    expect(await store.get('t20')).toBeNull();
    expect((await store.get('t39'))?.case.options[0]?.text).toHaveLength(MB);
  });

  test('keeps a trace that is too large without its texts, and refuses one that is too large even so', async () => {
    const store = open({ keep: 10, bytes: 10 * MB, bytesEach: 100_000 });
    await store.put(traceOf('large', MB));
    const kept = await store.get('large');
    expect(kept?.verdicts[0]?.choice).toBe('A');
    expect(kept?.case.options.map(({ text }) => isWithheld(text))).toEqual([true, true]);
    const labels = { ...traceOf('labels', 1), looked_for: ['b'.repeat(200_000)] };
    await expect(store.put(labels)).rejects.toThrow('REMAND_TRACE_BYTES');
    expect((await store.list({ limit: 10 })).map(({ id }) => id)).toEqual(['large']);
  });
});

test('the room that traces had is used again: the file does not grow without end', async () => {
  const database = openDatabase(temporaryFile());
  onTestFinished(() => database.close());
  const store = createSqliteTraces(database, { keep: 1_000, bytes: 5 * MB, bytesEach: MB });
  for (let i = 0; i < 100; i++) await store.put(traceOf(`t${i}`, MB / 2));
  const pages = database.prepare(
    'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size',
  );
  expect(Number(pages.get()?.bytes)).toBeLessThan(8 * MB);
  expect(database.prepare('SELECT count(*) AS n FROM trace_bodies').get()).toEqual(
    database.prepare('SELECT count(*) AS n FROM traces').get(),
  );
});

/** As versions before `trace_bodies` wrote it. */
function putOld(database: DatabaseSync, trace: Trace): void {
  const sql = 'INSERT INTO traces (id, status, biases, body) VALUES (?, ?, ?, ?)';
  database.prepare(sql).run(trace.id, trace.status, ',', JSON.stringify(trace));
}

test.each<[string, (database: DatabaseSync, trace: Trace) => void | Promise<void>]>([
  ['of this version', (database, trace) => createSqliteTraces(database, ROOMY).put(trace)],
  ['of before', putOld],
])(
  '45 traces of 5 MB %s are listed and shown by a server with a heap of 128 MB',
  async (_which, put) => {
    const file = temporaryFile();
    const database = openDatabase(file);
    for (let i = 0; i < 45; i++) await put(database, traceOf(`t${i}`, 5 * MB));
    database.close();
    const { url, child } = await startChild(join(file, '..'), {
      REMAND_TRACES: file,
      NODE_OPTIONS: '--max-old-space-size=128',
    });
    const dashboard = await exchange(`${url}/remand`, HTML);
    expect(dashboard.status).toBe(200);
    expect(dashboard.body.toString()).toContain('45 judgments');
    expect(dashboard.body.length).toBeLessThan(MB);
    const list = await exchange(`${url}/remand/traces?limit=1000`);
    expect(JSON.parse(list.body.toString()).traces).toHaveLength(45);
    expect(list.body.length).toBeLessThan(MB);
    for (const id of ['t0', 't22', 't44']) {
      const story = await exchange(`${url}/remand/traces/${id}`, HTML);
      expect([story.status, story.body.length > 5 * MB]).toEqual([200, true]);
      expect((await exchange(`${url}/remand/traces/${id}`)).status).toBe(200);
    }
    expect((await exchange(`${url}/remand/ready`)).status).toBe(200);
    expect(child.exitCode).toBeNull();
  },
  240_000,
);
const ROOMY: TraceLimits = { keep: 1_000, bytes: 1e9, bytesEach: 1e9 };

test('whoever reads all traces lets others in before each of them', async () => {
  const database = openDatabase(temporaryFile());
  onTestFinished(() => database.close());
  const store = createSqliteTraces(database, ROOMY);
  await Promise.all(Array.from({ length: 50 }, (_, i) => store.put(traceOf(`t${i}`, 10))));
  let [turns, read, reading] = [0, 0, true];
  const turn = () => {
    turns++;
    if (reading) setImmediate(turn);
  };
  setImmediate(turn);
  for await (const _ of listKept(store, null)) read++;
  reading = false;
  expect(read).toBe(50);
  expect(turns).toBeGreaterThanOrEqual(50);
});

describe.each([
  ['1e308', '1e308'],
  ['below zero', '-5'],
  ['a fraction', '0.5'],
  ['more than a number holds', '1e999'],
])('tokens that an upstream counts as %s', (_name, count) => {
  test('count as not told, and every page answers', async () => {
    const upstream = await startUpstream((received, response) => {
      const { model } = JSON.parse(received.body.toString());
      const body = replyBody('Output (a)');
      response.setHeader('content-type', 'application/json');
      response.end(
        model === 'odd'
          ? body.replace(/"(prompt|completion|total)_tokens": \d+/g, `"$1_tokens": ${count}`)
          : body,
      );
    });
    const REMAND_PRICES = '{"odd": {"input": 10, "output": 10}}';
    const proxy = await startProxy({
      JUDGE_BASE_URL: upstream.url,
      REMAND_PRICES,
      REMAND_BIASES: 'position',
    });
    const ids: string[] = [];
    for (const model of ['odd', 'odd', 'fine']) {
      const body = pairwise(RIGHT, WRONG, { model });
      const answer = await exchange(`${proxy.url}/v1/chat/completions`, { method: 'POST', body });
      expect(answer.status).toBe(200);
      if (count !== '1e999') JSON.parse(answer.body.toString());
      ids.push(String(answer.headers['x-remand-trace']));
    }
    const listed = await until(async () => {
      const { traces } = JSON.parse((await exchange(`${proxy.url}/remand/traces`)).body.toString());
      return traces.length === 3 && traces;
    }, 'the traces are kept');
    expect(listed.map((one: object) => 'unreadable' in one)).toEqual([false, false, false]);
    expect((await exchange(`${proxy.url}/remand`, HTML)).status).toBe(200);
    for (const id of ids) expect((await exchange(`${proxy.url}/remand/traces/${id}`, HTML)).status).toBe(200);
    const odd = await exchange(`${proxy.url}/remand/traces/${ids[0]}`);
    const { calls } = traceSchema.parse(JSON.parse(odd.body.toString()));
    expect(calls.map(({ tokens }) => tokens)).toEqual(calls.map(() => null));
    const metrics = (await exchange(`${proxy.url}/remand/metrics`)).body.toString();
    expect(metrics).not.toMatch(/Infinity|NaN|-\d/);
  });
});

test('a row that cannot be read is shown as such, and the others as they are', async () => {
  const file = temporaryFile();
  const upstream = await startUpstream(whole(fair));
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url, REMAND_TRACES: file });
  const judge = async () => {
    const answer = await exchange(`${proxy.url}/v1/chat/completions`, {
      method: 'POST',
      body: pairwise(RIGHT, WRONG),
    });
    return String(answer.headers['x-remand-trace']);
  };
  const [fine, bad, old] = [await judge(), await judge(), await judge()];
  await until(async () => (await exchange(`${proxy.url}/remand/traces/${old}`)).status === 200, 'kept');
  const other = new DatabaseSync(file);
  other.exec('PRAGMA busy_timeout = 5000');
  const huge = {
    own: { calls: 1, tokens: 1e308, cost: 1e308 },
    added: { calls: 1, tokens: 1e308, cost: null },
  };
  other.prepare("UPDATE traces SET body = json_set(body, '$.spent', json(?))").run(JSON.stringify(huge));
  other.prepare("UPDATE traces SET body = '[]' WHERE id = ?").run(bad);
  other
    .prepare('UPDATE trace_bodies SET body = \'{"id":\' WHERE seq = (SELECT seq FROM traces WHERE id = ?)')
    .run(bad);
  other.prepare("UPDATE traces SET bytes = NULL, body = '{}' WHERE id = ?").run(old);
  other.close();
  const list = JSON.parse((await exchange(`${proxy.url}/remand/traces`)).body.toString());
  expect(list.traces).toMatchObject([
    { id: old, unreadable: expect.any(String) },
    { id: bad, unreadable: expect.any(String) },
    { id: fine, status: 'unchanged', calls: expect.any(Number) },
  ]);
  const page = await exchange(`${proxy.url}/remand`, HTML);
  expect(page.status).toBe(200);
  expect(page.body.toString()).toContain('unreadable');
  expect(page.body.toString()).toContain(fine);
  expect((await exchange(`${proxy.url}/remand/traces/${fine}`)).status).toBe(200);
  const told = await exchange(`${proxy.url}/remand/traces/${bad}`, HTML);
  expect(told.status).toBe(500);
  expect(told.body.toString()).toContain('cannot be read');
});
