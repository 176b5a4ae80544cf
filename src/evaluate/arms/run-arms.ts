/** Runs the arms of a comparison over the rows of D and D_bias: over the same first verdicts, since calls are shared. */
import * as z from 'zod';
import type { RowPair } from '../../dataset/index.ts';
import { describeError } from '../../errors.ts';
import { BudgetError, WaitingError } from '../../http/index.ts';
import { type Model, type RunOptions, runAll, settleAll } from '../../models/index.ts';
import type { Clock } from '../../ports.ts';
import {
  type Arm,
  type ArmContext,
  type ArmOutcome,
  armOutcome,
  createStopwatch,
  type TimedOutcome,
} from './arm.ts';

/** What one arm made of the two rows of a pair. */
export const armRecord = z.object({
  id: z.string(),
  judge: z.string(),
  bias: z.string(),
  twin: z.boolean(),
  arm: z.string(),
  /** Index of the right option in D and in D_bias. */
  right: z.object({ d: z.int(), d_bias: z.int() }),
  /** Null where the arm failed. */
  d: armOutcome.nullable(),
  d_bias: armOutcome.nullable(),
  /** Why it failed, in words; null where it did not. */
  error: z.string().nullable(),
});
export type ArmRecord = z.output<typeof armRecord>;

/** A record, and how long its calls took: another in every run, so it is measured and not written down. */
export interface TimedRecord extends ArmRecord {
  /** Milliseconds over both rows; null where it is not known. */
  readonly ms: number | null;
}

interface ArmRun extends Omit<RunOptions, 'fatal'> {
  readonly clock: Clock;
}

/**
 * @returns for each pair and judge the records of all arms together, in the order of the pairs
 * @throws BudgetError where the run may ask no more; a WaitingError at the end where calls are made later. Whatever
 *   else goes wrong is that record's failure
 */
export async function* runArms(
  pairs: Iterable<RowPair> | AsyncIterable<RowPair>,
  judges: readonly Model[],
  arms: readonly Arm[],
  run: ArmRun,
): AsyncGenerator<readonly TimedRecord[]> {
  const tasks = async function* () {
    for await (const pair of pairs) for (const judge of judges) yield { pair, judge };
  };
  const work = ({ pair, judge }: { pair: RowPair; judge: Model }, signal: AbortSignal) => {
    const watched = { signal, watch: createStopwatch(run.clock) };
    return settleAll(arms.map((arm) => recordOf(arm, pair, judge, watched)));
  };
  for await (const result of runAll(tasks(), work, { ...run, fatal: () => true })) {
    if ('error' in result) throw result.error;
    yield result.value;
  }
}

async function recordOf(
  arm: Arm,
  [d, dBias]: RowPair,
  judge: Model,
  watched: ArmContext,
): Promise<TimedRecord> {
  const settled = await Promise.allSettled([d, dBias].map((row) => arm.decide(row, judge, watched)));
  const failures = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  // A used-up budget, calls that are made later or an interruption are the run's business, not this row's.
  const end = failures.find((one) => one instanceof BudgetError || one instanceof WaitingError);
  if (end) throw end;
  const [failed] = failures;
  if (failures.length > 0 && watched.signal.aborted) throw failed;
  const [onD = null, onBias = null] = settled.map((one) => (one.status === 'fulfilled' ? one.value : null));
  return {
    ...{ id: d.id, judge: judge.name, bias: d.biases.join('+'), twin: d.twin, arm: arm.name },
    right: { d: d.right, d_bias: dBias.right },
    d: onD && recorded(onD),
    d_bias: onBias && recorded(onBias),
    error: failures.length > 0 ? describeError(failed) : null,
    ms: !onD || !onBias || onD.ms === null || onBias.ms === null ? null : onD.ms + onBias.ms,
  };
}

function recorded({ ms: _, ...outcome }: TimedOutcome): ArmOutcome {
  return outcome;
}
