/** The results that a report is made of, each known by its shape: what the commands write with `--json`. */
import * as z from 'zod';

const interval = z.object({ low: z.number(), high: z.number() });
const share = z.object({ value: z.number().nullable(), of: z.number(), interval: interval.nullable() });
export type Share = z.output<typeof share>;
const count = z.int().min(0);
const paired = z.object({ gained: count, lost: count, p: z.number(), p_holm: z.number().optional() });
/** A figure, or why there is none. */
const known = z.union([z.object({ value: z.number() }), z.object({ value: z.null(), reason: z.string() })]);
export type Known = z.output<typeof known>;

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
  remanded: count,
  unreadable: count,
});
export type RecordedJudge = z.output<typeof recordedJudge>;
const recorded = z.record(z.string(), recordedJudge);

/** One arm of `remand eval judge` on live judges. */
const arm = z.object({
  judge: z.string(),
  bias: z.string(),
  twin: z.boolean(),
  arm: z.string(),
  n: count,
  failed: count,
  accuracy: z.object({ d: share, d_bias: share }),
  consistency: share,
  wrong_to_right: count,
  right_to_wrong: count,
  false_corrections: count,
  insisted: share,
  insisted_rightly: share,
  unread: count,
  calls: z.number().nullable(),
  tokens: z.object({ input: z.number(), output: z.number() }).nullable(),
  /** Results of earlier versions have neither. */
  price_per_1000: known.optional(),
  seconds: known.optional(),
  curve: z.array(z.number()),
  against_none: paired.nullable(),
  against_placebo: paired.nullable(),
});
export type ArmResult = z.output<typeof arm>;
const arms = z.object({ arms: z.array(arm), calls: count, records: z.string().optional() });

const figures = z.object({
  n: count,
  accuracy: z.number().nullable(),
  precision: z.number().nullable(),
  recall: z.number().nullable(),
  f1: z.number().nullable(),
  unreadable: count,
  /** Results of earlier versions have none. */
  counts: z.object({ true_positives: count, false_positives: count, false_negatives: count }).optional(),
});
export type Figures = z.output<typeof figures>;
const detectors = z.record(
  z.string(),
  z.object({
    overall: figures,
    by_bias: z.record(z.string(), figures),
    by_judge: z.record(z.string(), figures),
    twins: z.record(z.string(), figures.extend({ balanced: z.number().nullable() })).optional(),
  }),
);
export type Detectors = z.output<typeof detectors>;

const calibration = z.object({
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
        gain: z.object({ value: z.number().nullable(), interval: interval.nullable() }),
        cases_to_settle: count.nullable(),
      }),
    ),
  ),
});
export type CalibrationResult = z.output<typeof calibration>;

const rates = z.object({
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
      interval: interval.nullable(),
      right_in_d: count,
    }),
  ),
});
export type RatesResult = z.output<typeof rates>;

const counted = z.object({ rows: count, kept: count, dropped: z.record(z.string(), count) });
const lengths = z.object({
  n: count,
  p50: z.number().nullable(),
  p95: z.number().nullable(),
  max: z.number().nullable(),
  over: z.record(z.string(), count),
});
const distilled = counted.extend({
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
          interval: interval.nullable(),
        }),
      ),
      outcomes: z.record(z.string(), count),
      attempts_of_kept: z.record(z.string(), count),
    })
    .nullable(),
  token_lengths: z.object({ encoding: z.string(), prompt: lengths, completion: lengths, both: lengths }),
});
export type Distilled = z.output<typeof distilled>;

const pairRates = z.object({
  pairs: count,
  win: z.number().nullable(),
  lose: z.number().nullable(),
  tie: z.number().nullable(),
  mean: z.number().nullable(),
  raised: count,
  lowered: count,
});
const testedRates = pairRates.extend({ papers: count, p_holm: z.number(), finding: z.boolean() });
/** `remand audit authors`. */
const authors = z.object({
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
export type AuthorsResult = z.output<typeof authors>;

const shareOf = z.object({ n: count, share: z.number().nullable(), interval: interval.nullable() });
/** `remand audit cues`. */
const cueAudit = z.object({
  audit: z.literal('cues'),
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
export type CueAudit = z.output<typeof cueAudit>;

const SHAPES = {
  authors,
  cues: cueAudit,
  arms,
  calibration,
  rates,
  distilled,
  detectors,
  recorded,
} as const;

export type Result = {
  [Kind in keyof typeof SHAPES]: { readonly kind: Kind; readonly value: z.output<(typeof SHAPES)[Kind]> };
}[keyof typeof SHAPES];

/** @returns null for what is no result of any kind; an empty map could be two kinds and is none */
export function recognise(value: unknown): Result | null {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return null;
  for (const kind of Object.keys(SHAPES) as (keyof typeof SHAPES)[]) {
    const parsed = SHAPES[kind].safeParse(value);
    if (parsed.success) return { kind, value: parsed.data } as Result;
  }
  return null;
}
