/**
 * What Remand costs beside the model calls: `npm run bench`. Everything on loopback: a bare upstream, a plain
 * Hono with undici's pool in front of it, and Remand, passing through and judging (probe, one swap), each in
 * a process of its own, taken in turns within one run so that a busy machine is unfair to all alike.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { type CpuResult, cpuPerJudgment } from './overhead/cpu.ts';
import { judgmentOf } from './overhead/prompts.ts';

const RUNS = 5;
const SECONDS = 3;
const CONNECTIONS = 32;

interface Figures {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

interface Target {
  readonly name: string;
  readonly url: string;
}

const { values: options } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
const stops: (() => void)[] = [];

async function start(file: string, ...args: string[]): Promise<string> {
  const path = fileURLToPath(new URL(`./overhead/${file}`, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  stops.push(() => child.kill());
  const [url] = await once(createInterface({ input: child.stdout }), 'line');
  return String(url);
}

async function load({ url }: Target, seconds: number): Promise<Figures> {
  const result = await autocannon({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer sk-bench' },
    body: judgmentOf(2_048),
    connections: CONNECTIONS,
    duration: seconds,
  });
  if (result.non2xx + result.errors > 0) throw new Error(`${result.non2xx + result.errors} failed at ${url}`);
  return { perSecond: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 };
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
}

const upstream = await start('upstream.ts');
const plain = await start('plain.ts', upstream);
const buffering = await start('plain.ts', upstream, 'buffering');
const remand = await start('remand.ts', upstream);
// Passing through is measured on a path that is no judging one, with the same body.
const targets: Target[] = [
  { name: 'bare upstream', url: `${upstream}/v1/embeddings` },
  { name: 'Hono + undici pool', url: `${plain}/v1/embeddings` },
  { name: 'Hono + undici pool, buffering', url: `${buffering}/v1/embeddings` },
  { name: 'Remand, passing through', url: `${remand}/v1/embeddings` },
  { name: 'Remand, judging (probe, one swap)', url: `${remand}/v1/chat/completions` },
];
for (const target of targets) await load(target, 1);
const runs: Figures[][] = [];
for (let run = 0; run < RUNS; run++) {
  const figures: Figures[] = [];
  for (const target of targets) {
    if (!options.json) process.stderr.write(`\rrun ${run + 1} of ${RUNS}: ${target.name.padEnd(40)}`);
    figures.push(await load(target, SECONDS));
  }
  runs.push(figures);
}
if (!options.json) process.stderr.write('\n');
for (const stop of stops) stop();

const rows = targets.map(({ name }, i) => {
  const of = (pick: (figures: Figures) => number) =>
    median(runs.flatMap((run) => (run[i] ? [pick(run[i])] : [])));
  const ratio = median(runs.map((run) => (run[i]?.perSecond ?? 0) / (run[1]?.perSecond ?? 1)));
  return {
    name,
    perSecond: of((f) => f.perSecond),
    p50: of((f) => f.p50),
    p99: of((f) => f.p99),
    toPlain: ratio,
  };
});
const cpu: CpuResult[] = [await cpuPerJudgment(2_048, 300, RUNS), await cpuPerJudgment(32_768, 100, RUNS)];

if (options.json) {
  process.stdout.write(
    `${JSON.stringify({ runs: RUNS, seconds: SECONDS, connections: CONNECTIONS, rows, cpu })}\n`,
  );
} else {
  console.log(`Medians of ${RUNS} runs of ${SECONDS} s, ${CONNECTIONS} connections, 2 KB requests\n`);
  console.log(
    `${''.padEnd(36)}${'requests/s'.padStart(12)}${'p50 ms'.padStart(9)}${'p99 ms'.padStart(9)}  of plain Hono`,
  );
  for (const { name, perSecond, p50, p99, toPlain } of rows)
    console.log(
      `${name.padEnd(36)}${perSecond.toFixed(0).padStart(12)}${String(p50).padStart(9)}${String(p99).padStart(9)}  ${toPlain.toFixed(2)}`,
    );
  console.log('\nCPU of a judgment, less the model calls (one swap, trace stored):');
  for (const { bytes, ms } of cpu)
    console.log(`  ${(bytes / 1024).toFixed(0).padStart(3)} KB request  ${ms.toFixed(2)} ms`);
}
