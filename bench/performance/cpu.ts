/**
 * CPU of one judgment, less model calls and HTTP: the whole app in this process, from Request to Response and stored
 * trace, in front of a judge that answers at once from memory. What a bare app takes for the same requests and as many
 * calls of that judge is measured in turn, and taken off.
 */
import { Hono } from 'hono';
import { createTemplateBook } from '../../src/case/templates/book.ts';
import { createProbeDetector } from '../../src/detect/probe.ts';
import { type Fetch, systemClock } from '../../src/ports.ts';
import { createApp } from '../../src/proxy/app.ts';
import { readConfig } from '../../src/proxy/config.ts';
import { UNLIMITED } from '../../src/proxy/limits/account-book.ts';
import { createMetrics } from '../../src/proxy/metrics.ts';
import { openDatabase } from '../../src/proxy/storage/database.ts';
import { createTemplateKeeper } from '../../src/proxy/templates/keeper.ts';
import { memoryTemplates } from '../../src/proxy/templates/store.ts';
import { createSqliteTraces } from '../../src/proxy/traces/trace-stores.ts';
import { readTarget } from '../../src/proxy/upstream.ts';
import { fairReply, judgmentOf } from './prompts.ts';

/** Requests that differ. */
const DIFFERENT = 200;

export interface CpuResult {
  readonly bytes: number;
  /** Milliseconds of CPU, user and system, a judgment; the median of the runs. */
  readonly ms: number;
}

export interface CpuRun {
  readonly bytes: number;
  /** Judgments that are not counted, until V8 has compiled what they run through. */
  readonly warm: number;
  readonly judgments: number;
  readonly runs: number;
}

export async function cpuPerJudgment({ bytes, warm, judgments, runs }: CpuRun): Promise<CpuResult> {
  // As the requests of a pipeline do, they differ: of one that comes again nothing is learned.
  const bodies = Array.from({ length: DIFFERENT }, (_, nth) => judgmentOf({ bytes, nth }));
  let calls = 0;
  const instant: Fetch = async (_url, init) => {
    calls++;
    return new Response(fairReply(String(init.body)), { headers: { 'content-type': 'application/json' } });
  };
  const stored: Promise<void>[] = [];
  const app = createApp(
    {
      fetch: instant,
      judgeUrl: 'http://judge.invalid',
      target: (c) => readTarget(c.req.raw.url),
      clock: systemClock,
      id: () => crypto.randomUUID(),
      traces: createSqliteTraces(openDatabase(':memory:'), {
        keep: 1_000,
        bytes: 64 << 20,
        bytesEach: 16 << 20,
      }),
      audit: null,
      ready: async () => undefined,
      cache: null,
      templates: createTemplateBook({ templates: [], learn: 'auto', id: () => crypto.randomUUID() }),
      templateKeeper: createTemplateKeeper({
        store: memoryTemplates(),
        clock: systemClock,
        failed: () => undefined,
        moved: () => undefined,
        mayKeep: () => true,
      }),
      telemetry: null,
      labels: null,
      door: { enter: () => ({ id: null, limits: null }) },
      limits: {
        open: () => UNLIMITED,
        spent: async () => ({ day: { calls: 0, money: 0 }, month: { calls: 0, money: 0 } }),
      },
      keys: null,
      cutOff: null,
      random: (bytes) => new Uint8Array(bytes),
      metrics: createMetrics(),
      log: () => undefined,
      waitUntil: (work) => void stored.push(work()),
      detector: () => createProbeDetector(),
    },
    readConfig({}),
  );
  const judge = async (count: number) => {
    for (let i = 0; i < count; i++) {
      const response = await app.fetch(requestOf(bodies[i % DIFFERENT] ?? ''));
      await response.text();
      if (response.headers.get('x-remand-status') !== 'unchanged') throw new Error('the judgment went wrong');
    }
    await Promise.all(stored.splice(0));
  };
  await judge(warm);
  // Of long texts some make one call more, for a probe.
  const each = calls / warm;
  let owed = 0;
  const bare = new Hono().post('*', async (c) => {
    const body = await c.req.text();
    const headers = new Headers({ 'content-type': 'application/json' });
    let reply = '';
    for (owed += each; owed >= 1; owed--)
      reply = await (await instant(c.req.url, { method: 'POST', headers, body })).text();
    return new Response(reply, { headers });
  });
  const passOn = async (count: number) => {
    for (let i = 0; i < count; i++) await (await bare.fetch(requestOf(bodies[i % DIFFERENT] ?? ''))).text();
  };
  await passOn(warm);
  const measured: number[] = [];
  for (let run = 0; run < runs; run++)
    measured.push((await cpuOf(() => judge(judgments))) - (await cpuOf(() => passOn(judgments))));
  return { bytes, ms: (measured.sort((a, b) => a - b)[measured.length >> 1] ?? 0) / judgments };
}

const requestOf = (body: string) =>
  new Request('http://remand.local/v1/chat/completions', { method: 'POST', body });

/** Milliseconds of CPU, user and system. */
async function cpuOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
