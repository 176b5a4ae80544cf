/** Chance that is the same in every run: drawn from a seed and what it is drawn for, not from a sequence. */

/**
 * @param of what the draw is for, such as an item's id: another order of items draws the same for each
 * @returns in [0, 1)
 */
export function draw(seed: number, of: string): number {
  // FNV-1a, then the finaliser of MurmurHash3, so that ids that differ in their last digit differ in all bits.
  let hash = 0x811c9dc5 ^ seed;
  for (let i = 0; i < of.length; i++) hash = Math.imul(hash ^ of.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
