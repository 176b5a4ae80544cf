/** What runs on the thread of thread.ts: one connection of its own, had with the first batch, and a batch at a time. */
import { workerData } from 'node:worker_threads';
import { connect } from './database.ts';
import { type Outcome, type Write, writeBatch } from './writes.ts';

let write: ReturnType<typeof writeBatch> | null = null;

export default function written(batch: readonly Write[]): readonly Outcome[] {
  write ??= writeBatch(connect(String(workerData)));
  return write(batch);
}
