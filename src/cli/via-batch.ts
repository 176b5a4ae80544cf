/** `--via batch`: a command's model calls handed over in batches, and the command started again when they are done. */

import { BudgetError, WaitingError, wait } from '../http/index.ts';
import type { Batches, OpenBatch } from '../models/index.ts';
import type { BatchTables } from '../models/store/sqlite-calls.ts';
import type { Clock } from '../ports.ts';
import { runInterruptible } from './arguments.ts';
import { showProgress } from './progress.ts';
import { EarlyEnd } from './terminal.ts';

/** The command is not done: its calls are in batches. No failure. */
export class BatchPendingError extends EarlyEnd {
  override name = 'BatchPendingError';
  readonly batches: readonly OpenBatch[];
  override readonly again: boolean;

  /** @param again whether all batches have ended */
  constructor(batches: readonly OpenBatch[], again: boolean) {
    const calls = batches.reduce((sum, batch) => sum + batch.calls, 0);
    super(
      `${calls} calls wait in ${batches.length} batches; start the same command again to collect them, ` +
        'or with --wait to stay until they are done',
    );
    this.batches = batches;
    this.again = again;
  }

  override get report(): object {
    return {
      waiting: this.batches.reduce((sum, { calls }) => sum + calls, 0),
      batches: this.batches,
    };
  }
}

export interface BatchRunOptions {
  readonly tables: BatchTables;
  readonly clock: Clock;
  /** Most calls in one batch. */
  readonly size: number;
  /** Stay until the batches have ended, looking so often; null to leave. */
  readonly pollMs: number | null;
}

/**
 * Runs `work`, whose calls are noted, and hands over what it lacked.
 *
 * @param opened filled by `work` as it opens its models
 * @throws BatchPendingError where it lacked any
 */
export async function runInBatches(
  { clock, pollMs, tables }: BatchRunOptions,
  opened: readonly Batches[],
  work: () => Promise<void>,
): Promise<void> {
  tables.begin();
  const failure = await work().then(
    () => null,
    (cause: unknown) => ({ cause }),
  );
  const waits = failure?.cause instanceof WaitingError;
  // What the budget had room for is paid for when it is handed over, as it is where calls are made at once.
  if (failure && !waits && !(failure.cause instanceof BudgetError)) throw failure.cause;
  await runInterruptible(async (signal) => {
    const refused: unknown[] = [];
    // What one endpoint does not take keeps nothing from the others.
    for (const one of opened) await one.submit(signal).catch((cause: unknown) => refused.push(cause));
    signal.throwIfAborted();
    if (refused.length > 0) throw refused[0];
    if (failure && !waits) throw failure.cause;
    if (!failure) return;
    const look = async () => (await Promise.all(opened.map((one) => one.look(signal)))).flat();
    if (pollMs === null) throw new BatchPendingError(await look(), false);
    throw new BatchPendingError(await untilEnded(look, pollMs, clock, signal), true);
  });
  for (const one of opened) one.forget();
}

async function untilEnded(
  look: () => Promise<OpenBatch[]>,
  pollMs: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<OpenBatch[]> {
  let batches = await look();
  const total = batches.reduce((sum, { calls }) => sum + calls, 0);
  const progress = showProgress('calls in batches', total);
  try {
    while (batches.some(({ ended }) => !ended)) {
      const states = [...new Set(batches.map(({ status }) => status))].join(', ');
      progress.update(
        batches.reduce((sum, { done }) => sum + done, 0),
        states,
      );
      await wait(pollMs, clock, signal);
      batches = await look();
    }
    return batches;
  } finally {
    progress.stop();
  }
}
