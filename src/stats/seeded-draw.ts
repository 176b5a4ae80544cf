/** Chance that is the same in every run: drawn from a seed and what it is drawn for, not from a sequence. */

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
  hash ^= 2 * text.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function rotated(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}
