/** Places of a text where words of several classes stand near each other, and a text without them. */

import { shorten } from '../../shorten.ts';
import type { TextRange } from '../types.ts';
import { listWords, matchWords, type WordLists } from './words.ts';

/** Of what was seen, in characters. */
const QUOTED = 120;
/** Of one sentence, before and behind what was found. */
const LONGEST_SENTENCE = 400;

/** Characters of a text that are looked through, and phrases that are told of it: a search must not hold up others. */
const LONGEST = 1 << 18;
const MOST = 1000;

/** Cues of one kind in one sentence, in the words of one language. */
export interface SentenceRule {
  /** A word of each list stands near the others; the first should be the rarest, for it is looked for first. */
  readonly all: readonly WordLists[];
  /** A word of the first list and of so many lists in all is enough. Default: of every list. */
  readonly least?: number;
  /** Characters from the first to the last of these words, at most. Default: 80. */
  readonly within?: number;
  /** A word of this list stands somewhere in the sentence, too. */
  readonly beside?: WordLists;
  /** No word of this list does. */
  readonly none?: WordLists;
}

/** Words that belong together, and the sentence that they stand in. */
export interface FoundCue extends TextRange {
  readonly sentence: TextRange;
  /** The rule that they fit; null for a sign. */
  readonly rule: SentenceRule | null;
}

const NEAR = 80;
/** Places of one word in one sentence that are tried. */
const PLACES = 20;

interface LanguageRule {
  readonly kind: string;
  readonly rule: SentenceRule;
  /** Of its rule among all of its kind; the first that fits is taken. */
  readonly order: number;
  /** Compiled when a text first begins the rule: that of all rules is a quarter of what a server at the edge starts with. */
  readonly expressions: () => Expressions;
}

interface Expressions {
  readonly all: readonly RegExp[];
  readonly beside: RegExp | null;
  readonly none: RegExp | null;
}

/** How cues of one kind are known. */
export interface CueKind {
  readonly sentences: readonly SentenceRule[];
  /** What is a cue without any word near it. */
  readonly signs?: RegExp;
}

/**
 * Finds sentences by words that stand near each other, rather than by phrases: whoever words the same thing in another way
 * uses words of the same classes. All kinds are found in one reading of a text.
 *
 * @returns reads the first 256 KiB of a text, and tells the cues of each kind in their order, one a sentence
 *
 * @example createCueFinder({ crowd: { sentences: [{ all: [MANY, THINK] }] } })('Most people think so.')('crowd')
 */
export function createCueFinder<Kind extends string>(
  kinds: Readonly<Record<Kind, CueKind>>,
): (text: string) => (kind: Kind) => FoundCue[] {
  // Made at the first text: it takes 20 ms, and most commands of a shell read none.
  let index: Index | undefined;
  return function findCues(whole) {
    const text = whole.slice(0, LONGEST);
    index ??= createIndex(kinds);
    const inSentences = cuesInSentences(text, index);
    return (kind) => {
      const { signs } = kinds[kind];
      const cues = inSentences.filter((cue) => cue.kind === kind);
      return [...cues, ...(signs ? findSigns(text, signs) : [])].sort((a, b) => a.start - b.start);
    };
  };
}

const findSigns = (text: string, signs: RegExp): FoundCue[] =>
  text
    .matchAll(signs)
    .take(MOST)
    .map(({ index: start, 0: { length } }) => {
      const end = start + length;
      return { start, end, sentence: widen(text, start, end), rule: null };
    })
    .toArray();

/** The first cue of each kind in each sentence. Most sentences begin no rule, and no expression is tried on them. */
function cuesInSentences(text: string, index: Index): (FoundCue & { readonly kind: string })[] {
  const candidates: { sentence: TextRange; begun: Set<LanguageRule> }[] = [];
  for (const { start, rules } of beginningsIn(text, index)) {
    const last = candidates.at(-1);
    if (last && start < last.sentence.end) for (const rule of rules) last.begun.add(rule);
    else if (candidates.length === MOST) break;
    else candidates.push({ sentence: widen(text, start, start + 1), begun: new Set(rules) });
  }
  return candidates.flatMap(({ sentence, begun }) => {
    const words = text.slice(sentence.start, sentence.end);
    const found = new Map<string, FoundCue & { readonly kind: string }>();
    for (const rule of [...begun].sort((a, b) => a.order - b.order)) {
      const cue = found.has(rule.kind) ? null : placeOf(words, rule);
      if (!cue) continue;
      const [start, end] = [sentence.start + cue.start, sentence.start + cue.end];
      found.set(rule.kind, { start, end, sentence, rule: rule.rule, kind: rule.kind });
    }
    return [...found.values()];
  });
}

/** A word of a rule's first list. */
interface Beginning {
  /** What stands in a text where the word does: small letters, up to a star or a number, unless the list has capitals. */
  readonly literal: string;
  /** Where in it the word stands that it is looked up by. */
  readonly offset: number;
  readonly rules: LanguageRule[];
}

interface Index {
  readonly byKey: ReadonlyMap<number, readonly Beginning[]>;
  /** Whether a key may be one of these: most words of a text have none, and need no look into the map. */
  readonly filter: Uint8Array;
}

function createIndex(kinds: Readonly<Record<string, CueKind>>): Index {
  const byKey = new Map<number, Beginning[]>();
  for (const [kind, { sentences }] of Object.entries<CueKind>(kinds))
    for (const [order, rule] of sentences.entries())
      for (const language of languagesOf(rule)) {
        if (
          rule.all.filter((lists) => listWords(lists, language).length > 0).length <
          (rule.least ?? rule.all.length)
        )
          continue;
        const inLanguage = ruleIn(kind, order, rule, language);
        for (const word of listWords(rule.all[0] ?? {}, language)) {
          const { key, literal, offset } = lookUpBy(word);
          const sameKey = byKey.get(key) ?? [];
          const known = sameKey.find((one) => one.literal === literal && one.offset === offset);
          if (known) known.rules.push(inLanguage);
          else byKey.set(key, [...sameKey, { literal, offset, rules: [inLanguage] }]);
        }
      }
  const filter = new Uint8Array(FILTER);
  for (const key of byKey.keys()) filter[key & (FILTER - 1)] = 1;
  return { byKey, filter };
}

const languagesOf = ({ all }: SentenceRule) =>
  new Set(all.flatMap(Object.keys).filter((language) => language !== 'any'));

function ruleIn(kind: string, order: number, rule: SentenceRule, language: string): LanguageRule {
  const compile = (lists: WordLists, flags?: string) => matchWords(lists, flags, language);
  let compiled: Expressions | undefined;
  return {
    kind,
    rule,
    order,
    expressions: () =>
      (compiled ??= {
        all: rule.all.map((lists) => compile(lists, 'giu')),
        beside: rule.beside ? compile(rule.beside) : null,
        none: rule.none ? compile(rule.none) : null,
      }),
  };
}

// Every word of every option is looked up, so no word is copied, and a table says of most that they begin nothing.

/** A power of two. */
const FILTER = 1 << 14;
/** Letters of a word with a star by which it is looked up. */
const STEM = 3;
/** A key of every number. */
const NUMBER = 1;

/** Of each letter of Latin script and each digit its small letter; 0 of anything else. */
const LETTERS = Uint16Array.from({ length: 0x250 }, (_, code) => {
  const letter = String.fromCharCode(code);
  return /[\p{Script=Latin}\d]/u.test(letter) ? letter.toLowerCase().charCodeAt(0) : 0;
});
const letterOf = (code: number) => (code < 0x250 ? (LETTERS[code] ?? 0) : 0);
const isDigit = (code: number) => code >= 48 && code <= 57;
/** From Hiragana on. */
const isSign = (code: number) => code >= 0x3040;
/** As `LETTERS` has it, and an apostrophe as it is typed. */
const plainCode = (code: number) => (code < 0x250 && LETTERS[code]) || (code === 0x2019 ? 39 : code);
const mix = (key: number, code: number) => (Math.imul(key, 641) + code) | 0;
const keyOf = (word: string) => {
  let key = 0;
  for (let at = 0; at < word.length; at++) key = mix(key, word.charCodeAt(at));
  return key;
};

/** By what a listed word is looked up: the longest of its words, its first letters before a star, a number, or two signs. */
function lookUpBy(listed: string): { readonly key: number } & Pick<Beginning, 'literal' | 'offset'> {
  const word = listed.replace(/^\^/, '');
  const pieces = word
    .matchAll(
      /(?<number>[\d#][\p{Script=Latin}\d]*)|(?<letters>[\p{Script=Latin}\d]+)(?<star>\*?)|[\u3040-\uffff]{1,2}/gu,
    )
    .filter(({ groups = {} }) => !groups.star || (groups.letters?.length ?? 0) >= STEM)
    .toArray();
  // Any number may stand for a `#`: what stands beside it is rarer.
  const longest = pieces.reduce((a, b) => (b[0].length > a[0].length || a[0] === '#' ? b : a));
  const { number, star } = longest.groups ?? {};
  // Up to a star or a number on either side.
  const from = Math.max(...['*', '#'].map((sign) => word.lastIndexOf(sign, longest.index - 1) + 1));
  const literal = word.slice(from).split(/[*#]/)[0] ?? '';
  const offset = longest.index - from;
  const plain = longest[0].toLowerCase();
  const isMeant = /\p{Lu}/u.test(literal);
  const at = { literal: isMeant ? literal : literal.toLowerCase(), offset };
  if (number?.startsWith('#')) return { key: NUMBER, literal: '', offset: 0 };
  return { ...at, key: star ? ~keyOf(plain.slice(0, STEM)) : keyOf(plain) };
}

/** Where the rules of a text begin, in its order. */
function beginningsIn(text: string, { byKey, filter }: Index): (Beginning & { readonly start: number })[] {
  const found: (Beginning & { readonly start: number })[] = [];
  const codes = codesOf(text);
  const look = (key: number, start: number) => {
    const begun = byKey.get(key);
    if (begun !== undefined)
      for (const one of begun)
        if (standsAt(codes, start - one.offset, one.literal)) found.push({ ...one, start });
  };
  for (let end = 0; end < text.length; ) {
    const start = end;
    const first = codes[end++] ?? 0;
    let letter = letterOf(first);
    let key = 0;
    let other = 0;
    if (letter !== 0) {
      for (end = start; letter !== 0; letter = letterOf(codes[end] ?? 0)) {
        key = mix(key, letter);
        if (++end - start === STEM) other = ~key;
      }
      if (isDigit(first)) other = NUMBER;
    } else if (isSign(first)) {
      key = first;
      other = mix(first, codes[end] ?? 0);
    } else continue;
    if (filter[key & (FILTER - 1)] === 1) look(key, start);
    if (filter[other & (FILTER - 1)] === 1) look(other, start);
  }
  return found;
}

/**
 * The characters of a text and a zero. Bytes of UTF-8 are read twice as fast as a string, and are its characters where
 * all are ASCII.
 */
function codesOf(text: string): Uint8Array | Uint16Array {
  const bytes = new Uint8Array(text.length + 1);
  const { read, written } = new TextEncoder().encodeInto(text, bytes);
  if (read === text.length && written === read) return bytes;
  const codes = new Uint16Array(text.length + 1);
  for (let at = 0; at < text.length; at++) codes[at] = text.charCodeAt(at);
  return codes;
}

/** Whether a text is so at a place, in large letters or small. */
function standsAt(codes: Uint8Array | Uint16Array, start: number, literal: string): boolean {
  for (let at = 0; at < literal.length; at++) {
    const code = codes[start + at] ?? 0;
    const listed = literal.charCodeAt(at);
    if (code !== listed && plainCode(code) !== listed) return false;
  }
  return true;
}

/** The nearest place where enough of a rule's words stand together; null where they do not. */
function placeOf(sentence: string, { rule, expressions }: LanguageRule): TextRange | null {
  const { all, beside, none } = expressions();
  const { least = all.length, within = NEAR } = rule;
  // `search` is many times as fast as `matchAll`, which makes a copy of the expression.
  const present = all.filter((words) => sentence.search(words) >= 0);
  if (present.length < least || present[0] !== all[0]) return null;
  if (none?.test(sentence) || beside?.test(sentence) === false) return null;
  const [anchors = [], ...others] = present.map((words) =>
    sentence
      .matchAll(words)
      .take(PLACES)
      .map(({ index, 0: { length } }) => ({ start: index, end: index + length }))
      .toArray(),
  );
  for (const anchor of anchors) {
    let cue: TextRange = anchor;
    const left = new Set(others);
    for (let found = 1; found < least; found++) {
      const [nearest] = [...left]
        .flatMap((places) => places.map((place) => ({ places, hull: hullOf(cue, place) })))
        .sort((a, b) => lengthOf(a.hull) - lengthOf(b.hull));
      if (!nearest) break;
      left.delete(nearest.places);
      cue = nearest.hull;
    }
    if (lengthOf(cue) <= within) return cue;
  }
  return null;
}

const hullOf = (a: TextRange, b: TextRange): TextRange => ({
  start: Math.min(a.start, b.start),
  end: Math.max(a.end, b.end),
});
const lengthOf = ({ start, end }: TextRange) => end - start;

/** Where a clause ends and another begins; a verb in second place ends what stands before it in German. */
const BOUND =
  /[,;:](?![\d/])\s{0,4}(?:(?:that|dass|que)\s)?|[，、；：]\s{0,4}|\s[–—-]{1,2}\s|(?<=\s)(?:that|dass|que)\s|(?<=\s)qu['’]|(?<=\s)(?=(?:ist|sind|hat|haben|wird|werden|gibt|beträgt|liegt) )/giu;
/** Characters behind a cue in which its clause ends. */
const CLAUSE = 60;
/** So few letters at the beginning of a sentence are no clause: "Wait, let me think again". */
const INTERJECTION = 12;
export const countLetters = (text: string) => text.match(/\p{L}/gu)?.length ?? 0;

/** The clauses of its sentence that a cue stands in; null where there is no other. */
export function clausesOf(text: string, { start, end, sentence }: FoundCue): TextRange | null {
  const bounds = text
    .slice(sentence.start, sentence.end)
    .matchAll(BOUND)
    .map(({ index, 0: sign }) => ({
      from: sentence.start + index,
      to: sentence.start + index + sign.length,
      sign,
    }))
    .toArray();
  const before = bounds.findLast(
    ({ to, sign }) =>
      to <= start &&
      !/^\p{L}*\s?$/u.test(sign) &&
      countLetters(text.slice(sentence.start, to)) > INTERJECTION,
  );
  const behind = bounds.find(({ from }) => from >= end && from - end <= CLAUSE);
  if (behind && behind.to < sentence.end) return { start: before?.to ?? sentence.start, end: behind.to };
  if (!before) return null;
  const mark = /[.!?…。！？"'”’»)\s]{0,12}$/u.exec(text.slice(end, sentence.end))?.[0].length ?? 0;
  return { start: before.from, end: sentence.end - mark };
}

/** Ranges that touch or overlap as one, in their order. */
export function joinRanges(ranges: readonly TextRange[]): TextRange[] {
  const joined: TextRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last && range.start <= last.end)
      joined.splice(-1, 1, { start: last.start, end: Math.max(last.end, range.end) });
    else joined.push({ start: range.start, end: range.end });
  }
  return joined;
}

/** A text without whole sentences; the white space in front of them goes with them. */
export function cutSentences(text: string, sentences: readonly TextRange[]): string {
  let at = 0;
  let rest = '';
  for (const { start, end } of sentences) {
    rest += text.slice(at, start).trimEnd();
    at = end;
  }
  const tail = text.slice(at);
  return rest === '' ? tail.trimStart() : rest + tail;
}

/** What is taken out of a text, and what stands there instead, if anything. */
export interface Cut extends TextRange {
  readonly instead?: string;
}

/** A text without these phrases, to the byte. */
export function cutPhrases(text: string, phrases: readonly Cut[]): string {
  let at = 0;
  let rest = '';
  for (const { start, end, instead = '' } of phrases) {
    rest += text.slice(at, start) + instead;
    at = end;
  }
  return rest + text.slice(at);
}

/** What was found, for people. */
export function quote(text: string, { start, end }: TextRange = { start: 0, end: text.length }): string {
  return shorten(text.slice(start, end).trim(), QUOTED);
}

const ENDS = new Set(['\n', '。', '！', '？']);

/** To the sentence that it stands in. */
function widen(text: string, from: number, to: number): TextRange {
  let start = from;
  while (start > 0 && from - start < LONGEST_SENTENCE && !endsSentence(text, start - 1)) start--;
  let end = to;
  while (end < text.length && end - to < LONGEST_SENTENCE && !(end > 0 && endsSentence(text, end - 1))) end++;
  while (start < from && text.charAt(start).trim() === '') start++;
  if (end > to && text.charAt(end - 1) === '\n') end--;
  return { start, end };
}

/** A stop behind these ends no sentence. */
const ABBREVIATION = /(?<!\p{L})(?:Dr|Prof|Mr|Mrs|Ms|Mme|Sr|Sra|St|vs|al|Nr|No|z\. ?B|e\.g|i\.e)$/u;

/** Whether a sentence ends with the character at this place. */
export function endsSentence(text: string, at: number): boolean {
  const sign = text.charAt(at);
  if (ENDS.has(sign)) return true;
  if (sign === '.' && ABBREVIATION.test(text.slice(Math.max(0, at - 5), at))) return false;
  return (sign === '.' || sign === '!' || sign === '?') && /^[\s"')\]*]?$/.test(text.charAt(at + 1));
}
