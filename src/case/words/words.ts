/**
 * Words by what they mean, in many languages: `words.json` here, and `cue-words.json` beside the biases. One more language is one more
 * entry there.
 *
 * Words of one meaning stand in a string with bars between: `think*|on reflection|^choose|# points`. A star stands for any letters,
 * `#` for a number, `^` for the beginning of a clause. Words of scripts that set words apart stand alone, those of other scripts stand
 * anywhere, but not within a word that is listed behind `!`: `差|!差异`. A word with a capital is meant with it: `WHO`.
 */

import { inAnyCase } from './matches.ts';

/** The words of one meaning by language; those of `any` are of every language. */
export type WordLists = Readonly<Record<string, string>>;

type Meaning<File> = { readonly [Language in keyof File]: keyof File[Language] }[keyof File];

/** The words of a file, which has them by language, by their meaning. */
export function wordsByMeaning<File extends Readonly<Record<string, WordLists>>>(
  file: File,
): Readonly<Record<Meaning<File>, WordLists>> {
  const meanings = new Set(Object.values(file).flatMap(Object.keys));
  const wordsOf = (meaning: string) =>
    Object.entries(file).flatMap(([language, { [meaning]: words }]) =>
      words === undefined ? [] : [[language, words]],
    );
  return Object.fromEntries(
    [...meanings].map((meaning) => [meaning, Object.fromEntries(wordsOf(meaning))]),
  ) as Record<Meaning<File>, WordLists>;
}

/** Words that stand in rows with semicolons between: `first|second|third;1st|2nd|3rd`. @param language default: all of them */
export const listRows = (lists: WordLists, language?: string): string[][] =>
  Object.entries(lists)
    .filter(([name]) => language === undefined || name === language || name === 'any')
    .flatMap(([, rows]) => rows.split(';').map((row) => row.split('|')));

export const listWords = (lists: WordLists, language?: string): string[] => listRows(lists, language).flat();

/** The words of several lists in one. */
export function joinLists(...lists: readonly WordLists[]): WordLists {
  const byLanguage = Map.groupBy(lists.flatMap(Object.entries<string>), ([language]) => language);
  return Object.fromEntries(
    [...byLanguage].map(([language, found]) => [language, found.map(([, words]) => words).join('|')]),
  );
}

/** Scripts that set words apart, and whose words take no prefix, as the one of `والإجابة` is. */
export const SPACED = '\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\p{Script=Devanagari}';
const IN_WORD = `[${SPACED}\\p{N}]`;
const BEGINS_WORD = new RegExp(`^(?:[*#]|${IN_WORD})`, 'u');
const ENDS_WORD = new RegExp(`(?:#|${IN_WORD})$`, 'u');
/** Where a clause begins. */
const BEGINS = `(?<=^\\P{L}{0,8}|[.:;!?,，。：！"“«#*({]\\s{0,4})`;

/**
 * A regular expression for any of these words, which takes linear time. Words with the same bounds share them, which makes it several
 * times as fast.
 *
 * @param language of the words; default: of every language
 */
export function matchWords(lists: WordLists, flags = 'iu', language?: string): RegExp {
  const { words = [], others = [] } = Object.groupBy(listWords(lists, language), (word) =>
    word.startsWith('!') ? 'others' : 'words',
  );
  // V8 misses matches beside `(?-i:…)`, once much code of expressions has run: what has no capital is spelled in both cases instead.
  const isMixed = words.some(hasCapital);
  const sourceOf = (word: string) =>
    others.map((other) => unlessWithin(other.slice(1), word.replace(/\*$/, ''))).join('') +
    spell(word, isMixed && !hasCapital(word));
  const sources = [...Map.groupBy(words, boundsOf)].map(([bounds, some]) =>
    bounds.replace('@', () => some.map(sourceOf).join('|')),
  );
  return new RegExp(sources.join('|') || '(?!)', isMixed ? flags.replace('i', '') : flags);
}

const hasCapital = (word: string) => /\p{Lu}/u.test(word);

/** A star at the end is a bound, too: a class of letters for each word takes long to compile. */
function boundsOf(word: string): string {
  const before = BEGINS_WORD.test(word) ? `(?<!${IN_WORD})` : word.startsWith('^') ? BEGINS : '';
  const behind = word.endsWith('*') ? lettersOf(word) : ENDS_WORD.test(word) ? `(?!${IN_WORD})` : '';
  return `${before}(?:@)${behind}`;
}

/** Devanagari has signs for vowels that are no letters; a class of both takes several times as long to compile. */
const lettersOf = (word: string) =>
  /\p{Script=Devanagari}/u.test(word) ? '[\\p{L}\\p{M}]{0,30}' : '\\p{L}{0,30}';

/** Not where it is part of another word that is listed as such. */
function unlessWithin(other: string, word: string): string {
  const at = other.indexOf(word);
  return at < 0 ? '' : `(?!(?<=${other.slice(0, at)})${other.slice(at)})`;
}

const spell = (word: string, inBothCases: boolean) =>
  word
    .replace(/^\^|\*$/g, '')
    .replace(/[.+?^${}()[\]\\]/g, '\\$&')
    .replace(/\p{L}+/gu, (letters) => (inBothCases ? inAnyCase(letters) : letters))
    .replaceAll('*', lettersOf(word))
    .replaceAll("'", "['’]")
    .replaceAll('#', '\\d{1,7}');
