/** The results that a report is made of, each known by its shape: what the commands write with `--json`. */
import * as z from 'zod';
import { calibrationSchema } from './calibration.ts';

/** Where a result comes from. Every result file has this as `origin`, and a report shows it beside the result. */
const origin = z.object({
  /** When the command was started, ISO 8601. */
  date: z.string(),
  /** Version of Remand. */
  remand: z.string(),
  /** The command line, without secrets. */
  command: z.string(),
  /** The models that it was told to ask, as the command line names them. */
  models: z.array(z.string()),
  /** Fields of each request to them. */
  parameters: z.record(z.string(), z.unknown()),
  /** Per million tokens, by model; null where none were given. */
  prices: z.record(z.string(), z.object({ input: z.number(), output: z.number() })).nullable(),
});
export type ResultOrigin = z.output<typeof origin>;

export const count = z.int().min(0);
export const interval = z.object({ low: z.number(), high: z.number() });
/** Why there is no figure, in words. */
const noFigureSchema = z.object({ value: z.null(), reason: z.string() });
/** Null where there is none; results of earlier versions do not say why. */
const maybeInterval = z.union([interval, noFigureSchema.transform(() => null), z.null()]);
/** A figure with what belongs to it, or why there is none. */
const figureOf = <S extends z.ZodRawShape>(shape: S) =>
  z.union([z.object({ value: z.number(), ...shape }), noFigureSchema]);
const shareSchema = z.object({
  value: z.number().nullable(),
  of: z.number(),
  interval: maybeInterval,
  reason: z.string().optional(),
});
/** A figure, or why there is none. */
const figureSchema = figureOf({});
export type FigureResult = z.output<typeof figureSchema>;
/** A change with everything that belongs to one item taken together, and its exact test; or why there is none. */
export const byItem = figureOf({
  interval: maybeInterval,
  items: count,
  test: figureOf({ moved: count, up: count, least: z.number() }),
});
export type ByItem = z.output<typeof byItem>;

/** What `remand audit authorship` writes. */
const share = z.object({
  count,
  n: count,
  /** These two are null where `n` is 0. */
  share: z.number().nullable(),
  /** Exact. */
  interval: interval.nullable(),
  /** Of the bootstrap over papers; null where there is none. */
  deviation: z.number().nullable(),
});
const named = share.extend({ name: z.string() });
/** Why there is no line to flag by, in words; the share of reviews by people that are flagged; and of those by models. */
const flagged = { target: z.number(), refused: z.string().nullable(), fpr: share, tpr: share };
/** What the vote of several anchors finds, and how many more people it flags than each anchor alone. */
const voted = z.object({
  ...flagged,
  /** What scores above its method's line is flagged; empty where the target is refused. */
  lines: z.record(z.string(), z.number()),
  /** Reviews by people that each anchor flags alone, by method. */
  each: z.record(z.string(), share),
});

const authorshipSchema = z.object({
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
      /** Reviews that have no score by it: of those that calibrate and that test. */
      unscored: count,
      /** Whether the scores are bounds: people's then count with their highest and models' with their lowest. */
      bounded: z.boolean(),
      calibrated_on: count,
      auc: z.object({
        value: z.number().nullable(),
        deviation: z.number().nullable(),
        reason: z.string().nullable(),
      }),
      auc_by_model: z.record(z.string(), z.number().nullable()),
      targets: z.array(
        z.object({
          ...flagged,
          /** Above it a review is flagged; null where the target is refused. */
          line: z.number().nullable(),
          /** How many people were to be expected, in 95 of 100 cases, if these write like those that calibrated. */
          expected: z.object({ low: count, high: count }).nullable(),
          by_model: z.record(z.string(), share),
        }),
      ),
      /** Thinned where it is dense: false positives, true positives. */
      curve: z.array(z.tuple([z.number(), z.number()])),
      /** How many reviews have a score in each of some ranges of equal width. */
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
    .object({
      methods: z.array(z.string()),
      /** Reviews by people that have a score by every anchor. */
      calibrated_on: count,
      /** Any anchor above its own line. */
      plain: z.array(voted),
      /** Lines moved up together until the vote keeps the target. */
      corrected: z.array(voted),
    })
    .nullable(),
  transfers: z.array(
    z.object({
      method: z.string(),
      calibrated_on: z.string(),
      tested_on: z.string(),
      ...flagged,
      /** Whether more people are flagged than the target allows for by chance; null where there is nothing to tell. */
      broken: z.boolean().nullable(),
    }),
  ),
  kinds: z.array(
    z.object({
      method: z.string(),
      /** The line that the shares below are of; null where none could be calibrated. */
      target: z.number().nullable(),
      /** Reviews by people that a model edited, from the least edit to the most. */
      edits: z.array(named),
      /** Whether more edited scores higher: the mean over a person's reviews of the gain, and what chance would give. */
      edit_order: z.object({ ndcg: z.number(), chance: z.number(), reviews: count }).nullable(),
      /** Reviews that a model wrote from a person's bullet points. */
      bullets: named.nullable(),
      archetypes: z.array(named),
    }),
  ),
  inflation: z.array(
    z.object({
      model: z.string(),
      papers: count,
      /** Points by which the model rates a paper above the mean of the people's ratings; over papers. */
      mean: z.number(),
      interval: interval.nullable(),
      higher: count,
      lower: count,
      /** Wilcoxon's signed-rank test over papers, after Holm's correction for the models. */
      p_holm: z.number(),
      rank_biserial: z.number().nullable(),
      /** How many papers differ by so many points, rounded: from the lowest to the highest. */
      spread: z.array(z.tuple([z.number(), count])),
    }),
  ),
});
export type AuthorshipResult = z.output<typeof authorshipSchema>;

/**
 * Replies without a figure, by side: how many were asked for, could not be read, and failed. `p` is of the two shares, paired.
 * Where they differ at the 5% level the losses are `selective`: what is left is no fair sample, and nothing is claimed of it.
 */
const bySide = z.tuple([count, count]);
const lossesSchema = z.object({
  asked: bySide,
  unread: bySide,
  failed: bySide,
  p: z.number(),
  selective: z.boolean(),
});
export type Losses = z.output<typeof lossesSchema>;
// Absent from results of before it was written.
const losses = lossesSchema.nullable().default(null);

/** What `remand audit perturb` writes. */
const at = { judge: z.string(), role: z.string(), mode: z.string(), perturbation: z.string() };
const reasons = z.record(z.string(), count);

const perturbSchema = z.object({
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
      ...at,
      measure: z.string(),
      n: count,
      /** The difference is after less before, in points; decisions count 0 to 3. No interval: all differences are equal. */
      before: z.number(),
      after: z.number(),
      difference: z.number(),
      interval: interval.nullable(),
      p_holm: z.number(),
      equivalence: z.object({ p_holm: z.number(), interval }).nullable(),
      margin: z.number(),
      observed: z.enum(['raised', 'lowered', 'same', 'undecided']),
      /** Whether the judge did as a fair one; null where that cannot be said, or nothing is expected. */
      fair: z.boolean().nullable(),
      arrow: z.string(),
      fairness: z.string(),
    }),
  ),
  decided: z.array(
    z.object({
      ...at,
      n: count,
      unread: count,
      failed: count,
      /** Of submissions as they were, and changed. */
      losses,
      /** `counts[from][to]`, in the order of `names`. */
      transitions: z.object({ names: z.array(z.string()), counts: z.array(z.array(count)) }),
      acceptance: z.object({
        before: z.number().nullable(),
        before_interval: interval.nullable(),
        after: z.number().nullable(),
        after_interval: interval.nullable(),
        // Absent from results of before it was written.
        reason: z.string().nullable().default(null),
        change: figureOf({ interval }),
      }),
      kappa: figureOf({ interval }),
    }),
  ),
  verdicts: z.array(z.object({ judge: z.string(), verdict: z.string() })),
});
export type PerturbResult = z.output<typeof perturbSchema>;

/** Shares of pairs, in [0, 1]; null where there is none. */
const pairRates = z.object({
  pairs: count,
  win: z.number().nullable(),
  lose: z.number().nullable(),
  tie: z.number().nullable(),
  /** First less second, in points, over the pairs. */
  mean: z.number().nullable(),
  /** Pairs in which only the first side, or only the second, reaches the threshold. */
  raised: count,
  lowered: count,
  /** Share of pairs won or lost that what is missing of the probabilities could turn. */
  unsettled: z.number().nullable(),
});
const testedRates = pairRates.extend({
  papers: count,
  /** 95%, over the papers' own means and shares; null for a single paper, and where papers do not differ. */
  mean_interval: interval.nullable(),
  win_interval: interval.nullable(),
  /** Wilcoxon's signed-rank test on the papers' mean differences: as it is, and after Holm. 1 where nothing moved. */
  p: z.number(),
  p_holm: z.number(),
  /** The sign test on the same, uncorrected; null where nothing moved. */
  sign_p: z.number().nullable(),
  /** Of the papers' mean differences, in [-1, 1]; null where nothing moved. */
  rank_biserial: z.number().nullable(),
  finding: z.boolean(),
  /** Two one-sided tests within the margin, where there is no finding; `shown` goes by p after Holm's correction. */
  equivalence: z
    .object({
      p: z.number(),
      // Absent from results of before it was written.
      p_holm: z.number().nullable().default(null),
      interval,
      shown: z.boolean(),
    })
    .nullable(),
});
/** `remand audit authors`. */
const authorsSchema = z.object({
  audit: z.literal('authors'),
  threshold: z.number(),
  /** Papers whose text named authors, which were taken out. Absent from results of before it was written. */
  own_authors: count.default(0),
  findings: z.array(
    z.object({
      judge: z.string(),
      dimension: z.string(),
      sides: z.tuple([z.string(), z.string()]),
      reviews: count,
      failed: count,
      /** For how many comparisons of the run p is corrected. */
      comparisons: count,
      unread: reasons,
      losses,
      hard: testedRates.nullable(),
      soft: testedRates.nullable(),
      /** Why reviews have no soft rating, counted. */
      no_soft: reasons,
      /** Of the probability at the rating's place: mean and most that is on no listed rating. */
      missing: z.object({ mean: z.number(), most: z.number() }).nullable(),
      /** Soft less hard: of the shares won, and of the shares won less lost. What the written ratings hide. */
      gap: z.object({ win: z.number(), net: z.number() }).nullable(),
      groups: z.record(z.string(), z.object({ hard: pairRates, soft: pairRates })),
      /** Rows are the first side's institutions, columns the second's; null for other dimensions. */
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

/** A share of a count, with Wilson's interval; null where n is 0. */
const shareOf = z.object({ count, n: count, share: z.number().nullable(), interval: maybeInterval });
/** `remand audit cues`. */
const cueAuditSchema = z.object({
  audit: z.literal('cues'),
  cues: z.array(z.object({ name: z.string(), wording: z.string() })),
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
          /** Selections of the first text while the first cue stood beside it, and while the second did. */
          first_as_given: shareOf,
          first_exchanged: shareOf,
          /**
           * The verdict shift rate as arXiv 2509.26072 computes it: the difference of those two shares, in [-1, 1], with
           * Newcombe's interval for paired shares. Above 0 the first cue is preferred.
           */
          shift: figureOf({ n: count, interval }),
          /** The verdict shift rate as the same paper defines it: verdicts that flip when the cues are exchanged. */
          flips: shareOf,
          /** After Holm's correction for all comparisons of the run: every pair of cues, judge and dataset. */
          p_holm: z.number(),
          /** Whether it holds at the 5% level after the correction. */
          found: z.boolean(),
          /** Reasons that name the cue as a ground, by rule. */
          acknowledged: shareOf,
          /** Pairs of texts without two verdicts that could be read: they count nowhere above but in acknowledgments. */
          unread: count,
          failed: count,
          /** Of replies with the cues as given, and exchanged. A comparison of which one call failed counts for both. */
          losses,
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
/** As it is written: an interval may be missing for a reason. */
export type CuePairReport = z.input<typeof cueAuditSchema>['results'][number]['cue_pairs'][number];

const biasRate = z.object({
  judge: z.string(),
  bias: z.string(),
  twin: z.boolean(),
  /** Labelled pairs, and those right without the bias and wrong with it. */
  n: count,
  biased: count,
  /** Of all labelled pairs, as in the detector paper's Table 1; null for none. */
  share: z.number().nullable(),
  interval: maybeInterval,
  /** Right without the bias: only these could have been turned. */
  right_in_d: count,
});
export type BiasRate = z.input<typeof biasRate>;
const ratesSchema = z.object({
  labelled: count,
  unlabelled: z.record(z.string(), count),
  rates: z.array(biasRate),
});
export type RatesResult = z.output<typeof ratesSchema>;

const counted = z.object({ rows: count, kept: count, dropped: z.record(z.string(), count) });
const groups = z.record(z.string(), counted);
const lengths = z.object({
  n: count,
  /** Nearest rank; null for none. */
  p50: z.number().nullable(),
  p95: z.number().nullable(),
  max: z.number().nullable(),
  /** How many are longer than each limit. */
  over: z.record(z.string(), count),
});
const distilSchema = counted.extend({
  by_bias: groups,
  by_label: groups,
  by_judge: groups,
  splits: z.record(z.string(), z.object({ rows: count, yes: count, no: count })),
  /** Null where nobody was asked. */
  teacher: z
    .object({
      name: z.string(),
      /** Told the label, it is no measure of a teacher that its answer has it. */
      label_shown: z.boolean(),
      accuracy: z.array(
        z.object({
          bias: z.string(),
          /** Rows asked about, those whose first answer had no label that could be read, and those with the true one. */
          n: count,
          unread: count,
          right: count,
          /** Of those that could be read; null for none. */
          share: z.number().nullable(),
          interval: maybeInterval,
        }),
      ),
      /** Of all attempts at all rows. */
      outcomes: z.record(z.string(), count),
      /** How many rows were kept at the first attempt, the second …, before balancing. */
      attempts_of_kept: z.record(z.string(), count),
    })
    .nullable(),
  token_lengths: z.object({ encoding: z.string(), prompt: lengths, completion: lengths, both: lengths }),
});
export type DistilResult = z.output<typeof distilSchema>;
/** As it is written: an interval may be missing for a reason. */
export type DistilReport = z.input<typeof distilSchema>;

const figures = z.object({
  n: count,
  accuracy: z.number().nullable(),
  precision: z.number().nullable(),
  recall: z.number().nullable(),
  f1: z.number().nullable(),
  unreadable: count,
  /** Why a figure is null. */
  reasons: z.record(z.string(), z.string()),
  /** Of 95%. */
  intervals: z.object({
    accuracy: maybeInterval,
    precision: maybeInterval,
    recall: maybeInterval,
    f1: maybeInterval,
  }),
});
export type DetectorResultFigures = z.output<typeof figures>;
/** Verdicts or labels, each right or wrong here and there. */
const pairedLabels = z.object({
  n: count,
  accuracy: z.number(),
  /** Right here and wrong there, and the other way round. */
  gained: count,
  lost: count,
  /** Exact, two-sided, as if no two pairs were of one item; `by_item` is the one to trust. */
  mcnemar_p: z.number(),
  /** Accuracy here less there, with all pairs of one item taken together. */
  by_item: byItem,
});
/** As it is written: an interval may be missing for a reason. */
export type PairedLabels = z.input<typeof pairedLabels>;
const detectorsSchema = z.record(
  z.string(),
  z.object({
    overall: figures,
    by_bias: z.record(z.string(), figures),
    by_judge: z.record(z.string(), figures),
    /** Beside each other detector of the run, on the same rows. */
    against: z.record(z.string(), pairedLabels.extend({ other_accuracy: z.number() })).default({}),
    twins: z.record(z.string(), figures.extend({ balanced: z.number().nullable() })).optional(),
  }),
);
export type DetectorsResult = z.output<typeof detectorsSchema>;

/** After sending back, beside the same judge's first verdicts under another strategy. */
const besideBaseline = pairedLabels.extend({ baseline_accuracy: z.number() });

/** `remand eval judge` on recorded verdicts: one for each "judge/strategy". */
const recordedJudge = z.object({
  /** Items. Accuracy counts both orders of each, so its denominator is 2n. */
  n: count,
  accuracy_before: z.number(),
  accuracy_after: z.number(),
  /** Share of the items whose two orders are decided alike; an unreadable verdict agrees with nothing. */
  agreement_before: z.number(),
  agreement_after: z.number(),
  wrong_to_right: count,
  right_to_wrong: count,
  /** Exact, two-sided, of every judgment for itself. The two orders of an item are not independent: trust `by_item`. */
  mcnemar_p: z.number(),
  by_item: byItem,
  /** The judge was never asked again under this strategy: its first verdicts, to compare the others with. */
  baseline: z.boolean(),
  /** After sending back, beside the baselines of the same judge, by their strategies; empty for a baseline. */
  against: z.record(z.string(), besideBaseline),
  /** Judgments that were sent back, of 2n. */
  remanded: count,
  /** First verdicts that could not be read, of 2n; they count as wrong and are not sent back. */
  unreadable: count,
  /** Missing in results of earlier versions. */
  replies: z
    .object({
      /** Replies of all rounds, in both orders. */
      n: count,
      /** Those that say something else than the winner recorded beside them. */
      differ: count,
      /** Those with a recorded winner in which no verdict could be found: there the winner counts in any case. */
      unread: count,
    })
    .optional(),
});
export type RecordedJudge = z.output<typeof recordedJudge>;
const recordedSchema = z.record(z.string(), recordedJudge);

/** One arm beside another on D_bias: each pair counts once, so the outcomes compared are independent of each other. */
const paired = z.object({
  /** Pairs that both arms judged. */
  n: count,
  /** Points by which judgments are better here than there, and worse: 1 of right beside wrong, half of a tie beside either. */
  gained: z.number(),
  lost: z.number(),
  /** Exact sign-flip test of the points, two-sided; McNemar's where there is no tie. */
  p: z.number(),
  /** Holm-corrected for all arms of the run, of every judge and bias, that are compared with the same one. */
  p_holm: z.number(),
  /** Share of right verdicts here less there, a tie counting half, with Newcombe's interval. */
  difference: z.object({ value: z.number(), interval }),
});

const panel = z.object({
  judges: z.array(z.string()),
  n: count,
  /** Of the option that most judges choose; a tie of votes is right by chance. */
  accuracy: z.number(),
  /** 95 %, with the items of a group taken together; missing in results of versions that did not tell it. */
  interval: interval.nullable().default(null),
  bestJudge: z.object({ name: z.string(), accuracy: z.number() }),
  /** Accuracy of the vote less that of the best judge, on the same items, and 95 % of it; the best judge is chosen on them, too. */
  gain: z.object({ value: z.number(), interval }).nullable().default(null),
  /** Mean correlation of the errors of two judges; null where one of them never errs or always does. */
  errorCorrelation: z.number().nullable(),
  /** How many judges with independent errors are worth as much (Kish): of judges that err together, hardly more than one. */
  effectiveJudges: z.number().nullable(),
});
export type Panel = z.output<typeof panel>;

/** One arm of `remand eval judge` on live judges. */
const arm = z.object({
  judge: z.string(),
  bias: z.string(),
  twin: z.boolean(),
  arm: z.string(),
  /** Pairs of rows that were judged in both sets. */
  n: count,
  failed: count,
  /** Of the final verdicts; a tie counts half, a verdict that cannot be read as wrong. */
  accuracy: z.object({ d: shareSchema, d_bias: shareSchema }),
  /** The same decision with and without the bias. */
  consistency: shareSchema,
  /** From the judge's own first verdict to the final one, over both sets. */
  wrong_to_right: count,
  right_to_wrong: count,
  /** The same by half a point: from wrong to a tie or from a tie to right, and the other way round. Older files lack it. */
  by_half: z.object({ better: count, worse: count }).default({ better: 0, worse: 0 }),
  /** First verdicts that the bias had not turned, and that came out wrong all the same. */
  false_corrections: count,
  /** Of the verdicts that were sent back, those the judge kept; and of these, those that are right, a tie counting half. */
  insisted: shareSchema,
  insisted_rightly: shareSchema,
  unread: count,
  /** Means over judgments; null where there are none. */
  calls: z.number().nullable(),
  tokens: z.object({ input: z.number(), output: z.number() }).nullable(),
  /** Of the mean of calls, from the means of the pairs: two judgments of one pair are not independent. */
  calls_interval: interval.nullable(),
  /** For 1,000 judgments, the first verdicts included. */
  price_per_1000: figureSchema,
  /** Mean over judgments of the time its calls took one after the other; only where all were made in this run. */
  seconds: figureSchema,
  /** Risk of the surest shares of the judgments, over both sets, a tie counting half; empty unless all tell how sure they are. */
  risk: z.record(z.string(), z.number()),
  area_under_risk: figureSchema,
  /** What the vote of a panel is worth beside its best judge; null where there is none. */
  panel: panel.nullable(),
  /** Accuracy on D_bias after rounds 0 (the first verdict), 1, 2 … */
  curve: z.array(z.number()),
  /** Null for the arm itself, or where the other arm was not run. */
  against_none: paired.nullable(),
  against_placebo: paired.nullable(),
  /** Why a figure that cannot say so itself is null. */
  reasons: z.record(z.string(), z.string()),
});
export type ArmResult = z.output<typeof arm>;
const armsSchema = z.object({
  arms: z.array(arm),
  /** Made since the run was last started: answers of the call store are not among them. */
  calls: count,
  records: z.string().optional(),
});
export type ArmsResult = z.output<typeof armsSchema>;

/** What `remand estimate` writes of one judge, or of a part of its items. */
const estimate = z.object({
  judge: z.string(),
  /** Null for all items. */
  subgroup: z.string().nullable(),
  figure: z.enum(['win rate', 'pass rate', 'mean score', 'share']),
  /** Items with a verdict, and those of them with a label that chance drew. */
  judged: count,
  labelled: count,
  /** What the judge alone says; the interval knows of the items that were drawn, not of what the judge gets wrong. */
  raw: z.number(),
  rawInterval: interval,
  /** Left out: items without a verdict, and labels on items that were chosen for what the judge said. */
  unread: count,
  chosen: count,
  /** By prediction-powered inference. */
  corrected: figureOf({
    interval,
    standardError: z.number(),
    labelsOnly: z.object({ value: z.number(), interval }),
  }),
  /** From the judge's sensitivity and specificity; of yes and no alone. */
  roganGladen: figureOf({ interval }),
  /** How right the verdicts are by the labels, on average, orders that contradict each other in part; flatters a judge where one verdict is frequent. */
  agreement: z.number().nullable(),
  kappa: figureOf({ interval }),
  /** Labelled items by label and verdict: `{ "0": { "0": 40, "tie": 2 } }`. */
  confusion: z.record(z.string(), z.record(z.string(), count)),
  /** `value`: more labels, drawn by chance; 0 where there are enough. */
  plan: figureOf({
    /**
     * The same by what the verdict says, where labels are drawn in each of these parts by chance, with the fewest needed;
     * `labels` in all, those there are included.
     */
    strata: z.array(z.object({ judged: z.number(), items: count, labels: count })).readonly(),
  }).nullable(),
  /** What to report, and why. */
  report: z.enum(['corrected', 'labels', 'none']),
  why: z.string(),
});
export type RateEstimate = z.output<typeof estimate>;
const estimatesSchema = z.object({ estimates: z.array(estimate).min(1) });
export type EstimatesResult = z.output<typeof estimatesSchema>;

/** What `/remand/numbers` gives. */
const numbersSchema = z.object({
  /** Judgments that were looked at, the latest first; those without a verdict included. */
  judgments: count,
  /** Traces of the same time that could not be read and are in no figure. */
  unreadable: count.default(0),
  /** Whether older ones were left out. */
  isPart: z.boolean(),
  figures: z.array(
    z.object({
      judge: z.string(),
      /** The form of the verdict, or the template. */
      requests: z.string(),
      /** Of which the figure is the share; null where it is of no category. */
      category: z.string().nullable(),
      /** From the judge's first verdicts, and from those that went out. */
      first: estimate,
      sent: estimate,
      /** Labelled cases, drawn by chance, that came out otherwise than they came in. */
      turnedRight: count,
      turnedWrong: count,
    }),
  ),
});
export type NumbersResult = z.output<typeof numbersSchema>;

/** What `remand rank` writes. Strengths are log odds, the strongest first. */
const strength = z.object({ value: z.number(), standardError: z.number(), interval });
const ranking = z.object({
  /** Null for all judges together. */
  judge: z.string().nullable(),
  found: z.union([
    z.object({
      strengths: z.array(strength.extend({ name: z.string() })).readonly(),
      place: strength.nullable(),
      placeCancels: z.boolean().default(false),
      ties: z.number(),
      verdicts: count,
      items: count,
      /** Sources that the items were made from; intervals count these. Older files lack it. */
      groups: count.optional(),
      next: z.array(z.object({ first: z.string(), second: z.string() })).readonly(),
    }),
    noFigureSchema,
  ]),
  /** Three of whom each beats the next more often than not, and the last the first; null where there are too many to look through. */
  cycles: z.object({ count, example: z.array(z.string()).readonly().nullable() }).nullable(),
  /** Verdicts that name no winner, or whose contestants are not told. */
  unread: count,
});
export type ContestantRanking = z.output<typeof ranking>;
const rankingsSchema = z.object({ rankings: z.array(ranking).min(1) });
export type RankingsResult = z.output<typeof rankingsSchema>;

/** What `remand audit biases` writes. */
const biasEffectsSchema = z.object({
  effects: z.array(
    z.object({
      judge: z.string(),
      bias: z.string(),
      n: count,
      unread: count,
      effect: figureOf({ interval }),
      p: z.number().nullable(),
      moved: count,
      moved_interval: interval.nullable(),
    }),
  ),
  dropped: z.record(z.string(), z.record(z.string(), count)),
  skipped: z.record(z.string(), count),
});
export type BiasEffectsResult = z.output<typeof biasEffectsSchema>;

/** What `remand card` writes. */
const checkedFigure = z.object({
  name: z.string(),
  /** What the figure is. */
  about: z.string(),
  /**
   * `share`: of cases, less is better. `effect`: how far verdicts follow, 0 for a fair judge. `least`: a share of which more
   * is better.
   */
  kind: z.enum(['share', 'effect', 'least']),
  limit: z.number(),
  /** In words; null where no setting helps. */
  advice: z.string().nullable(),
  /** Cases, or replies, that it rests on. */
  n: count,
  /** Null with the reason where it was not measured. */
  value: z.number().nullable(),
  interval: interval.nullable(),
  reason: z.string().nullable(),
  /** `beyond` and `within`: the whole interval lies on that side of the limit; `unclear`: more cases would tell. */
  state: z.enum(['within', 'unclear', 'beyond', 'not measured']),
});
export type CheckedFigure = z.output<typeof checkedFigure>;
const judgeCard = z.object({
  judge: z.string(),
  cases: count,
  checks: z.array(checkedFigure),
  /** With the labels, beyond what chance would give; null where there is none. */
  kappa: z.number().nullable(),
  /** 95 %; missing in results of versions that did not tell it. */
  kappa_interval: interval.nullable().default(null),
  /** Of one verdict, on average; null where the endpoint does not count. */
  tokens: z.object({ input: z.number(), output: z.number() }).nullable(),
  /** Of 1,000 verdicts, in the currency of the prices; null where none is known. */
  price_per_1000: z.number().nullable(),
  /** Of one verdict, over the calls whose time was measured; null for none. */
  seconds: z.number().nullable(),
  /** Lines of an environment file: what helps against what is beyond its limit. */
  settings: z.record(z.string(), z.string()),
});
export type PricedCard = z.output<typeof judgeCard>;
const cardSchema = z.object({
  cards: z.array(judgeCard).min(1),
  dropped: z.record(z.string(), z.record(z.string(), count)),
});
export type CardResult = z.output<typeof cardSchema>;

const movedBy = z.object({ value: z.number(), low: z.number(), high: z.number() });

/** What `remand drift` writes. */
const driftSchema = z.object({
  judges: z.object({ before: z.string(), after: z.string() }),
  /** Items in both runs with a verdict in each; where there is none, `paired` is false and it is the items of both. */
  n: count,
  paired: z.boolean(),
  /** Left out: items in one run alone, and items without a verdict in one of the two. */
  only_before: count,
  only_after: count,
  unread: count,
  /** What numbers are: scores as given, passes as 0 and 1, choices as 1 where the first option wins and 1/2 for a tie. */
  of: z.enum(['score', 'pass', 'wins of the first option', 'category']),
  means: z.object({ before: z.number(), after: z.number() }).nullable(),
  shift: movedBy.nullable(),
  spread: figureOf({ before: z.number(), after: z.number(), p: z.number() }),
  /** Share of items whose first verdict is another than before, and of two replies of one judge to one request. */
  flips: z.number().nullable(),
  flips_of_repeats: z.number().nullable(),
  /** Shift that is certainly not exceeded, either way, and whether that is within the declared margin. */
  equivalent_within: z.number().nullable(),
  equivalent: z.boolean().nullable(),
  /** `adjusted`: after the correction for several tests (Holm). */
  tests: z.array(
    z.object({ name: z.enum(['shift', 'spread', 'flips', 'fit']), p: z.number(), adjusted: z.number() }),
  ),
  alarm: z.boolean(),
  false_alarms: z.number(),
  /** `after` is null with the reason where no share tells. */
  marks: z.array(
    z.object({
      before: z.number(),
      after: z.number().nullable(),
      interval: interval.nullable(),
      reason: z.string().nullable(),
    }),
  ),
  /** Of items with a label: how often each run agrees with it, and by how much more after. */
  fit: z
    .object({
      measure: z.enum(['agreement', 'mean absolute error']),
      n: count,
      before: z.number(),
      after: z.number(),
      change: movedBy.nullable(),
    })
    .nullable(),
  groups: z.array(z.object({ name: z.string(), n: count, shift: movedBy.nullable() })),
  /** What a reader has to know. */
  notes: z.array(z.string()),
});
export type DriftResult = z.output<typeof driftSchema>;

/** What `remand look` writes. */
const lookSchema = z.object({
  /** `judgments`: calls that look like judgments, whether they can be examined or not; `verdicts`: replies in which one was read. */
  calls: count,
  judgments: count,
  examinable: count,
  verdicts: count,
  /** Of those that can be examined: replies in which none was read. */
  unread: count.default(0),
  /** Of those that can be examined: prompts that were judged before, word for word. */
  repeated: count.default(0),
  /** Judgments that are left alone, by reason. */
  left_alone: z.record(z.string(), count),
  pipelines: z.array(
    z.object({
      name: z.string(),
      /** The model that was asked, empty where the log does not name it. Absent in older results, which held several in one. */
      judge: z.string().optional(),
      calls: count,
      examinable: count,
      /** Calls whose reply is in the log, with a verdict or without. Absent in older results. */
      replies: count.optional(),
      verdicts: count,
      /** Of verdicts for one of several options; null where there are none. */
      first_wins: z
        .object({
          n: count,
          share: z.number(),
          /** What the share would be by chance: half of two options, a third of three. Absent in older results. */
          chance: z.number().optional(),
          interval: interval.nullable(),
        })
        .nullable(),
    }),
  ),
  missing: z.array(z.string()),
  sample: z
    .union([
      z.object({
        /** Judgments examined, verdicts that rest on something that should not matter, and those that would be others. */
        asked: count,
        affected: count,
        changed: count,
        /** Left out: no verdict in the reply, a call that failed, and what the budget was too small for. */
        unread: count,
        failed: count,
        not_asked: count,
        biases: z.record(z.string(), count),
        /** In how many of those examined a bias could be at work and was not tested, and why, in words. */
        untested: z.array(z.object({ bias: z.string(), why: z.string(), count })).default([]),
        /**
         * Of the first verdicts in both orders: how often they moved towards the first place, and towards the last; p where neither
         * is favoured, of several pipelines the least (Holm). `by_noise`: verdicts that the judge's own noise alone would make differ, as `affected` counts them.
         */
        orders: z
          .object({
            compared: count,
            first: count,
            last: count,
            p: z.number(),
            by_noise: z.number(),
            pipelines: count.default(1),
          })
          .nullable()
          .default(null),
        errors: z.array(z.string()),
        calls: count,
        tokens: z.object({ input: count, output: count }).optional(),
        /** In the currency of the prices; null where the model has none. */
        cost: z.number().nullable(),
      }),
      z.object({ dry_run: z.unknown() }),
    ])
    .nullable(),
});
export type LookResult = z.output<typeof lookSchema>;

const SHAPES = {
  authors: authorsSchema,
  authorship: authorshipSchema,
  cues: cueAuditSchema,
  perturb: perturbSchema,
  arms: armsSchema,
  calibration: calibrationSchema,
  rates: ratesSchema,
  estimates: estimatesSchema,
  numbers: numbersSchema,
  rankings: rankingsSchema,
  'bias-effects': biasEffectsSchema,
  card: cardSchema,
  drift: driftSchema,
  look: lookSchema,
  distilled: distilSchema,
  detectors: detectorsSchema,
  recorded: recordedSchema,
} as const;

export type ReportKind = keyof typeof SHAPES;
export type ReportValues = { readonly [Kind in ReportKind]: z.output<(typeof SHAPES)[Kind]> };

/** A result of some kind; its origin is null where an earlier version wrote it. */
export type ReportResult<K extends ReportKind = ReportKind> = {
  readonly [Kind in K]: {
    readonly kind: Kind;
    readonly value: ReportValues[Kind];
    readonly origin: ResultOrigin | null;
  };
}[K];

const originField = z.object({ origin });

/** Of the document; of a map by name, which has no field of its own, that of its entries. */
function readOrigin(document: object): ResultOrigin | null {
  const [found] = [document, ...Object.values(document)].flatMap(
    (one) => originField.safeParse(one).data?.origin ?? [],
  );
  return found ?? null;
}

/** @returns null for what is no result of any kind; an empty map could be two kinds and is none */
export function recogniseResult(document: unknown): ReportResult | null {
  if (typeof document !== 'object' || document === null || Object.keys(document).length === 0) return null;
  for (const kind of Object.keys(SHAPES) as ReportKind[]) {
    const parsed = SHAPES[kind].safeParse(document);
    if (parsed.success) return { kind, value: parsed.data, origin: readOrigin(document) } as ReportResult;
  }
  return null;
}
