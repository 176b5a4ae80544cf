/**
 * Writes to a SQLite file on a thread of its own: keeping its indexes and waiting for the disk take time that belongs to
 * those who wait for a verdict. Piscina keeps the thread: in use, it holds the process; dead, it fails what it had in
 * hand and is replaced.
 */
import { extname } from 'node:path';
import { Piscina } from 'piscina';
import type { Outcome, Write, Writer } from './writes.ts';

/** Beside this module, as source and as built. */
const SCRIPT = new URL(`./thread-script${extname(import.meta.url)}`, import.meta.url);

/** @param path of the file, with its tables: see database.ts. The thread starts at once. */
export function threadWriter(path: string): Writer {
  const threads = new Piscina<readonly Write[], readonly Outcome[]>({
    filename: SCRIPT.href,
    workerData: path,
    minThreads: 1,
    maxThreads: 1,
    recordTiming: false,
  });
  // A thread that dies with a batch in hand fails that; with none, nobody has lost anything.
  threads.on('error', () => {});
  return {
    write: (batch) => threads.run(batch),
    close: () => threads.close(),
  };
}
