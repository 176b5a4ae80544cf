/**
 * Where an instruction and two outputs stand in a prompt. An output can be part of the other one or of the
 * instruction ("5" of "15 is divisible by 5"), so places must not overlap, and of several the likeliest counts.
 */

/** Half-open range of UTF-16 code units. */
export interface PromptPlace {
  readonly start: number;
  readonly end: number;
}

interface Candidate extends PromptPlace {
  /** The text fills whole lines, as templates set it. */
  readonly ownLines: boolean;
  /** No letter or digit touches it. */
  readonly wholeWords: boolean;
}

/** Places looked at for one text. A text that stands in more is too short for the others to matter. */
const MOST_PLACES = 256;
const MOST_INSTRUCTIONS = 16;

type ItemPlaces = readonly [instruction: PromptPlace, first: PromptPlace, second: PromptPlace];

/** @returns the places of the three texts, null where one of them has none of its own */
export function locateItem(prompt: string, texts: readonly [string, string, string]): ItemPlaces | null {
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
  after: PromptPlace,
  taken: readonly PromptPlace[],
): Candidate | null {
  let best: Candidate | null = null;
  for (const place of places) {
    if (taken.some((other) => place.start < other.end && other.start < place.end)) continue;
    if (!best || likelihood(place, after) > likelihood(best, after)) best = place;
  }
  return best;
}

/** Outputs follow the instruction in almost every template, and stand on lines of their own in most. */
function likelihood(place: Candidate, after: PromptPlace | null): number {
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
