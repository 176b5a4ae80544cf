/** `remand doctor`: what it finds where all is well, and what it says where something is not. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { pairwise, RIGHT, WRONG } from '../proxy/judges.ts';
import { type Received, startUpstream, until } from '../proxy/servers.ts';
import { remand, start } from './command.ts';

// Each case starts processes of its own.
vi.setConfig({ testTimeout: 120_000 });

const folder = mkdtempSync(join(tmpdir(), 'remand-doctor-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A judge that refuses what it is told to, and gives log-probabilities where asked, if it has them. */
async function startJudge({
  refuses,
  hasLogprobs = true,
  says = 'Output (a)',
}: {
  readonly refuses?: (received: Received, body: Record<string, unknown>) => number | null;
  readonly hasLogprobs?: boolean;
  readonly says?: string;
}) {
  const { url } = await startUpstream((received, response) => {
    const body = JSON.parse(received.body.toString());
    const refused = refuses?.(received, body) ?? null;
    response.setHeader('content-type', 'application/json');
    if (refused !== null) {
      response.statusCode = refused;
      return void response.end('{"error":{"message":"no"}}');
    }
    const token = { token: says, logprob: -0.1, top_logprobs: [{ token: says, logprob: -0.1 }] };
    const message = { role: 'assistant', content: says };
    const logprobs = hasLogprobs && body.logprobs ? { content: [token] } : null;
    response.end(JSON.stringify({ choices: [{ index: 0, message, logprobs, finish_reason: 'stop' }] }));
  });
  return url;
}

async function doctor(words: readonly string[], env: Record<string, string>) {
  const { code, out, err } = await remand(['doctor', ...words, '--json'], {
    REMAND_TRACES: join(folder, 'traces.sqlite'),
    ...env,
  });
  const { ok, checks } = JSON.parse(out);
  // What failed is told once, by the checks.
  expect([code, err]).toEqual([ok ? 0 : 1, '']);
  const found = new Map<string, { result: string; told: string }>();
  for (const { name, ...check } of checks) found.set(name, check);
  return { ok, found };
}

test('a template file that is none fails the settings, by its file and field, and the start of serve says the same', async () => {
  const bad = join(folder, 'bad.json');
  const template = {
    name: 'ours',
    parts: [{ role: 'user', text: '{{option}}' }],
    verdict: { kind: 'categry' },
  };
  const wrong = 'must be choice, score, pass, category, scores, ranking or list, not "categry"';
  writeFileSync(bad, JSON.stringify(template));
  const requests = join(folder, 'one.jsonl');
  writeFileSync(requests, pairwise(RIGHT, WRONG));
  for (const words of [[], [requests]]) {
    const { found } = await doctor(words, { REMAND_TEMPLATES: bad });
    expect(found.get('settings')).toEqual({
      result: 'fail',
      told: `REMAND_TEMPLATES: ${bad}: verdict.kind: ${wrong}`,
    });
  }
  const inline = await doctor([], { REMAND_TEMPLATES: JSON.stringify([template]) });
  expect(inline.found.get('settings')?.told).toBe(`REMAND_TEMPLATES.0: verdict.kind: ${wrong}`);
  const served = await remand(['serve'], { REMAND_TEMPLATES: bad, PORT: '0' });
  expect(served).toMatchObject({ code: 2, err: expect.stringContaining(`${bad}: verdict.kind: ${wrong}`) });
});

test('a file of requests that cannot be read fails its check, and the others are still looked at', async () => {
  const url = await startJudge({});
  const missing = join(folder, 'missing.jsonl');
  const broken = join(folder, 'broken.jsonl');
  const good = join(folder, 'good.jsonl');
  writeFileSync(broken, '{"messages": ');
  writeFileSync(good, pairwise(RIGHT, WRONG));
  const { found } = await doctor([missing, broken, good], { JUDGE_BASE_URL: url });
  expect(found.get(`prompts of ${missing}`)).toMatchObject({
    result: 'fail',
    told: expect.stringContaining('there is no such file'),
  });
  expect(found.get(`prompts of ${broken}`)).toMatchObject({
    result: 'fail',
    told: expect.stringContaining(`${broken}:1`),
  });
  expect(found.get(`prompts of ${good}`)?.result).toBe('ok');
});

test('all is well', async () => {
  const url = await startJudge({
    refuses: ({ headers }) => (headers.authorization === 'Bearer good' ? null : 401),
  });
  const prompts = join(folder, 'requests.jsonl');
  writeFileSync(prompts, pairwise(RIGHT, WRONG));
  const { ok, found } = await doctor([prompts, '--model', 'm'], {
    JUDGE_BASE_URL: url,
    JUDGE_API_KEY: 'good',
  });
  expect(ok).toBe(true);
  expect([...found].map(([name, { result }]) => [name, result])).toEqual([
    ['settings', 'ok'],
    ['traces', 'ok'],
    ['detector', 'ok'],
    ['judge', 'ok'],
    ['temperature 0', 'ok'],
    ['log-probabilities', 'ok'],
    [`prompts of ${prompts}`, 'ok'],
  ]);
  const { out } = await remand(['doctor', '--model', 'm'], {
    JUDGE_BASE_URL: url,
    JUDGE_API_KEY: 'good',
    REMAND_TRACES: ':memory:',
  });
  expect(out).toMatch(/^OK +settings/);
  expect(out).toMatch(/^WARN +traces +kept in memory/m);
});

test('what a judge refuses or does not give is told, with what follows from it', async () => {
  const key = await startJudge({ refuses: () => 401 });
  const refused = await doctor(['--model', 'm'], { JUDGE_BASE_URL: key, JUDGE_API_KEY: 'bad' });
  expect(refused.found.get('judge')).toMatchObject({
    result: 'fail',
    told: expect.stringMatching(/^the key was not accepted .*; set JUDGE_API_KEY$/),
  });
  expect(refused.found.get('judge')?.told).not.toContain('bad');

  const warm = await startJudge({
    refuses: (_, body) => ('temperature' in body || 'logprobs' in body ? 400 : null),
    hasLogprobs: false,
  });
  const { ok, found } = await doctor(['--model', 'm'], { JUDGE_BASE_URL: warm });
  expect(ok).toBe(true);
  expect(found.get('temperature 0')).toMatchObject({
    result: 'warn',
    told: expect.stringContaining('refused'),
  });
  expect(found.get('log-probabilities')).toMatchObject({
    result: 'warn',
    told: expect.stringContaining('not given'),
  });

  const vague = await startJudge({ says: 'Who knows?' });
  expect((await doctor(['--model', 'm'], { JUDGE_BASE_URL: vague })).found.get('judge')).toEqual({
    result: 'warn',
    told: 'it answers, but not with a verdict: "Who knows?"',
  });
  for (const words of [['--model', 'm'], []])
    expect((await doctor(words, { JUDGE_BASE_URL: 'http://127.0.0.1:9' })).found.get('judge')).toMatchObject({
      result: 'fail',
      told: expect.stringContaining('no answer'),
    });
});

test('without --model the first request names it; without requests the endpoint and the key are tried', async () => {
  const asked: unknown[] = [];
  const url = await startJudge({
    refuses: ({ headers }, { model }) => {
      asked.push(model);
      if (headers.authorization !== 'Bearer good') return 401;
      return model === 'gpt' ? null : 404;
    },
  });
  const prompts = join(folder, 'of-gpt.jsonl');
  writeFileSync(prompts, JSON.stringify({ ...JSON.parse(pairwise(RIGHT, WRONG)), model: 'gpt' }));
  const named = await doctor([prompts], { JUDGE_BASE_URL: url, JUDGE_API_KEY: 'good' });
  expect(named.found.get('judge')).toEqual({ result: 'ok', told: 'gpt answers, and its verdict is read' });
  expect(new Set(asked)).toEqual(new Set(['gpt']));
  const none = await doctor([], { JUDGE_BASE_URL: url, JUDGE_API_KEY: 'good' });
  expect(none.found.get('judge')).toMatchObject({
    result: 'warn',
    told: expect.stringMatching(/^it is reached, .*404.*: give --model/),
  });
  const refused = await doctor([], { JUDGE_BASE_URL: url, JUDGE_API_KEY: 'bad' });
  expect(refused.found.get('judge')?.told).toMatch(/^the key was not accepted/);
});

test('settings, files, detectors and prompts that are amiss', async () => {
  const wrong = await doctor([], { REMAND_ROUNDS: 'many' });
  expect([...wrong.found]).toEqual([
    ['settings', { result: 'fail', told: expect.stringContaining('REMAND_ROUNDS') }],
  ]);
  const prompts = join(folder, 'hello.txt');
  writeFileSync(prompts, 'Say hello.');
  const { ok, found } = await doctor([prompts], {
    REMAND_DETECTOR: 'rbd',
    REMAND_TRACES: '/proc/none/traces.sqlite',
  });
  expect(ok).toBe(false);
  expect(found.get('detector')?.result ?? found.get('settings')?.result).toBe('fail');
  const unread = await doctor([prompts], {});
  expect(unread.found.get(`prompts of ${prompts}`)).toMatchObject({
    result: 'fail',
    told: expect.stringContaining('0 of 1 are read'),
  });
  expect(unread.found.get('judge')).toMatchObject({
    result: 'warn',
    told: expect.stringContaining('sandbox'),
  });
  const nowhere = await doctor([], { REMAND_TRACES: join(prompts, 'traces.sqlite') });
  expect(nowhere.found.get('traces')).toMatchObject({
    result: 'fail',
    told: expect.stringContaining('set REMAND_TRACES'),
  });
});

test('interrupted while the judge is silent, it ends at once and says so', async () => {
  const upstream = await startUpstream(() => {});
  const { child, ended } = start(['doctor', '--model', 'm'], {
    JUDGE_BASE_URL: upstream.url,
    REMAND_TRACES: join(folder, 'traces.sqlite'),
  });
  await until(() => upstream.received.length > 0, 'the judge is asked');
  child.kill('SIGINT');
  expect(await ended).toEqual({
    code: 1,
    // What was found before stands there already.
    out: expect.stringMatching(/^OK {4}settings .*\nOK {4}traces .*\nOK {4}detector .*\n$/),
    err: 'remand: interrupted\n',
  });
});
