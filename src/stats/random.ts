/** Chance that can be repeated: whole numbers from a seeded xoroshiro128+. */
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** A whole number in [0, limit), each as likely; `limit` is at least 1. */
export type Draw = (limit: number) => number;

/**
 * The same seed gives the same numbers on every runtime (Blackman and Vigna, ACM TOMS 47:36, 2021).
 *
 * @param seed a whole number of 32 bits, with or without a sign
 * @throws RangeError for any other seed: two seeds that a runtime cuts to the same bits would pass for two runs
 */
export function seeded(seed: number): Draw {
  if (!Number.isInteger(seed) || seed < -(2 ** 31) || seed >= 2 ** 32)
    throw new RangeError(`a seed must be a whole number of 32 bits, not ${seed}`);
  const generator = xoroshiro128plus(seed | 0);
  return (limit) => uniformInt(generator, 0, limit - 1);
}
