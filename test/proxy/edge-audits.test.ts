/** An audit at the edge from end to end: `npm run dev:edge` with its real Workflow, and a judge on a real server. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { AUDIT_PAIRS, auditJudge, CUES, jsonl, reportOfTheCore } from './audit-judge.ts';
import { exchange, startUpstream, until } from './servers.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Two starts of wrangler, on a machine that is busy with other things. */
const SLOW = 180_000;

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
  const first = await startEdge(state, upstream.url);
  // A key of the database's: the one that is printed is good until the Worker stops.
  const made = await exchange(`${first.url}/remand/keys`, {
    method: 'POST',
    headers: first.headers,
    body: JSON.stringify({ name: 'organiser', scopes: ['admin'] }),
  });
  const headers = { authorization: `Bearer ${JSON.parse(made.body.toString()).key}` };
  const answer = await exchange(`${first.url}/remand/audits?judge=j&cues=${CUES}`, {
    method: 'POST',
    headers,
    body: jsonl(AUDIT_PAIRS),
  });
  const taken = JSON.parse(answer.body.toString());
  expect([answer.status, taken]).toMatchObject([202, { rows: 30, calls: 120 }]);
  const look = async (url: string) =>
    JSON.parse((await exchange(url + taken.url, { headers })).body.toString());
  await until(() => calls >= 70, 'it is in the middle', SLOW);
  // Ten rows are a batch, two pieces each; the second one is under way.
  expect(await look(first.url)).toMatchObject({ state: 'running', progress: { pieces: 60, done: 20 } });
  expect(first.said()).not.toContain('"event":"fault"');
  await first.stop();
  const second = await startEdge(state, upstream.url);
  // The platform goes on by itself; its simulator forgets who was at work, as an operator may have to say, too.
  const resumed = await exchange(`${second.url}${taken.url}/resume`, { method: 'POST', headers });
  expect(resumed.status).toBe(202);
  const over = await until(
    async () => {
      const said = await look(second.url);
      return said.state !== 'running' && said;
    },
    'the audit is over',
    SLOW,
  );
  expect(over.state, second.said()).toBe('done');
  const { calls: counted, tokens: _, ...report } = over.report;
  expect(report).toEqual(await reportOfTheCore());
  // Of the piece that failed both calls were made again; of the batch that was stopped, all of them.
  expect(counted).toBe(122);
  expect(calls).toBeLessThanOrEqual(122 + 40);
});
