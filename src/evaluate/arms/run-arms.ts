/** Runs the arms of a comparison over the rows of D and D_bias: over the same first verdicts, since calls are shared. */
import * as z from 'zod';
import type { DatasetRow, RowPair } from '../../dataset/index.ts';
import { describeError } from '../../errors.ts';
import { BudgetError, WaitingError } from '../../http/index.ts';
import {
  type Model,
  type ModelAnswer,
  type ModelQuestion,
  pairUp,
  type RunOptions,
  runAll,
  settleAll,
} from '../../models/index.ts';
import type { Clock } from '../../ports.ts';

// An arm of a comparison: one way to come to a verdict on a row, beginning with the judge's own first one.

/** An index into the row's options, a tie, or nothing that could be read. */
const decision = z.union([z.int().min(0), z.literal('tie'), z.null()]);
export type ArmDecision = z.output<typeof decision>;

/** What one model was asked for a judgment. */
const spent = z.object({
  model: z.string(),
  calls: z.int().min(0),
  /** Of these, calls whose endpoint did not count tokens. */
  uncounted: z.int().min(0),
  input: z.number(),
  output: z.number(),
});
export type ModelSpending = z.output<typeof spent>;

const armOutcome = z.object({
  /** The judge's own first verdict: the same for all arms. */
  first: decision,
  final: decision,
  /** What stood after each round, the first verdict before any of them. */
  standing: z.array(decision).min(1),
  /** The replies that `standing` was read from, as they came. Records of earlier versions have none. */
  replies: z.array(z.string()).default([]),
  /** What the detector said, a round each. */
  reasons: z.array(z.string()).default([]),
  /** Biases found. */
  found: z.array(z.string()),
  /** Remands sent. */
  sent_back: z.int().min(0),
  /** Whether the judge kept a verdict that was sent back. */
  insisted: z.boolean(),
  /** Model calls, the first included, whether they were made now or came from the call store. */
  calls: z.int().min(0),
  tokens: z.object({ input: z.number(), output: z.number() }),
  /** How sure the verdict is; missing where nothing tells. */
  confidence: z.number().optional(),
  /** What each model of a panel said, the judge first; missing where there is none. */
  votes: z.array(z.object({ model: z.string(), decision })).optional(),
  /** Calls and tokens by model; missing in records of versions that did not tell them apart. */
  spent: z.array(spent).optional(),
});
export type ArmOutcome = z.output<typeof armOutcome>;

export interface Bill extends Required<Pick<ArmOutcome, 'calls' | 'tokens' | 'spent'>> {
  /** Milliseconds in these calls, one after the other; null where one of them was made in an earlier run. */
  readonly ms: number | null;
}

/** An outcome with what is no part of the record, since it is another in every run. */
type TimedOutcome = ArmOutcome & Pick<Bill, 'ms'>;

interface ArmContext {
  readonly signal: AbortSignal;
  readonly watch: Stopwatch;
}

export interface Arm {
  readonly name: string;
  /** Rejects as the judge does, and where any call that the verdict needed was not answered. */
  decide(row: DatasetRow, judge: Model, run: ArmContext): Promise<TimedOutcome>;
}

/**
 * How long the calls of a judgment took. Arms share their first verdicts, so a call that one arm made stands for the
 * others, too; a call that an earlier run made took a time that nobody knows any more.
 */
export interface Stopwatch {
  /** @returns the answer, and the milliseconds of that call when it was made; null where that was not under this watch */
  time(
    model: Model,
    question: ModelQuestion,
    signal: AbortSignal,
  ): Promise<{ readonly answer: ModelAnswer; readonly ms: number | null }>;
}

/** One for the arms of a pair and judge: it remembers their questions. */
export function createStopwatch(clock: Clock): Stopwatch {
  const taken = new Map<string, Promise<number | null>>();
  return {
    async time(model, question, signal) {
      const { system, user, attempt = 0 } = question;
      const key = JSON.stringify([model.name, system, user, attempt]);
      const began = clock.elapsed();
      const asked = model.ask(question, signal);
      const known = taken.get(key);
      // Whoever asks first is the one whose call is made; the others are given its reply.
      const first =
        known ??
        asked.then(
          ({ cached }) => (cached ? null : clock.elapsed() - began),
          () => null,
        );
      if (!known) taken.set(key, first);
      const answer = await asked;
      return { answer, ms: answer.cached || !known ? await first : clock.elapsed() - began };
    },
  };
}

/** What one arm made of the two rows of a pair. */
export const armRecord = z.object({
  id: z.string(),
  /** The item that the rows were made of: a row and its twin have the same D. Records of earlier versions have none. */
  base: z.string().optional(),
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
  const work = ([pair, judge]: readonly [RowPair, Model], signal: AbortSignal) => {
    const watched = { signal, watch: createStopwatch(run.clock) };
    return settleAll(arms.map((arm) => recordOf(arm, pair, judge, watched)));
  };
  for await (const result of runAll(pairUp(pairs, judges), work, { ...run, fatal: () => true })) {
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
    id: d.id,
    base: d.base,
    judge: judge.name,
    bias: d.biases.join('+'),
    twin: d.twin,
    arm: arm.name,
    right: { d: d.right, d_bias: dBias.right },
    d: onD && withoutTime(onD),
    d_bias: onBias && withoutTime(onBias),
    error: failures.length > 0 ? describeError(failed) : null,
    ms: !onD || !onBias || onD.ms === null || onBias.ms === null ? null : onD.ms + onBias.ms,
  };
}

function withoutTime({ ms: _, ...outcome }: TimedOutcome): ArmOutcome {
  return outcome;
}
