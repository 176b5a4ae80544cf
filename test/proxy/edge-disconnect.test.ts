/**
 * A client that leaves the Worker: `wrangler dev` in front of a slow local judge, for real. Only where it asked
 * for a stream: workerd notices by writing, and a plain reply has nothing to write until it is there. Then the
 * calls run to their end, bounded by the deadline and JUDGE_TIMEOUT_MS.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { pairwise, RIGHT, WRONG } from './judges.ts';
import { startUpstream, until } from './servers.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** In a process group of its own, which is ended as one: wrangler leaves workerd behind otherwise. */
async function startEdge(judge: string): Promise<string> {
  const vars = [`JUDGE_BASE_URL:${judge}`, 'REMAND_HEARTBEAT_MS:100'];
  const args = ['dev', '--port', '0', '--inspector-port', '0', ...vars.flatMap((one) => ['--var', one])];
  const child: ChildProcess = spawn(`${ROOT}/node_modules/.bin/wrangler`, args, {
    cwd: ROOT,
    detached: true,
    env: { ...process.env, CI: 'true', WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false' },
  });
  onTestFinished(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => (said += String(piece)));
  const ready = () => /Ready on (http:\/\/\S+)/.exec(said)?.[1];
  await until(() => ready() !== undefined, 'the Worker is ready', 30_000);
  return ready()?.replace('localhost', '127.0.0.1') ?? '';
}

test('a client that leaves a stream ends its calls to the judge within a second', {
  timeout: 60_000,
}, async () => {
  // A judge that never answers.
  const upstream = await startUpstream(() => {});
  const edge = await startEdge(upstream.url);
  const client = new AbortController();
  const body = JSON.stringify({ ...JSON.parse(pairwise(WRONG, RIGHT)), stream: true });
  const left = fetch(`${edge}/v1/chat/completions`, { method: 'POST', body, signal: client.signal })
    .then((response) => response.text())
    .catch(() => 'left');
  await until(() => upstream.received.length === 2, 'both orders were asked for', 10_000);
  // Until the first heartbeat the client has had nothing, either.
  await new Promise((resolve) => setTimeout(resolve, 300));
  client.abort();
  expect(await left).toBe('left');
  await until(
    () => upstream.received.every((one) => one.abortedAt !== null),
    'both calls were given up',
    1000,
  );
});
