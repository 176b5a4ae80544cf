/**
 * One run: a faulty upstream and the clients in this process, the proxy in its own. Everything that does not hold is
 * found by looking at both ends and at the traces, and comes back as a sentence.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Agent, request } from 'undici';
import { type Trace, traceSchema } from '../../src/trace/trace-schema.ts';
import { type Account, callsIn, createAccount, enter, KINDS } from './account.ts';
import { check } from './check.ts';
import { judgmentOf } from './judgments.ts';
import type { Held } from './proxy.ts';
import { type LoadUpstream, NUMBER_HEADER, startUpstream } from './upstream.ts';

export interface LoadOptions {
  readonly judgments: number;
  /** Asking at the same time. */
  readonly clients: number;
  readonly seed: number;
  /** Of one call to the judge; a hanging one costs as much. Long enough for a busy machine's healthy calls. */
  readonly timeoutMs: number;
  /** How much more memory may be held at the end than after a fifth of the judgments, as a share. */
  readonly growth: number;
  readonly progress?: (done: number) => void;
}

export interface LoadResult {
  readonly seconds: number;
  /** Answers by `x-remand-status`, or by whose error they were. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Calls that arrived at the upstream, by what it did to them. */
  readonly faults: Readonly<Record<string, number>>;
  readonly account: Account;
  /** Requests that broke off on their way to the upstream. */
  readonly cutShort: number;
  /** After a fifth, and at the end. */
  readonly held: readonly [Held, Held];
  /** What does not hold; empty where all does. */
  readonly wrong: readonly string[];
}

const KEEP = 1_000;
/** For the proxy to have nothing under way any more, and for its process to end once it is told to. */
const SETTLE_MS = 60_000;
/** No client of ours is more patient. */
const CLIENT_TIMEOUT_MS = 60_000;

export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const { judgments, clients, seed, growth } = options;
  const upstream = await startUpstream(seed);
  const folder = await mkdtemp(join(tmpdir(), 'remand-load-'));
  const agent = new Agent({ headersTimeout: CLIENT_TIMEOUT_MS, bodyTimeout: CLIENT_TIMEOUT_MS });
  const child = spawnProxy(upstream.url, folder, options.timeoutMs);
  try {
    const [url] = (await once(child, 'message')) as [string];
    const books: Books = { account: createAccount(), outcomes: {}, faults: {}, wrong: [], done: 0 };
    const began = performance.now();
    const phase = (from: number, to: number) =>
      runClients({ ...options, agent, url, upstream, books, from, to, clients, seed });
    const first = Math.ceil(judgments / 5);
    await phase(0, first);
    const early = await report(child);
    await phase(first, judgments);
    const seconds = (performance.now() - began) / 1_000;
    const late = await report(child);
    const metrics = await get(agent, `${url}/remand/metrics`);
    compareCounters(books, callsIn(metrics.body));
    const { wrong } = books;
    for (const fault of late.faults) wrong.push(`logged: ${fault}`);
    for (const what of ['rss', 'heap'] as const)
      if (late[what] > early[what] * (1 + growth))
        wrong.push(`${what} grew from ${early[what]} to ${late[what]} bytes`);
    if (upstream.underWay() > 0 && !(await within(SETTLE_MS, async () => upstream.underWay() === 0)))
      wrong.push(`${upstream.underWay()} upstream calls are still open`);
    await agent.close();
    wrong.push(...(await endOf(child, upstream)));
    const { account, outcomes, faults } = books;
    const { cutShort } = upstream;
    return { seconds, outcomes, faults, account, cutShort, held: [early, late], wrong };
  } finally {
    child.kill('SIGKILL');
    upstream.close();
    await agent.destroy();
    await rm(folder, { recursive: true, force: true });
  }
}

export interface Books {
  readonly account: Account;
  readonly outcomes: Record<string, number>;
  readonly faults: Record<string, number>;
  readonly wrong: string[];
  done: number;
}

/**
 * What V8 sets aside for young objects has its full size from the start (two halves of so many MiB). It gets there by
 * itself after some thousand judgments, doubling, and each time memory grows by tens of megabytes, once, as by a leak.
 */
const YOUNG = '--min-semi-space-size=64';

/** @param settings beside those of every run, by the names of the environment */
export function spawnProxy(
  judge: string,
  folder: string,
  timeoutMs: number,
  settings: Readonly<Record<string, string>> = {},
): ChildProcess {
  const path = fileURLToPath(new URL('./proxy.ts', import.meta.url));
  return spawn(process.execPath, ['--expose-gc', YOUNG, path], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: {
      JUDGE_BASE_URL: judge,
      JUDGE_TIMEOUT_MS: String(timeoutMs),
      // Where the machine is busy, collecting garbage can take the 50 ms of a reading, which then goes through unexamined.
      REMAND_READ_MS: '5000',
      REMAND_HEARTBEAT_MS: '250',
      // Biases whose undoing needs no rewording: each call's kind can be told from its body.
      REMAND_BIASES: 'position,bandwagon',
      REMAND_TRACES: join(folder, 'traces.sqlite'),
      REMAND_TRACES_KEEP: String(KEEP),
      ...settings,
    },
  });
}

interface Phase {
  readonly agent: Agent;
  readonly url: string;
  readonly upstream: LoadUpstream;
  readonly books: Books;
  readonly seed: number;
  readonly clients: number;
  readonly from: number;
  readonly to: number;
  readonly progress?: (done: number) => void;
}

async function runClients(phase: Phase): Promise<void> {
  let next = phase.from;
  await Promise.all(
    Array.from({ length: phase.clients }, async () => {
      while (next < phase.to) {
        const number = next++;
        await one(phase, number).catch((error: unknown) => {
          phase.books.wrong.push(
            `judgment ${number}: ${error instanceof Error ? error.stack : String(error)}`,
          );
        });
        phase.progress?.(++phase.books.done);
      }
    }),
  );
}

/** One judgment, asked for and looked at from both ends; what is wrong goes into the books. */
export async function one(
  { agent, url, upstream, books, seed }: Pick<Phase, 'agent' | 'url' | 'upstream' | 'books' | 'seed'>,
  number: number,
): Promise<void> {
  const judgment = judgmentOf(seed, number);
  const { protocol, stream, body } = judgment;
  const {
    statusCode,
    headers,
    body: said,
  } = await request(url + protocol.path(stream), {
    method: 'POST',
    dispatcher: agent,
    headers: {
      'content-type': 'application/json',
      authorization: 'Bearer sk-load',
      [NUMBER_HEADER]: String(number),
    },
    body,
  });
  const answered = { status: statusCode, headers, body: await said.text() };
  const calls = upstream.take(number);
  const { outcome, trace: id, wrong } = check(judgment, answered, calls);
  const trace = id === null ? null : await stored(agent, `${url}/remand/traces/${id}`);
  const differing = enter(books.account, trace, calls);
  books.outcomes[outcome] = (books.outcomes[outcome] ?? 0) + 1;
  for (const { fault } of calls) books.faults[fault ?? 'none'] = (books.faults[fault ?? 'none'] ?? 0) + 1;
  for (const what of [wrong, differing])
    if (what !== null) books.wrong.push(`judgment ${number} (${protocol.adapter.name}): ${what}`);
}

/** A trace is written after the answer went out. */
async function stored(agent: Agent, url: string): Promise<Trace> {
  for (let tries = 0; tries < 3_000; tries++) {
    const { status, body } = await get(agent, url);
    if (status === 200) return traceSchema.parse(JSON.parse(body));
    await wait(10);
  }
  throw new Error(`no trace at ${url}`);
}

export async function get(agent: Agent, url: string): Promise<{ status: number; body: string }> {
  const { statusCode: status, body } = await request(url, { dispatcher: agent });
  return { status, body: await body.text() };
}

/** The proxy's own counters hold every call it began, and so do the traces. */
export function compareCounters({ account, wrong }: Books, counted: Readonly<Record<string, number>>): void {
  for (const kind of KINDS) {
    const { traced } = account[kind];
    if (counted[kind] !== traced && (counted[kind] ?? 0) + traced > 0)
      wrong.push(`remand_calls_total counts ${counted[kind] ?? 0} ${kind} calls: ${traced} traced`);
  }
}

export async function report(child: ChildProcess): Promise<Held> {
  child.send('report');
  const [held] = (await once(child, 'message')) as [Held];
  return held;
}

/** Told to close, the process must end by itself, and take its connections with it. */
export async function endOf(child: ChildProcess, upstream: LoadUpstream): Promise<string[]> {
  child.send('close');
  if (!(await within(SETTLE_MS, async () => child.exitCode !== null)))
    return ['the proxy was closed and its process does not end: a timer or a connection is left'];
  if (child.exitCode !== 0) return [`the proxy's process ended with ${child.exitCode}`];
  const gone = await within(SETTLE_MS, async () => (await upstream.connections()) === 0);
  return gone ? [] : [`${await upstream.connections()} upstream connections are left`];
}

async function within(ms: number, look: () => Promise<boolean>): Promise<boolean> {
  for (const end = performance.now() + ms; performance.now() < end; await wait(20))
    if (await look()) return true;
  return false;
}
