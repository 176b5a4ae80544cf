/**
 * Recorded judgments: what real judges once replied, and which recorded item a prompt asks about, found by the item's
 * own texts. Pure; files are read by who has them.
 */
import * as z from 'zod';
import type { TextRange } from '../../case/index.ts';

/** A pair that was judged. */
export const itemSchema = z.looseObject({
  id: z.string(),
  instruction: z.string(),
  output_1: z.string(),
  output_2: z.string(),
  subset: z.string().optional(),
  /** The better output. */
  label: z.union([z.literal(1), z.literal(2)]).optional(),
});
export type Item = z.infer<typeof itemSchema>;

const replySchema = z.looseObject({
  text: z.string(),
  /** Said of the item's own order, whichever order was shown; null where none could be read. */
  winner: z.union([z.literal('1'), z.literal('2'), z.literal('tie')]).nullable(),
});
const roundSchema = z.looseObject({ original: replySchema, swapped: replySchema });

/** What one judge replied under one strategy: `rounds[0]` at first, `rounds[1]` when it was asked again. */
export const verdictSchema = z.looseObject({
  id: z.string(),
  judge: z.string(),
  strategy: z.string(),
  rounds: z.array(roundSchema).min(1),
});
type RecordedVerdict = z.infer<typeof verdictSchema>;
export type RecordedRound = z.infer<typeof roundSchema>;

/** Whose replies are played back. */
export interface Voice {
  readonly judge: string;
  readonly strategy: string;
}

export interface Records {
  readonly items: readonly Item[];
  /** All voices that were recorded, in the order of the records. */
  readonly voices: readonly Voice[];
  /** The rounds recorded for an item, null where there are none. */
  lookup(voice: Voice, id: string): readonly RecordedRound[] | null;
  /** Which item a prompt asks about, and in which order it shows the outputs; null for none of them. */
  identify(promptText: string): ItemMatch | null;
}

/** Of several records for the same judge, strategy and item the last one counts. */
export function createRecords(items: readonly Item[], verdicts: readonly RecordedVerdict[]): Records {
  const voices = new Map<string, Voice & { rounds: Map<string, readonly RecordedRound[]> }>();
  for (const { id, judge, strategy, rounds } of verdicts) {
    const key = voiceKey({ judge, strategy });
    const voice = voices.get(key) ?? { judge, strategy, rounds: new Map() };
    voices.set(key, voice);
    voice.rounds.set(id, rounds);
  }
  const identify = createItemIndex(items);
  return {
    items,
    voices: [...voices.values()].map(({ judge, strategy }) => ({ judge, strategy })),
    lookup: (voice, id) => voices.get(voiceKey(voice))?.rounds.get(id) ?? null,
    identify,
  };
}

function voiceKey({ judge, strategy }: Voice): string {
  return JSON.stringify([judge, strategy]);
}

// Where an instruction and two outputs stand in a prompt. An output can be part of the other one or of the
// instruction ("5" of "15 is divisible by 5"), so places must not overlap, and of several the likeliest counts.

interface Candidate extends TextRange {
  /** The text fills whole lines, as templates set it. */
  readonly ownLines: boolean;
  /** No letter or digit touches it. */
  readonly wholeWords: boolean;
}

/** Places looked at for one text. A text that stands in more is too short for the others to matter. */
const MOST_PLACES = 256;
const MOST_INSTRUCTIONS = 16;

type ItemPlaces = readonly [instruction: TextRange, first: TextRange, second: TextRange];

/** @returns the places of the three texts, null where one of them has none of its own */
function locateItem(prompt: string, texts: readonly [string, string, string]): ItemPlaces | null {
  const [instructions, first, second] = texts.map((text) => placesOf(prompt, text));
  if (!instructions?.length || !first?.length || !second?.length) return null;
  let best: { readonly places: ItemPlaces; readonly score: number } | null = null;
  for (const instruction of instructions.slice(0, MOST_INSTRUCTIONS)) {
    // The longer output has fewer places; the shorter one takes what is left.
    const swapped = texts[2].length > texts[1].length;
    const longer = likeliest(swapped ? second : first, instruction, [instruction]);
    const shorter = longer && likeliest(swapped ? first : second, instruction, [instruction, longer]);
    if (!longer || !shorter) continue;
    const places: ItemPlaces = swapped ? [instruction, shorter, longer] : [instruction, longer, shorter];
    const score =
      likelihood(instruction, null) + likelihood(longer, instruction) + likelihood(shorter, instruction);
    if (!best || score > best.score) best = { places, score };
  }
  return best?.places ?? null;
}

function likeliest(
  places: readonly Candidate[],
  after: TextRange,
  taken: readonly TextRange[],
): Candidate | null {
  let best: Candidate | null = null;
  for (const place of places) {
    if (taken.some((other) => place.start < other.end && other.start < place.end)) continue;
    if (!best || likelihood(place, after) > likelihood(best, after)) best = place;
  }
  return best;
}

/** Outputs follow the instruction in almost every template, and stand on lines of their own in most. */
function likelihood(place: Candidate, after: TextRange | null): number {
  const follows = after !== null && place.start >= after.end;
  return (follows ? 4 : 0) + (place.ownLines ? 2 : 0) + (place.wholeWords ? 1 : 0);
}

/** Earlier places first; those on lines of their own are kept where there are too many. */
function placesOf(prompt: string, text: string): Candidate[] {
  const own: Candidate[] = [];
  const others: Candidate[] = [];
  for (let start = prompt.indexOf(text); start >= 0; start = prompt.indexOf(text, start + 1)) {
    const end = start + text.length;
    const ownLines =
      /(^|[\r\n])[ \t]*$/.test(prompt.slice(Math.max(0, start - 16), start)) &&
      /^[ \t]*([\r\n]|$)/.test(prompt.slice(end, end + 16));
    const around = (prompt[start - 1] ?? ' ') + (prompt[end] ?? ' ');
    const kept = ownLines ? own : others;
    if (kept.length < MOST_PLACES)
      kept.push({ start, end, ownLines, wholeWords: !/[\p{L}\p{N}]/u.test(around) });
    if (own.length === MOST_PLACES) break;
  }
  return [...own, ...others].sort((a, b) => a.start - b.start);
}

interface ItemTexts {
  readonly id: string;
  readonly instruction: string;
  readonly output_1: string;
  readonly output_2: string;
}

interface ItemMatch {
  readonly id: string;
  /** `original`: output_1 stands first. Two equal outputs are `original`. */
  readonly order: 'original' | 'swapped';
  /** Where instruction, output_1 and output_2 stand in the prompt. */
  readonly at: readonly TextRange[];
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
function createItemIndex(items: readonly ItemTexts[]): (prompt: string) => ItemMatch | null {
  const size = ({ texts }: Entry) => texts.reduce((sum, text) => sum + text.length, 0);
  const ranked = items
    .map(
      ({ id, ...item }): Entry => ({
        id,
        texts: [item.instruction.trim(), item.output_1.trim(), item.output_2.trim()],
      }),
    )
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
