/**
 * Runs the readers on mutated samples, on a thread of its own with coverage counters (run.ts starts it). A sample that
 * takes a branch for the first time is kept and mutated again.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { shareOf } from '../length.ts';
import { Random } from '../random.ts';
import { countCoverage } from './coverage.ts';
import type { FromReaders, ReadersThread, Tally } from './run.ts';

const { seed, length, only, corpus: kept, runs, sample: shown }: ReadersThread = workerData;
const tell = (said: FromReaders) => parentPort?.postMessage(said);

/** Runs of each reader in a round: the faster ones, and those with the most branches, more often. */
const SHARES: Readonly<Record<string, number>> = { case: 4, verdict: 6, request: 2, reply: 4, analysis: 2 };
/** How much slower a reading must be than the last that was told. */
const SLOWER = 4;
/**
 * Samples that a reader begins with in a run by cases, for each case: a short run would only read what there is. A run by
 * seconds begins with all of them.
 */
const SAMPLES = 0.5;
/** After how much of the run the heap is measured first. */
const WARM = 0.15;

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

const coverage = countCoverage();
// Only what is imported after the counters are in place has any.
const { READERS } = await import('./readers.ts');
const { cpuMsOf, faultOf, READ_BUDGET_MS } = await import('./fault.ts');
const { seeds } = await import('./seeds.ts');
const { mutated } = await import('./mutate.ts');

const random = new Random(seed);
const most = length.unit === 'cases' ? Math.ceil(SAMPLES * length.count) : Number.POSITIVE_INFINITY;
/** At most so many, from all over the list. */
function thinned(samples: readonly string[]): readonly string[] {
  const step = Math.max(1, Math.ceil(samples.length / most));
  return samples.filter((_, n) => n % step === 0);
}
const given = new Map([...seeds()].map(([name, samples]) => [name, thinned(samples)]));
const readers = READERS.filter(({ name }) => only.includes(name)).map((reader) => {
  const own = kept[reader.name] ?? [];
  return {
    reader,
    corpus: [...(given.get(reader.name) ?? []), ...own],
    runs: 0,
    worstMs: 0,
    slowMs: READ_BUDGET_MS,
  };
});
const turns = readers.flatMap((one) => Array.from({ length: SHARES[one.reader.name] ?? 1 }, () => one));
const known = new Set<string>();
const encoder = new TextEncoder();

async function runOne(turn: (typeof readers)[number], text: string): Promise<void> {
  const { reader, corpus } = turn;
  const { written } = encoder.encodeInto(JSON.stringify({ reader: reader.name, text }), shown.subarray(4));
  new DataView(shown.buffer).setUint32(0, written);
  Atomics.add(runs, 0, 1);
  turn.runs++;
  const used = process.threadCpuUsage();
  const began = performance.now();
  const fault = await faultOf(reader, text);
  if (performance.now() - began > turn.worstMs) {
    const { user, system } = process.threadCpuUsage(used);
    const first = (user + system) / 1_000;
    // A first reading compiles.
    const ms = first > READ_BUDGET_MS ? Math.min(first, cpuMsOf(reader, text, 1)) : first;
    turn.worstMs = Math.max(turn.worstMs, ms);
    if (ms > turn.slowMs) {
      turn.slowMs = SLOWER * ms;
      tell({ fault: { reader: reader.name, text, what: null } });
    }
  }
  if (coverage.fresh() > 0) corpus.push(text);
  if (fault !== null && !known.has(`${reader.name} ${fault}`)) {
    known.add(`${reader.name} ${fault}`);
    tell({ fault: { reader: reader.name, text, what: fault } });
  }
}

/** Bytes of the heap after a collection, less those of the samples that are kept. */
function heap(): number {
  collect();
  const samples = readers.flatMap(({ corpus }) => corpus).reduce((sum, { length }) => sum + 2 * length, 0);
  return process.memoryUsage().heapUsed - samples;
}

for (const turn of readers) for (const text of [...turn.corpus]) await runOne(turn, text);
// What the seeds say is no case: cases are those that were changed.
const started = performance.now();
let before: number | null = null;
for (let i = 0; shareOf(length, started, i) < 1; i++) {
  const turn = turns[i % turns.length];
  if (!turn) throw new RangeError('no reader');
  const { corpus } = turn;
  // What was found last is what is worth most.
  const pick = () => corpus[corpus.length - 1 - random.below(random.chance(0.3) ? 20 : corpus.length)] ?? '';
  await runOne(turn, mutated(pick(), pick(), random));
  if (before === null && shareOf(length, started, i) > WARM) before = heap();
}
const tally: Tally = {
  runs: Object.fromEntries(readers.map((one) => [one.reader.name, one.runs])),
  worstMs: Object.fromEntries(readers.map((one) => [one.reader.name, one.worstMs])),
  corpus: Object.fromEntries(
    readers.map(({ reader, corpus }) => [reader.name, corpus.slice(given.get(reader.name)?.length ?? 0)]),
  ),
  taken: coverage.taken,
  total: coverage.total,
  grownBytes: heap() - (before ?? heap()),
};
tell({ tally });
