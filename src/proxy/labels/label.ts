/**
 * What a person says of a judgment: whether its first verdict was right, and whether its last one was. That is what
 * `remand calibrate` counts, so a few hundred of them settle for which judges and biases sending back pays.
 */
import * as z from 'zod';

export const labelSchema = z.object({
  /** Id of the judgment's trace. */
  trace: z.string(),
  judge: z.string(),
  /** For which the verdict was sent back; none where it was not. */
  biases: z.array(z.string()),
  /** Whether the first verdict was right. */
  before: z.boolean(),
  /** Whether the last verdict was. */
  after: z.boolean(),
  /** Id of the key, or `anyone` where none is needed. */
  who: z.string(),
  /** ISO 8601, UTC. */
  time: z.string(),
});
export type Label = z.output<typeof labelSchema>;

export interface LabelStore {
  /** The latest word on a judgment is the one that counts. */
  put(label: Label): Promise<void>;
  get(trace: string): Promise<Label | null>;
  /** In the order of their traces' ids; a page at a time, so that many fit in little memory. */
  after(trace: string, limit: number): Promise<Label[]>;
}
