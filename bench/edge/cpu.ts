/**
 * CPU of a judgment in workerd: the script as it would be deployed, before a judge on loopback, one request after the
 * other, and after each the time that its thread has run (Linux: /proc). HTTP, on both sides, is in it, which Cloudflare
 * does not count: an upper bound. What passes through says how much that is.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { judgmentOf, swayedReply, WRONG_CROWD } from '../performance/prompts.ts';
import { startWorkerd } from './workerd.ts';

export interface EdgeCpu {
  /** Milliseconds of CPU a request, in their order of size. */
  readonly judging: readonly number[];
  /** A statement made for the wrong verdict, and the judge was told so. */
  readonly sendingBack: readonly number[];
  readonly passing: readonly number[];
}

/** @param requests of each kind; as many before are not counted */
export async function edgeCpu(bytes: number, requests: number): Promise<EdgeCpu> {
  const judge = createServer((incoming, response) => {
    let body = '';
    incoming.on('data', (piece) => {
      body += piece;
    });
    incoming.on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(swayedReply(body));
    });
  });
  await new Promise<void>((resolve) => judge.listen(0, '127.0.0.1', resolve));
  const state = await mkdtemp(join(tmpdir(), 'remand-edge-'));
  const { child, url } = await startWorkerd(
    `http://127.0.0.1:${(judge.address() as AddressInfo).port}`,
    state,
  );
  try {
    const ran = () => ranFor(String(child.pid));
    const ask = async (nth: number, statements: readonly string[], mode: string, expected: string) => {
      const body = judgmentOf({ bytes, nth, statements });
      const headers = { 'content-type': 'application/json', 'x-remand-mode': mode };
      const before = await ran();
      const answer = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body });
      await answer.text();
      const status = answer.headers.get('x-remand-status');
      if (status !== expected) throw new Error(`it went wrong: ${status}`);
      // What is done after the answer belongs to it.
      await wait(5);
      return (await ran()) - before;
    };
    const measured = async (statements: readonly string[], mode: string, expected: string) => {
      const all: number[] = [];
      for (let nth = 0; nth < 2 * requests; nth++) all.push(await ask(nth, statements, mode, expected));
      return all.slice(requests).sort((a, b) => a - b);
    };
    return {
      judging: await measured([], 'debias', 'unchanged'),
      sendingBack: await measured([WRONG_CROWD], 'debias', 'revised'),
      passing: await measured([], 'off', 'bypassed'),
    };
  } finally {
    child.kill('SIGKILL');
    judge.closeAllConnections();
    judge.close();
    await rm(state, { recursive: true, force: true });
  }
}

/**
 * Milliseconds on a CPU so far (proc(5), schedstat) of the thread that runs the script. V8 compiles and collects on
 * others besides, which is not the request's time.
 */
async function ranFor(pid: string): Promise<number> {
  const text = await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8');
  return Number(text.split(' ')[0]) / 1e6;
}
