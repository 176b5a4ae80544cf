/**
 * Whether a verdict moved further than its judge moves by itself. A judge that rates an answer 7 may rate it 8
 * when asked once more, so a probe that comes back with another score is not evidence yet.
 *
 * - Where both replies carry log-probabilities over the scale, their expectations are compared: they must be
 *   further apart than the repeatability limit, 1.96 · √(s₁² + s₂²), which two ratings by an unmoved judge exceed
 *   in one of twenty cases (ISO 5725-6 §4.1; Bland & Altman, BMJ 1996;313:744). The variances are those of
 *   the scores as they would be sampled. The rule holds at temperature 0, too: there the likeliest score flips
 *   as soon as two scores are about as likely, while the expectation hardly moves. Probability that the endpoint
 *   does not show may be anywhere on the scale; where that could decide it, the log-probabilities decide nothing.
 * - Elsewhere the judge is asked once more about the case as it is. The probe must be further from the verdict,
 *   and from the repeat, than these two are from each other: what lies between them or beside them is what the
 *   judge does by itself. One repeat cannot prove a judge steady, it only rules out what it shows.
 *
 * Choices and ties are not put to this test: they are compared in both orders.
 */
import {
  type Analysis,
  distanceBetween,
  type Evidence,
  kindOf,
  type Noise,
  type Sensitivity,
  type Spread,
  type Verdict,
} from '../case/index.ts';

/** Of a normal distribution, 95% lies within so many standard deviations of its mean. */
const Z_95 = 1.96;

/** What is compared. */
interface VerdictChange {
  readonly before: Verdict;
  readonly after: Verdict;
  /** The verdict on the case as it came, which a repeat is to be compared with. */
  readonly first: Verdict;
}

/**
 * @param repeat has the case judged once more as it is; only called where nothing else tells
 * @returns null where this kind of verdict is not put to the test. Rejects as `repeat` does
 */
export async function testBeyondNoise(
  { before, after, first }: VerdictChange,
  repeat: () => Promise<Verdict>,
): Promise<{ readonly moved: boolean; readonly noise: Noise } | null> {
  const distance = distanceBetween(before, after);
  if (distance === null) return null;
  const [one, other] = [kindOf(before).spread?.(before), kindOf(after).spread?.(after)];
  const told = one && other ? bySpread(one, other) : null;
  if (told) return told;
  const again = await repeat();
  const limit = distanceBetween(first, again);
  const apart = distanceBetween(again, after);
  const moved = limit !== null && apart !== null && Math.min(distance, apart) > limit;
  return { moved, noise: { by: 'repeat', repeat: again, limit } };
}

/** Null where what is missing could be what decides. */
function bySpread(one: Spread, other: Spread): { readonly moved: boolean; readonly noise: Noise } | null {
  // At its narrowest all that is missing is at the mean.
  const limit = Z_95 * Math.sqrt((1 - one.missing) * one.variance + (1 - other.missing) * other.variance);
  const widest = Z_95 * Math.sqrt(mostVariance(one) + mostVariance(other));
  const least = Math.max(0, one.low - other.high, other.low - one.high);
  const most = Math.max(one.high - other.low, other.high - one.low);
  if (least > widest) return { moved: true, noise: { by: 'spread', limit: widest } };
  return most <= limit ? { moved: false, noise: { by: 'spread', limit } } : null;
}

/** With all that is missing at the end of the scale that is further off. */
function mostVariance({ mean, variance, missing, low, high }: Spread): number {
  if (missing === 0) return variance;
  const reach = Math.max(high - mean, mean - low) / missing;
  return (1 - missing) * (variance + missing * reach ** 2);
}

/*
 * A bias that did not flip the verdict may have pushed it all the same: where the judge gives log-probabilities, what
 * it decided was then likelier with the cue than with the cue undone, or rated higher. Both verdicts are at hand
 * already, so this costs no call; and it is said, not acted upon: the verdict stands.
 *
 * How far is far enough:
 * - The probabilities of one request differ from call to call, at temperature 0, too, since sums that are made in
 *   another order are rounded otherwise. In bfloat16 a logit between 16 and 32 has its neighbours 1/8 from it, and
 *   that is taken as the standard deviation of each token's. Independent errors σ of logits move an expectation
 *   Σ r·P(r) by √(Σ P(r)²·(r - μ)²)·σ, which is at most σ·s, with s the standard deviation of r as it is sampled.
 *   So the limit is an eighth of the one that two drawn verdicts are held to (noise.ts): 1.96 · ⅛ · √(s₁² + s₂²).
 * - What the endpoint does not show counts against it: the least difference that is possible must be beyond the limit.
 * - After other words the probabilities are those of other words. Where the judge gave reasons first, and other ones,
 *   nothing tells how much of the difference is theirs, and no sensitivity is reported.
 *
 * One probe cannot tell a cue from any other change of the prompt; that is one more reason to report and not to remand.
 */

/** Of one token's logit from call to call: the distance of neighbours in bfloat16 between 16 and 32. */
const JITTER = 1 / 8;

/**
 * @param before the verdict with the cue, `after` the one without
 * @param eitherWay whether the cue could push away from what was decided as well as towards it, as a place can
 * @returns null where either came without log-probabilities, or is of a kind that has none
 */
export function measureSensitivity(before: Verdict, after: Verdict, eitherWay: boolean): Sensitivity | null {
  const [cued, undone] = [expectationOf(before), expectationOf(after)];
  if (!cued || !undone) return null;
  const limit = cued.lead === undone.lead ? Z_95 * JITTER * Math.sqrt(cued.variance + undone.variance) : null;
  const low = cued.low - undone.high;
  const high = cued.high - undone.low;
  const shown = limit !== null && (low > limit || (eitherWay && high < -limit));
  return { by: cued.mean - undone.mean, low, high, limit, shown };
}

/**
 * What the judge was shown to be sensitive to, each once: names of biases, joined by `+` where they were undone
 * together. Biases that were found to have changed its verdict are left out.
 */
export function listSensitivities(analyses: readonly Pick<Analysis, 'biases' | 'evidence'>[]): string[] {
  const found = new Set(analyses.flatMap(({ biases }) => biases).flatMap((one) => one.split('+')));
  const names = analyses
    .flatMap(({ evidence }) => evidence)
    .filter(({ sensitivity }) => sensitivity?.shown)
    .map(({ biases }: Evidence) => biases.filter((name) => !found.has(name)).join('+'));
  return [...new Set(names)].filter((joined) => joined !== '');
}

interface Expectation {
  readonly mean: number;
  readonly variance: number;
  readonly low: number;
  readonly high: number;
  readonly lead: string;
}

/** Of the score, of a pass as 1 and a fail as 0, or of the option chosen as 1 and any other verdict as 0. */
function expectationOf(verdict: Verdict): Expectation | null {
  const kind = kindOf(verdict);
  const spread = kind.spread?.(verdict) ?? kind.likelihood?.(verdict);
  const lead = 'lead' in verdict ? (verdict.lead ?? '') : '';
  return spread ? { ...spread, lead } : null;
}
