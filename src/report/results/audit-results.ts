/** What the audits write. */
import * as z from 'zod';
import { count, interval, maybeInterval } from './shapes.ts';

const pairRates = z.object({
  pairs: count,
  win: z.number().nullable(),
  lose: z.number().nullable(),
  tie: z.number().nullable(),
  mean: z.number().nullable(),
  raised: count,
  lowered: count,
});
const testedRates = pairRates.extend({
  papers: count,
  p_holm: z.number(),
  finding: z.boolean(),
  /** Results of earlier versions have none. */
  win_interval: interval.nullable().optional(),
});
/** `remand audit authors`. */
export const authorsSchema = z.object({
  audit: z.literal('authors'),
  threshold: z.number(),
  findings: z.array(
    z.object({
      judge: z.string(),
      dimension: z.string(),
      sides: z.tuple([z.string(), z.string()]),
      hard: testedRates.nullable(),
      soft: testedRates.nullable(),
      groups: z.record(z.string(), z.object({ hard: pairRates, soft: pairRates })),
      heatmap: z
        .object({
          rows: z.array(z.string()),
          columns: z.array(z.string()),
          soft: z.array(z.array(pairRates)),
          hard: z.array(z.array(pairRates)),
        })
        .nullable(),
    }),
  ),
  verdicts: z.array(z.object({ judge: z.string(), verdict: z.string() })),
});
export type AuthorsResult = z.output<typeof authorsSchema>;

const shareOf = z.object({ n: count, share: z.number().nullable(), interval: maybeInterval });
/** `remand audit cues`. */
export const cueAuditSchema = z.object({
  audit: z.literal('cues'),
  /** Results of earlier versions have none. */
  cues: z.array(z.object({ name: z.string(), wording: z.string() })).optional(),
  place: z.string(),
  failed: count,
  results: z.array(
    z.object({
      judge: z.string(),
      dataset: z.string(),
      verdict: z.string(),
      cue_pairs: z.array(
        z.object({
          cues: z.tuple([z.string(), z.string()]),
          first_as_given: shareOf,
          first_exchanged: shareOf,
          shift: z.union([
            z.object({ value: z.number(), n: count, interval }),
            z.object({ value: z.null(), reason: z.string() }),
          ]),
          flips: shareOf,
          p_holm: z.number(),
          found: z.boolean(),
          acknowledged: shareOf,
          unread: count,
          failed: count,
        }),
      ),
      hierarchies: z.array(
        z.object({
          ranks: z.array(z.object({ cue: z.string(), strength: z.number() })),
          steps: z.array(z.object({ supported: z.boolean() })),
        }),
      ),
    }),
  ),
  disagreements: z.array(
    z.object({
      id: z.string(),
      judge: z.string(),
      cues: z.tuple([z.string(), z.string()]),
      reason: z.string(),
      by_rule: z.boolean(),
    }),
  ),
});
export type CueAuditResult = z.output<typeof cueAuditSchema>;
