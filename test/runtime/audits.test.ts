/** Audits at the edge: rows in, a real Workflow of the simulator's, the report out. */
import { env, exports } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { openaiChat } from '../../adapters/openai-chat/index.ts';
import { readSettings } from '../../src/audit/audit-settings.ts';
import type { AuditPair } from '../../src/audit/cues/ask-cues.ts';
import { createCuePlan, cueSettings } from '../../src/audit/cues/plan.ts';
import { runPlan } from '../../src/audit/plan.ts';
import { createSpend } from '../../src/models/ledger.ts';
import { createModel } from '../../src/models/model.ts';
import { systemClock } from '../../src/ports.ts';
import { createWorker } from '../../src/proxy/worker.ts';
import { createSandboxJudge } from '../../src/sandbox/sandbox.ts';
import { addKey, execution, migrate } from './bindings.ts';

beforeAll(migrate);

const URL = 'http://remand.test/remand/audits';
const PAIRS: AuditPair[] = Array.from({ length: 12 }, (_, at) => ({
  id: `pair-${at}`,
  dataset: 'rows',
  instruction: `What is ${at} + 17?`,
  texts: [`It is ${at + 17}.`, `It is ${at + 18}, as one sees.`],
  kind: 'response',
}));
const jsonl = (rows: readonly unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

async function finished(url: string, headers: Record<string, string>) {
  for (;;) {
    const answer = await exports.default.fetch(`http://remand.test${url}`, { headers });
    const said = (await answer.json()) as { state: string; report: object; progress: object };
    if (said.state !== 'running') return said;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

it('makes the report that the same rows and judge give in one process', async () => {
  const { key } = await addKey(['admin']);
  const headers = { authorization: `Bearer ${key}` };
  const answer = await exports.default.fetch(`${URL}?judge=sandbox&cues=new/old,expert/llm`, {
    method: 'POST',
    headers,
    body: jsonl(PAIRS),
  });
  const taken = (await answer.json()) as { id: string; url: string };
  expect(answer.status, JSON.stringify(taken)).toBe(202);
  expect(taken).toMatchObject({ state: 'running', rows: 12, calls: 48 });
  expect(answer.headers.get('location')).toBe(taken.url);
  const said = await finished(taken.url, headers);
  expect(said).toMatchObject({ state: 'done', progress: { pieces: 24, done: 24, failed: 0, calls: 48 } });

  const model = createModel({
    ...{ name: 'sandbox', model: 'sandbox', protocol: openaiChat, url: 'http://sandbox.invalid', key: null },
    ...{ parameters: { temperature: 0, seed: 1 }, fetch: createSandboxJudge(), clock: systemClock },
    store: { get: async () => null, put: async () => undefined },
    spend: createSpend({ calls: null, tokens: null }),
  });
  const judge = { name: 'sandbox', protocol: openaiChat, open: async () => model };
  const settings = readSettings(cueSettings, { cues: 'new/old,expert/llm' });
  const plan = await createCuePlan(settings, [judge]);
  const tally = plan.createTally();
  const run = { concurrency: 4, signal: new AbortController().signal };
  for await (const record of runPlan(plan, PAIRS, run)) tally.add(record);
  const report = tally.report();
  const tokens = { input: expect.any(Number), output: expect.any(Number) };
  expect(said.report).toEqual({ ...JSON.parse(JSON.stringify(report)), calls: 48, tokens });
}, 300_000);

it('is for keys of scope admin', async () => {
  const { key } = await addKey(['judge', 'traces']);
  const post = { method: 'POST', body: jsonl(PAIRS) };
  const refused = await exports.default.fetch(`${URL}?judge=sandbox`, {
    ...post,
    headers: { authorization: `Bearer ${key}` },
  });
  expect(refused.status).toBe(403);
  expect((await exports.default.fetch(`${URL}?judge=sandbox`, post)).status).toBe(401);
});

it('names the line and the field that is wrong, and takes nothing', async () => {
  const { key } = await addKey(['admin']);
  const headers = { authorization: `Bearer ${key}` };
  const rows = [...PAIRS, { ...PAIRS[0], id: 'last', instruction: ' ' }];
  const answer = await exports.default.fetch(`${URL}?judge=sandbox`, {
    method: 'POST',
    headers,
    body: jsonl(rows),
  });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ error: { line: 13, field: 'instruction' } });
});

it('without the binding says what is missing and what there is instead', async () => {
  const { key } = await addKey(['admin']);
  const { DB } = env;
  const request = new Request(`${URL}?judge=sandbox`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: jsonl(PAIRS),
  });
  const answer = await createWorker().fetch(request, { DB }, execution().context);
  expect(answer.status).toBe(501);
  expect(await answer.json()).toMatchObject({
    error: { message: expect.stringMatching(/AUDITS.*npx remand audit/s) },
  });
});
