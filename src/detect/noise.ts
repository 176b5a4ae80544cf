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
import { distanceBetween, kindOf, type Noise, type Spread, type Verdict } from '../case/index.ts';

/** Of a normal distribution, 95% lies within so many standard deviations of its mean. */
export const Z_95 = 1.96;

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
