/**
 * Judgments at a fixed rate for a long time, before a judge of whose calls a quarter goes wrong: whether memory stays
 * where it was, nothing is left open, every trace is whole, and no call is lost or charged twice.
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { Agent } from 'undici';
import { callsIn, createAccount } from './account.ts';
import type { Held } from './proxy.ts';
import { type Books, compareCounters, endOf, get, one, report, spawnProxy } from './run.ts';
import { startUpstream } from './upstream.ts';

export interface SoakOptions {
  readonly seconds: number;
  /** Judgments begun a second, whether those before have ended or not. */
  readonly rate: number;
  readonly seed: number;
  /** Before memory is looked at: code is compiled, pools and caches fill. */
  readonly warmUpSeconds: number;
  /** How much more memory the last third may hold than the first, as a share. */
  readonly growth: number;
  readonly progress?: (judged: number, seconds: number) => void;
}

export interface SoakResult {
  readonly judgments: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly faults: Readonly<Record<string, number>>;
  /** Medians of resident memory, in bytes. */
  readonly rss: Thirds;
  /** The same of what V8 sets aside for young objects: see `spawnProxy`. */
  readonly young: Thirds;
  /** Kinds of resources that keep the process alive, at the end, after it has come to rest. */
  readonly active: Readonly<Record<string, number>>;
  /** Model calls by the counters, and as charged to the budget. */
  readonly calls: { readonly counted: number; readonly charged: number };
  readonly wrong: readonly string[];
}

export interface Thirds {
  readonly first: number;
  readonly last: number;
}

/** Looks at memory in a run; odd thirds have a median. */
const LOOKS = 33;
const TIMEOUT_MS = 10_000;
const CLIENT_TIMEOUT_MS = 60_000;
/** A budget that is never reached is counted all the same. */
const LIMITS = JSON.stringify({ callsPerDay: 1_000_000_000 });

export async function runSoak(options: SoakOptions): Promise<SoakResult> {
  const { seed, growth } = options;
  const upstream = await startUpstream(seed);
  const folder = await mkdtemp(join(tmpdir(), 'remand-soak-'));
  const agent = new Agent({ headersTimeout: CLIENT_TIMEOUT_MS, bodyTimeout: CLIENT_TIMEOUT_MS });
  const child = spawnProxy(upstream.url, folder, TIMEOUT_MS, { REMAND_LIMITS: LIMITS });
  try {
    const [url] = (await once(child, 'message')) as [string];
    const books: Books = { account: createAccount(), outcomes: {}, faults: {}, wrong: [], done: 0 };
    const looks: Held[] = [];
    const judge = (number: number) => one({ agent, url, upstream, books, seed }, number);
    const judgments = await atRate(options, judge, books, async () => {
      looks.push(await report(child));
    });
    const { wrong } = books;
    const counted = callsIn((await get(agent, `${url}/remand/metrics`)).body);
    compareCounters(books, counted);
    const held = await report(child);
    for (const fault of held.faults) wrong.push(`logged: ${fault}`);
    const rss = thirdsOf(looks.map((look) => look.rss));
    const young = thirdsOf(looks.map((look) => look.young));
    if (rss.last > rss.first * (1 + growth))
      wrong.push(`resident memory grew from ${rss.first} to ${rss.last} bytes`);
    await agent.close();
    wrong.push(...(await endOf(child, upstream)));
    const calls = {
      counted: Object.values(counted).reduce((sum, count) => sum + count, 0),
      charged: chargedIn(join(folder, 'traces.sqlite')),
    };
    if (calls.counted !== calls.charged) wrong.push(`${calls.counted} calls, ${calls.charged} charged`);
    const { outcomes, faults } = books;
    return { judgments, outcomes, faults, rss, young, active: countOf(held.active), calls, wrong };
  } finally {
    child.kill('SIGKILL');
    upstream.close();
    await agent.destroy();
    await rm(folder, { recursive: true, force: true });
  }
}

/** @returns how many judgments were asked for, all of which have ended */
async function atRate(
  { seconds, rate, warmUpSeconds, progress }: SoakOptions,
  judge: (number: number) => Promise<void>,
  books: Books,
  look: () => Promise<void>,
): Promise<number> {
  const began = performance.now();
  const elapsed = () => (performance.now() - began) / 1_000;
  const underWay = new Set<Promise<void>>();
  const between = seconds / LOOKS;
  let looked = warmUpSeconds;
  let number = 0;
  while (elapsed() < warmUpSeconds + seconds) {
    for (const due = elapsed() * rate; number < due; number++) {
      const judged = judge(number).catch((error: unknown) => {
        books.wrong.push(`judgment ${number}: ${error instanceof Error ? error.stack : String(error)}`);
      });
      underWay.add(judged);
      void judged.then(() => underWay.delete(judged));
    }
    if (elapsed() > looked + between) {
      looked += between;
      await look();
      progress?.(number, elapsed());
    }
    await wait(5);
  }
  await Promise.all(underWay);
  return number;
}

function chargedIn(file: string): number {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return Number(database.prepare('SELECT coalesce(sum(calls), 0) AS calls FROM spent').get()?.calls);
  } finally {
    database.close();
  }
}

function thirdsOf(values: readonly number[]): Thirds {
  const third = Math.floor(values.length / 3);
  return { first: median(values.slice(0, third)), last: median(values.slice(-third)) };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

function countOf(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
