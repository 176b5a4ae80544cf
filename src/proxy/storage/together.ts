/**
 * Writes that come in the same moment, made in one transaction: what a transaction costs is mostly its end, when it is
 * written to disk, and a proxy has one for each judgment.
 */
import type { Outcome, Write, Writer } from './writes.ts';

/** How long a write waits for others, in milliseconds. A process that is killed loses what came since, and what is being written. */
const MOMENT_MS = 20;

/** Of text that waits, in characters: a disk that does not keep up must not take all memory. */
const MOST_WAITING = 64 << 20;

export interface Together {
  /**
   * Resolves when all of it is written down, in one transaction; rejects where a part, or the transaction, fails, or too much
   * waits.
   */
  write(...what: Write[]): Promise<void>;
  /** Resolves when what waits is written down, or has failed: before something is read. */
  now(): Promise<void>;
  /** Writes down what waits, and ends the writer. */
  close(): Promise<void>;
}

interface Waiting {
  readonly what: readonly Write[];
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

export function writesTogether(writer: Writer, mostWaiting = MOST_WAITING): Together {
  let waiting: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;
  /** Of the last batch; batches are written in turn. */
  let written: Promise<void> = Promise.resolve();
  let length = 0;

  function now(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const batch = waiting;
    waiting = [];
    if (batch.length > 0) written = handOver(batch);
    return written;
  }

  async function handOver(batch: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await writer.write(batch.flatMap(({ what }) => what));
      let place = 0;
      for (const one of batch) {
        const end = place + one.what.length;
        settle(one, outcomes.slice(place, end).find((outcome) => outcome !== null) ?? null);
        place = end;
      }
    } catch (error) {
      for (const { failed } of batch) failed(error);
    } finally {
      for (const { what } of batch) length -= lengthOf(what);
    }
  }

  return {
    async write(...what) {
      if (length >= mostWaiting)
        throw new Error('not written: the disk does not keep up, and too much waits for it');
      length += lengthOf(what);
      const { promise, resolve: done, reject: failed } = Promise.withResolvers<void>();
      waiting.push({ what, done, failed });
      timer ??= setTimeout(now, MOMENT_MS);
      await promise;
    },
    now,
    async close() {
      await now();
      await writer.close();
    },
  };
}

function settle({ done, failed }: Waiting, outcome: Outcome): void {
  if (outcome === null) done();
  else failed(new Error(outcome));
}

function lengthOf(what: readonly Write[]): number {
  return what
    .flatMap(({ values }) => values)
    .reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);
}
