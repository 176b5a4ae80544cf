/** An arm of a comparison: one way to come to a verdict on a row, beginning with the judge's own first one. */
import * as z from 'zod';
import type { DatasetRow } from '../../dataset/row.ts';
import type { Model } from '../../judge/model.ts';

/** An index into the row's options, a tie, or nothing that could be read. */
export const decision = z.union([z.int().min(0), z.literal('tie'), z.null()]);
export type Decision = z.output<typeof decision>;

export const armOutcome = z.object({
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
});
export type ArmOutcome = z.output<typeof armOutcome>;

export interface Arm {
  readonly name: string;
  /** Rejects as the judge does. */
  decide(row: DatasetRow, judge: Model, signal: AbortSignal): Promise<ArmOutcome>;
}
