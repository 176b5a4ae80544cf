/** Chance that can be repeated: whole numbers from a seeded xoroshiro128+. */
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';

/** A whole number in [0, limit), each as likely; `limit` is at least 1. */
export type Draw = (limit: number) => number;

/**
 * The same seed gives the same numbers on every runtime, another seed others, from the first draw on
 * (Blackman and Vigna, ACM TOMS 47:36, 2021).
 *
 * @param seed a whole number of 32 bits, with or without a sign
 * @throws RangeError for any other seed
 */
export function createSeededDraw(seed: number): Draw {
  if (!Number.isInteger(seed) || seed < -(2 ** 31) || seed >= 2 ** 32)
    throw new RangeError(`a seed must be a whole number of 32 bits, not ${seed}`);
  const [first, second] = [splitMix64(seed, 1), splitMix64(seed, 2)];
  const state = [first >> 32n, first, second >> 32n, second].map((word) => Number(BigInt.asIntN(32, word)));
  const generator = xoroshiro128plusFromState(state);
  return (limit) => uniformInt(generator, 0, limit - 1);
}

/**
 * The generator's state is made by another kind of generator, as its authors advise (prng.di.unimi.it): pure-rand sets
 * the seed's own bits, and the first draws of the seeds 0, 1, 2, … are then nearly one number. Own lines, for pure-rand
 * has no SplitMix64 (Steele, Lea and Flood, OOPSLA 2014, with the finaliser of Vigna's splitmix64.c).
 *
 * @returns the `nth` number of the seed's sequence, from 1; 64 bits, and another for every seed
 */
function splitMix64(seed: number, nth: number): bigint {
  const bits = (value: bigint) => BigInt.asUintN(64, value);
  let mixed = bits(BigInt(seed) + BigInt(nth) * 0x9e3779b97f4a7c15n);
  mixed = bits((mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n);
  mixed = bits((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn);
  return mixed ^ (mixed >> 31n);
}
