/**
 * Where a statement names an option by its place ("the first response", "the latter") instead of by its label.
 * Such a word is exchanged with the options like a label; a place that has no mirror image ("the last one",
 * "the answer above") would point at another option after an exchange, so its case is left alone.
 */

import { matchesOf } from '../matches.ts';
import type { Mention, Span } from '../types.ts';
import { isNameOfOption } from '../vocabulary.ts';
import {
  halfWidth,
  isOfTwo,
  isShort,
  LOOSE_ROWS,
  loosePlacesIn,
  OTHER_KEYS,
  SIDES_SPACED,
  SIDES_UNSPACED,
} from './loose-places.ts';
import { NOUNS } from './titles.ts';

const ORDINALS = [
  ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'],
  ['1st', '2nd', '3rd', '4th', '5th', '6th', '7th', '8th', '9th', '10th'],
];
const OF_TWO = ['former', 'latter'];

/** Ordinals in a form with each of these beginnings, or endings: `la première`, `cette première`; `erste`, `ersten`. */
const withBeginnings = (beginnings: string, ordinals: string) =>
  beginnings.split(' ').map((lead) => ordinals.split(' ').map((word) => `${lead} ${word}`));
const withEndings = (stems: string, endings: string) =>
  endings.split(' ').map((ending) => stems.split(' ').map((stem) => `${stem}${ending}`));
/**
 * The same in other languages, each row in one grammatical form, so that a word that moves stays grammatical. A word stands in
 * one row where that can be had: exchanged twice it is what it was.
 */
const SPACED = [
  ...withEndings('erst zweit dritt viert fünft sechst', 'e en er es em'),
  ...withBeginnings('la cette', 'première deuxième troisième quatrième cinquième sixième'),
  ...withBeginnings('la cette', 'première seconde'),
  ...withBeginnings('la cette', '1re 2e 3e 4e 5e 6e'),
  ...withBeginnings('la cette', '1ère 2ème 3ème 4ème 5ème 6ème'),
  ...withBeginnings('le ce du au', 'premier deuxième troisième quatrième cinquième sixième'),
  ...withBeginnings('le ce du au', 'premier second'),
  ...withBeginnings('le ce du au', '1er 2e 3e 4e 5e 6e'),
  'primera segunda tercera cuarta quinta sexta'.split(' '),
  'primer segundo tercer cuarto quinto sexto'.split(' '),
  ['1.', '2.', '3.', '4.', '5.', '6.'],
  ['1ª', '2ª', '3ª', '4ª', '5ª', '6ª'],
  ['1.ª', '2.ª', '3.ª', '4.ª', '5.ª', '6.ª'],
  ...withBeginnings('a da na à pela', 'primeira segunda terceira quarta quinta sexta'),
  ...withBeginnings('o do no ao pelo', 'primeiro segundo terceiro quarto quinto sexto'),
  ...withBeginnings('la della alla nella', 'prima seconda terza quarta quinta sesta'),
  ...withBeginnings('il del al nel', 'primo secondo terzo quarto quinto sesto'),
  'eerste tweede derde vierde vijfde zesde'.split(' '),
  'första andra tredje fjärde femte sjätte'.split(' '),
  'pierwsza druga trzecia czwarta piąta szósta'.split(' '),
  'pierwszą drugą trzecią czwartą piątą szóstą'.split(' '),
  'pierwszej drugiej trzeciej czwartej piątej szóstej'.split(' '),
  'pierwszy drugi trzeci czwarty piąty szósty'.split(' '),
  'первый второй третий четвёртый пятый шестой'.split(' '),
  'первая вторая третья четвёртая пятая шестая'.split(' '),
  'первую вторую третью четвёртую пятую шестую'.split(' '),
  'первого второго третьего четвёртого пятого шестого'.split(' '),
  'первом втором третьем четвёртом пятом шестом'.split(' '),
  'birinci ikinci üçüncü dördüncü beşinci altıncı'.split(' '),
];
/** In scripts that set no spaces, and before a counting word. */
const UNSPACED = [
  ['第一', '第二', '第三', '第四', '第五', '第六'],
  ['第1', '第2', '第3', '第4', '第5', '第6'],
  ['最初', '二番目', '三番目', '四番目', '五番目', '六番目'],
  ['1番目', '2番目', '3番目', '4番目', '5番目', '6番目'],
  ['1つ目', '2つ目', '3つ目', '4つ目', '5つ目', '6つ目'],
  ['一つ目', '二つ目', '三つ目', '四つ目', '五つ目', '六つ目'],
  ['첫 번째', '두 번째', '세 번째', '네 번째', '다섯 번째', '여섯 번째'],
  ['첫번째', '두번째', '세번째', '네번째', '다섯번째', '여섯번째'],
];
/** Before a noun these are other words: `el primer texto`. */
const SPANISH = withBeginnings('el al del', 'primero segundo tercero cuarto quinto sexto');
const SCALES = [...ORDINALS, OF_TWO, ...SPACED, ...UNSPACED, ...SPANISH, ...LOOSE_ROWS, ...OTHER_KEYS];

/** Places that have no mirror image, in other languages. */
const SIDES = {
  spaced:
    'letzte letzten letzter letztes letztem andere anderen anderer anderes anderem linke linken linker linkes rechte rechten rechter ' +
    'rechtes obere oberen oberer oberes untere unteren unterer unteres vorige vorigen nächste nächsten dernière dernier autre ' +
    'última último otra otro outra outro ultima ultimo altra altro laatste andere sista ostatnia ostatni ostatnią последний ' +
    'последняя последнюю другой другая другую diğer',
  unspaced: '最后 最後 另一 上面 下面 左边 右边 左側 右側 上一 下一 마지막 다른',
};

const alternation = (words: readonly string[]) =>
  [...new Set(words)]
    .sort((a, b) => b.length - a.length)
    .map(RegExp.escape)
    .join('|');
const wordsBySpacing = (spaced: readonly string[], unspaced: readonly string[]) =>
  new RegExp(
    `(?<![\\p{L}\\p{M}\\p{N}])(?:${alternation(spaced)})(?=\\s)|(?:${alternation(unspaced)})`,
    'giu',
  );
const ELSEWHERE = wordsBySpacing(SPACED.flat(), UNSPACED.flat());
/** Of two options, in a note. */
const SIDES_ELSEWHERE = wordsBySpacing(SIDES_SPACED, SIDES_UNSPACED);
const WITHOUT_MIRROR_ELSEWHERE = wordsBySpacing(SIDES.spaced.split(' '), SIDES.unspaced.split(' '));
/** Behind a place, the word for what it is the place of: `zweite der beiden Antworten`, `第二个回答`; `最后回答A` has none. */
const BEHIND =
  /\s?(?:(?:der|von den|de las|de los|des|delle|dei|das|dos) (?:beiden|deux|dos|due|duas|dois) |[个個篇条條份段位种種版款则則のな]\s?)?([ァ-ヶー]{2,12}|[\p{Script=Han}\p{Script=Hangul}]{1,2}|[\p{L}\p{M}]{2,30})(?![A-Z\d])/uy;

const THING = `(?:(?:of (?:the|these) (?:two )?)?(?:${NOUNS})s?|one)\\b`;
/** What may follow a place that stands for the option: "the second is better", "prefer the first." */
const ALONE = `(?:\\s*(?:$|[.,;:!?)"'”’])|\\s+(?:is|was|are|over|to|than|and|or|because|wins?|beats|as|seems|here)\\b)`;
const NAMED = new RegExp(
  `\\b(${ORDINALS.flat().join('|')})(?=\\s+${THING})|\\bthe\\s+(${ORDINALS.flat().join('|')})(?=${ALONE})|\\b(former|latter)\\b`,
  'giu',
);
const WITHOUT_MIRROR = new RegExp(
  `\\b(?:last|left|right|top(?!\\s{1,9}\\w{1,20}\\s{0,3}(?:by\\b|[:=→]))|bottom|upper|lower|previous|preceding|following|next|other|remaining)(?:-?most|-hand)?\\s+${THING}|` +
    `\\b(?:${NOUNS}|one)s?\\s+(?:above|below|(?:on|to) the (?:left|right|top|bottom))\\b`,
  'iu',
);

/** What may follow a place that stands for the option in other languages: `den zweiten schrieb`, `la seconde l'emporte`. */
const FOLLOWS = {
  de: 'ist|war|wurde|wird|hat|hatte|stammt|kommt|schrieb|verfasste|gewinnt|gewann|siegt|überzeugt|gefällt|führt|wirkt|schneidet',
  fr: "est|était|a été|l'emporte|l’emporte|gagne|a gagné|vient|provient|émane|convainc|plaît|semble|paraît",
  es: 'es|era|fue|ha sido|gana|ganó|viene|procede|lo|la|convence|gusta|parece|salió',
};
const standingAlone = (article: string, rows: readonly (readonly string[])[], follows: string) =>
  `(?<![\\p{L}\\p{M}]|(?:à|par|dans) )${article}(${alternation(rows.flat())})(?=\\s(?:${follows})(?![\\p{L}\\p{M}]))`;
const FRENCH = [
  ...withBeginnings('la', 'première seconde deuxième troisième'),
  ...withBeginnings('le', 'premier second deuxième troisième'),
];
const ALONE_ELSEWHERE = new RegExp(
  [
    standingAlone('(?:der|die|das|den|dem) ', withEndings('erst zweit dritt viert', 'e en'), FOLLOWS.de),
    standingAlone('', FRENCH, FOLLOWS.fr),
    standingAlone('', SPANISH, FOLLOWS.es),
    standingAlone('la ', [['primera', 'segunda', 'tercera', 'cuarta']], FOLLOWS.es),
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
const THE_OTHER =
  /(?<!\p{L})(?:other|ander(?:e[nrsm]?)|autre|otr[oa]|outr[oa]|altr[oa]|andere|drugi|друг(?:ой|ая|ую)|diğer)(?!\p{L})|另一|다른/giu;

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
