/**
 * The line above which a review is flagged, drawn on reviews that people wrote so that of others like them no more than
 * the target share is flagged, and the probability that a person's review looks as much like a model's as this one.
 */
import { type Figure, noFigure } from '../../stats/index.ts';

/** Targets of arXiv 2502.19614: 1 review by a person in 1,000, in 200, in 100 is flagged. */
export const TARGETS = [0.001, 0.005, 0.01] as const;

interface Threshold {
  /** What scores above it is flagged. */
  readonly value: number;
  readonly target: number;
  /** Reviews by people that it was drawn on. */
  readonly humans: number;
  /** It is the score of the human review with this rank from the top. */
  readonly rank: number;
}

/**
 * Of n + 1 reviews by people of which one is new, each is as likely as another to score highest. A line at the rank
 * ⌊target·(n + 1)⌋ therefore flags a new one with a probability of at most the target, ties included (split conformal
 * prediction: Vovk, Gammerman and Shafer, Algorithmic Learning in a Random World, 2005, §4.2). A quantile of the
 * scores would flag nearly twice as many as promised where n is little more than 1/target.
 *
 * @param humans scores of reviews by people, highest first
 * @param target share of reviews by people that may be flagged, in (0, 1)
 * @returns no figure where there are fewer than 1/target: a single review would decide
 */
export function computeThreshold(humans: readonly number[], target: number): Figure<Threshold> {
  const refused = explainTooFew(humans.length, target);
  if (refused !== null) return noFigure(refused);
  const rank = computeThresholdRank(humans.length, target);
  return { value: humans[rank - 1] ?? Number.POSITIVE_INFINITY, target, humans: humans.length, rank };
}

/** @returns at least 1 where there are 1/target reviews */
export function computeThresholdRank(humans: number, target: number): number {
  // Products of decimals fall a hair short of the whole number that they are.
  return Math.floor(target * (humans + 1) + 1e-9);
}

/** @returns why so few reviews cannot calibrate a target, in words; null where they can */
export function explainTooFew(humans: number, target: number): string | null {
  const needed = Math.ceil(1 / target - 1e-9);
  if (humans >= needed) return null;
  return (
    `a false-positive rate of ${formatShare(target)} cannot be calibrated on ${humans.toLocaleString('en')} human reviews: ` +
    `it means less than one of them, and needs ${needed.toLocaleString('en')} at least`
  );
}

/** In percent, to three digits. */
export function formatShare(value: number): string {
  return `${Number((100 * value).toPrecision(3))}%`;
}

/**
 * How often a review by a person scores at least this high, so that flagging it would be wrong: at most this share of
 * reviews by people would be flagged with it.
 *
 * @param humans scores of reviews by people, highest first
 * @returns in [1/(n + 1), 1]
 */
export function estimateHumanChance(humans: readonly number[], score: number): number {
  let [low, high] = [0, humans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((humans[middle] ?? 0) >= score) low = middle + 1;
    else high = middle;
  }
  return (1 + low) / (humans.length + 1);
}

/**
 * How many of further reviews by people the line will flag, in 95 of 100 cases. The line itself was drawn on a sample:
 * its true rate is Beta(rank, n + 1 - rank) distributed, and the count beta-binomial.
 *
 * @param tested how many further reviews by people
 */
export function predictAlarms(
  { rank, humans }: Pick<Threshold, 'rank' | 'humans'>,
  tested: number,
  confidence = 0.95,
): { readonly low: number; readonly high: number } {
  const tail = (1 - confidence) / 2;
  const [a, b] = [rank, humans + 1 - rank];
  // P(0) = Π (b + i) / (a + b + i), then by recurrence; in logarithms, since it can be very small.
  let log = 0;
  for (let i = 0; i < tested; i++) log += Math.log((b + i) / (a + b + i));
  let [below, low] = [0, -1];
  for (let count = 0; count <= tested; count++) {
    below += Math.exp(log);
    if (low < 0 && below > tail) low = count;
    if (below >= 1 - tail) return { low: Math.max(0, low), high: count };
    log += Math.log(((tested - count) * (a + count)) / ((count + 1) * (b + tested - count - 1)));
  }
  return { low: Math.max(0, low), high: tested };
}
