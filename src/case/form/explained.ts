/**
 * What the orders say that each word of a reply stands for: `0 if Answer 1 is better, 1 if Answer 2 is`, `Answer A wins: 1`, `1, wenn
 * Antwort A besser ist, sonst 0`.
 */

import { labelKey } from '../counterfactual.ts';
import { occurrences, occurrencesOf, UNSPACED } from '../words/occurrences.ts';
import { BETTER, DENIES, lowerCased, MEANINGS, NEITHER } from '../words/vocabulary.ts';
import { matchWords } from '../words/words.ts';
import { saysTie } from './alternatives.ts';
import { oppositesAmong } from './words-asked.ts';
import { saysWorse } from './worse-asked.ts';

/** What each option is said by, in the order of the options. */
export interface Explained {
  readonly labels: readonly string[];
  readonly tie?: string;
  /** Whether it is said of each word: the last one is not the one that is left over. */
  readonly isWhole: boolean;
}

/** The option that a piece of a sentence speaks for; -1 for none. */
type Meaning = (piece: string) => number;

/** Characters of what is said of a word. */
const LONGEST_MEANING = 80;

/** Characters of what is said of a word, where an option is not named as its label is. */
const NEAR = 40;

/** Places of a word, and of the options, whose words are compared. */
const MOST_COMPARED = 20;

/** Private-use characters stand for the options' names: `FIRST` for the first one. */
const FIRST = 0xe000;
const NAMED = /[\uE000-\uE0FF]/g;
const holdsName = (marked: string) => /[\uE000-\uE0FF]/.test(marked);

/** The orders with one character for each name of an option, so that a number in them is not the one of `Answer 1`. */
export function withNamesMarked(orders: string, labels: readonly string[]): string {
  const text = orders.replaceAll(NAMED, ' ');
  const noun = labels.every(isBare) ? nounOf(text, labels) : null;
  return labels.reduce((marked, label, option) => {
    // A bare letter or number says nothing by itself.
    if (isBare(label) && noun === null) return marked;
    // `<draft_1>` is `Draft 1` in a sentence.
    const name = (noun === null ? label.replaceAll('_', ' ') : `${noun} ${label.trim()}`).toLowerCase();
    const lower = marked.toLowerCase();
    // Letters of some scripts are as many again in small ones.
    if (lower.length !== marked.length) return marked;
    let end = 0;
    const kept = occurrences(lower, name).map((at) => {
      const before = marked.slice(end, at);
      end = at + name.length;
      return before;
    });
    return [...kept, marked.slice(end)].join(String.fromCharCode(FIRST + option));
  }, text);
}

const isBare = (label: string) => label.trim().length < 3;

/** The word that stands within sentences in front of each bare label, with a capital letter: `Draft` of `if Draft 1`. */
function nounOf(orders: string, labels: readonly string[]): string | null {
  const [first, ...others] = labels.map((label) => {
    const before = new RegExp(
      `(?<=\\p{Ll},? )(\\p{Lu}\\p{L}{1,20}) ${RegExp.escape(label.trim())}(?![\\p{L}\\p{N}])`,
      'gu',
    );
    return new Set(Array.from(orders.matchAll(before), ([, noun = '']) => noun));
  });
  const [noun, ...more] = [...(first ?? [])].filter((word) => others.every((set) => set.has(word)));
  return noun === undefined || more.length > 0 ? null : noun;
}

/** What compares the option in front of it with the one behind it: `is better than`, `ist besser als`. */
const THAN = new RegExp(`\\b(?:than|over|to)\\b|${matchWords(MEANINGS.than).source}`, 'iu');
const BEATS =
  /\b(?:beats?|outperforms?|surpass(?:es)?|wins? (?:against|over)|at least as \p{L}{1,12} as)\b/iu;
const compares = (between: string) => BEATS.test(between) || (THAN.test(between) && BETTER.test(between));

/** The option that a piece of marked orders says is better: the one that it names, or the first of two that it compares. */
export function optionMarked(piece: string, count: number): number {
  const named = Array.from(piece.matchAll(NAMED), ({ 0: sign, index }) => ({
    option: sign.charCodeAt(0) - FIRST,
    index,
  }));
  const [first, second] = named;
  if (!first) return -1;
  const options = new Set(named.map(({ option }) => option));
  const between = piece.slice(first.index + 1, second?.index);
  if (options.size > 1 && !(named.length === 2 && compares(between))) return -1;
  // `0 if Answer 1 is not better`, `0 unless Answer 1 is better`
  if (isDenied(between) || UNLESS.test(piece.slice(0, first.index)))
    return count === 2 ? 1 - first.option : -1;
  if (!saysWorse(piece)) return first.option;
  return count === 2 && options.size === 1 && !BETTER.test(piece) ? 1 - first.option : -1;
}

/** Whether it is denied that the option in front of these words is better. */
const isDenied = (words: string) => DENIES.test(words.slice(0, BETTER.exec(words)?.index ?? 0));

const UNLESS = /\bunless\b/i;

/** Where a clause ends; the full stop of `A. The first is better` ends none. */
const CLAUSE_END = /[\n,;，；。]|(?<!^[ \t]{0,4}[\p{L}\p{N}])\.\s/mu;
const SENTENCE_END = /[\n;；。]|(?<!^[ \t]{0,4}[\p{L}\p{N}])\.\s/mu;

const OTHERWISE = matchWords(MEANINGS.otherwise);

/**
 * What the orders say of each word beside it, behind it or before it, in its clause or else in its sentence. The last word is the
 * last option's. One word more, of which they name no option, is a tie.
 *
 * @param words what is replied, or may be
 * @param template what stands around a word where it is explained, with `{}` for it
 * @param meaning by names that are not written as the labels are; the labels' own are found without it
 * @param isPlain whether the words between a word and an option have to say that one stands for the other: nobody has replied with it yet
 * @returns null where an option is left open, or a word is said of several
 */
export function explainedIn(
  words: readonly string[],
  labels: readonly string[],
  template: string,
  orders: string,
  meaning: Meaning,
  isPlain = false,
): Explained | null {
  // `Yes` is no other word than `yes`.
  const all = [...Map.groupBy(words, (word) => lowerCased(word.trim())).values()].map(([word = '']) =>
    word.trim(),
  );
  if (all.length > labels.length + 1) return null;
  // `WIN if A beats B, LOSE if it does not, DRAW if they are equal`
  const [tie, ...ties] = all.length > labels.length ? all.filter(isTie) : [];
  const own = tie !== undefined && ties.length === 0 ? all.filter((word) => word !== tie) : all;
  const marked = withNamesMarked(orders, labels);
  // `From 1 to 5` is a scale, and does not say that 5 is for option 1.
  if (own.some(isInteger) && labels.some(isInteger) && !holdsName(marked)) return null;
  for (const end of [CLAUSE_END, SENTENCE_END]) {
    const found = explainedBetween(marked.split(end), own, labels.length, template, orders, meaning, isPlain);
    if (found)
      return found === 'contradictory' ? null : { ...found, ...(own.length < all.length && { tie }) };
  }
  return null;
}

/** A letter of a script that sets words apart, and puts no ending behind a number. */
const LETTER = `(?!${UNSPACED.source}|\\p{Script=Hangul})\\p{L}`;

/** Numbers and letters that may stand for an option. */
const [NUMBERS, LETTERS] = ['-?\\d{1,2}(?![\\p{N}%]|[.,]\\d)', '[A-HJ-Z](?!\\p{N})'].map(
  (code) => new RegExp(`(?<!${LETTER}|[\\p{N}.,-])${code}(?!${LETTER})`, 'gu'),
) as [RegExp, RegExp];

/**
 * The numbers or letters that stand for the options though these are called otherwise: `0 if Answer 1 is better, else 1`.
 *
 * @returns null where the orders explain none; `mismatch` where numbers of theirs stand beside the options' names, and are no names
 */
export function codesExplained(orders: string, labels: readonly string[]): Explained | 'mismatch' | null {
  const keys = labels.map(labelKey);
  const from = [0, 1].find((base) => COUNTED_FROM[base]?.test(orders));
  if (from !== undefined) {
    const places = keys.map((_, n) => String(from + n));
    return places.join() === keys.join() ? null : { labels: places, isWhole: true };
  }
  const marked = withNamesMarked(orders, labels);
  const beside = marked
    .split(SENTENCE_END)
    .filter(holdsName)
    .map((sentence) => sentence.replace(ITEM, ''));
  const sets = [NUMBERS, LETTERS].map((code) => [
    ...new Set(beside.flatMap((sentence) => sentence.match(code) ?? [])),
  ]);
  // `If neither is, answer 2.`
  const aside = marked
    .split(SENTENCE_END)
    .filter((sentence) => !holdsName(sentence) && saysNone(sentence, NEITHER))
    .flatMap((sentence) => sentence.replace(ITEM, '').match(NUMBERS) ?? []);
  const values = (sets[0] ?? []).map(Number);
  const ties = aside.filter((one) =>
    [Math.min(...values) - 1, Math.max(...values) + 1].includes(Number(one)),
  );
  if (values.length === labels.length && new Set(ties).size === 1) sets[0]?.push(...new Set(ties));
  for (const codes of sets) {
    const read = (text: string) => explainedIn(codes, labels, '{}', text, () => -1, true);
    const told = codes.length < labels.length ? null : read(orders);
    const isSure = told?.isWhole || beside.some((sentence) => OTHERWISE.test(sentence));
    if (!told || !isSure) continue;
    if (told.labels.every((label, n) => label === keys[n])) return null;
    // The options' own names in another order: what counts a rule is none (`A. Prefer Answer B if it is kinder`).
    if (told.labels.every((label) => keys.includes(label)) && !read(orders.replaceAll(ITEMS, ' '))) continue;
    return isScale(codes) ? 'mismatch' : told;
  }
  const [numbers = []] = sets;
  // `{"choice": 1 or 2, "confidence": 0-1}` has the options' own numbers beside a range.
  const areOwn = keys.every((key) => numbers.includes(key));
  const others = beside.some((sentence) =>
    (areOwn ? sentence.replaceAll(RANGE, '') : sentence).match(NUMBERS)?.some((number) => Number(number) < 1),
  );
  return others && keys.every(isInteger) ? 'mismatch' : null;
}

/** What the places of the options are counted from: `the 0-based index`, `its number, starting at 1`. */
const COUNTED_FROM = ['0|zero', '1|one(?=-)'].map(
  (base) =>
    new RegExp(
      `(?<![\\p{L}\\p{N}.-])(?:${base})-(?:based|indexed)\\b(?! on\\b)|\\b(?:counts?|counting|counted|numbered),? from (?:${base})\\b(?! ?(?:to|through|-|–|\\.\\.) ?\\d)|\\bfirst(?: one)? ?(?:=|is|:) ?(?:${base})\\b|\\b(?:index(?:es)?|indices|positions?|numbers?|numbered|places?|ids?)\\b[^.\\n]{0,40}\\b(?:start|begin|count)\\p{L}{0,5},? (?:at|from|with) (?:${base})\\b(?! ?(?:to|through|-|–|\\.\\.) ?\\d)`,
      'iu',
    ),
);

/** `0-1`, `0 to 1` */
const RANGE = /(?<![\p{N}.,])0(?:\.0)?\s?(?:-|–|\.\.|to)\s?1(?:\.0|00)?(?![\p{N}])/gu;

/** Whether the orders say that these numbers or letters stand for the options of these names, in this order. */
export function areCodes(codes: readonly string[], labels: readonly string[], orders: string): boolean {
  const told = codesExplained(orders, labels);
  return told !== null && told !== 'mismatch' && told.labels.join() === codes.join();
}

/** Whether numbers leave others out, other than the 0 between -1 and 1. */
function isScale(codes: readonly string[]): boolean {
  const numbers = codes.map(Number);
  const span = Math.max(...numbers) - Math.min(...numbers);
  return codes.every(isInteger) && span >= codes.length && !numbers.every((one) => Math.abs(one) === 1);
}

/** What counts an item of a list: `2. Read Answer 2`. */
const ITEM = /^\s{0,8}\d{1,2}[.)]\s/;
const ITEMS = /^[ \t]{0,8}(?:\d{1,2}|\p{L})[.)]\s/gmu;

/** Whether a word says by itself that none is better; a number does not. */
const isTie = (word: string) => saysTie(word) && !isInteger(word);

/** Null where the words are not explained, `contradictory` where what stands behind them says another thing than what stands in front. */
function explainedBetween(
  clauses: readonly string[],
  own: readonly string[],
  options: number,
  template: string,
  orders: string,
  meaning: Meaning,
  isPlain: boolean,
): Explained | 'contradictory' | null {
  const frames = own.map((word) => template.replace('{}', () => word));
  const said = clauses.map((clause) => ({ clause, places: placesIn(clause, frames) }));
  const optionOf = (piece: string, near: string, word: string) => {
    const option = holdsName(piece) ? optionMarked(piece, options) : meaning(near);
    // `"win" | "loss" from the point of view of A`: the option that loses is the one that is named.
    const isLost = option >= 0 && LOSES.test(word) && !choosesOne(piece);
    return isLost ? (options === 2 ? 1 - option : -1) : option;
  };
  const explained = [true, false].flatMap((isBehind) => {
    const told = said.flatMap(({ clause, places }) =>
      places.map(({ word, start, end }, n) => {
        const behind = clause
          .slice(end, places[n + 1]?.start)
          .split(OTHERWISE)[0]
          ?.slice(0, LONGEST_MEANING);
        const before = clause
          .slice(places[n - 1]?.end ?? 0, start)
          .split(OTHERWISE)
          .at(-1)
          ?.slice(-LONGEST_MEANING);
        const piece = (isBehind ? behind : before) ?? '';
        // `First or Second` says of neither what it means.
        const others = own.filter((other, at) => at !== word && occurrencesOf(piece, other).length > 0);
        const rest = others.reduce((text, other) => text.replaceAll(other, ' '), piece);
        const near = isBehind ? rest.slice(0, NEAR) : rest.slice(-NEAR);
        return {
          word,
          rest,
          option: isBehind || others.length === 0 ? optionOf(rest, near, own[word] ?? '') : -1,
        };
      }),
    );
    const meant = own.map((_, word) => {
      const all = new Set(told.flatMap((one) => (one.word === word && one.option >= 0 ? one.option : [])));
      return all.size === 1 ? ([...all][0] ?? -1) : -1;
    });
    const open = Array.from({ length: options }, (_, option) => option).filter((one) => !meant.includes(one));
    const isWhole = open.length === 0;
    const silent = own.filter((_, word) => meant[word] === -1 && !told.some((one) => one.word === word));
    const rest = own.length === options ? own.filter((_, word) => meant[word] === -1) : silent;
    // Of 1 and 4 others are of the same scale.
    const isRow = !own.every(isInteger) || Math.abs(Number(own[0]) - Number(own[1])) === 1;
    if (open.length === 1 && rest.length === 1 && isRow && choosesBetween(own, orders))
      meant[own.indexOf(rest[0] ?? '')] = open[0] ?? -1;
    const spelled = Array.from({ length: options }, (_, option) =>
      own.filter((_word, n) => meant[n] === option),
    );
    const [tie, ...more] = own.filter((_, n) => meant[n] === -1);
    if (more.length > 0 || !spelled.every(({ length }) => length === 1)) return [];
    const named = told.filter(({ option }) => option >= 0).map(({ rest }) => rest);
    if (isPlain && !(isBehind ? standFor(named) : leadTo(named))) return [];
    const ofTie = told.filter(({ word }) => own[word] === tie).map(({ rest }) => rest);
    const likes = named.slice(0, MOST_COMPARED);
    if (ofTie.slice(0, MOST_COMPARED).some((piece) => likes.some((like) => namesAnother(piece, like))))
      return [];
    const found = { isWhole, labels: spelled.flat(), ...(tie !== undefined && { tie }) };
    return [{ found, isSaid: ofTie.some((piece) => saysNone(piece)) }];
  });
  // What names each option tells more than what leaves one open.
  const whole = explained.filter(({ found }) => found.isWhole);
  const all = whole.length > 0 ? whole : explained;
  // `1, if A is better, 2, if B is better, 0, if they are equal`: of the words on either side those of the tie tell which belong to it.
  const [one, other = one] = all.some(({ isSaid }) => isSaid) ? all.filter(({ isSaid }) => isSaid) : all;
  if (!one || !other) return null;
  return JSON.stringify(one.found) === JSON.stringify(other.found) ? one.found : 'contradictory';
}

const LOSES = /^(?:los(?:e[srd]?|t|s|ses|ing)|defeat(?:ed)?|worse|inferior|weaker)$/i;

/** What is counted: `2 points for Answer 1`, `Answer 1 has 2 errors`. */
const COUNTED = /\b(?:points?|stars?|errors?|mistakes?|marks?|times|rounds?|steps?)\b/i;
const choosesOne = (piece: string) =>
  CHOOSES.test(piece) ||
  BETTER.test(piece) ||
  saysWorse(piece) ||
  /\b(?:choose|pick|select)s?\b/i.test(piece);

/** Whether the words behind each number say that it stands for the option they name: ` if Answer 1 is better`, ` = Answer 1`. */
function standFor(pieces: readonly string[]): boolean {
  const leads = pieces.map((piece) => piece.slice(0, piece.search(/[\uE000-\uE0FF]/)).toLowerCase());
  const bare = new Set(leads.map((lead) => lead.replaceAll(/[\s"'“”„«»`*]/g, '')));
  return (
    !bare.has('') &&
    (bare.size === 1 || pieces.every(choosesOne)) &&
    !leads.some((lead) => COUNTED.test(lead) || /^\.\s*\p{L}/u.test(lead))
  );
}

/** The same of the words in front: `If Answer 1 is better, write 0`, `Answer 1 -> 0`. */
const leadTo = (pieces: readonly string[]) =>
  pieces.every(
    (piece) => choosesOne(piece) || /[\uE000-\uE0FF]\s*(?:[-=]{0,2}>|[=→⇒])\s*["'(]?$/u.test(piece),
  );

const UNDECIDED = new RegExp(
  `\\b(?:equally|neutral|unsure|undecided|similar)\\b|${NEITHER.source}|${DENIES.source}`,
  'iu',
);

/** Whether a piece of a sentence says that no option is better. */
const saysNone = (piece: string, none = UNDECIDED) =>
  none.test(piece) || saysTie(piece) || piece.split(/[^\p{L}\p{M}]+/u).some(saysTie);

const withoutStop = (words: string) => words.trim().replace(/[,;.，；。、]$/u, '');

/** A name as it is written: with a capital letter, or with a number. */
const NAME = /^(?:\p{Lu}[\p{L}\p{N}]{0,20}|\p{L}{1,20} ?\p{N}{1,2})$/u;

/** Whether what is said of a word is what is said of an option, with the name of something else: `2 = Charlie` beside `0 = Alpha`. */
function namesAnother(piece: string, like: string): boolean {
  const at = like.search(/[\uE000-\uE0FF]/);
  const [before, behind] = [like.slice(0, at).trim(), withoutStop(like.slice(at + 1))];
  const said = withoutStop(piece);
  if (at < 0 || said.length <= before.length + behind.length) return false;
  if (!said.startsWith(before) || !said.endsWith(behind)) return false;
  const name = said.slice(before.length, said.length - behind.length).trim();
  return NAME.test(name) && !saysNone(name);
}

/** Where words stand in their frames, in order. */
const placesIn = (clause: string, frames: readonly string[]) =>
  frames
    .flatMap((frame, word) =>
      occurrencesOf(clause, frame).map((start) => ({ word, start, end: start + frame.length })),
    )
    .toSorted((a, b) => a.start - b.start);

const isInteger = (word: string) => /^-?\d+$/.test(word);

/** Whether words may stand for an option each: `CORRECT` and `INCORRECT` say whether two are the same, unless one is to be better. */
const choosesBetween = (words: readonly string[], orders: string) =>
  oppositesAmong(words) === null || CHOOSES.test(orders);

const CHOOSES = /\b(?:better|prefer\w{0,9}|superior|stronger|wins?|winner|beats?|outperforms?)\b/i;
