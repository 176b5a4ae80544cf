/** Runs the arms of a comparison over the rows of D and D_bias: over the same first verdicts, since calls are shared. */
import * as z from 'zod';
import type { RowPair } from '../../dataset/verdicts.ts';
import type { Model } from '../../judge/model.ts';
import { type RunOptions, runAll } from '../../judge/run.ts';
import { type Arm, type ArmOutcome, armOutcome } from './arm.ts';

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

/** @returns for each pair and judge the records of all arms together, in the order of the pairs */
export async function* runArms(
  pairs: Iterable<RowPair> | AsyncIterable<RowPair>,
  judges: readonly Model[],
  arms: readonly Arm[],
  run: RunOptions,
): AsyncGenerator<readonly ArmRecord[]> {
  const tasks = async function* () {
    for await (const pair of pairs) for (const judge of judges) yield { pair, judge };
  };
  const work = ({ pair, judge }: { pair: RowPair; judge: Model }, signal: AbortSignal) =>
    Promise.all(arms.map((arm) => recordOf(arm, pair, judge, signal)));
  for await (const result of runAll(tasks(), work, { ...run, fatal: () => true })) {
    if ('error' in result) throw result.error;
    yield result.value;
  }
}

async function recordOf(
  arm: Arm,
  [d, dBias]: RowPair,
  judge: Model,
  signal: AbortSignal,
): Promise<ArmRecord> {
  const settled = await Promise.allSettled([d, dBias].map((row) => arm.decide(row, judge, signal)));
  const failed = settled.find((one) => one.status === 'rejected');
  // A used-up budget or an interruption is the run's end, not this row's.
  if (failed && (signal.aborted || isFatal(failed.reason))) throw failed.reason;
  const outcomes = settled.map((one): ArmOutcome | null => (one.status === 'fulfilled' ? one.value : null));
  return {
    ...{ id: d.id, judge: judge.name, bias: d.biases.join('+'), twin: d.twin, arm: arm.name },
    right: { d: d.right, d_bias: dBias.right },
    d: outcomes[0] ?? null,
    d_bias: outcomes[1] ?? null,
    error: failed ? (failed.reason instanceof Error ? failed.reason.message : String(failed.reason)) : null,
  };
}

function isFatal(error: unknown): boolean {
  return error instanceof Error && error.name === 'BudgetError';
}
