/** What runs on the thread of thread.ts: one connection of its own, had with the first batch, and a batch at a time. */
import { parentPort, workerData } from 'node:worker_threads';
import { describeError } from '../../errors.ts';
import { connectDatabase } from './database.ts';
import type { ThreadAnswer } from './thread.ts';
import { type Write, writeBatch } from './write-batcher.ts';

let write: ReturnType<typeof writeBatch> | null = null;

parentPort?.on('message', (batch: readonly Write[]) => parentPort?.postMessage(answer(batch)));

function answer(batch: readonly Write[]): ThreadAnswer {
  try {
    write ??= writeBatch(connectDatabase(String(workerData)));
    return { outcomes: write(batch) };
  } catch (error) {
    return { failed: describeError(error) };
  }
}
