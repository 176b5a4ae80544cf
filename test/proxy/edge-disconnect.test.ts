/**
 * A client that leaves the Worker: `wrangler dev` in front of a slow local judge, for real. Only where it asked
 * for a stream: workerd notices by writing, and a plain reply has nothing to write until it is there. Then the
 * calls run to their end, bounded by the deadline and JUDGE_TIMEOUT_MS.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { findRemand } from '../../prompts/remand-note.ts';
import { firstPlaceLover, pairwise, RIGHT, streamed, WRONG } from './judges.ts';
import { type Received, startUpstream, until } from './servers.ts';

/** Milliseconds that starting a Worker and three times waiting may take. */
const BUSY = 300_000;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** In a process group of its own, which is ended as one: wrangler leaves workerd behind otherwise. */
async function startEdge(judge: string, ...settings: string[]): Promise<string> {
  const vars = [`JUDGE_BASE_URL:${judge}`, 'REMAND_HEARTBEAT_MS:100', ...settings];
  const state = mkdtempSync(join(tmpdir(), 'remand-edge-'));
  const args = ['dev', '--port', '0', '--inspector-port', '0', '--persist-to', state];
  args.push(...vars.flatMap((one) => ['--var', one]));
  const child: ChildProcess = spawn(`${ROOT}/node_modules/.bin/wrangler`, args, {
    cwd: ROOT,
    detached: true,
    env: { ...process.env, CI: 'true', WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false' },
  });
  onTestFinished(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    rmSync(state, { recursive: true, force: true, maxRetries: 10 });
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => (said += String(piece)));
  const ready = () => /Ready on (http:\/\/\S+)/.exec(said)?.[1];
  await until(() => ready() !== undefined, 'the Worker is ready');
  return ready()?.replace('localhost', '127.0.0.1') ?? '';
}

/** A request whose client may leave: when its answer begins, and what becomes of it. */
function leavable(edge: string, rest: Record<string, unknown>, signal: AbortSignal) {
  const body = pairwise(WRONG, RIGHT, rest);
  const begun = fetch(`${edge}/v1/chat/completions`, { method: 'POST', body, signal });
  const left = begun.then((response) => response.text()).catch(() => 'left');
  return { begun, left };
}

test('a client that leaves a stream ends its calls to the judge, its remands among them', {
  timeout: BUSY,
}, async () => {
  const answering = streamed(firstPlaceLover);
  let answers = false;
  let silent: Received[] = [];
  const upstream = await startUpstream((received, response) => {
    if (answers && findRemand(received.body.toString()) === null) return answering(received, response);
    silent.push(received);
  });
  const edge = await startEdge(upstream.url, 'REMAND_BIASES:position');
  for (const what of ['both orders were asked for', 'it was sent back in both orders']) {
    const client = new AbortController();
    const { begun, left } = leavable(edge, { stream: true }, client.signal);
    await until(() => silent.length === 2, what);
    // With the first heartbeat.
    await begun;
    client.abort();
    expect(await left).toBe('left');
    await until(() => silent.every((one) => one.abortedAt !== null), 'both calls were given up');
    silent = [];
    answers = true;
  }
});

test('workerd cannot tell that the client of a plain reply has left: JUDGE_TIMEOUT_MS ends its calls', {
  timeout: BUSY,
}, async () => {
  const upstream = await startUpstream(() => {});
  const edge = await startEdge(upstream.url, 'JUDGE_TIMEOUT_MS:3000');
  const client = new AbortController();
  // No call begins before this moment, so none whose time is over ends before that one; a busy machine is only later.
  const earliest = performance.now() + 2_900;
  const { left } = leavable(edge, {}, client.signal);
  await until(() => upstream.received.length === 2, 'both orders were asked for');
  client.abort();
  expect(await left).toBe('left');
  await until(
    () => upstream.received.every((one) => one.abortedAt !== null),
    'the calls ended with their time',
  );
  // Should this ever fail, workerd has learnt to tell, and this test is to demand it.
  for (const { abortedAt } of upstream.received) expect(abortedAt).toBeGreaterThan(earliest);
  // The client's own call is never made again; the other order's retries end with it.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(upstream.received).toHaveLength(2);
});
