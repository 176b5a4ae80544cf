/**
 * CPU of a judgment in workerd: `wrangler dev` before a judge on loopback, one request after the other, and after each
 * the time that the workerd process has run (Linux: /proc). The simulator's own routing and its HTTP are in it, so
 * it is an upper bound; what passes through says how much they are.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fairReply, judgmentOf } from '../overhead/prompts.ts';
import { QUIET, ROOT, WRANGLER } from './build.ts';

export interface EdgeCpu {
  /** Milliseconds of CPU a request, in their order of size. */
  readonly judging: readonly number[];
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
      response.writeHead(200, { 'content-type': 'application/json' }).end(fairReply(body));
    });
  });
  await new Promise<void>((resolve) => judge.listen(0, '127.0.0.1', resolve));
  const state = await mkdtemp(join(tmpdir(), 'remand-edge-'));
  const { child, url } = await startEdge(`http://127.0.0.1:${(judge.address() as AddressInfo).port}`, state);
  try {
    const pid = await workerdIn(child);
    const body = judgmentOf(bytes);
    const ask = async (mode: string) => {
      const headers = { 'content-type': 'application/json', 'x-remand-mode': mode };
      const before = await ranFor(pid);
      const answer = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body });
      await answer.text();
      const status = answer.headers.get('x-remand-status');
      if (status !== (mode === 'off' ? 'bypassed' : 'unchanged')) throw new Error(`it went wrong: ${status}`);
      // The trace is written after the answer.
      await wait(5);
      return (await ranFor(pid)) - before;
    };
    const measured = async (mode: string) => {
      for (let i = 0; i < requests; i++) await ask(mode);
      const all: number[] = [];
      for (let i = 0; i < requests; i++) all.push(await ask(mode));
      return all.sort((a, b) => a - b);
    };
    return { judging: await measured('debias'), passing: await measured('off') };
  } finally {
    // workerd is a child of wrangler's, and is left behind unless the group ends as one.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    judge.closeAllConnections();
    judge.close();
    await rm(state, { recursive: true, force: true });
  }
}

async function startEdge(judge: string, state: string): Promise<{ child: ChildProcess; url: string }> {
  const args = ['dev', '--port', '0', '--inspector-port', '0', '--persist-to', state];
  const child = spawn(WRANGLER, [...args, '--var', `JUDGE_BASE_URL:${judge}`, '--var', 'REMAND_TRACES:off'], {
    cwd: ROOT,
    detached: true,
    env: { ...process.env, ...QUIET },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (piece) => {
      said += piece;
    });
  for (let tries = 0; tries < 600; tries++) {
    const url = /Ready on (http:\/\/\S+)/.exec(said)?.[1];
    if (url) return { child, url: url.replace('localhost', '127.0.0.1') };
    await wait(100);
  }
  throw new Error(`wrangler dev does not start:\n${said}`);
}

/** The process in wrangler's group that runs the Worker. */
async function workerdIn({ pid: group }: ChildProcess): Promise<string> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    // The name stands in brackets and may hold anything; then state, parent and group.
    const [, name, rest = ''] = /\((.*)\) (.*)/.exec(stat) ?? [];
    if (name === 'workerd' && Number(rest.split(' ')[2]) === group) return pid;
  }
  throw new Error('no workerd in the group of wrangler dev');
}

/** Milliseconds on a CPU so far, of all its threads (proc(5), schedstat). */
async function ranFor(pid: string): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`);
  const ran = await Promise.all(
    threads.map(async (thread) => {
      const text = await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '0');
      return Number(text.split(' ')[0]);
    }),
  );
  return ran.reduce((sum, ns) => sum + ns, 0) / 1e6;
}
