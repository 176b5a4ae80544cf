/**
 * Writes to a SQLite file on a thread of its own: keeping its indexes and waiting for the disk take time that belongs to
 * those who wait for a verdict. Not Piscina's pool, which would be the library for it: with that, resident memory grew by
 * some 2.5 kB with each message (5.3.2), and one thread needs no pool.
 */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { WriteOutcome, Writer } from './write-batcher.ts';

/** Beside this module, as source and as built. */
const SCRIPT = new URL(`./thread-script${extname(import.meta.url)}`, import.meta.url);

/**
 * What V8 sets aside there for young objects, in MiB. Batches are small and soon forgotten; without a limit it may come to
 * what the main thread has, 128 MiB, and resident memory grows for as long as it takes to touch them.
 */
const YOUNG_MIB = 8;

/** What the thread says of a batch. */
export type ThreadAnswer = { readonly outcomes: readonly WriteOutcome[] } | { readonly failed: string };

/**
 * @param path of the file, with its tables: see database.ts. The thread starts with the first batch (20 MiB that an idle
 *   server does not need), and holds the process while it has one; one that dies fails what it has in hand, and the next
 *   batch starts another.
 */
export function createThreadWriter(path: string): Writer {
  /** In the order in which they were handed over, which is that of the answers. */
  let waiting: PromiseWithResolvers<readonly WriteOutcome[]>[] = [];
  let thread: Worker | null = null;

  function start(): Worker {
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MIB };
    const started = new Worker(SCRIPT, { workerData: path, resourceLimits });
    let reason: unknown = new Error('not written: the thread that writes has ended');
    started.on('message', settleBatch);
    started.on('error', (error) => {
      reason = error;
    });
    started.on('exit', () => {
      thread = null;
      for (const { reject } of waiting) reject(reason);
      waiting = [];
    });
    started.unref();
    return started;
  }

  function settleBatch(answer: ThreadAnswer): void {
    const batch = waiting.shift();
    if (waiting.length === 0) thread?.unref();
    if ('failed' in answer) batch?.reject(new Error(answer.failed));
    else batch?.resolve(answer.outcomes);
  }

  return {
    write(batch) {
      thread ??= start();
      thread.postMessage(batch);
      thread.ref();
      const answer = Promise.withResolvers<readonly WriteOutcome[]>();
      waiting.push(answer);
      return answer.promise;
    },
    async close() {
      await thread?.terminate();
    },
  };
}
