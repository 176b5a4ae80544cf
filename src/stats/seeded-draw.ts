/** Chance that can be repeated: drawn from a seed and what it is drawn for, or as a sequence from a seed. */
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';

/**
 * @param seed any whole number
 * @param of what the draw is for, such as an item's id: another order of items draws the same for each
 * @returns in [0, 1), one of 2^53 values, so that two pairs of seed and item hardly ever share one
 */
export function draw(seed: number, of: string): number {
  // Both are hashed as one text. Were the seed mixed into the hash's first letter, one seed's draw for "a/1" would be
  // another's for "b/1", and two seeds' orders of the same items the same order of other items.
  const text = `${seed} ${of}`;
  const [high, low] = [murmur3(text, 0), murmur3(text, 1)];
  return (high * 2 ** 21 + (low >>> 11)) / 2 ** 53;
}

/**
 * MurmurHash3_x86_32 (Appleby, github.com/aappleby/smhasher) of the text's UTF-16, low byte first. Own lines: what
 * Node and the edge bring along for hashing is asynchronous at the edge, and a draw is not.
 *
 * @returns 32 bits without a sign
 */
function murmur3(text: string, seed: number): number {
  let hash = seed;
  for (let at = 0; at < text.length; at += 2) {
    // Two letters a block; a last one alone is what the original calls the tail.
    const alone = at + 1 === text.length;
    const block = text.charCodeAt(at) | (alone ? 0 : text.charCodeAt(at + 1) << 16);
    hash ^= Math.imul(rotated(Math.imul(block, 0xcc9e2d51), 15), 0x1b873593);
    if (!alone) hash = (Math.imul(rotated(hash, 13), 5) + 0xe6546b64) | 0;
  }
  return mixBits(hash ^ (2 * text.length));
}

/**
 * The finaliser of MurmurHash3.
 *
 * @returns 32 bits without a sign, each of which depends on every bit given
 */
export function mixBits(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

function rotated(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}

/** A whole number in [0, limit), each as likely; `limit` is at least 1. */
export type Draw = (limit: number) => number;

/**
 * The same seed gives the same numbers on every runtime, another seed others, from the first draw on
 * (Blackman and Vigna, ACM TOMS 47:36, 2021).
 *
 * @param seed a whole number of 32 bits, with or without a sign
 * @throws RangeError for any other seed
 *
 * @example createSeededDraw(1)(10) // 8
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
