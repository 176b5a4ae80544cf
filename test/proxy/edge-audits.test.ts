/** An audit at the edge from end to end: `npm run dev:edge` with its real Workflow, and a judge on a real server. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { AuditPair } from '../../src/audit/cues/ask-cues.ts';
import { AUDIT_PAIRS, auditJudge, auditPairs, CUES, jsonl, reportOfTheCore } from './audit-judge.ts';
import { exchange, startUpstream, until } from './servers.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Two starts of wrangler, on a machine that is busy with other things. */
const SLOW = 300_000;

async function startEdge(state: string, judge: string) {
  const args = ['dev/edge.ts', '--port', '0', '--state', state, '--json', '--var', `JUDGE_BASE_URL:${judge}`];
  const child: ChildProcess = spawn(process.execPath, args, { cwd: ROOT });
  let [out, said] = ['', ''];
  child.stdout?.on('data', (piece) => (out += String(piece)));
  child.stderr?.on('data', (piece) => (said += String(piece)));
  const stop = async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  onTestFinished(stop, SLOW);
  const ready = () => {
    if (child.exitCode !== null) throw new Error(`it ended: ${said}`);
    return out.endsWith('\n');
  };
  await until(ready, 'the Worker is ready', SLOW);
  const { url, key }: { url: string; key: string } = JSON.parse(out);
  return { url, headers: { authorization: `Bearer ${key}` }, said: () => said, stop };
}

interface Edge {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly said: () => string;
}

async function ask({ url, headers }: Edge, pairs: readonly AuditPair[]) {
  const at = `${url}/remand/audits?judge=j&cues=${CUES}`;
  const answer = await exchange(at, { method: 'POST', headers, body: jsonl(pairs) });
  return { status: answer.status, ...JSON.parse(answer.body.toString()) };
}

async function look({ url, headers }: Edge, at: string) {
  return JSON.parse((await exchange(url + at, { headers })).body.toString());
}

async function reportOf(edge: Edge, at: string) {
  const ended = async () => {
    const told = await look(edge, at);
    return told.state !== 'running' && told;
  };
  const over = await until(ended, 'the audit is over', SLOW);
  expect(over.state, edge.said()).toBe('done');
  const { calls, tokens: _, ...report } = over.report;
  return { calls, report };
}

test('past a judge that fails and a stop in the middle, the report is the core’s', {
  timeout: 3 * SLOW,
}, async () => {
  const state = mkdtempSync(join(tmpdir(), 'remand-edge-'));
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
  const held = Promise.withResolvers<void>();
  onTestFinished(() => held.resolve());
  let calls = 0;
  const upstream = await startUpstream(
    auditJudge(async (_, response) => {
      calls++;
      if (calls === 30) response.writeHead(503).end('{"error": {"message": "later"}}');
      if (calls === 70) await held.promise;
    }),
  );
  const started = await startEdge(state, upstream.url);
  // A key of the database's: the one that is printed is good until the Worker stops.
  const made = await exchange(`${started.url}/remand/keys`, {
    method: 'POST',
    headers: started.headers,
    body: JSON.stringify({ name: 'organiser', scopes: ['admin'] }),
  });
  const headers = { authorization: `Bearer ${JSON.parse(made.body.toString()).key}` };
  const first = { ...started, headers };
  const taken = await ask(first, AUDIT_PAIRS);
  expect(taken).toMatchObject({ status: 202, rows: 30, calls: 120 });
  await until(() => calls >= 70, 'it is in the middle', SLOW);
  // Ten rows are a batch, two pieces each; the second one is under way.
  expect(await look(first, taken.url)).toMatchObject({
    state: 'running',
    progress: { pieces: 60, done: 20 },
  });
  expect(first.said()).not.toContain('"event":"fault"');
  await first.stop();
  const second = { ...(await startEdge(state, upstream.url)), headers };
  // The platform goes on by itself; its simulator forgets who was at work, as an operator may have to say, too.
  const resumed = await exchange(`${second.url}${taken.url}/resume`, { method: 'POST', headers });
  expect(resumed.status).toBe(202);
  const { report, calls: counted } = await reportOf(second, taken.url);
  expect(report).toEqual(await reportOfTheCore());
  // Of the piece that failed both calls were made again; of the batch that was stopped, all of them.
  expect(counted).toBe(122);
  expect(calls).toBeLessThanOrEqual(122 + 40);

  // After 800 calls another instance of the Workflow takes over, for the subrequests of one are bounded.
  const pairs = auditPairs(210);
  const before = calls;
  const long = await ask(second, pairs);
  expect(long).toMatchObject({ status: 202, rows: 210, calls: 840 });
  expect(await reportOf(second, long.url)).toEqual({ calls: 840, report: await reportOfTheCore(pairs) });
  expect(calls - before).toBe(840);
});
