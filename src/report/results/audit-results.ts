/** What the audits write. */
import * as z from 'zod';
import { count, interval, maybeInterval } from './shapes.ts';

/** What `remand audit authorship` writes. */
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

/** What `remand audit perturb` writes. */
const at = { judge: z.string(), role: z.string(), mode: z.string(), perturbation: z.string() };
const reasons = z.record(z.string(), count);

export const perturbSchema = z.object({
  audit: z.literal('perturb'),
  threshold: z.number(),
  margins: z.object({ dimension: z.number(), overall: z.number() }),
  perturbations: z.record(z.string(), z.object({ made: count, dropped: reasons, refused: reasons })),
  unfit: z.record(z.string(), reasons),
  judgments: count,
  unread: reasons,
  failed: count,
  comparisons: z.array(
    z.object({
      ...{ ...at, measure: z.string(), n: count },
      ...{ before: z.number(), after: z.number(), difference: z.number(), interval: interval.nullable() },
      p_holm: z.number(),
      equivalence: z.object({ p_holm: z.number(), interval }).nullable(),
      margin: z.number(),
      observed: z.enum(['raised', 'lowered', 'same', 'undecided']),
      fair: z.boolean().nullable(),
      ...{ arrow: z.string(), fairness: z.string() },
    }),
  ),
  decided: z.array(
    z.object({
      ...{ ...at, n: count, unread: count, failed: count },
      transitions: z.object({ names: z.array(z.string()), counts: z.array(z.array(count)) }),
      acceptance: z.object({
        ...{ before: z.number().nullable(), before_interval: interval.nullable() },
        ...{ after: z.number().nullable(), after_interval: interval.nullable() },
        // Absent from results of before it was written.
        reason: z.string().nullable().default(null),
        change: z.union([
          z.object({ value: z.number(), interval }),
          z.object({ value: z.null(), reason: z.string() }),
        ]),
      }),
      kappa: z.union([
        z.object({ value: z.number(), interval }),
        z.object({ value: z.null(), reason: z.string() }),
      ]),
    }),
  ),
  verdicts: z.array(z.object({ judge: z.string(), verdict: z.string() })),
});
export type PerturbResult = z.output<typeof perturbSchema>;

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
