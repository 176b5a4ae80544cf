/**
 * Where among the tokens of a reply its verdict stands. It is found by reading the reply without each place that
 * could name it: the one whose loss takes the verdict away is the one. A label may be several tokens long (`Al`
 * `pha`, or `1` `0` where a vocabulary spells numbers digit by digit), and a token longer than the label (` [[A`).
 */
import type { SampledToken } from '../sampled.ts';
import type { Verdict, VerdictForm } from '../types.ts';
import { kindOf, sameVerdict } from '../verdicts/index.ts';
import type { Labelled } from '../verdicts/kind.ts';

/** Places that could be the verdict's are many where a label is a word such as `a`; verdicts stand at either end. */
const FIRST_LOOKS = 8;
const LAST_LOOKS = 16;
/** A label in more tokens than that is not weighed: what each could have been is read again and again. */
const MAX_TOKENS = 8;
/** The tokens `[first, last]` that a label stands in, and the text in front of it in the first of them. */
export interface LabelTokens {
  readonly first: number;
  readonly last: number;
  readonly before: string;
}

/** Null where no place decides, or the tokens do not say what the text says. */
export function labelTokens(
  tokens: readonly SampledToken[],
  written: Verdict,
  form: VerdictForm,
  options: Labelled,
  read: (said: string) => Verdict,
): LabelTokens | null {
  const text = tokens.map((token) => token.text).join('');
  if (!sameVerdict(read(text), written)) return null;
  const all = placesOf(text, written, form, options);
  const looks =
    all.length <= FIRST_LOOKS + LAST_LOOKS ? all : [...all.slice(0, FIRST_LOOKS), ...all.slice(-LAST_LOOKS)];
  const found = looks.findLast(
    ({ start, end }) => !sameVerdict(read(text.slice(0, start) + text.slice(end)), written),
  );
  return found ? tokensOver(tokens, found.start, found.end) : null;
}

interface Place {
  readonly start: number;
  readonly end: number;
}

function placesOf(text: string, written: Verdict, form: VerdictForm, options: Labelled): Place[] {
  const words = kindOf(written).wordsOf?.(written, form, options) ?? [];
  if (typeof words !== 'number') return namings(text, words);
  const numbers = [...text.matchAll(/-?\d{1,9}(?:\.\d{1,9})?/g)];
  return numbers.filter(([number]) => Number(number) === words).map(placeOf);
}

/** As words of their own, in any letter case; in the order of the text. */
function namings(text: string, names: readonly string[]): Place[] {
  const longest = [...new Set(names)].toSorted((a, b) => b.length - a.length).map(RegExp.escape);
  if (longest.length === 0) return [];
  const word = new RegExp(`(?<![\\p{L}\\p{N}])(?:${longest.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
  return [...text.matchAll(word)].map(placeOf);
}

function placeOf(match: RegExpExecArray): Place {
  return { start: match.index, end: match.index + match[0].length };
}

function tokensOver(tokens: readonly SampledToken[], from: number, to: number): LabelTokens | null {
  let start = 0;
  let found: { first: number; before: string } | null = null;
  for (const [index, { text }] of tokens.entries()) {
    const end = start + text.length;
    if (!found && from < end) found = { first: index, before: text.slice(0, from - start) };
    if (found && to <= end) return index - found.first < MAX_TOKENS ? { ...found, last: index } : null;
    start = end;
  }
  return null;
}
