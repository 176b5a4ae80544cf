/** What `remand audit authorship` writes. */
import * as z from 'zod';
import { count, interval } from './shapes.ts';

const share = z.object({ count, n: count, share: z.number().nullable(), interval: interval.nullable() });
const named = share.extend({ name: z.string() });
const expected = z.object({ low: count, high: count });
const voted = z.object({ target: z.number(), refused: z.string().nullable(), fpr: share, tpr: share });

export const authorshipSchema = z.object({
  audit: z.literal('authorship'),
  embedding: z.string(),
  corrected: z.boolean(),
  reviews: count,
  scored: count,
  failed: count,
  passed: z.record(z.string(), count),
  unscored: z.record(z.string(), count),
  split: z.string(),
  methods: z.array(
    z.object({
      method: z.string(),
      bounded: z.boolean(),
      calibrated_on: count,
      auc: z.object({ value: z.number().nullable(), deviation: z.number().nullable() }),
      auc_by_model: z.record(z.string(), z.number().nullable()),
      targets: z.array(
        z.object({
          target: z.number(),
          line: z.number().nullable(),
          refused: z.string().nullable(),
          fpr: share,
          expected: expected.nullable(),
          tpr: share.extend({ deviation: z.number().nullable() }),
          by_model: z.record(z.string(), share),
        }),
      ),
      curve: z.array(z.tuple([z.number(), z.number()])),
      histogram: z
        .object({
          from: z.number(),
          to: z.number(),
          people: z.array(count),
          models: z.array(count),
        })
        .nullable(),
    }),
  ),
  vote: z
    .object({ methods: z.array(z.string()), plain: z.array(voted), corrected: z.array(voted) })
    .nullable(),
  transfers: z.array(
    z.object({
      ...{ method: z.string(), calibrated_on: z.string(), tested_on: z.string(), target: z.number() },
      ...{ refused: z.string().nullable(), fpr: share, tpr: share, broken: z.boolean().nullable() },
    }),
  ),
  kinds: z.array(
    z.object({
      ...{ method: z.string(), target: z.number().nullable(), edits: z.array(named) },
      edit_order: z.object({ ndcg: z.number(), chance: z.number(), reviews: count }).nullable(),
      ...{ bullets: named.nullable(), archetypes: z.array(named) },
    }),
  ),
  inflation: z.array(
    z.object({
      ...{
        model: z.string(),
        papers: count,
        mean: z.number(),
        interval: interval.nullable(),
        p_holm: z.number(),
      },
      spread: z.array(z.tuple([z.number(), count])),
    }),
  ),
  verdicts: z.array(z.string()),
});
export type AuthorshipResult = z.output<typeof authorshipSchema>;
