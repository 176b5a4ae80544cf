/**
 * Writes that come in the same moment, made in one transaction: what a transaction costs is mostly its end, when it is
 * written to disk, and a proxy has one for each judgment.
 */
import { measureBatch, type Write, type WriteOutcome, type Writer } from './writes.ts';

/** How long a write waits for others, in milliseconds. A process that is killed loses what came since, and what is being written. */
const MOMENT_MS = 20;

/** Of text that waits, in characters: a disk that does not keep up must not take all memory. */
const MOST_WAITING = 64 << 20;

/** Of text in one transaction, in characters: whoever shares the writer waits for one of them at most. */
const MOST_TOGETHER = 4 << 20;

export interface WriteBatcher {
  /**
   * Resolves when all of it is written down, in one transaction; rejects where a part, or the transaction, fails, or too much
   * waits.
   */
  write(...what: Write[]): Promise<void>;
  /** Resolves when what waits is written down, or has failed: before something is read. */
  now(): Promise<void>;
}

export interface WriteBatcherOptions {
  readonly mostWaiting?: number;
  readonly momentMs?: number;
}

interface Waiting {
  readonly what: readonly Write[];
  readonly length: number;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** @param writer may have others who write, too: a batch at a time is handed over to it */
export function createWriteBatcher(
  writer: Pick<Writer, 'write'>,
  { mostWaiting = MOST_WAITING, momentMs = MOMENT_MS }: WriteBatcherOptions = {},
): WriteBatcher {
  const waiting: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing = false;
  /** Of what came last, and so of all before it: batches are written in turn. */
  let ended: Promise<void> = Promise.resolve();
  let length = 0;

  async function writeAll(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (writing) return;
    writing = true;
    while (waiting.length > 0) await handOver(nextBatch());
    writing = false;
  }

  function nextBatch(): readonly Waiting[] {
    let [count, sum] = [0, 0];
    for (const one of waiting) {
      sum += one.length;
      if (count > 0 && sum > MOST_TOGETHER) break;
      count++;
    }
    return waiting.splice(0, count);
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
      for (const one of batch) length -= one.length;
    }
  }

  return {
    async write(...what) {
      if (length >= mostWaiting)
        throw new Error('not written: the disk does not keep up, and too much waits for it');
      const own = measureBatch(what);
      length += own;
      const { promise, resolve: done, reject: failed } = Promise.withResolvers<void>();
      ended = promise.catch(() => undefined);
      waiting.push({ what, length: own, done, failed });
      timer ??= setTimeout(writeAll, momentMs);
      await promise;
    },
    async now() {
      void writeAll();
      await ended;
    },
  };
}

function settle({ done, failed }: Waiting, outcome: WriteOutcome): void {
  if (outcome === null) done();
  else failed(new Error(outcome));
}
