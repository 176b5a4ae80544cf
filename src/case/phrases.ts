/** Places of a text where words of several classes stand near each other, and a text without them. */

/** Of what was seen, in characters. */
const QUOTED = 120;
/** Of one sentence, before and behind what was found. */
const LONGEST_SENTENCE = 400;

/** Characters of a text that are looked through, and phrases that are told of it: a search must not hold up others. */
const LONGEST = 1 << 18;
const MOST = 1000;

/** A part of a text, the end not included. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

const LANGUAGES = ['en', 'de', 'fr', 'es', 'zh', 'ja'] as const;
type Language = (typeof LANGUAGES)[number];

/**
 * Words of one meaning, by language, as alternatives: `think*|on reflection|^choose|# points`. A star stands for any letters,
 * `#` for a number, `^` for the beginning of a clause. Latin letters stand alone, those of other scripts stand anywhere. A
 * word with a capital is meant with it: `WHO`.
 */
export type WordLists = Readonly<Partial<Record<Language | 'any', string>>>;

/** Cues of one kind in one sentence, in the words of one language. */
export interface SentenceRule {
  /** A word of each list stands near the others; the first should be the rarest, for it is looked for first. */
  readonly all: readonly WordLists[];
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

const SPACED = '[\\p{Script=Latin}\\p{N}]';
/** Where a clause begins. */
const BEGINS = `(?<=^\\P{L}{0,8}|[.:;!?,，。：！"“«#*({]\\s{0,4})`;

/** A regular expression for any of these words. Words with the same bounds share them, which makes it several times as fast. */
export function matchWords(words: readonly string[], flags = 'iu'): RegExp {
  const bounds = Map.groupBy(words, (word) => `${boundBefore(word)}\0${boundBehind(word)}`);
  const sources = [...bounds].map(([bound, some]) => {
    const [before, behind] = bound.split('\0');
    return `${before}(?:${some.map(sourceOf).join('|')})${behind}`;
  });
  return new RegExp(sources.join('|') || '(?!)', flags);
}

const LETTER = /[\p{Script=Latin}\p{N}#]/u;
const boundBefore = (word: string) =>
  word.startsWith('^') ? BEGINS : LETTER.test(word.charAt(0)) ? `(?<!${SPACED})` : '';
const boundBehind = (word: string) => (LETTER.test(word.charAt(word.length - 1)) ? `(?!${SPACED})` : '');

export const listWords = (lists: WordLists, language?: Language): string[] =>
  Object.entries(lists)
    .filter(([name]) => language === undefined || name === language || name === 'any')
    .flatMap(([, list]) => list.split('|'))
    .map((word) => word.trim().replace(/\s+/g, ' '))
    .filter((word) => word !== '');

function sourceOf(word: string): string {
  const source = word
    .replace(/^\^/, '')
    .replace(/[.+?^${}()[\]\\]/g, '\\$&')
    .replaceAll('*', '\\p{L}*')
    .replaceAll("'", "['’]")
    .replaceAll('#', '\\d{1,7}');
  return /\p{Lu}/u.test(word) ? `(?-i:${source})` : source;
}

interface LanguageRule {
  /** Of its rule among all; the first that fits is taken. */
  readonly order: number;
  readonly all: readonly RegExp[];
  readonly within: number;
  readonly beside: RegExp | null;
  readonly none: RegExp | null;
}

/**
 * Finds sentences by words that stand near each other, rather than by phrases: whoever words the same thing in another way
 * uses words of the same classes.
 *
 * @param signs what is a cue without any word near it
 * @returns finds the cues in their order, one a sentence, in the first 256 KiB of a text
 */
export function createCueFinder(
  rules: readonly SentenceRule[],
  signs: readonly RegExp[] = [],
): (text: string) => FoundCue[] {
  const index = createIndex(rules);
  return function findCues(whole) {
    const text = whole.slice(0, LONGEST);
    const found: FoundCue[] = [];
    const judge = ({ sentence, begun }: Candidate) => {
      const words = text.slice(sentence.start, sentence.end);
      for (const rule of [...begun].sort((a, b) => a.order - b.order)) {
        const cue = placeOf(words, rule);
        if (!cue) continue;
        const [start, end] = [sentence.start + cue.start, sentence.start + cue.end];
        found.push({ start, end, sentence, rule: rules[rule.order] ?? null });
        return;
      }
    };
    // Most sentences begin no rule, and no expression is tried on them.
    let open: Candidate | null = null;
    let tried = 0;
    for (const { start, rules: begun } of beginningsIn(text, index)) {
      if (open && start >= open.sentence.end) {
        judge(open);
        open = null;
        if (++tried === MOST) break;
      }
      open ??= { sentence: widen(text, start, start + 1), begun: new Set() };
      for (const rule of begun) open.begun.add(rule);
    }
    if (open) judge(open);
    for (const sign of signs)
      for (const { index: start, 0: one } of text.matchAll(sign).take(MOST)) {
        const end = start + one.length;
        found.push({ start, end, sentence: widen(text, start, end), rule: null });
      }
    return found.sort((a, b) => a.start - b.start);
  };
}

/** A sentence, and the rules of which a first word stands in it. */
interface Candidate {
  readonly sentence: TextRange;
  readonly begun: Set<LanguageRule>;
}

interface Beginning {
  readonly words: string;
  readonly rules: LanguageRule[];
}

interface Index {
  readonly byKey: ReadonlyMap<number, readonly Beginning[]>;
  /** Whether a key may be one of these: most words of a text have none, and need no look into the map. */
  readonly filter: Uint8Array;
}

function createIndex(rules: readonly SentenceRule[]): Index {
  const byKey = new Map<number, Beginning[]>();
  for (const [order, rule] of rules.entries())
    for (const language of LANGUAGES) {
      if (rule.all.some((lists) => listWords(lists, language).length === 0)) continue;
      const compiled = compileRule(rule, language, order);
      for (const word of listWords(rule.all[0] ?? {}, language)) {
        const words = beginningOf(word);
        const key = keyOf(word, words);
        const sameKey = byKey.get(key) ?? [];
        const known = sameKey.find((one) => one.words === words);
        if (known) known.rules.push(compiled);
        else byKey.set(key, [...sameKey, { words, rules: [compiled] }]);
      }
    }
  const filter = new Uint8Array(FILTER);
  for (const key of byKey.keys()) filter[key & (FILTER - 1)] = 1;
  return { byKey, filter };
}

/** @returns the literal beginning of a word in a list, in small letters, up to the first star or number */
function beginningOf(listed: string): string {
  return (
    listed
      .toLowerCase()
      .replace(/^[^\p{L}\p{N}#]+/u, '')
      .split(/\*|(?<!^)#/)[0] ?? ''
  );
}

function compileRule(rule: SentenceRule, language: Language, order: number): LanguageRule {
  const compile = (lists: WordLists, flags?: string) => matchWords(listWords(lists, language), flags);
  return {
    order,
    all: rule.all.map((lists) => compile(lists, 'giu')),
    within: rule.within ?? NEAR,
    beside: rule.beside ? compile(rule.beside) : null,
    none: rule.none ? compile(rule.none) : null,
  };
}

// Every word of every option is looked up. So no word is copied, and a table says of most that they begin nothing: a judgment
// of 32 KB takes 4.0 ms of CPU, and 6.8 with words copied and looked up in a map (`npm run bench:performance -- --cpu`).

/** A power of two. */
const FILTER = 1 << 14;
/** Letters of a stem by which the rules that it begins are looked up. */
const STEM = 3;
/** The key of all numbers. */
const NUMBER = 1;

const isDigit = (code: number) => code >= 48 && code <= 57;
const isLatin = (code: number) =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 0xc0 && code < 0x250);
/** From Hiragana on. */
const isSign = (code: number) => code >= 0x3040;
/** A capital of Latin-1 as its small letter, and an apostrophe as it is typed. */
const plainCode = (code: number) =>
  (code >= 65 && code <= 90) || (code >= 0xc0 && code <= 0xde) ? code + 32 : code === 0x2019 ? 39 : code;
const mix = (key: number, code: number) => (Math.imul(key, 641) + code) | 0;
/** Of each letter of Latin script and each digit its small letter; 0 of anything else. */
const LETTERS = Uint16Array.from({ length: 0x250 }, (_, code) =>
  isLatin(code) || isDigit(code) ? plainCode(code) : 0,
);
const letterOf = (code: number) => (code < 0x250 ? (LETTERS[code] ?? 0) : 0);

/**
 * The keys of what stands at a place, and where it ends: a word in Latin letters, a number, or one sign. Few words share one.
 */
interface Keys {
  end: number;
  whole: number;
  /** With one sign behind it, and with two. */
  behind: number;
  two: number;
  stem: number;
}

/** Where the rules of a text begin, in its order. */
function beginningsIn(text: string, { byKey, filter }: Index): (Beginning & { readonly start: number })[] {
  const found: (Beginning & { readonly start: number })[] = [];
  const at: Keys = { end: 0, whole: 0, behind: 0, two: 0, stem: 0 };
  const mayBegin = (key: number) => filter[key & (FILTER - 1)] ?? 0;
  for (let start = 0; start < text.length; start = at.end) {
    readKeys(text, start, at);
    if ((mayBegin(at.whole) | mayBegin(at.behind) | mayBegin(at.two) | mayBegin(at.stem)) === 0) continue;
    for (const key of [at.whole, at.behind, at.two, at.stem])
      for (const begun of byKey.get(key) ?? [])
        if (beginsWith(text, start, begun.words)) found.push({ ...begun, start });
  }
  return found;
}

function readKeys(text: string, start: number, at: Keys): void {
  const first = text.charCodeAt(start);
  let end = start + 1;
  let whole = letterOf(first);
  let stem = whole;
  if (whole !== 0) {
    for (let letter = letterOf(text.charCodeAt(end)); letter !== 0; letter = letterOf(text.charCodeAt(end))) {
      whole = mix(whole, letter);
      if (++end - start === STEM) stem = whole;
    }
    if (isDigit(first)) whole = NUMBER;
  } else if (isSign(first)) whole = first;
  at.end = end;
  at.whole = whole;
  at.behind = whole === 0 ? 0 : mix(whole, plainCode(text.charCodeAt(end)));
  at.two = whole === 0 ? 0 : mix(at.behind, plainCode(text.charCodeAt(end + 1)));
  at.stem = whole === 0 ? 0 : ~stem;
}

/** The key of a word in a list, of which `words` is the literal beginning. */
function keyOf(listed: string, words: string): number {
  if (words.startsWith('#') || isDigit(words.charCodeAt(0))) return NUMBER;
  const at: Keys = { end: 0, whole: 0, behind: 0, two: 0, stem: 0 };
  readKeys(words, 0, at);
  const rest = words.length - at.end;
  if (rest === 0) return listed.includes('*') && isLatin(words.charCodeAt(0)) ? at.stem : at.whole;
  return rest === 1 ? at.behind : at.two;
}

function beginsWith(text: string, start: number, words: string): boolean {
  if (words.startsWith('#')) return isDigit(text.charCodeAt(start));
  for (let at = 0; at < words.length; at++)
    if (plainCode(text.charCodeAt(start + at)) !== words.charCodeAt(at)) return false;
  return true;
}

/** The nearest place where a rule's words stand together; null where they do not. */
function placeOf(sentence: string, { all, within, beside, none }: LanguageRule): TextRange | null {
  // `search` is many times as fast as `matchAll`, which makes a copy of the expression.
  if (!all.every((words) => sentence.search(words) >= 0)) return null;
  if (none?.test(sentence) || beside?.test(sentence) === false) return null;
  const [anchors = [], ...others] = all.map((words) =>
    sentence
      .matchAll(words)
      .take(PLACES)
      .map(({ index, 0: { length } }) => ({ start: index, end: index + length }))
      .toArray(),
  );
  for (const anchor of anchors) {
    const cue = others.reduce<TextRange | null>((hull, some) => {
      if (!hull) return null;
      const [nearest] = some
        .map(({ start, end }) => ({ start: Math.min(start, hull.start), end: Math.max(end, hull.end) }))
        .sort((a, b) => a.end - a.start - (b.end - b.start));
      return nearest ?? null;
    }, anchor);
    if (cue && cue.end - cue.start <= within) return cue;
  }
  return null;
}

/** Where a clause ends and another begins; a verb in second place ends what stands before it in German. */
const BOUND =
  /[,;:](?![\d/])\s{0,4}(?:(?:that|dass|que)\s)?|[，、；：]\s{0,4}|\s[–—-]{1,2}\s|(?<=\s)(?:that|dass|que)\s|(?<=\s)qu['’]|(?<=\s)(?=(?:ist|sind|hat|haben|wird|werden|gibt|beträgt|liegt) )/giu;
/** Characters behind a cue in which its clause ends. */
const CLAUSE = 60;
/** So few letters at the beginning of a sentence are no clause: "Wait, let me think again". */
const INTERJECTION = 12;
const countLetters = (text: string) => text.match(/\p{L}/gu)?.length ?? 0;

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
export function quotePhrase(text: string, { start, end }: TextRange): string {
  const quoted = text.slice(start, end).trim();
  return quoted.length > QUOTED ? `${quoted.slice(0, QUOTED - 1)}…` : quoted;
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
function endsSentence(text: string, at: number): boolean {
  const sign = text.charAt(at);
  if (ENDS.has(sign)) return true;
  if (sign === '.' && ABBREVIATION.test(text.slice(Math.max(0, at - 5), at))) return false;
  return (sign === '.' || sign === '!' || sign === '?') && /^[\s"')\]*]?$/.test(text.charAt(at + 1));
}
