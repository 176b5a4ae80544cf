/** What labels say of a judge's confidence: `remand calibrate --records` writes it, and the proxy trusts verdicts by it. */
import * as z from 'zod';
import type { Confidence } from './confidence.ts';

const knot = z.tuple([z.number(), z.number()]).readonly();

/** How a confidence is turned into a probability. Knots rise by confidence; between two of them it is a straight line. */
const confidenceCurve = z.discriminatedUnion('method', [
  z.object({
    /** Of the confidence itself, or of its log-odds, as suits probabilities that judges overstate. */
    method: z.enum(['logistic', 'logistic-of-log-odds']),
    intercept: z.number(),
    slope: z.number(),
  }),
  z.object({ method: z.literal('isotonic'), knots: z.array(knot).min(1).readonly() }),
]);
export type ConfidenceCurve = z.output<typeof confidenceCurve>;

/** What the proxy needs of the file; its figures are for people. */
export const trustSchema = z.object({
  judges: z.record(
    z.string(),
    z.object({
      calibration: z.object({ curve: confidenceCurve }).nullable(),
      promise: z
        .object({
          kept: z
            .object({
              threshold: z.number(),
              coverage: z.number().min(0).max(1).optional(),
              answered: z.number().min(0).optional(),
            })
            .nullable(),
        })
        .optional(),
    }),
  ),
});
export type TrustFile = z.output<typeof trustSchema>;

/** What is answered in place of a verdict that is unsure: a tie where the form has one, the verdict, or an error. */
export const ABSTENTIONS = ['tie', 'flag', 'error'] as const;
export type Abstention = (typeof ABSTENTIONS)[number];

/** How far the verdicts of one judge are trusted. */
export interface Trust {
  /** Null where the judge was not calibrated. */
  readonly probabilityOf: (score: number) => number | null;
  readonly isUnsure: (confidence: Confidence) => boolean;
  /** Null where every verdict is answered. */
  readonly abstention: Abstention | null;
}

/**
 * @param below confidence as it is told, below which a verdict is unsure; undefined for the threshold of the file's promise
 *
 * @example createTrust(file, 'gpt-4o', { abstention: 'tie' }).isUnsure({ score: 0.5, … }) // true
 */
export function createTrust(
  file: TrustFile | undefined,
  judge: string,
  {
    abstention,
    below,
  }: { readonly abstention?: Abstention | undefined; readonly below?: number | undefined },
): Trust {
  const known = file && Object.hasOwn(file.judges, judge) ? file.judges[judge] : undefined;
  const curve = known?.calibration?.curve;
  const threshold = known?.promise?.kept?.threshold;
  const probabilityOf = (score: number) => (curve ? applyCurve(curve, score) : null);
  return {
    probabilityOf,
    abstention: abstention ?? null,
    isUnsure({ score }) {
      if (abstention === undefined) return false;
      if (below !== undefined) return inHundredths(probabilityOf(score) ?? score) < below;
      return threshold !== undefined && score < threshold;
    },
  };
}

/** As it is told, and compared with what an operator set: in hundredths. */
export const inHundredths = (confidence: number): number => Math.round(100 * confidence) / 100;

/** @example applyCurve({ method: 'logistic', intercept: 0, slope: 1 }, 0) // 0.5 */
export function applyCurve(curve: ConfidenceCurve, confidence: number): number {
  if (curve.method !== 'isotonic') {
    const x = curve.method === 'logistic' ? confidence : logOdds(confidence);
    return 1 / (1 + Math.exp(-curve.intercept - curve.slope * x));
  }
  const { knots } = curve;
  const after = knots.findIndex(([at]) => at >= confidence);
  const high = knots[after];
  if (!high) return knots.at(-1)?.[1] ?? 0;
  const low = knots[after - 1];
  if (!low || high[0] === low[0]) return high[1];
  return low[1] + ((confidence - low[0]) / (high[0] - low[0])) * (high[1] - low[1]);
}

/** Nearer to 0 or 1 a probability tells no more. */
const SUREST = 1e-6;

export function logOdds(probability: number): number {
  const p = Math.min(1 - SUREST, Math.max(SUREST, probability));
  return Math.log(p / (1 - p));
}

// Whether a judge under a promise answers as large a share of its verdicts as its labelled ones: where it does not, the cases
// are no longer like those that were labelled, and nothing is promised of them.

/** Verdicts that are looked at together. */
const WINDOW = 100;
/** Standard deviations of a share of so many: with the promised coverage, one window in 370 is further away. */
const FAR = 3;

export interface CoverageWatch {
  /** @returns whether the share of the latest verdicts is far from the promised one; told once a window */
  observe(judge: string, isAnswered: boolean): boolean;
}

/**
 * @example
 * const watch = createCoverageWatch(file); // promises that gpt-4o answers 60 %
 * watch.observe('gpt-4o', false); // false, and true with the hundredth verdict where only 40 of them were answered
 */
export function createCoverageWatch(file: TrustFile | undefined): CoverageWatch {
  const windows = new Map<string, { seen: number; answered: number }>();
  return {
    observe(judge, isAnswered) {
      const known = file && Object.hasOwn(file.judges, judge) ? file.judges[judge] : undefined;
      const { coverage, answered = 0 } = known?.promise?.kept ?? {};
      if (coverage === undefined) return false;
      const window = windows.get(judge) ?? { seen: 0, answered: 0 };
      windows.set(judge, window);
      window.seen++;
      if (isAnswered) window.answered++;
      if (window.seen < WINDOW) return false;
      windows.delete(judge);
      // The promised share is an estimate, too; half a verdict keeps that of few labels, or of all of them, from being certain.
      const labelled = coverage > 0 ? answered / coverage : 0;
      const expected = labelled > 0 ? (labelled * coverage + 0.5) / (labelled + 1) : coverage;
      const ownError = labelled > 0 ? 1 / labelled : 0;
      const far = FAR * Math.sqrt(expected * (1 - expected) * (1 / WINDOW + ownError));
      return Math.abs(window.answered / WINDOW - expected) > far;
    },
  };
}
