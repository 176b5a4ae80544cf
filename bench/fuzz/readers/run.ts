/** Fuzzes the readers: starts their thread, watches that it goes on, and makes a finding small. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type RunLength, shareOf } from '../length.ts';
import { minimised } from '../minimise.ts';
import { keepReading } from '../regression.ts';
import { cpuMsOf, faultOf, READ_BUDGET_MS } from './fault.ts';
import { READERS, readerNamed } from './readers.ts';

export interface ReadersThread {
  readonly seed: number;
  readonly length: RunLength;
  /** Names of readers. */
  readonly only: readonly string[];
  /** What earlier runs kept, by reader. */
  readonly corpus: Readonly<Record<string, readonly string[]>>;
  /** Shared: how many runs have begun. */
  readonly runs: Int32Array;
  /** Shared: the sample that is being read, its length in four bytes and then as JSON. */
  readonly sample: Uint8Array;
}

interface Fault {
  readonly reader: string;
  readonly text: string;
  /** Null for one that takes too long. */
  readonly what: string | null;
}

export interface Tally {
  readonly runs: Readonly<Record<string, number>>;
  /** Longest reading with the counters in place, in milliseconds of CPU time, by reader. */
  readonly worstMs: Readonly<Record<string, number>>;
  readonly corpus: Readonly<Record<string, readonly string[]>>;
  readonly taken: number;
  readonly total: number;
  readonly grownBytes: number;
}

export interface FromReaders {
  readonly fault?: Fault;
  readonly tally?: Tally;
}

/** After how long without a new run a reading counts as one that never ends. */
const STUCK_MS = 15_000;
/** Of the heap after a collection, between the first tenths of a run and its end. */
const MAX_GROWTH_BYTES = 32 << 20;
/** Readings of which the fastest counts. */
const TIMES = 5;

export interface ReadersRun {
  readonly seed: number;
  readonly length: RunLength;
  /** Names of readers; empty for all. */
  readonly only: readonly string[];
  /** A file that keeps what takes new branches from one run to the next; null for none. */
  readonly corpusFile: string | null;
}

/** @returns findings, in words */
export async function fuzzReaders({ seed, length, only, corpusFile }: ReadersRun): Promise<string[]> {
  const findings: string[] = [];
  let names = only.length > 0 ? only.map((name) => readerNamed(name).name) : READERS.map(({ name }) => name);
  for (let turn = 0, left = 1; left > 0 && names.length > 0; turn++) {
    const began = performance.now();
    const rest = { ...length, count: left * length.count };
    const { stuck, runs, ...once } = await fuzzOnce({
      seed: seed + turn,
      length: rest,
      only: names,
      corpusFile,
    });
    findings.push(...once.findings);
    if (stuck === null) break;
    // The others go on without it.
    names = names.filter((name) => name !== stuck);
    left -= shareOf(length, began, runs);
  }
  return findings;
}

/** @returns the reader that did not come back, if one did not */
async function fuzzOnce({ corpusFile, ...given }: ReadersRun) {
  const runs = new Int32Array(new SharedArrayBuffer(4));
  const began = performance.now();
  const sample = new Uint8Array(new SharedArrayBuffer(1 << 20));
  const corpus =
    corpusFile !== null && existsSync(corpusFile) ? JSON.parse(readFileSync(corpusFile, 'utf8')) : {};
  const start: ReadersThread = { ...given, corpus, runs, sample };
  const findings: string[] = [];
  const thread = new Worker(new URL('./thread.ts', import.meta.url), { workerData: start });
  let ended = false;
  let telling: Promise<void> = Promise.resolve();
  thread.on('message', (said: FromReaders) => {
    const { fault } = said;
    if (fault) telling = telling.then(async () => void findings.push(...(await told(fault))));
    if (said.tally)
      findings.push(...report(said.tally, corpusFile, given.seed, (performance.now() - began) / 1_000));
  });
  thread.on('error', (error) => findings.push(`the readers' thread ended: ${error.stack}`));
  thread.on('exit', () => {
    ended = true;
  });
  let stuck: string | null = null;
  for (let last = -1, since = performance.now(); !ended; await wait(200)) {
    const now = Atomics.load(runs, 0);
    if (now !== last) [last, since] = [now, performance.now()];
    // Before the first there is nothing to be stuck in: the modules are loaded.
    if (now === 0 || performance.now() - since < STUCK_MS) continue;
    const length = new DataView(sample.buffer).getUint32(0);
    const { reader, text } = JSON.parse(new TextDecoder().decode(sample.slice(4, 4 + length)));
    const path = keepReading({ reader, text, what: 'slow' });
    findings.push(`${reader}: a reading that does not end in ${STUCK_MS / 1_000} s: ${path}`);
    stuck = reader;
    await thread.terminate();
  }
  await telling;
  return { findings, stuck, runs: Atomics.load(runs, 0) };
}

async function told({ reader: name, text, what }: Fault): Promise<string[]> {
  const reader = readerNamed(name);
  if (what !== null) {
    const small = await minimised(text, async (one) => (await faultOf(reader, one)) === what);
    return [`${name}: ${what}: ${keepReading({ reader: name, text: small, what })}`];
  }
  // With the counters in place it takes longer than without.
  if (cpuMsOf(reader, text, TIMES) <= READ_BUDGET_MS) return [];
  const small = await minimised(text, (one) => cpuMsOf(reader, one, 2) > READ_BUDGET_MS);
  const slow = cpuMsOf(reader, small, TIMES) > READ_BUDGET_MS ? small : text;
  const ms = cpuMsOf(reader, slow, TIMES);
  // A machine that was busy with all else makes a text slow that is not.
  if (ms <= READ_BUDGET_MS) return [];
  const path = keepReading({ reader: name, text: slow, what: 'slow' });
  return [`${name}: ${ms.toFixed(0)} ms of CPU time for ${slow.length} characters: ${path}`];
}

function report(tally: Tally, corpusFile: string | null, seed: number, seconds: number): string[] {
  const { runs, worstMs, taken, total, grownBytes, corpus } = tally;
  const all = Object.values(runs).reduce((sum, one) => sum + one, 0);
  console.log(
    `${all} readings in ${seconds.toFixed(0)} s, seed ${seed}: ${taken} of ${total} statements and branches taken, heap grown by ${(grownBytes / 2 ** 20).toFixed(1)} MiB`,
  );
  for (const [name, count] of Object.entries(runs))
    console.log(
      `  ${name}: ${count} readings, ${corpus[name]?.length ?? 0} kept, at most ${worstMs[name]?.toFixed(1)} ms of CPU time with counters`,
    );
  if (corpusFile !== null) writeFileSync(corpusFile, JSON.stringify(corpus));
  return grownBytes > MAX_GROWTH_BYTES ? [`the heap has grown by ${grownBytes} bytes`] : [];
}
