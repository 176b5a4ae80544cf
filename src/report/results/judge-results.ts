/** What `remand eval judge` and `remand calibrate` write. */
import * as z from 'zod';
import { byItem, count, figureSchema, interval, shareSchema } from './shapes.ts';

/** After sending back, beside the same judge's first verdicts under another strategy. */
const besideBaseline = z.object({
  n: count,
  accuracy: z.number(),
  baseline_accuracy: z.number(),
  gained: count,
  lost: count,
  mcnemar_p: z.number(),
  by_item: byItem.optional(),
});

/** `remand eval judge` on recorded verdicts: one for each "judge/strategy". */
const recordedJudge = z.object({
  n: count,
  accuracy_before: z.number(),
  accuracy_after: z.number(),
  agreement_before: z.number(),
  agreement_after: z.number(),
  wrong_to_right: count,
  right_to_wrong: count,
  mcnemar_p: z.number(),
  /** Results of earlier versions have none of these. */
  by_item: byItem.optional(),
  baseline: z.boolean().default(false),
  against: z.record(z.string(), besideBaseline).default({}),
  remanded: count,
  unreadable: count,
});
export type RecordedJudge = z.output<typeof recordedJudge>;
export const recordedSchema = z.record(z.string(), recordedJudge);

const paired = z.object({
  gained: count,
  lost: count,
  p: z.number(),
  /** Results of earlier versions have none of these. */
  p_holm: z.number().optional(),
  difference: z.object({ value: z.number(), interval }).optional(),
});

/** One arm of `remand eval judge` on live judges. */
const arm = z.object({
  judge: z.string(),
  bias: z.string(),
  twin: z.boolean(),
  arm: z.string(),
  n: count,
  failed: count,
  accuracy: z.object({ d: shareSchema, d_bias: shareSchema }),
  consistency: shareSchema,
  wrong_to_right: count,
  right_to_wrong: count,
  false_corrections: count,
  insisted: shareSchema,
  insisted_rightly: shareSchema,
  unread: count,
  calls: z.number().nullable(),
  tokens: z.object({ input: z.number(), output: z.number() }).nullable(),
  /** Results of earlier versions have neither. */
  price_per_1000: figureSchema.optional(),
  seconds: figureSchema.optional(),
  curve: z.array(z.number()),
  against_none: paired.nullable(),
  against_placebo: paired.nullable(),
  reasons: z.record(z.string(), z.string()).default({}),
});
export type ArmResult = z.output<typeof arm>;
export const armsSchema = z.object({ arms: z.array(arm), calls: count, records: z.string().optional() });

export const calibrationResultSchema = z.object({
  version: z.literal(1),
  threshold: z.number(),
  judges: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        action: z.enum(['remand', 'flag', 'tie']),
        why: z.string(),
        judgments: count,
        sent_back: count,
        wrong_to_right: count,
        right_to_wrong: count,
        probability_of_gain: z.number(),
        gain: z.object({
          value: z.number().nullable(),
          interval: interval.nullable(),
          reason: z.string().optional(),
        }),
        items_better: count.optional(),
        items_worse: count.optional(),
        reasons: z.object({ cases_to_settle: z.string() }).partial().optional(),
        cases_to_settle: count.nullable(),
      }),
    ),
  ),
});
export type CalibrationResult = z.output<typeof calibrationResultSchema>;
