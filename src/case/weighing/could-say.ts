/**
 * What a judge could have said in place of its verdict, each alternative read by the rules of the form and by no
 * others. Along a label of several tokens, the tokens that were sampled are known to be so probable one after the
 * other; one that was not is known by its beginning only, and counts where it is the beginning of one verdict alone.
 */
import type { LikelyToken, SampledToken, TextRange, Verdict, VerdictForm } from '../types.ts';
import { formKindOf, isNone, kindOf, sameVerdict } from '../verdicts/index.ts';
import type { Labelled } from '../verdicts/kind.ts';

/** Endpoints give at most 20 alternatives, or 100; what is rarer than this is not read. */
const MAX_ALTERNATIVES = 64;
const RARE = 1e-4;

/** Something the judge could have said, and how probable that was. */
export interface Weighed {
  readonly verdict: Verdict;
  readonly probability: number;
}

/** @returns what is known to be some verdict; together less than 1 by what is not listed, no verdict, or unclear */
export function couldSay(
  tokens: readonly SampledToken[],
  { first, last, before }: LabelTokens,
  form: VerdictForm,
  options: Labelled,
  read: (said: string) => Verdict,
): Weighed[] {
  const all: Weighed[] = [];
  const add = (verdict: Verdict | null, probability: number) => {
    if (verdict && !isNone(verdict) && probability > 0) all.push({ verdict, probability });
  };
  const joined = (from: number, to?: number) =>
    tokens
      .slice(from, to)
      .map(({ text }) => text)
      .join('');
  const labels = formKindOf(form).labels?.(form, options) ?? [];
  const tail = joined(last + 1);
  const whole = isWhole(tokens, first, last);
  const said = joined(first, last + 1).slice(before.length);
  // `8` in place of the `7` of 7.5 could be any number from 8 to 8.9.
  const decimal = formKindOf(form).scale !== undefined && said.includes('.');
  let reached = 1;
  for (let at = first; at <= last; at++) {
    const token = tokens[at];
    if (!token) break;
    const head = joined(0, at);
    // Of the label, what stands already.
    const begun = at === first ? '' : joined(first, at).slice(before.length);
    for (const { text, probability } of listLikely(token)) {
      if (text === token.text) continue;
      const core = begun === '' ? coreOf(text) : begun + text;
      if (core === '' || (decimal && at < last && !core.includes('.'))) continue;
      add(meant(head, text, core, tail, { form, labels, whole, read }), reached * probability);
    }
    reached *= token.probability;
  }
  const next = tokens[last + 1];
  if (!next || next.likeliest.length === 0 || !goesOn(said, { form, labels, whole })) {
    add(read(joined(0)), reached);
    return all;
  }
  // `1` may have gone on to `10`, and whether it would is known: the place behind it was sampled, too.
  for (const { text, probability } of listLikely(next)) {
    const further = text === next.text ? joined(0) : joined(0, last + 1) + text + joined(last + 2);
    add(
      /^[\p{L}\p{N}]/u.test(text) || text === next.text ? read(further) : read(joined(0)),
      reached * probability,
    );
  }
  return all;
}

interface Reading {
  readonly form: VerdictForm;
  readonly labels: readonly string[];
  /** Whether the vocabulary has numbers of several digits as one token. */
  readonly whole: boolean;
  readonly read: (said: string) => Verdict;
}

/**
 * The verdict that an alternative is or begins; null where that could be several.
 * @param core of the label, what stands with the alternative
 */
function meant(head: string, text: string, core: string, tail: string, reading: Reading): Verdict | null {
  const said = head + text;
  const { labels, read } = reading;
  const plain = read(said + tail);
  // A token that is no text is the end of it, or no digit or letter at least.
  if (said === head) return plain;
  if (/^-?\d+$/.test(core) && goesOn(core, reading)) return null;
  const begun = core.toLowerCase();
  const longer =
    begun === ''
      ? []
      : labels.filter((one) => one.length > core.length && one.toLowerCase().startsWith(begun));
  const all = [plain, ...longer.map((one) => read(said + one.slice(core.length) + tail))].filter(
    (verdict) => !isNone(verdict),
  );
  const [one] = all;
  return one && all.every((other) => sameVerdict(one, other)) ? one : null;
}

/** Whether what stands of a label could be another, longer one: `1` of 10, `4` of `4o`. */
function goesOn(core: string, { form, labels, whole }: Omit<Reading, 'read'>): boolean {
  const scale = formKindOf(form).scale?.(form);
  if (!scale) {
    const begun = core.trimEnd().toLowerCase();
    return labels.some((one) => one.length > begun.length && one.toLowerCase().startsWith(begun));
  }
  const { max, legal } = scale;
  const digits = /^\d+/.exec(core.trim())?.[0];
  // On a scale without an end every number could; there only what is written tells.
  if (whole || digits === undefined || max === null) return false;
  const least = 10 * Number(digits);
  return legal ? legal.some((one) => one >= least && one < least + 10) : least > 0 && least <= max;
}

function isWhole(tokens: readonly SampledToken[], first: number, last: number): boolean {
  const places = tokens.slice(first, last + 1);
  return places.some((place) => listLikely(place).some(({ text }) => /\d\d/.test(text)));
}

/** A token without what stands around its word or number: `("A`, ` 8`. Empty where it holds neither, or two. */
function coreOf(text: string): string {
  return (
    /^[\s\p{P}\p{S}]{0,4}?(-?\d{1,9}(?:\.\d{1,9})?|\p{L}{1,20})[\s\p{P}\p{S}]{0,4}$/u.exec(text)?.[1] ?? ''
  );
}

/** The likeliest tokens, and the sampled one where it is none of them. */
function listLikely({ likeliest, ...sampled }: SampledToken): readonly LikelyToken[] {
  const likely = likeliest.filter(({ probability }) => probability >= RARE).slice(0, MAX_ALTERNATIVES);
  return likely.some(({ text }) => text === sampled.text) ? likely : [sampled, ...likely];
}

/*
 * Where among the tokens of a reply its verdict stands. It is found by reading the reply without each place that
 * could name it: the one whose loss takes the verdict away is the one. A label may be several tokens long (`Al`
 * `pha`, or `1` `0` where a vocabulary spells numbers digit by digit), and a token longer than the label (` [[A`).
 */

/** Places that could be the verdict's are many where a label is a word such as `a`; verdicts stand at either end. */
const FIRST_LOOKS = 8;
const LAST_LOOKS = 16;
/** A label in more tokens than that is not weighed: what each could have been is read again and again. */
const MAX_TOKENS = 8;
/** The tokens `[first, last]` that a label stands in, and the text in front of it in the first of them. */
interface LabelTokens {
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

function placesOf(text: string, written: Verdict, form: VerdictForm, options: Labelled): TextRange[] {
  const words = kindOf(written).wordsOf?.(written, form, options) ?? [];
  if (typeof words !== 'number') return namings(text, words);
  const numbers = [...text.matchAll(/-?\d{1,9}(?:\.\d{1,9})?/g)];
  return numbers.filter(([number]) => Number(number) === words).map(placeOf);
}

/** As words of their own, in any letter case; in the order of the text. */
function namings(text: string, names: readonly string[]): TextRange[] {
  const longest = [...new Set(names)].toSorted((a, b) => b.length - a.length).map(RegExp.escape);
  if (longest.length === 0) return [];
  const word = new RegExp(`(?<![\\p{L}\\p{N}])(?:${longest.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
  return [...text.matchAll(word)].map(placeOf);
}

function placeOf(match: RegExpExecArray): TextRange {
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
