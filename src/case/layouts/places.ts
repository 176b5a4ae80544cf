/**
 * Where a statement names an option by its place ("the first response", "the latter") instead of by its label.
 * Such a word is exchanged with the options like a label; a place that has no mirror image ("the last one",
 * "the answer above") would point at another option after an exchange, so its case is left alone.
 */

import type { Mention, Span } from '../types.ts';
import { matchesOf } from '../words/matches.ts';
import { CJK, isNameOfOption, MEANINGS } from '../words/vocabulary.ts';
import { listRows, listWords, matchWords } from '../words/words.ts';
import {
  either,
  halfWidth,
  isOfTwo,
  isShort,
  LOOSE_ROWS,
  loosePlacesIn,
  OTHER_KEYS,
  SIDES,
} from './loose-places.ts';
import { NOUNS } from './titles.ts';

const ORDINALS = listRows({
  en: 'first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth;1st|2nd|3rd|4th|5th|6th|7th|8th|9th|10th',
});
const OF_TWO = ['former', 'latter'];

/**
 * Rows of words in other languages, each in one grammatical form, so that a word that moves stays grammatical. A word stands in one row
 * where that can be had: exchanged twice it is what it was.
 */
const ROWS = [MEANINGS.ordinals, MEANINGS.ordinalNumbers].flatMap((rows) => listRows(rows));
/** Before a noun these are other words: `el primer texto`. */
const NOUN_ROWS = listRows(MEANINGS.ordinalNouns);
const SCALES = [...ORDINALS, OF_TWO, ...ROWS, ...NOUN_ROWS, ...LOOSE_ROWS, ...OTHER_KEYS];

/** Words that stand before a space, or in scripts that set none before a counting word. */
function beforeNouns(words: readonly string[]): RegExp {
  const { spaced = [], unspaced = [] } = Object.groupBy(words, (word) =>
    CJK.test(word) ? 'unspaced' : 'spaced',
  );
  return new RegExp(
    `(?<![\\p{L}\\p{M}\\p{N}])(?:${either([spaced])})(?=\\s)|(?:${either([unspaced])})`,
    'giu',
  );
}
const ELSEWHERE = beforeNouns(ROWS.flat());
/** Of two options, in a note. */
const SIDES_ELSEWHERE = beforeNouns(SIDES.flat().filter((word) => !/left|right/.test(word)));
/** Places that have no mirror image. */
const WITHOUT_MIRROR_ELSEWHERE = beforeNouns(listWords(MEANINGS.lastOrOther));
/** Behind a place, the word for what it is the place of: `zweite der beiden Antworten`, `第二个回答`; `最后回答A` has none. */
const BEHIND =
  /\s?(?:(?:der|von den|de las|de los|des|delle|dei|das|dos) (?:beiden|deux|dos|due|duas|dois) |[个個篇条條份段位种種版款则則のな]\s?)?([ァ-ヶー]{2,12}|[\p{Script=Han}\p{Script=Hangul}]{1,2}|[\p{L}\p{M}]{2,30})(?![A-Z\d])/uy;

const THING = `(?:(?:of (?:the|these) (?:two )?)?(?:${NOUNS})s?|one)\\b`;
/** What may follow a place that stands for the option: "the second is better", "prefer the first." */
const ALONE = `(?:\\s*(?:$|[.,;:!?)"'”’])|\\s+(?:is|was|are|over|to|than|and|or|because|wins?|beats|as|seems|here)\\b)`;
const NAMED = new RegExp(
  `\\b(${either(ORDINALS)})(?=\\s+${THING})|\\bthe\\s+(${either(ORDINALS)})(?=${ALONE})|\\b(former|latter)\\b`,
  'giu',
);
const WITHOUT_MIRROR = new RegExp(
  `\\b(?:last|left|right|top(?!\\s{1,9}\\w{1,20}\\s{0,3}(?:by\\b|[:=→]))|bottom|upper|lower|previous|preceding|following|next|other|remaining)(?:-?most|-hand)?\\s+${THING}|` +
    `\\b(?:${NOUNS}|one)s?\\s+(?:above|below|(?:on|to) the (?:left|right|top|bottom))\\b`,
  'iu',
);

/** A place that stands for the option in other languages, by what follows: `den zweiten schrieb`, `la seconde l'emporte`. */
const standingAlone = (language: string, article: string, rows: readonly (readonly string[])[]) =>
  `(?<![\\p{L}\\p{M}]|(?:à|par|dans) )${article}(${either(rows)})(?=\\s(?:${matchWords(MEANINGS.behindPlace, 'iu', language).source}))`;
const ALONE_ELSEWHERE = new RegExp(
  [
    standingAlone('de', '(?:der|die|das|den|dem) ', listRows(MEANINGS.ordinals, 'de')),
    standingAlone('fr', '(?=l[ae] )', listRows(MEANINGS.ordinals, 'fr')),
    standingAlone('es', '', NOUN_ROWS),
    standingAlone('es', 'la ', [['primera', 'segunda', 'tercera', 'cuarta']]),
    '(第[一二三四])(?=[个個篇份条]?(?:出自|由|更好|更优|胜出|写得|是[^，。]{1,16}写的))',
  ].join('|'),
  'giu',
);

const NAMES_PLACE = new RegExp(NAMED.source, 'iu');

/** Whether a line names an option by its place. */
export const namesPlace = (line: string) => NAMES_PLACE.test(line) || WITHOUT_MIRROR.test(line);

/** Most statements name no place, and that is seen sooner. */
const namedIn = (words: string) => (NAMES_PLACE.test(words) ? [...words.matchAll(NAMED)] : []);

/** The end of the word for an option that stands at an offset; null where something else does. */
function endOfThing(text: string, at: number): number | null {
  BEHIND.lastIndex = at;
  const thing = BEHIND.exec(text)?.[1];
  return thing !== undefined && isNameOfOption(thing) ? BEHIND.lastIndex : null;
}

/** The words of a kind that stand in front of a word for an option. */
const inFrontOfThings = (text: string, words: RegExp) =>
  matchesOf(text, words).filter(({ 0: word, index }) => endOfThing(text, index + word.length) !== null);

/** Where the whole name ends of which a place is the beginning: behind `Antwort` of `zweite Antwort`. */
export const endOfName = (text: string, start: number, end: number): number =>
  (placeOf(halfWidth(text.slice(start, end))) < 0 ? null : endOfThing(text, end)) ?? end;

/** @param options how many there are */
export function placesIn(text: string, at: Span, options: number): Mention[] {
  const words = text.slice(at.start, at.end);
  const named = namedIn(words).map((match) => {
    const word = match[1] ?? match[2] ?? match[3] ?? '';
    return { word, start: match.index + match[0].lastIndexOf(word) };
  });
  const elsewhere = inFrontOfThings(words, ELSEWHERE).map(({ 0: word, index }) => ({ word, start: index }));
  const alone = matchesOf(words, ALONE_ELSEWHERE).map((match) => {
    const word = match.slice(1).find((one) => one !== undefined) ?? '';
    return { word, start: match.index + match[0].lastIndexOf(word) };
  });
  const sides =
    options === 2 && isShort(words)
      ? inFrontOfThings(words, SIDES_ELSEWHERE).map(({ 0: word, index }) => ({ word, start: index }))
      : [];
  const all = [...named, ...elsewhere, ...alone, ...sides, ...loosePlacesIn(words, options)];
  const seen = new Set<number>();
  return all.flatMap(({ word, start: from }) => {
    const option = placeOf(word);
    if (option < 0 || option >= options || (OF_TWO.includes(word.toLowerCase()) && options !== 2)) return [];
    // The same word may be found in two ways, with and without its article.
    const last = from + word.length;
    if (seen.has(last)) return [];
    seen.add(last);
    const start = at.start + from;
    return [{ option, at: { part: at.part, start, end: start + word.length } }];
  });
}

/** The one that is not named, which goes with the one that is: `the other reply`, `l'autre réponse`. */
const THE_OTHER = matchWords(MEANINGS.theOther, 'giu');

/**
 * Whether a statement names a place that could not be exchanged with the options.
 *
 * @param isNamed whether it names an option in another way, too
 */
export function hasNoMirror(said: string, options: number, isNamed = false): boolean {
  if (options < 2) return false;
  const statement =
    options === 2 && isNamed ? said.replace(THE_OTHER, (word) => ' '.repeat(word.length)) : said;
  const rest = placesIn(statement, { part: 0, start: 0, end: statement.length }, options)
    .filter(({ at }) => isOfTwo(statement.slice(at.start, at.end)))
    .reduce(
      (text, { at: { start, end } }) => text.slice(0, start) + ' '.repeat(end - start) + text.slice(end),
      statement,
    );
  // `Finish the third.` may be said of anything: beyond the options only `the third answer` speaks of one.
  const words = [
    ...namedIn(statement).map((match) => match[1] ?? match[3] ?? ''),
    ...inFrontOfThings(statement, ELSEWHERE).map(([word]) => word),
  ];
  return (
    WITHOUT_MIRROR.test(rest) ||
    inFrontOfThings(rest, WITHOUT_MIRROR_ELSEWHERE).length > 0 ||
    words.some((word) => placeOf(word) >= options || (options > 2 && OF_TWO.includes(word.toLowerCase())))
  );
}

/** `second` for `first` where the first option moves to the second place; null where the word names no place. */
export function movedPlace(written: string, to: number): string | null {
  const scale = SCALES.find((words) => words.includes(written.toLowerCase()));
  const word = scale?.[to];
  if (word === undefined) return null;
  return /^\p{Lu}/u.test(written) ? `${word.charAt(0).toUpperCase()}${word.slice(1)}` : word;
}

const placeOf = (word: string) => Math.max(...SCALES.map((words) => words.indexOf(word.toLowerCase())));
