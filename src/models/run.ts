/**
 * Running many items past a model: so many at a time, results in the order of the items, what fails listed with
 * its reason. Memory holds the items under way and no more, so a run may be as long as it likes.
 */
import { pMapIterable } from 'p-map';
import { BudgetError, WaitingError } from '../http/index.ts';

export interface RunOptions {
  /** Items worked on at a time, at least 1. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Called after each item, in the order in which they end. */
  readonly onProgress?: (progress: { readonly done: number; readonly failed: number }) => void;
  /** Whether an error ends the run; default: only a used-up budget does. Others are that item's failure. */
  readonly fatal?: (error: unknown) => boolean;
}

type RunResult<Item, Out> = { readonly item: Item; readonly index: number } & (
  | { readonly value: Out }
  | { readonly error: Error }
);

/**
 * @param work given the run's signal, which aborts when the run ends early
 * @returns one result an item, in the order of the items
 * @throws what `fatal` says ends the run, or the signal's reason; a WaitingError at the end where items wait for
 *   calls that are made later: of those there is no result
 */
export async function* runAll<Item, Out>(
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item, signal: AbortSignal) => Promise<Out>,
  options: RunOptions,
): AsyncGenerator<RunResult<Item, Out>> {
  const { concurrency, fatal = (error) => error instanceof BudgetError } = options;
  const ended = new AbortController();
  const signal = AbortSignal.any([options.signal, ended.signal]);
  let done = 0;
  let failed = 0;
  let waiting = 0;
  const one = async (item: Item, index: number): Promise<RunResult<Item, Out> | null> => {
    signal.throwIfAborted();
    try {
      const value = await work(item, signal);
      options.onProgress?.({ done: ++done, failed });
      return { item, index, value };
    } catch (cause) {
      if (cause instanceof WaitingError && !signal.aborted) {
        waiting++;
        return null;
      }
      if (signal.aborted || fatal(cause)) throw cause;
      failed++;
      options.onProgress?.({ done: ++done, failed });
      return { item, index, error: cause instanceof Error ? cause : new Error(String(cause)) };
    }
  };
  try {
    const results = pMapIterable(items, one, { concurrency, backpressure: concurrency * 2 });
    for await (const result of results) if (result) yield result;
    if (waiting > 0) throw new WaitingError(`${waiting} of the items wait for calls that are made later`);
  } finally {
    // Whether it failed or the caller stopped reading: nobody waits for what is under way.
    ended.abort(new DOMException('the run is over', 'AbortError'));
  }
}

/**
 * Waits for all of an item's calls even where one fails, so that none is still under way when the item is over.
 *
 * @throws the first one's error, in their order
 */
export async function settleAll<const T extends readonly Promise<unknown>[] | []>(
  calls: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(calls);
  return Promise.all(calls);
}
