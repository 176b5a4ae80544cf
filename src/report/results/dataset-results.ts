/** What `remand dataset label` and `remand distill` write. */
import * as z from 'zod';
import { count, maybeInterval } from './shapes.ts';

export const ratesSchema = z.object({
  labelled: count,
  unlabelled: z.record(z.string(), count),
  rates: z.array(
    z.object({
      judge: z.string(),
      bias: z.string(),
      twin: z.boolean(),
      n: count,
      biased: count,
      share: z.number().nullable(),
      interval: maybeInterval,
      right_in_d: count,
    }),
  ),
});
export type RatesResult = z.output<typeof ratesSchema>;

const counted = z.object({ rows: count, kept: count, dropped: z.record(z.string(), count) });
const lengths = z.object({
  n: count,
  p50: z.number().nullable(),
  p95: z.number().nullable(),
  max: z.number().nullable(),
  over: z.record(z.string(), count),
});
export const distilSchema = counted.extend({
  by_bias: z.record(z.string(), counted),
  by_label: z.record(z.string(), counted),
  by_judge: z.record(z.string(), counted),
  splits: z.record(z.string(), z.object({ rows: count, yes: count, no: count })),
  teacher: z
    .object({
      name: z.string(),
      label_shown: z.boolean(),
      accuracy: z.array(
        z.object({
          bias: z.string(),
          n: count,
          unread: count,
          right: count,
          share: z.number().nullable(),
          interval: maybeInterval,
        }),
      ),
      outcomes: z.record(z.string(), count),
      attempts_of_kept: z.record(z.string(), count),
    })
    .nullable(),
  token_lengths: z.object({ encoding: z.string(), prompt: lengths, completion: lengths, both: lengths }),
});
export type DistilResult = z.output<typeof distilSchema>;
