/** From the figures of many resamples to an interval: by percentiles, and by percentiles corrected for bias and skew. */

import { normalCdf, normalQuantile } from './distributions.ts';
import type { Interval } from './wilson.ts';

/**
 * The share (1 - confidence) / 2 is cut off at each end (Efron and Tibshirani, An Introduction to the Bootstrap,
 * 1993, §13.3).
 *
 * @param replicates the statistic of each resample, at least one
 */
export function percentileInterval(replicates: readonly number[], confidence: number): Interval {
  const tail = (1 - confidence) / 2;
  return between(replicates, tail, 1 - tail);
}

/**
 * Bias-corrected and accelerated (Efron, JASA 82:171, 1987; Efron and Tibshirani 1993, §14.3).
 *
 * @param estimate the statistic of the sample itself
 * @param jackknife the statistic of the sample with one item (or cluster) left out, for each
 * @returns null where the correction has no value: the estimate lies beyond every replicate, or leaving out any
 * one item changes nothing
 */
export function bcaInterval(
  estimate: number,
  replicates: readonly number[],
  jackknife: readonly number[],
  confidence: number,
): Interval | null {
  // A sum of decimals depends on its order: a replicate that differs by rounding alone is the estimate itself.
  const rounding = 1e-12 * Math.abs(estimate);
  const below = replicates.filter((replicate) => replicate < estimate - rounding).length;
  const equal = replicates.filter((replicate) => Math.abs(replicate - estimate) <= rounding).length;
  const bias = normalQuantile((below + equal / 2) / replicates.length);

  const middle = jackknife.reduce((sum, value) => sum + value, 0) / jackknife.length;
  const pulls = jackknife.map((value) => middle - value);
  const squares = pulls.reduce((sum, pull) => sum + pull ** 2, 0);
  const acceleration = pulls.reduce((sum, pull) => sum + pull ** 3, 0) / (6 * squares ** 1.5);
  if (!Number.isFinite(bias) || !Number.isFinite(acceleration)) return null;

  const tail = (share: number) => {
    const z = bias + normalQuantile(share);
    return normalCdf(bias + z / (1 - acceleration * z));
  };
  return between(replicates, tail((1 - confidence) / 2), tail(1 - (1 - confidence) / 2));
}

/** Linear interpolation between order statistics: type 7 of Hyndman and Fan, American Statistician 50:361, 1996. */
function between(values: readonly number[], lowShare: number, highShare: number): Interval {
  const sorted = Float64Array.from(values).sort();
  const at = (share: number) => {
    const place = share * (sorted.length - 1);
    const low = sorted[Math.floor(place)] ?? Number.NaN;
    const high = sorted[Math.ceil(place)] ?? Number.NaN;
    return low + (high - low) * (place - Math.floor(place));
  };
  return { low: at(lowShare), high: at(highShare) };
}
