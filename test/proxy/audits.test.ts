/** Audits that are asked for over HTTP, on Node: taken, run in the background, told of, and gone on with after a restart. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { KeyScope } from '../../src/proxy/access/key.ts';
import { createAuditStore } from '../../src/proxy/audits/audit-store.ts';
import type { KeyLimits } from '../../src/proxy/limits/account-book.ts';
import { openDatabase } from '../../src/proxy/storage/database.ts';
import { createSqliteTables } from '../../src/proxy/storage/table-sql.ts';
import { scriptedClock } from '../scripted-clock.ts';
import { AUDIT_PAIRS, auditJudge, CUES, jsonl, reportOfTheCore } from './audit-judge.ts';
import { exchange, keyOf, startProxy, startUpstream, until } from './servers.ts';

const AUDITS = '/remand/audits';
/** Milliseconds between two looks at an audit that another process holds. */
const LOOK_MS = 5_000;
interface Asking {
  readonly settings?: Record<string, string>;
  readonly scopes?: KeyScope[];
  readonly limits?: KeyLimits;
}

async function serving(url: string | undefined, { settings = {}, scopes = ['admin'], limits }: Asking = {}) {
  const { key, record } = await keyOf('organiser', scopes, limits);
  const shared = { REMAND_KEYS: JSON.stringify([record]), ...(url && { JUDGE_BASE_URL: url }), ...settings };
  const proxy = await startProxy(shared);
  return { ...proxy, headers: { authorization: `Bearer ${key}` }, shared };
}
type Serving = Pick<Awaited<ReturnType<typeof serving>>, 'url' | 'headers'>;

async function send({ url, headers }: Serving, query: string, body: string) {
  const answer = await exchange(`${url}${AUDITS}?${query}`, { method: 'POST', headers, body });
  return { status: answer.status, headers: answer.headers, said: JSON.parse(answer.body.toString()) };
}

async function look({ url, headers }: Serving, at: string) {
  const answer = await exchange(url + at, { headers });
  return JSON.parse(answer.body.toString());
}

const ended = (server: Serving, at: string) =>
  until(async () => {
    const said = await look(server, at);
    return said.state !== 'running' && said;
  }, 'the audit is over');

test('an audit is taken, and ends in the report that the core makes of the same rows', async () => {
  const upstream = await startUpstream(auditJudge());
  const server = await serving(`${upstream.url}/v1`, { settings: { JUDGE_API_KEY: 'sk-operators-own' } });
  const { status, headers, said } = await send(server, `judge=j&cues=${CUES}`, jsonl(AUDIT_PAIRS));
  expect([status, said]).toMatchObject([202, { state: 'running', rows: 30, calls: 120 }]);
  expect(headers.location).toBe(said.url);
  const over = await ended(server, said.url);
  expect(over).toMatchObject({
    state: 'done',
    kind: 'cues',
    progress: { pieces: 60, done: 60, failed: 0, calls: 120 },
  });
  const { calls, tokens, ...report } = over.report;
  expect(report).toEqual(await reportOfTheCore());
  expect(calls).toBe(120);
  expect(tokens.input).toBeGreaterThan(0);
  expect(upstream.received).toHaveLength(120);
  expect(upstream.received.every((one) => one.headers.authorization === 'Bearer sk-operators-own')).toBe(
    true,
  );
  const metrics = (await exchange(`${server.url}/remand/metrics`, server)).body.toString();
  expect(metrics).toContain('remand_calls_total{kind="audit",ok="true"} 120\n');
  expect(metrics).toContain(
    `remand_tokens_total{kind="audit",direction="input"} ${over.report.tokens.input}\n`,
  );
  const records = (await exchange(`${server.url}${said.url}/records`, server)).body
    .toString()
    .trim()
    .split('\n');
  expect(
    new Set(records.map((line) => JSON.stringify([JSON.parse(line).id, JSON.parse(line).cues]))).size,
  ).toBe(60);
  expect((await look(server, AUDITS)).audits).toMatchObject([{ id: said.id, state: 'done' }]);
  const again = await exchange(`${server.url}${said.url}/resume`, {
    method: 'POST',
    headers: server.headers,
  });
  expect(again.status).toBe(409);
  expect((await exchange(server.url + said.url, { method: 'DELETE', headers: server.headers })).status).toBe(
    204,
  );
  expect((await exchange(server.url + said.url, server)).status).toBe(404);
});

test('a call that fails in passing is made again, and no other; no row stands twice in the report', async () => {
  let calls = 0;
  const upstream = await startUpstream(
    auditJudge((_, response) => {
      if (++calls === 50) response.writeHead(503).end('{"error": {"message": "later"}}');
    }),
  );
  const server = await serving(upstream.url);
  const { said } = await send(server, `judge=j&cues=${CUES}`, jsonl(AUDIT_PAIRS));
  const over = await ended(server, said.url);
  const { calls: made, tokens: _, ...report } = over.report;
  expect(report).toEqual(await reportOfTheCore());
  // Of the piece whose call failed both are made again.
  expect(made).toBe(122);
  const metrics = (await exchange(`${server.url}/remand/metrics`, server)).body.toString();
  expect(metrics).toContain('remand_calls_total{kind="audit",ok="true"} 121\n');
  expect(metrics).toContain('remand_calls_total{kind="audit",ok="false"} 1\n');
});

test('a server that was stopped goes on where it was', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'remand-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const held = Promise.withResolvers<void>();
  let calls = 0;
  const upstream = await startUpstream(
    auditJudge(async () => {
      if (++calls === 60) await held.promise;
    }),
  );
  const settings = { REMAND_TRACES: join(folder, 'state.sqlite') };
  const first = await serving(upstream.url, { settings });
  const { said } = await send(first, `judge=j&cues=${CUES}`, jsonl(AUDIT_PAIRS));
  await until(() => calls >= 60, 'it is in the middle');
  await until(async () => (await look(first, said.url)).progress.done >= 20, 'a batch is kept');
  await first.close();
  const second = await startProxy(first.shared);
  const server = { url: second.url, headers: first.headers };
  const over = await ended(server, said.url);
  held.resolve();
  const { calls: made, tokens: _, ...report } = over.report;
  expect(report).toEqual(await reportOfTheCore());
  // What was under way when it stopped was asked again, and what was answered by then was not.
  expect(made).toBeLessThanOrEqual(120 + 10);
  expect(calls).toBeLessThanOrEqual(120 + 10);
});

test('of two servers on one file one works on an audit, and the other goes on with it where that one stops', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'remand-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const held = Promise.withResolvers<void>();
  let calls = 0;
  const upstream = await startUpstream(
    auditJudge(async () => {
      if (++calls > 60) await held.promise;
    }),
  );
  const settings = { REMAND_TRACES: join(folder, 'state.sqlite') };
  const first = await serving(upstream.url, { settings });
  const { said } = await send(first, `judge=j&cues=${CUES}`, jsonl(AUDIT_PAIRS));
  await until(() => calls > 60, 'it is in the middle');
  const clock = scriptedClock(Date.now());
  const second = await startProxy({ ...first.shared, JUDGE_API_KEY: 'sk-of-the-second' }, clock);
  const bySecond = () =>
    upstream.received.filter((one) => one.headers.authorization === 'Bearer sk-of-the-second').length;
  const server = { url: second.url, headers: first.headers };
  const resume = { method: 'POST', headers: server.headers };
  expect((await exchange(`${server.url}${said.url}/resume`, resume)).status).toBe(202);
  await until(() => clock.asked.includes(LOOK_MS), 'it has looked, and waits before it looks again');
  expect(bySecond()).toBe(0);
  await first.close();
  held.resolve();
  clock.pass(LOOK_MS);
  const over = await ended(server, said.url);
  const { calls: _, tokens: __, ...report } = over.report;
  expect(report).toEqual(await reportOfTheCore());
  expect(bySecond()).toBeGreaterThan(0);
  expect(calls).toBeLessThanOrEqual(120 + 10);
});

test('an audit whose holder was killed is another’s once its time is over', async () => {
  const database = openDatabase(':memory:');
  onTestFinished(() => database.close());
  const store = createAuditStore(createSqliteTables(() => database));
  await store.add({ id: 'x', who: 'key', created: '2026-11-21T00:00:00.000Z', asked: {} }, []);
  expect(await store.hold('x', 'a', 0, 10)).toBe(true);
  expect(await store.hold('x', 'b', 9, 19)).toBe(false);
  expect(await store.hold('x', 'a', 9, 19)).toBe(true);
  expect(await store.hold('x', 'b', 18, 28)).toBe(false);
  expect(await store.hold('x', 'b', 19, 29)).toBe(true);
  expect(await store.hold('x', 'a', 19, 0)).toBe(false);
  expect(await store.hold('x', 'a', 20, 30)).toBe(false);
  expect(await store.hold('x', 'b', 20, 0)).toBe(true);
  expect(await store.hold('x', 'a', 20, 30)).toBe(true);
  await store.set('x', 'done', { ended: '2026-11-21T00:00:00.000Z', report: {} });
  expect(await store.hold('x', 'a', 21, 31)).toBe(false);
});

test.each([
  ['cues', { judge: 'j', cues: 'new/older' }, jsonl(AUDIT_PAIRS), 'cues', /"older" is none of/],
  ['no judge', {}, jsonl(AUDIT_PAIRS), 'judge', /names no judge/],
  ['a kind for the command line', { judge: 'j', kind: 'authorship' }, '', 'kind', /npx remand audit/],
  ['the other one', { judge: 'j', kind: 'biases' }, '', 'kind', /authorship and biases are for `npx remand/],
  ['a setting that there is not', { judge: 'j', cue: 'x' }, '', 'cue', /no such setting/],
  ['an upstream that there is not', { judge: 'j@/claude' }, '', 'judge', /no upstream has the path/],
])('settings that cannot be meant are named: %s', async (_, asked, body, field, message) => {
  const server = await serving(undefined);
  const { status, said } = await send(server, new URLSearchParams(asked).toString(), body);
  expect([status, said.error]).toMatchObject([400, { field, message: expect.stringMatching(message) }]);
});

const [pair] = AUDIT_PAIRS;
test.each([
  ['cues', [pair, { ...pair, id: 'b', texts: ['one', ''] }], 2, 'texts.1', /must not be empty/],
  ['cues', [pair, { ...pair, id: 'b', texts: ['one'] }], 2, 'texts', /must be two texts/],
  ['cues', [pair, pair], 2, 'id', /a second row has the id "pair-0"/],
  ['cues', [], 1, null, /no rows/],
  [
    'authors',
    [
      { id: 'p', title: 'T', abstract: 'A' },
      { id: 'q', abstract: 'A' },
    ],
    2,
    'title',
    /./,
  ],
  ['perturb', [{ id: 'p', title: 'T' }], 1, 'text', /./],
])('%s: a row that is wrong is named by line and field (%#)', async (kind, rows, line, field, message) => {
  const server = await serving(undefined);
  const { status, said } = await send(server, `judge=j&kind=${kind}`, jsonl(rows));
  expect([status, said.error]).toMatchObject([400, { line, field, message: expect.stringMatching(message) }]);
  expect(said.error.message).toContain(`line ${line}`);
  expect((await look(server, AUDITS)).audits).toEqual([]);
});

test('base data is taken as it is', async () => {
  const server = await serving(undefined);
  const sample = readFileSync(
    new URL('../../training-data/sample/instructions.jsonl', import.meta.url),
    'utf8',
  );
  const { status, said } = await send(server, 'judge=remand-sandbox', sample);
  expect([status, said]).toMatchObject([202, { rows: 16, calls: 16 * 7 * 2 }]);
  const [line] = sample.split('\n');
  const { positive: _, ...half } = JSON.parse(line ?? '');
  const refused = await send(server, 'judge=remand-sandbox', jsonl([half]));
  expect([refused.status, refused.said.error]).toMatchObject([400, { line: 1, field: 'texts' }]);
});

test('half a JSON is named by its line, and a body that is too long is refused', async () => {
  const server = await serving(undefined);
  const { said } = await send(server, 'judge=j', `${JSON.stringify(pair)}\n{"id": "b", "instr\n`);
  expect(said.error).toMatchObject({
    line: 2,
    field: null,
    message: expect.stringContaining('not valid JSON'),
  });
  expect((await send(server, 'judge=j', ' '.repeat(9 << 20))).status).toBe(413);
});

test('a key of another scope is refused, and so is nobody', async () => {
  const server = await serving(undefined, { scopes: ['judge', 'traces'] });
  expect((await send(server, 'judge=j', jsonl(AUDIT_PAIRS))).status).toBe(403);
  expect((await exchange(server.url + AUDITS)).status).toBe(401);
});

test('calls are paid from the budget of the key, and the audit waits for more', async () => {
  const upstream = await startUpstream(auditJudge());
  const server = await serving(upstream.url, { limits: { callsPerDay: 30 } });
  const { said } = await send(server, `judge=j&cues=${CUES}`, jsonl(AUDIT_PAIRS));
  const waits = await until(async () => (await look(server, said.url)).waiting, 'it waits');
  expect(waits.why).toMatch(/budget/);
  await until(
    async () => /budget is used up/.test((await look(server, said.url)).waiting?.why),
    'until tomorrow',
  );
  const { waiting, progress } = await look(server, said.url);
  expect(waiting.until > new Date().toISOString()).toBe(true);
  expect(upstream.received).toHaveLength(30);
  expect(progress.done).toBeGreaterThanOrEqual(13);
});

test('a key that is revoked ends its audit while that waits for its budget', async () => {
  const upstream = await startUpstream(auditJudge());
  const server = await serving(upstream.url);
  const wanted = { name: 'guest', scopes: ['admin'], limits: { callsPerDay: 30 } };
  const asked = { method: 'POST', headers: server.headers, body: JSON.stringify(wanted) };
  const made = JSON.parse((await exchange(`${server.url}/remand/keys`, asked)).body.toString());
  const guest = { url: server.url, headers: { authorization: `Bearer ${made.key}` } };
  const { said } = await send(guest, `judge=j&cues=${CUES}`, jsonl(AUDIT_PAIRS));
  await until(async () => /used up/.test((await look(server, said.url)).waiting?.why), 'it waits');
  const revoke = { method: 'DELETE', headers: server.headers };
  expect((await exchange(`${server.url}/remand/keys/${made.id}`, revoke)).status).toBe(200);
  const over = await ended(server, said.url);
  expect(over).toMatchObject({ state: 'failed', error: expect.stringMatching(/was revoked$/) });
  expect(over.waiting ?? null).toBeNull();
});

test('money is counted by each reply’s tokens; what the key cannot pay for is left to another day', async () => {
  const counted = auditJudge((_, response) => {
    const message = { role: 'assistant', content: 'Output (a)' };
    const usage = { prompt_tokens: 100, completion_tokens: 4, total_tokens: 104 };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }], usage }));
  });
  const upstream = await startUpstream(counted);
  // 0.12 a call at these prices.
  const settings = { REMAND_PRICES: '{"j": {"input": 1000, "output": 5000}}' };
  const server = await serving(upstream.url, { settings, limits: { moneyPerDay: 1.2 } });
  const { said } = await send(server, `judge=j&cues=${CUES}`, jsonl(AUDIT_PAIRS));
  await until(
    async () => /budget is used up.*moneyPerDay/.test((await look(server, said.url)).waiting?.why),
    'until tomorrow',
  );
  const calls = upstream.received.length;
  // The tenth crosses the line; those that were under way beside it are paid for, too.
  expect(calls).toBeGreaterThanOrEqual(10);
  expect(calls).toBeLessThan(20);
  const keys = await look(server, '/remand/keys');
  expect(keys.keys).toMatchObject([{ spent: { day: { calls, money: expect.closeTo(calls * 0.12, 6) } } }]);
});

test('a model without a price is not audited for a budget in money', async () => {
  const upstream = await startUpstream(auditJudge());
  const server = await serving(upstream.url, { limits: { moneyPerDay: 1.2 } });
  const answer = await send(server, `judge=j&cues=${CUES}`, jsonl(AUDIT_PAIRS));
  expect(answer).toMatchObject({
    status: 403,
    said: { error: { message: expect.stringContaining('REMAND_PRICES') } },
  });
  expect(upstream.received).toEqual([]);
});

test('a judge that refuses every request ends it, in the judge’s words and without the key', async () => {
  const upstream = await startUpstream((_, response) => {
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end('{"error": {"message": "Incorrect API key provided: sk-operators-own"}}');
  });
  const server = await serving(upstream.url, { settings: { JUDGE_API_KEY: 'sk-operators-own' } });
  const { said } = await send(server, `judge=j&cues=${CUES}`, jsonl(AUDIT_PAIRS));
  const over = await ended(server, said.url);
  expect(over).toMatchObject({ state: 'failed', error: expect.stringContaining('Incorrect API key') });
  expect(JSON.stringify(over)).not.toContain('sk-operators-own');
});

test.each([
  [
    'authors',
    'soft=logprobs&dimensions=gender&per-side=2',
    [{ id: 'p', title: 'A paper', abstract: 'We show 2 + 2 = 4.' }],
  ],
  [
    'authors',
    'soft=samples&samples=2&dimensions=gender&per-side=2',
    [{ id: 'p', title: 'A paper', abstract: 'We show 2 + 2 = 4.' }],
  ],
  [
    'perturb',
    'roles=reviewer',
    [
      {
        id: 's',
        title: 'A paper',
        text: `# Introduction\n\n${'The results are good and we show that they hold for all of the sets. '.repeat(20)}`,
      },
    ],
  ],
])('%s: the audit ends in its report, too', async (kind, query, rows) => {
  const server = await serving(undefined);
  const { said } = await send(server, `judge=remand-sandbox&kind=${kind}&${query}`, jsonl(rows));
  const over = await ended(server, said.url);
  expect(over).toMatchObject({ state: 'done', report: { audit: kind, failed: 0 } });
  expect(over.report.verdicts.length).toBeGreaterThan(0);
});
