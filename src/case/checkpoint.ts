/**
 * A limit on the CPU time that reading a request may take. Readers are one long computation that nothing can interrupt, so
 * they ask at checkpoints whether to go on; between two of them the time grows with the length of the text only.
 */
import { RemandError } from '../errors.ts';

/** Called between the steps of a reading. Throws ReadingTooLongError where the reading has taken too long. */
export type Checkpoint = () => void;

export class ReadingTooLongError extends RemandError {
  override name = 'ReadingTooLongError';
}

/** Pieces of a text (lines, tags, messages) between two checkpoints: asking for the time takes a microsecond or two. */
export const FEW = 256;

/** For readings that may take as long as they take. */
export const unlimited: Checkpoint = () => {};

/** Runs work in steps at one go. */
export function runSteps<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * A process compiles its readers as it first runs them: one reading of 8 kB took 80 ms then, and 3 ms afterwards. Some are first
 * run late: what reads a prompt that no known template fits, say.
 */
export const COLD = { readings: 50, factor: 10 };

/**
 * @param cpu milliseconds of CPU that this thread has used, from any beginning
 * @param limit milliseconds that one reading may take; the first that need more may take longer, see COLD
 * @returns what begins a reading
 *
 * @example
 * const begin = createReadingBudget(() => process.threadCpuUsage().user / 1000, 50);
 * recogniseCase(prompt, { checkpoint: begin() });
 */
export function createReadingBudget(cpu: () => number, limit: number): () => Checkpoint {
  let slow = 0;
  return () => {
    let most = limit;
    const began = cpu();
    return () => {
      const ms = cpu() - began;
      if (ms > limit && most === limit && slow++ < COLD.readings) most = limit * COLD.factor;
      if (ms > most)
        throw new ReadingTooLongError(`reading took ${Math.round(ms)} ms of CPU time, and may take ${most}`);
    };
  };
}
