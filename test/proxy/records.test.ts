/** From judgments and labels of a running Remand to a calibration of its judge. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type HttpBindings, serve } from '@hono/node-server';
import { parse } from 'csv-parse/sync';
import { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { scoreItems } from '../../src/evaluate/confidence/calibrate-confidence.ts';
import { estimateRates, evaluateRecords, groupJudgments, pastJudgment } from '../../src/evaluate/index.ts';
import type { LogEntry } from '../../src/proxy/log.ts';
import { streamRecords } from '../../src/proxy/query.ts';
import { VERSION } from '../../src/version.ts';
import { fair, firstPlaceLover, pairwise, RIGHT, stubborn, WRONG, whole } from './judges.ts';
import { exchange, startProxy, startUpstream, until } from './servers.ts';

/** Twelve cases, in four of which the right answer stands first. */
async function judgePairs(url: string): Promise<void> {
  for (let n = 0; n < 12; n++)
    await exchange(`${url}/v1/chat/completions`, {
      method: 'POST',
      body: n % 3 === 0 ? pairwise(`${RIGHT} (${n})`, WRONG) : pairwise(WRONG, `${RIGHT} (${n})`),
    });
}

test('records of all judgments, with what people said of them, are what past judgments are read from', async () => {
  // Right for the first two cases, and for the place in the third.
  const upstream = await startUpstream(
    whole((prompt) => (prompt.text.includes('third') ? stubborn() : fair(prompt))),
  );
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url, REMAND_BIASES: 'position' });
  const judge = async (body: string) => {
    const { headers } = await exchange(`${proxy.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    return String(headers['x-remand-trace']);
  };
  const traces = [
    await judge(pairwise(RIGHT, WRONG)),
    await judge(pairwise(WRONG, RIGHT)),
    await judge(pairwise(`${WRONG} (third)`, RIGHT)),
  ];
  for (const [n, id] of traces.entries())
    await exchange(`${proxy.url}/remand/traces/${id}/label`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: proxy.url },
      body: JSON.stringify({ right: n === 2 ? 'neither' : 'both' }),
    });
  const answer = await exchange(`${proxy.url}/remand/records`);
  expect(answer.headers['content-type']).toContain('application/jsonl');
  const lines = answer.body.toString().trim().split('\n');
  const records = lines.map((line) => pastJudgment.parse(JSON.parse(line)));
  expect(
    records.map(({ item, order, choice, label }) => [traces.indexOf(item), order, choice, label]),
  ).toEqual([
    [2, 'given', 0, 1],
    [2, 'swapped', 1, 1],
    [1, 'given', 1, 1],
    [1, 'swapped', 1, 1],
    [0, 'given', 0, 0],
    [0, 'swapped', 0, 0],
  ]);
  expect(records[0]?.covariates).toMatchObject({
    headings: [0, 0],
    length: [expect.any(Number), RIGHT.length],
  });
  const { judges } = evaluateRecords(groupJudgments(records));
  // Where the two orders disagree the verdict is right by chance.
  expect(judges['test-judge']).toMatchObject({ n: 3, accuracy: 2.5 / 3, agreement: 2 / 3 });
});

test('what Remand changed in a figure: first verdicts and what went out, side by side', async () => {
  // For the first place until it is sent back.
  const upstream = await startUpstream(whole(firstPlaceLover));
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url, REMAND_BIASES: 'position' });
  await judgePairs(proxy.url);
  const read = async () =>
    (await exchange(`${proxy.url}/remand/records?verdicts=both`)).body
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  await until(async () => (await read()).length === 24, 'the traces are kept');
  const file = (await read()).filter(({ order }) => order === 'given');
  const labels = [...new Set(file.map(({ item }) => item))].map((item) => ({
    ...{ item, random: true, annotator: 'anna' },
    label: file.find((one) => one.item === item && one.judge.endsWith('what went out')).choice,
  }));
  const sent = await exchange(`${proxy.url}/remand/labels`, {
    method: 'POST',
    headers: { 'content-type': 'application/jsonl' },
    body: labels.map((line) => JSON.stringify(line)).join('\n'),
  });
  expect(sent.status).toBe(200);
  const records = (await read()).map((line) => pastJudgment.parse(line));
  const estimates = estimateRates(groupJudgments(records), []);
  expect(estimates.map(({ judge, raw, labelled }) => [judge, raw.toFixed(2), labelled])).toEqual([
    ['test-judge, first verdict', '1.00', 12],
    ['test-judge, what went out', '0.33', 12],
  ]);
  for (const { corrected } of estimates) expect(corrected.value).toBeCloseTo(1 / 3, 9);
  expect((await exchange(`${proxy.url}/remand/records?verdict=both`)).status).toBe(400);
});

/** A server on a file with four judgments, and the file as another process opens it. */
async function startOnFile() {
  const folder = mkdtempSync(join(tmpdir(), 'remand-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'traces.sqlite');
  const upstream = await startUpstream(whole(fair));
  const proxy = await startProxy({
    ...{ JUDGE_BASE_URL: upstream.url, REMAND_BIASES: 'position', REMAND_TRACES: file },
  });
  const ids: string[] = [];
  for (let n = 0; n < 4; n++) {
    const body = pairwise(`${WRONG} (${n})`, RIGHT);
    const { headers } = await exchange(`${proxy.url}/v1/chat/completions`, { method: 'POST', body });
    ids.push(String(headers['x-remand-trace']));
  }
  const list = async () => JSON.parse((await exchange(`${proxy.url}/remand/traces`)).body.toString()).traces;
  await until(async () => (await list()).length === 4, 'the traces are kept');
  const database = new DatabaseSync(file);
  database.exec('PRAGMA busy_timeout = 5000');
  onTestFinished(() => database.close());
  return { proxy, ids, database };
}

test('a trace that cannot be read is left out, which the log and the numbers tell; all others are given', async () => {
  const { proxy, ids, database } = await startOnFile();
  const damaged = ids[2];
  database
    .prepare('UPDATE trace_bodies SET body = \'{"id":\' WHERE seq = (SELECT seq FROM traces WHERE id = ?)')
    .run(String(damaged));
  const given = await exchange(`${proxy.url}/remand/records`);
  expect(given.status).toBe(200);
  const lines = given.body.toString().trim().split('\n');
  expect([...new Set(lines.map((line) => JSON.parse(line).item))]).toEqual([ids[3], ids[1], ids[0]]);
  const told = proxy.log.filter(({ event }) => event === 'fault');
  expect(told).toMatchObject([
    { level: 'error', path: '/remand/records', message: expect.stringContaining(`${damaged}`) },
  ]);
  const numbers = await exchange(`${proxy.url}/remand/numbers`);
  expect(numbers.status).toBe(200);
  expect(JSON.parse(numbers.body.toString())).toMatchObject({ judgments: 3, unreadable: 1 });
  const page = await exchange(`${proxy.url}/remand/numbers`, { headers: { accept: 'text/html' } });
  expect(page.body.toString()).toContain('1 judgment cannot be read and is left out');
  // Somebody asked for a case to label is asked about one that can be read.
  for (let n = 0; n < 2; n++) expect((await exchange(`${proxy.url}/remand/queue`)).status).toBe(200);
});

test('a label that cannot be read is left out, which the log tells; all others are given', async () => {
  const { proxy, ids, database } = await startOnFile();
  await exchange(`${proxy.url}/remand/labels`, {
    method: 'POST',
    headers: { 'content-type': 'application/jsonl' },
    body: ids.map((item) => JSON.stringify({ item, label: 1, annotator: 'anna' })).join('\n'),
  });
  database.prepare("UPDATE labels SET decision = '{' WHERE trace = ?").run(String(ids[2]));
  const given = await exchange(`${proxy.url}/remand/labels`);
  expect(given.status).toBe(200);
  const lines = given.body.toString().trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).trace).toSorted()).toEqual(
    [ids[0], ids[1], ids[3]].map(String).toSorted(),
  );
  expect(proxy.log.filter(({ event }) => event === 'fault')).toMatchObject([
    {
      level: 'error',
      message: expect.stringContaining(`the label of anna on ${ids[2]} cannot be read (decision`),
    },
  ]);
  for (const path of ['numbers', 'queue', 'agreement', `traces/${ids[2]}`])
    expect((await exchange(`${proxy.url}/remand/${path}`)).status, path).toBe(200);
  const records = (await exchange(`${proxy.url}/remand/records`)).body.toString().trim().split('\n');
  expect(new Set(records.map((line) => `${JSON.parse(line).item} ${JSON.parse(line).label}`))).toEqual(
    new Set(ids.map((id, n) => `${id} ${n === 2 ? undefined : 1}`)),
  );
});

test('more labels than a page that cannot be read do not end the list', async () => {
  const { proxy, ids, database } = await startOnFile();
  const put = database.prepare(
    `INSERT INTO labels (trace, who, judge, biases, before, after, decision, judged, random, time)
     VALUES (' ', ?, 'j', '', 1, 1, '{', '1', 0, '')`,
  );
  for (let n = 0; n < 1_200; n++) put.run(`w${n}`);
  const body = JSON.stringify({ item: ids[0], label: 1, annotator: 'anna' });
  await exchange(`${proxy.url}/remand/labels`, { method: 'POST', body });
  const given = await exchange(`${proxy.url}/remand/labels`);
  expect(JSON.parse(given.body.toString())).toMatchObject({ trace: ids[0], who: 'anna' });
});

test('an import that a full disk ends half-way keeps nothing', async () => {
  const { proxy, ids, database } = await startOnFile();
  database.exec(`CREATE TRIGGER full BEFORE INSERT ON labels WHEN NEW.who = 'w1199'
    BEGIN SELECT RAISE(ABORT, 'disk full'); END`);
  const post = (count: number) =>
    exchange(`${proxy.url}/remand/labels`, {
      method: 'POST',
      headers: { 'content-type': 'application/jsonl' },
      body: Array.from({ length: count }, (_, n) =>
        JSON.stringify({ item: ids[n % 4], label: 1, annotator: `w${n}` }),
      ).join('\n'),
    });
  const kept = () => database.prepare('SELECT count(*) AS labels FROM labels').get();
  expect((await post(1_200)).status).toBeGreaterThanOrEqual(500);
  expect(kept()).toEqual({ labels: 0 });
  database.exec('DROP TRIGGER full');
  expect((await post(40_000)).status).toBe(200);
  expect(kept()).toEqual({ labels: 40_000 });
});

test('where nothing can be read the answer is 503, not an empty file', async () => {
  const { proxy, database } = await startOnFile();
  database.exec('DROP TABLE trace_bodies');
  expect((await exchange(`${proxy.url}/remand/records`)).status).toBe(503);
});

test.each([
  ['on Node the connection is cut', true],
  ['at the edge the stream ends in an error', false],
])('records that break off half-way do not look complete: %s', async (_which, isNode) => {
  const log: LogEntry[] = [];
  async function* records() {
    yield { item: 1 };
    throw new Error('the database is gone');
  }
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.get('/records', (c) => {
    const cutOff = isNode ? () => void c.env.outgoing.destroy() : null;
    return streamRecords(c, { log: (entry) => log.push(entry), cutOff }, records());
  });
  const read = async () => {
    if (!isNode) return (await app.request('/records')).text();
    const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 });
    onTestFinished(() => void server.close());
    await until(() => server.listening, 'it listens');
    const address = server.address();
    return (await exchange(`http://127.0.0.1:${typeof address === 'object' && address?.port}/records`)).body;
  };
  await expect(read()).rejects.toThrow();
  expect(log).toMatchObject([{ event: 'fault', path: '/records' }]);
  expect(log[0]?.message).toContain('the database is gone');
});

test('without traces there are none', async () => {
  const proxy = await startProxy({ REMAND_TRACES: 'off' });
  expect((await exchange(`${proxy.url}/remand/records`)).body.toString()).toBe('');
});

const numbersRow = z
  .object({ verdicts: z.string(), raw: z.coerce.number(), turned_right: z.string() })
  .transform(({ verdicts, raw, turned_right }) => [verdicts, raw.toFixed(2), turned_right]);

test('the numbers page: before, after and corrected, of each judge and kind of request', async () => {
  const upstream = await startUpstream(whole(firstPlaceLover));
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url, REMAND_BIASES: 'position' });
  const page = (query = '', accept = 'application/json') =>
    exchange(`${proxy.url}/remand/numbers${query}`, { headers: { accept } });
  expect((await page('', 'text/html')).body.toString()).toContain('No numbers yet');
  await judgePairs(proxy.url);
  const read = async (query = '') => JSON.parse((await page(query)).body.toString());
  await until(async () => (await read()).judgments === 12, 'the traces are kept');
  const [unlabelled] = (await read()).figures;
  expect(unlabelled.sent.corrected).toEqual({ value: null, reason: expect.stringMatching(/10/) });
  expect((await page('', 'text/html')).body.toString()).toContain('/remand/queue?for=sample');

  const lines = (await exchange(`${proxy.url}/remand/records?verdicts=both`)).body
    .toString()
    .trim()
    .split('\n');
  const labels = lines.flatMap((line) => {
    const { item, judge, choice } = JSON.parse(line);
    return judge.endsWith('what went out') ? [{ item, label: choice, random: true, annotator: 'anna' }] : [];
  });
  await exchange(`${proxy.url}/remand/labels`, {
    method: 'POST',
    headers: { 'content-type': 'application/jsonl' },
    body: labels.map((line) => JSON.stringify(line)).join('\n'),
  });
  const { figures, origin } = await read();
  expect(origin).toMatchObject({
    ...{ command: 'GET /remand/numbers?by=form&limit=400', models: [figures[0].judge], remand: VERSION },
    prices: null,
  });
  expect(figures).toMatchObject([
    { judge: 'test-judge', category: null, turnedRight: 8, turnedWrong: 0, first: { raw: 1, labelled: 12 } },
  ]);
  expect(figures[0].sent.raw).toBeCloseTo(1 / 3, 9);
  expect(figures[0].first.corrected.value).toBeCloseTo(1 / 3, 9);

  const shown = (await page('', 'text/html')).body.toString();
  expect(shown).toContain('Of 12 labelled cases Remand turned 8 right and 0 wrong.');
  // A judge that was right on 12 labels of 12 may still be wrong on others.
  const { low, high } = figures[0].sent.rawInterval;
  expect([low.toFixed(2), high.toFixed(2)]).toEqual(['0.14', '0.61']);
  expect(shown).toMatch(/<td>first verdicts<\/td><td[^>]*>12<\/td><td[^>]*>100\.0%/);

  const table = await page('?format=csv');
  expect(table.headers['content-type']).toContain('text/csv');
  const rows = parse(table.body.toString(), { columns: true });
  expect(rows.map((row) => numbersRow.parse(row))).toEqual([
    ['first verdict', '1.00', '8'],
    ['what went out', '0.33', '8'],
  ]);

  const named = (await read('?by=template')).figures.map(({ requests }: { requests: string }) => requests);
  expect(named.toSorted()).toEqual([expect.any(String), expect.stringContaining('no template')]);
  expect(await read('?limit=5')).toMatchObject({ judgments: 5, isPart: true });
  expect((await page('?limit=none')).status).toBe(400);
  expect((await page('?last=5')).body.toString()).toContain('last');
});

test('a calibration learns the confidence that the proxy compares', async () => {
  const upstream = await startUpstream(whole(firstPlaceLover));
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url, REMAND_BIASES: 'position' });
  const { headers } = await exchange(`${proxy.url}/v1/chat/completions`, {
    method: 'POST',
    body: pairwise(WRONG, RIGHT),
  });
  const lines = (await exchange(`${proxy.url}/remand/records`)).body.toString().trim().split('\n');
  const records = lines.map((line) => pastJudgment.parse({ ...JSON.parse(line), label: 1 }));
  const [scored] = scoreItems(groupJudgments(records).get('test-judge') ?? []);
  expect(scored?.confidence.toFixed(2)).toBe(Number(headers['x-remand-confidence']).toFixed(2));
  // The verdict that went out is right, whatever the other order said before.
  expect(scored?.credit).toBe(1);
});

test('a label that cannot be right of its verdict is refused, and with it all of the file', async () => {
  const upstream = await startUpstream(whole(fair));
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url, REMAND_BIASES: 'position' });
  const { headers } = await exchange(`${proxy.url}/v1/chat/completions`, {
    method: 'POST',
    body: pairwise(WRONG, RIGHT),
  });
  const item = headers['x-remand-trace'];
  const post = (...labels: readonly unknown[]) =>
    exchange(`${proxy.url}/remand/labels`, {
      method: 'POST',
      headers: { 'content-type': 'application/jsonl' },
      body: labels.map((label) => JSON.stringify({ item, label })).join('\n'),
    });
  for (const label of [5, -1, 1.5, true, 'foo', 2]) {
    const answer = await post(0, label);
    expect(answer.status).toBe(400);
    expect(answer.body.toString()).toContain('line 2: label: must be the place of an option, from 0 to 1');
  }
  expect((await exchange(`${proxy.url}/remand/labels`)).body.toString()).toBe('');
  for (const label of [0, 'tie', 'Output (b)']) expect((await post(label)).status).toBe(200);
});

test('a label on a verdict that moved in shadow, and did not go out, says the same however it is given', async () => {
  // Until it is sent back the judge is wrong.
  const upstream = await startUpstream(whole(firstPlaceLover));
  const proxy = await startProxy({
    JUDGE_BASE_URL: upstream.url,
    REMAND_BIASES: 'position',
    REMAND_MODE: 'shadow',
  });
  for (let n = 0; n < 5; n++)
    await exchange(`${proxy.url}/v1/chat/completions`, {
      method: 'POST',
      body: pairwise(`${WRONG} (${n})`, RIGHT),
    });
  const list = async () => JSON.parse((await exchange(`${proxy.url}/remand/traces`)).body.toString()).traces;
  await until(async () => (await list()).length === 5, 'the traces are kept');
  const [last, first, neither, imported] = (await list()).map(({ id }: { id: string }) => id);
  const post = async (path: string, body: unknown) => {
    const answer = await exchange(`${proxy.url}/remand${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: proxy.url },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
  };
  await post(`/traces/${last}/label`, { right: 'last' });
  await post(`/traces/${first}/label`, { right: 'first' });
  await post(`/traces/${neither}/label`, { right: 'neither' });
  await post('/labels', { item: imported, label: 1 });
  const lines = async (path: string) =>
    (await exchange(`${proxy.url}/remand/${path}`)).body
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  const labels = new Map((await lines('labels')).map((label) => [label.trace, label]));
  expect(labels.get(last)).toMatchObject({ before: false, after: true, decision: 1, judged: 0 });
  expect(labels.get(first)).toMatchObject({ before: true, after: false, decision: 0, judged: 0 });
  expect(labels.get(neither)).toMatchObject({ before: false, after: false, decision: null });
  expect(labels.get(imported)).toMatchObject({ before: false, after: true, decision: 1, judged: 0 });
  const given = (await lines('records')).filter(({ order }) => order === 'given');
  expect(given.map(({ item, choice, label }) => [item, choice, label])).toEqual(
    expect.arrayContaining([
      [last, 0, 1],
      [first, 0, 0],
      [neither, 0, undefined],
      [imported, 0, 1],
    ]),
  );
  const { rulings } = JSON.parse((await exchange(`${proxy.url}/remand/agreement`)).body.toString());
  expect(rulings).toMatchObject([{ bias: 'position', better: 2, worse: 1 }]);
  const page = await exchange(`${proxy.url}/remand`, { headers: { accept: 'text/html' } });
  expect(page.body.toString()).toContain('the verdict that went out is right in 1 of them');
  expect(page.body.toString().match(/✓ right/g)).toHaveLength(1);
});
