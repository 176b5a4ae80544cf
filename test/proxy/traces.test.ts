/** What happened can be looked up: as JSON, as a page, after a restart, and with a store that fails. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { getPlatformProxy } from 'wrangler';
import { openDatabase } from '../../src/proxy/storage/database.ts';
import { MIGRATIONS } from '../../src/proxy/storage/migrations.ts';
import type { D1 } from '../../src/proxy/storage/table-sql.ts';
import { createDirectWriter, createWriteBatcher } from '../../src/proxy/storage/write-batcher.ts';
import {
  createD1Traces,
  createMemoryTraces,
  createSqliteTraces,
} from '../../src/proxy/traces/trace-stores.ts';
import { type Trace, type TraceLimits, type TraceStore, traceSchema } from '../../src/trace/trace-schema.ts';
import { firstPlaceLover, pairwise, RIGHT, WRONG, whole } from './judges.ts';
import { exchange, startProxy, startUpstream, until } from './servers.ts';

const PATH = '/v1/chat/completions';
const headers = { 'x-remand-biases': 'position' };

function traceOf(id: string, status: string, biases: string[]): Trace {
  return {
    id,
    time: '2026-11-21T00:00:00.000Z',
    ms: 5,
    status,
    would_be: null,
    would_say: null,
    reason: null,
    stop: 'clean',
    judge: 'm',
    fingerprint: null,
    detector: 'probe',
    mode: 'debias',
    layout: 'any',
    case: { instruction: null, options: [{ label: 'A', text: 'ü' }], context: [] },
    verdicts: [{ text: 'A', choice: 'A' }],
    final: { text: 'A', choice: 'A' },
    moved: status === 'revised',
    spent: {
      own: { calls: 1, tokens: 100, cost: 0.5 },
      added: { calls: 3, tokens: 300, cost: status === 'insisted' ? null : 1.5 },
    },
    written: null,
    analyses: [],
    calls: [],
    biases,
    sensitivity: [],
    untested: [],
    security: [],
    confidence: null,
    samples: null,
    escalated: null,
    order: null,
    rounds: 0,
    policy: 'last-word',
    ruling: null,
    error: null,
  };
}

const ROOMY: TraceLimits = { keep: 100, bytes: 1e9, bytesEach: 1e9 };

function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'remand-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'deep', 'traces.sqlite');
}

/** A real D1, in workerd, as it is after its migrations. */
async function startD1() {
  const folder = mkdtempSync(join(tmpdir(), 'remand-'));
  const configPath = join(folder, 'wrangler.json');
  const database = { binding: 'TRACES', database_name: 'remand', database_id: 'local' };
  writeFileSync(
    configPath,
    JSON.stringify({ name: 'remand', compatibility_date: '2026-10-20', d1_databases: [database] }),
  );
  const { env, dispose } = await getPlatformProxy<{ TRACES: D1 }>({ configPath, persist: false });
  const steps = MIGRATIONS.flatMap(({ statements }) => statements);
  await env.TRACES.batch(steps.map((statement) => env.TRACES.prepare(statement)));
  const close = async () => {
    await dispose();
    rmSync(folder, { recursive: true });
  };
  return { database: env.TRACES, close };
}

let started: ReturnType<typeof startD1> | null = null;
afterAll(async () => (await started)?.close());

/** One for all tests, empty for each. */
async function d1(): Promise<D1> {
  started ??= startD1();
  const { database } = await started;
  await database.batch(['traces', 'trace_bodies'].map((table) => database.prepare(`DELETE FROM ${table}`)));
  return database;
}

function opened(): DatabaseSync {
  const database = openDatabase(temporaryFile());
  onTestFinished(() => database.close());
  return database;
}

describe.each<[string, (limits: TraceLimits) => Promise<TraceStore>]>([
  ['memory', async (limits) => createMemoryTraces(limits)],
  ['sqlite', async (limits) => createSqliteTraces(opened(), limits)],
  ['D1', async (limits) => createD1Traces(await d1(), limits)],
])('the %s store', (_name, open) => {
  test('finds a trace again, and lists the newest first, filtered and page by page', async () => {
    const store = await open({ ...ROOMY, keep: 100 });
    const all = [
      traceOf('one', 'unchanged', []),
      traceOf('two', 'revised', ['position']),
      traceOf('three', 'revised', ['verbosity', 'position']),
      traceOf('four', 'insisted', ['positional']),
    ];
    for (const trace of all) await store.put(trace);
    expect(await store.get('two')).toEqual(all[1]);
    expect(await store.get('none')).toBeNull();
    const ids = async (query: Partial<Parameters<TraceStore['list']>[0]>) =>
      (await store.list({ limit: 10, ...query })).map(({ id }) => id);
    expect(await ids({})).toEqual(['four', 'three', 'two', 'one']);
    expect(await ids({ limit: 2 })).toEqual(['four', 'three']);
    expect(await ids({ limit: 2, before: 'three' })).toEqual(['two', 'one']);
    expect(await ids({ before: 'pruned long ago' })).toEqual([]);
    expect(await ids({ status: 'revised' })).toEqual(['three', 'two']);
    expect(await ids({ bias: 'position' })).toEqual(['three', 'two']);
    expect(await ids({ bias: 'position', before: 'three', status: 'revised' })).toEqual(['two']);
  });

  test('finds what was found together by each of it, and by all of it', async () => {
    const store = await open({ ...ROOMY, keep: 100 });
    await store.put(traceOf('alone', 'revised', ['verbosity']));
    await store.put(traceOf('beside', 'revised', ['bandwagon', 'verbosity']));
    await store.put(traceOf('together', 'revised', ['position', 'bandwagon+verbosity']));
    const ids = async (bias: string) => (await store.list({ limit: 10, bias })).map(({ id }) => id);
    expect(await ids('verbosity')).toEqual(['together', 'beside', 'alone']);
    expect(await ids('bandwagon')).toEqual(['together', 'beside']);
    expect(await ids('bandwagon+verbosity')).toEqual(['together']);
    expect(await ids('verb')).toEqual([]);
  });

  test('adds up what is kept, by day, judge, status and biases', async () => {
    const store = await open({ ...ROOMY, keep: 10 });
    const of = (id: string, status: string, more: Partial<Trace> = {}) => ({
      ...traceOf(id, status, status === 'unchanged' ? [] : ['position']),
      ...more,
    });
    for (const trace of [
      of('a', 'revised'),
      of('b', 'revised'),
      of('c', 'insisted', { reason: 'deadline' }),
      of('d', 'unchanged', { judge: 'other' }),
      of('e', 'unchanged', { time: '2026-11-20T23:59:59.999Z' }),
      of('f', 'unchanged', { spent: null }),
      of('old', 'unchanged', { time: '2026-10-01T00:00:00.000Z' }),
    ])
      await store.put(trace);
    const folded: Record<string, number[]> = {};
    for (const one of await store.sums('2026-11-20')) {
      const key = [one.day, one.judge, one.status, one.biases.join('+')].join(' ');
      const { count, moved, unexamined, own, added } = one;
      const figures = [count, moved, unexamined, own.tokens, added.calls, added.cost, added.unpriced];
      folded[key] = figures.map((figure, i) => figure + (folded[key]?.[i] ?? 0));
    }
    expect(folded).toEqual({
      '2026-11-21 m revised position': [2, 2, 0, 200, 6, 3, 0],
      '2026-11-21 m insisted position': [1, 0, 1, 100, 3, 0, 1],
      '2026-11-21 other unchanged ': [1, 0, 0, 100, 3, 1.5, 0],
      '2026-11-20 m unchanged ': [1, 0, 0, 100, 3, 1.5, 0],
      '2026-11-21 m unchanged ': [1, 0, 0, 0, 0, 0, 1],
    });
    expect((await store.list({ limit: 9, judge: 'other' })).map(({ id }) => id)).toEqual(['d']);
    expect((await store.list({ limit: 9, day: '2026-11-20' })).map(({ id }) => id)).toEqual(['e']);
  });

  test('holds as many bytes as it may, and a trace larger than that without its texts', async () => {
    const store = await open({ keep: 1_000, bytes: 1e6, bytesEach: 1e6 });
    const of = (id: string, length: number): Trace => ({
      ...traceOf(id, 'unchanged', []),
      case: { instruction: 'x'.repeat(length), options: [], context: [] },
    });
    for (let i = 0; i < 30; i++) await store.put(of(`t${i}`, 1e5));
    const kept = await store.list({ limit: 100 });
    expect(kept[0]?.id).toBe('t29');
    expect(kept.length).toBeGreaterThanOrEqual(8);
    expect(kept.length).toBeLessThanOrEqual(10);
    expect(await store.get('t10')).toBeNull();
    // More than D1 takes in a row.
    await store.put(of('large', 3e6));
    expect((await store.get('large'))?.case.instruction).toBe('[3000000 characters withheld]');
  });

  test('finds several again, in the order asked for, however large they are together', async () => {
    const store = await open(ROOMY);
    // More than is read at a time.
    for (let n = 0; n < 8; n++)
      await store.put({
        ...traceOf(`t${n}`, 'unchanged', []),
        case: { instruction: 'ü'.repeat(n === 5 ? 10 : 9e5), options: [], context: [] },
      });
    const ids = ['t5', 'none', 't0', 't1', 't2', 'none', 't0', 't3', 't4', 't6', 't7', 'none'];
    const found = await Array.fromAsync(store.each(ids), (one) => one.id);
    expect(found).toEqual(ids.filter((id) => id !== 'none'));
    const all = [...Array.from({ length: 1_500 }, (_, n) => `none ${n}`), 't5'];
    expect(await Array.fromAsync(store.each(all), (one) => one.id)).toEqual(['t5']);
    expect(await Array.fromAsync(store.each([]))).toEqual([]);
  });

  test('drops the oldest', async () => {
    const store = await open({ ...ROOMY, keep: 5 });
    for (let i = 0; i < 30; i++) await store.put(traceOf(`t${i}`, 'unchanged', []));
    const kept = await store.list({ limit: 1000 });
    expect(kept.map(({ id }) => id)).toEqual(['t29', 't28', 't27', 't26', 't25']);
    expect(await store.get('t24')).toBeNull();
  });
});

test('a file never holds more than a sixteenth above the limit', async () => {
  const store = createSqliteTraces(opened(), { ...ROOMY, keep: 64 });
  const counts = new Set<number>();
  for (let i = 0; i < 200; i++) {
    await store.put(traceOf(`t${i}`, 'unchanged', []));
    counts.add((await store.list({ limit: 1000 })).length);
  }
  expect(Math.max(...counts)).toBeLessThanOrEqual(64 + 4);
  expect(counts).toContain(64);
});

test('pruning writes where a limit is passed, and nowhere else: a writer is a thread', async () => {
  const database = opened();
  const direct = createDirectWriter(database);
  let writes = 0;
  const together = createWriteBatcher({
    write(batch) {
      writes++;
      return direct.write(batch);
    },
  });
  const of = (keep: number) => createSqliteTraces(database, { ...ROOMY, keep }, together);
  for (let i = 0; i < 3; i++) await of(5).put(traceOf(`t${i}`, 'unchanged', []));
  writes = 0;
  await of(5).prune();
  expect(writes).toBe(0);
  await of(2).prune();
  expect(writes).toBe(1);
  expect((await of(2).list({ limit: 10 })).map(({ id }) => id)).toEqual(['t2', 't1']);
});

test('traces outlive a restart', async () => {
  const upstream = await startUpstream(whole(firstPlaceLover));
  const settings = { JUDGE_BASE_URL: upstream.url, REMAND_TRACES: temporaryFile() };
  const first = await startProxy(settings);
  const answer = await exchange(first.url + PATH, { method: 'POST', headers, body: pairwise(WRONG, RIGHT) });
  await first.close();
  const second = await startProxy(settings);
  const trace = await exchange(`${second.url}/remand/traces/${answer.headers['x-remand-trace']}`);
  expect(trace.status).toBe(200);
});

test('a smaller limit holds from the start on', async () => {
  const upstream = await startUpstream(whole(firstPlaceLover));
  const settings = { JUDGE_BASE_URL: upstream.url, REMAND_TRACES: temporaryFile() };
  const first = await startProxy(settings);
  const body = pairwise(WRONG, RIGHT);
  for (let i = 0; i < 5; i++) await exchange(first.url + PATH, { method: 'POST', headers, body });
  await first.close();
  const second = await startProxy({ ...settings, REMAND_TRACES_KEEP: '2' });
  const { traces } = JSON.parse((await exchange(`${second.url}/remand/traces`)).body.toString());
  expect(traces).toHaveLength(2);
});

describe('served', () => {
  async function judged(first: string, second: string) {
    const upstream = await startUpstream(whole(firstPlaceLover));
    const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url });
    const answer = await exchange(proxy.url + PATH, {
      method: 'POST',
      headers,
      body: pairwise(first, second),
    });
    const id = String(answer.headers['x-remand-trace']);
    await until(
      async () => (await exchange(`${proxy.url}/remand/traces/${id}`)).status === 200,
      'the trace is stored',
    );
    const get = (path: string, accept = 'application/json') =>
      exchange(proxy.url + path, { headers: { accept } });
    return { id, get };
  }

  test('a trace as JSON tells everything that happened', async () => {
    const { id, get } = await judged(WRONG, RIGHT);
    const trace = traceSchema.parse(JSON.parse((await get(`/remand/traces/${id}`)).body.toString()));
    expect(trace).toMatchObject({
      id,
      status: 'revised',
      stop: 'clean',
      judge: 'test-judge',
      detector: 'probe',
      mode: 'debias',
      policy: 'last-word',
      case: {
        instruction: 'What is 17*23?',
        options: [
          { label: 'Output (a)', text: WRONG },
          { label: 'Output (b)', text: RIGHT },
        ],
      },
      verdicts: [
        { text: 'Output (a)', choice: 'Output (a)' },
        { text: 'Output (b)', choice: 'Output (b)' },
      ],
      final: { choice: 'Output (b)' },
      biases: ['position'],
      rounds: 1,
      error: null,
    });
    expect(trace.analyses.map(({ biased }) => biased)).toEqual([true, false]);
    expect(trace.analyses[0]?.evidence[0]).toMatchObject({
      changed: true,
      before: { choice: 'Output (a)' },
      after: { choice: 'Output (b)' },
    });
    expect(trace.calls.map(({ kind }) => kind).sort()).toEqual(['judge', 'remand', 'remand', 'swap']);
    for (const call of trace.calls) {
      expect(call).toMatchObject({
        to: 'test-judge',
        tokens: { input: 100, output: 4 },
        cached: false,
        error: null,
      });
      expect(call.ms).toBeGreaterThanOrEqual(0);
    }
    const list = JSON.parse(
      (await get('/remand/traces?limit=1&status=revised&bias=position')).body.toString(),
    );
    expect(list.traces.map((one: Trace) => one.id)).toEqual([id]);
    expect(JSON.parse((await get('/remand/traces?status=insisted')).body.toString())).toEqual({ traces: [] });
  });

  test('answers inside JSON are told as they read, and every judge call holds JSON', async () => {
    const long = `17 "times" 23:\n\n${'carry one, '.repeat(30)}\n\nAnswer: 381`;
    const seen: unknown[] = [];
    const upstream = await startUpstream(
      whole(({ text }) => {
        const shown = JSON.parse(text.split('\n').find((line) => line.startsWith('{')) ?? '');
        seen.push(shown);
        return shown.answer_a.length > shown.answer_b.length ? 'Answer A' : 'Answer B';
      }),
    );
    const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url });
    const shown = { question: 'What is "17*23"?', answer_a: long, answer_b: 'So\nAnswer: 391' };
    const content = `Which answer is better? Reply with "Answer A" or "Answer B".\n${JSON.stringify(shown)}`;
    const answer = await exchange(proxy.url + PATH, {
      method: 'POST',
      headers: { 'x-remand-biases': 'verbosity' },
      body: JSON.stringify({ model: 'test-judge', messages: [{ role: 'user', content }] }),
    });
    expect(answer.status).toBe(200);
    expect(seen[0]).toEqual(shown);
    expect(seen).toContainEqual({ ...shown, answer_a: '381', answer_b: '391' });
    const path = `${proxy.url}/remand/traces/${answer.headers['x-remand-trace']}`;
    await until(async () => (await exchange(path)).status === 200, 'the trace is stored');
    expect(traceSchema.parse(JSON.parse((await exchange(path)).body.toString())).case).toMatchObject({
      instruction: shown.question,
      options: [{ text: long }, { text: shown.answer_b }],
    });
  });

  test('what cannot be meant is refused, what is not there is not found', async () => {
    const { get } = await judged(WRONG, RIGHT);
    for (const path of ['/remand/traces?limit=none', '/remand/traces?limit=0'])
      expect(await get(path)).toMatchObject({ status: 400, headers: { 'content-type': 'application/json' } });
    for (const path of ['/remand/traces/none', '/remand/none'])
      expect(await get(path)).toMatchObject({ status: 404, headers: { 'content-type': 'application/json' } });
  });

  test('the pages tell the story, and judged text is text on them', async () => {
    const hostile = `<script>alert(1)</script><img src=x onerror="alert(2)"> \u202e\u0007 ${WRONG}`;
    const { id, get } = await judged(hostile, RIGHT);
    const story = await get(`/remand/traces/${id}`, 'text/html,application/xhtml+xml,*/*;q=0.8');
    const list = await get('/remand', 'text/html');
    for (const { status, headers: said, body } of [story, list]) {
      expect(status).toBe(200);
      expect(said['content-type']).toMatch(/^text\/html/);
      expect(said['content-security-policy']).toContain("default-src 'none'");
      expect(body.toString()).not.toMatch(/<script(?! src="(?:\.\.\/)*remand\/keys\.js" defer><)|<img/);
    }
    expect(story.body.toString()).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(story.body.toString()).toContain(' \\u202e\\u0007 The');
    expect(story.body.toString()).toContain('sent back, the judge changed it');
    expect(list.body.toString()).toContain(`"remand/traces/${id}"`);
    expect(list.body.toString()).toContain('Output (a) → Output (b)');
  });

  test('health and metrics', async () => {
    const { get } = await judged(WRONG, RIGHT);
    await get('/v1/models');
    expect(JSON.parse((await get('/remand/health')).body.toString())).toEqual({ status: 'ok' });
    const metrics = await get('/remand/metrics');
    expect(metrics.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    const text = metrics.body.toString();
    expect(text).toContain('remand_requests_total{status="revised"} 1\n');
    expect(text).toContain('remand_passed_total 1\n');
    expect(text).toContain('remand_calls_total{kind="remand",ok="true"} 2\n');
    expect(text).toContain('remand_request_seconds_count 1\n');
    expect(text).toMatch(/remand_request_seconds_bucket\{le="120"\} 1\n/);
    // Every line of the exposition is a comment or a sample.
    for (const line of text.split('\n').filter(Boolean))
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? [\d.e+-]+)$/);
  });
});

test('a store that fails costs a line in the log, not the answer', async () => {
  const upstream = await startUpstream(whole(firstPlaceLover));
  const file = temporaryFile();
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url, REMAND_TRACES: file });
  const other = new DatabaseSync(file);
  other.exec('DROP TABLE traces');
  other.close();
  const answer = await exchange(proxy.url + PATH, { method: 'POST', headers, body: pairwise(WRONG, RIGHT) });
  expect(answer.status).toBe(200);
  await until(() => proxy.log.some(({ event }) => event === 'trace-not-stored'), 'it is logged');
});
