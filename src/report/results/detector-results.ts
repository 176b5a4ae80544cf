/** What `remand eval detector` writes. */
import * as z from 'zod';
import { byItem, count, maybeInterval } from './shapes.ts';

const figures = z.object({
  n: count,
  accuracy: z.number().nullable(),
  precision: z.number().nullable(),
  recall: z.number().nullable(),
  f1: z.number().nullable(),
  unreadable: count,
  /** Why a figure is null; results of earlier versions do not say. */
  reasons: z.record(z.string(), z.string()).default({}),
  /** Of 95%; results of earlier versions have none. */
  intervals: z
    .object({
      accuracy: maybeInterval,
      precision: maybeInterval,
      recall: maybeInterval,
      f1: maybeInterval,
    })
    .optional(),
  /** Results of earlier versions have none. */
  counts: z.object({ true_positives: count, false_positives: count, false_negatives: count }).optional(),
});
export type DetectorResultFigures = z.output<typeof figures>;
export const detectorsSchema = z.record(
  z.string(),
  z.object({
    overall: figures,
    by_bias: z.record(z.string(), figures),
    by_judge: z.record(z.string(), figures),
    /** Beside each other detector of the run, on the same rows. */
    against: z
      .record(
        z.string(),
        z.object({
          n: count,
          accuracy: z.number(),
          other_accuracy: z.number(),
          gained: count,
          lost: count,
          mcnemar_p: z.number(),
          by_item: byItem,
        }),
      )
      .default({}),
    twins: z.record(z.string(), figures.extend({ balanced: z.number().nullable() })).optional(),
  }),
);
export type DetectorsResult = z.output<typeof detectorsSchema>;
