/** `npm run dev:edge` from end to end: a request, its verdict, the trace in D1, the metric, the page in a browser. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import puppeteer from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { SANDBOX_DEMO } from '../../src/sandbox/sandbox.ts';
import { type Answer, exchange, until } from './servers.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CHROMIUM = '/usr/bin/chromium';
/** Two starts of wrangler, on a machine that is busy with other things. */
const SLOW = 300_000;

const state = mkdtempSync(join(tmpdir(), 'remand-edge-'));
let said = '';
let edge: { readonly url: string; readonly key: string };
let child: ChildProcess;
let judged: Answer;

const bearer = () => ({ authorization: `Bearer ${edge.key}` });
const ask = () =>
  exchange(`${edge.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-remand-key': edge.key },
    body: JSON.stringify(SANDBOX_DEMO),
  });
const traceOf = ({ headers }: Answer) => String(headers['x-remand-trace']);

beforeAll(async () => {
  const args = ['dev/edge.ts', '--port', '0', '--state', state, '--json'];
  child = spawn(process.execPath, args, { cwd: ROOT });
  let out = '';
  child.stdout?.on('data', (piece) => (out += String(piece)));
  child.stderr?.on('data', (piece) => (said += String(piece)));
  await until(
    () => {
      if (child.exitCode !== null) throw new Error(`it ended: ${said}`);
      return out.endsWith('\n');
    },
    'the Worker is ready',
    SLOW,
  );
  edge = JSON.parse(out);
  judged = await ask();
}, SLOW);

afterAll(async () => {
  if (child.exitCode === null) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  rmSync(state, { recursive: true, force: true });
}, SLOW);

test('the sandbox’s verdict is revised; its trace is read from D1 and counted; asked again, KV answers', async () => {
  expect(JSON.parse((await exchange(`${edge.url}/remand/ready`)).body.toString())).toEqual({
    status: 'ready',
  });
  expect(judged.status, judged.body.toString()).toBe(200);
  expect(judged.headers).toMatchObject({ 'x-remand-status': 'revised', 'x-remand-biases': 'bandwagon' });
  expect(JSON.parse(judged.body.toString()).choices[0].message.content).toBe('Output (b)');
  const story = `${edge.url}/remand/traces/${traceOf(judged)}`;
  expect((await exchange(story)).status).toBe(401);
  const trace = await until(async () => {
    const { status, body } = await exchange(story, { headers: bearer() });
    return status === 200 && JSON.parse(body.toString());
  }, 'the trace is kept');
  expect(trace).toMatchObject({
    status: 'revised',
    verdicts: [{ choice: 'Output (a)' }, { choice: 'Output (b)' }],
    analyses: [{ biased: true, biases: ['bandwagon'] }, { biased: false }],
  });
  const again = await until(async () => {
    const answer = await ask();
    return answer.headers['x-remand-cache'] === 'hit' ? answer : null;
  }, 'the cache has it');
  expect(again.headers['x-remand-calls']).toBe('0');
  expect(again.body).toEqual(judged.body);
  const overview = await exchange(`${edge.url}/remand`, { headers: { ...bearer(), accept: 'text/html' } });
  expect(overview.body.toString()).toContain('Output (a) → Output (b)');
  const numbers = await exchange(`${edge.url}/remand/numbers?format=csv`, { headers: bearer() });
  expect(numbers.body.toString()).toMatch(/^verdicts,.*\nfirst verdict,.*\nwhat went out,/);
  const metrics = (await exchange(`${edge.url}/remand/metrics`, { headers: bearer() })).body.toString();
  const counted = (name: string) =>
    Number(
      metrics
        .split('\n')
        .find((line) => line.startsWith(name))
        ?.split(' ')
        .at(-1),
    );
  expect(counted('remand_requests_total{status="revised"}')).toBeGreaterThanOrEqual(2);
  expect(counted('remand_cache_total{result="hit"}')).toBeGreaterThanOrEqual(1);
  expect(counted('remand_calls_total{kind="judge",ok="true"}')).toBe(1);
  expect(counted('remand_not_stored_total')).toBe(0);
  // Of a database, an object or a cache that could not be reached.
  expect(said).not.toContain('"event":"fault"');
});

test.skipIf(!existsSync(CHROMIUM))(
  `the dashboard shows it, and takes a word on which verdict was right (skipped without ${CHROMIUM})`,
  { timeout: SLOW },
  async () => {
    const browser = await puppeteer.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'], timeout: 0 });
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    // The test's own limit is enough.
    page.setDefaultTimeout(0);
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.authenticate({ username: 'anyone', password: edge.key });
    const id = traceOf(judged);
    await page.goto(`${edge.url}/remand`);
    expect(await page.$eval('body', (body) => body.innerText)).toMatch(/1 judgment/);
    await Promise.all([page.waitForNavigation(), page.click(`a[href*="${id}"]`)]);
    const told = await page.$eval('body', (body) => body.innerText);
    for (const words of ['What is 17*23?', '90% of people believe', 'bandwagon', 'Output (b)'])
      expect(told).toContain(words);
    await Promise.all([page.waitForNavigation(), page.click('button[value=last]')]);
    const labels = await exchange(`${edge.url}/remand/labels`, { headers: bearer() });
    expect(JSON.parse(labels.body.toString())).toMatchObject({ trace: id, before: false, after: true });
    expect(errors).toEqual([]);
  },
);

describe('ended by a signal', () => {
  test('it leaves nobody behind, and what was judged is in the database', { timeout: SLOW }, async () => {
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
    await expect(fetch(`${edge.url}/remand/health`)).rejects.toThrow();
    const [file = ''] = globSync('v3/d1/*/*.sqlite', { cwd: state }).filter(
      (path) => !path.includes('metadata'),
    );
    const database = new DatabaseSync(join(state, file), { readOnly: true });
    onTestFinished(() => database.close());
    const kept = database.prepare('SELECT id, status FROM traces').all();
    expect(kept).toMatchObject([{ id: traceOf(judged), status: 'revised' }]);
  });
});
