/**
 * Which recorded item a prompt asks about, found by the item's own texts: the instruction and both outputs
 * must stand in the prompt, apart from each other. An index of text beginnings keeps it fast: one pass over
 * the prompt finds the few items that can be meant, and only those are looked at closely.
 */
import { locateItem, type PromptPlace } from './locate-item.ts';

interface ItemTexts {
  readonly id: string;
  readonly instruction: string;
  readonly output_1: string;
  readonly output_2: string;
}

export interface ItemMatch {
  readonly id: string;
  /** `original`: output_1 stands first. Two equal outputs are `original`. */
  readonly order: 'original' | 'swapped';
  /** Where instruction, output_1 and output_2 stand in the prompt. */
  readonly at: readonly PromptPlace[];
}

interface Entry {
  readonly id: string;
  /** Instruction, output_1, output_2, trimmed: many templates trim them. */
  readonly texts: readonly [string, string, string];
}

/** By length of the key, then by its hash, the ranks of the items whose rarest text begins that way. */
type Index = ReadonlyMap<number, ReadonlyMap<number, readonly number[]>>;

/**
 * The finder for a set of items. Where several items fit, the one with the longest texts is meant; of items
 * with the same texts, the first.
 */
export function createItemIndex(items: readonly ItemTexts[]): (prompt: string) => ItemMatch | null {
  const size = ({ texts }: Entry) => texts.reduce((sum, text) => sum + text.length, 0);
  const ranked = items
    .map(entryOf)
    .filter(({ texts }) => texts.every((text) => text !== ''))
    .sort((a, b) => size(b) - size(a));
  const index = indexOf(ranked);
  return (prompt) => {
    for (const rank of candidates(prompt, index)) {
      const entry = ranked[rank];
      const at = entry ? locateItem(prompt, entry.texts) : null;
      if (entry && at) {
        return { id: entry.id, order: at[2].start < at[1].start ? 'swapped' : 'original', at };
      }
    }
    return null;
  };
}

function entryOf({ id, instruction, output_1, output_2 }: ItemTexts): Entry {
  return { id, texts: [instruction.trim(), output_1.trim(), output_2.trim()] };
}

function indexOf(ranked: readonly Entry[]): Index {
  const shared = new Map<string, number>();
  for (const text of ranked.flatMap(({ texts }) => [...new Set(texts)])) {
    shared.set(text, (shared.get(text) ?? 0) + 1);
  }
  const index = new Map<number, Map<number, number[]>>();
  for (const [rank, { texts }] of ranked.entries()) {
    // Hundreds of items may share an instruction, or the output "Yes"; their rarest text tells them apart.
    const rarest = [...texts].sort(
      (a, b) => (shared.get(a) ?? 0) - (shared.get(b) ?? 0) || b.length - a.length,
    )[0];
    if (rarest === undefined) continue;
    const length = keyLength(rarest);
    const byHash = index.get(length) ?? new Map<number, number[]>();
    index.set(length, byHash);
    const key = hashOf(rarest, length);
    const same = byHash.get(key);
    if (same) same.push(rank);
    else byHash.set(key, [rank]);
  }
  return index;
}

/** Longest beginning of a text that is hashed, in UTF-16 code units. */
const LONGEST_KEY = 64;

/** The largest power of two that fits, so that there are seven lengths at most and as many passes. */
function keyLength(text: string): number {
  return Math.min(LONGEST_KEY, 2 ** Math.floor(Math.log2(text.length)));
}

/** Base of the rolling hash (Karp and Rabin 1987), modulo 2^32. */
const BASE = 0x01000193;

function hashOf(text: string, length: number): number {
  let hash = 0;
  for (let i = 0; i < length; i++) hash = (Math.imul(hash, BASE) + text.charCodeAt(i)) | 0;
  return hash;
}

/** Ranks of the items whose key stands anywhere in the prompt, best first. */
function candidates(prompt: string, index: Index): number[] {
  const found = new Set<number>();
  for (const [length, byHash] of index) {
    if (prompt.length < length) continue;
    let highest = 1;
    for (let i = 1; i < length; i++) highest = Math.imul(highest, BASE);
    let hash = hashOf(prompt, length);
    for (let end = length; ; end++) {
      for (const rank of byHash.get(hash) ?? []) found.add(rank);
      if (end >= prompt.length) break;
      const gone = Math.imul(prompt.charCodeAt(end - length), highest);
      hash = (Math.imul(hash - gone, BASE) + prompt.charCodeAt(end)) | 0;
    }
  }
  return [...found].sort((a, b) => a - b);
}
