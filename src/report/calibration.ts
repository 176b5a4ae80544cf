/**
 * What was settled on a labelled set: for each judge and bias, whether sending a biased verdict back helps.
 * `remand calibrate` writes it, the proxy rules by it, a report shows it.
 */
import * as z from 'zod';

const interval = z.object({ low: z.number(), high: z.number() });

const calibrationEntry = z.object({
  action: z.enum(['remand', 'flag', 'tie']),
  /** In words: the counts and what they say. */
  why: z.string(),
  /** Labelled judgments of this judge in which this bias was looked for. */
  judgments: z.int().min(0),
  /** Those found biased and sent back. */
  sent_back: z.int().min(0),
  wrong_to_right: z.int().min(0),
  right_to_wrong: z.int().min(0),
  /** Items with more of their verdicts turned right than wrong, and the other way round; earlier files have neither. */
  items_better: z.int().min(0).optional(),
  items_worse: z.int().min(0).optional(),
  /** That sending back helps more items than it harms, given these counts. */
  probability_of_gain: z.number().min(0).max(1),
  /** In accuracy, over all judgments; its 95% interval takes the judgments of an item together. */
  gain: z.object({
    value: z.number().nullable(),
    interval: interval.nullable(),
    /** Why one of the two is null. */
    reason: z.string().optional(),
  }),
  /** Further labelled judgments that would likely settle it by a test; 0 where it is settled, null where nothing tells. */
  cases_to_settle: z.int().min(0).nullable(),
  /** Why a figure is null. */
  reasons: z.object({ cases_to_settle: z.string() }).partial().optional(),
});
export type CalibrationEntry = z.output<typeof calibrationEntry>;

export const calibrationSchema = z.object({
  version: z.literal(1),
  /** Least probability of a gain for sending back. */
  threshold: z.number().min(0.5).max(1),
  /** By the judge's model name, then by bias. */
  judges: z.record(z.string(), z.record(z.string(), calibrationEntry)),
});
export type Calibration = z.output<typeof calibrationSchema>;
