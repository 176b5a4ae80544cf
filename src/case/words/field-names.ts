/**
 * What stands in a field of a judge's reply, or behind a label in it, by the name: `field-words.json`, where one more language is
 * one more entry. A name may say several things (a `note` is a mark in French and a remark in English), or nothing.
 */

import FIELD_WORDS from './field-words.json' with { type: 'json' };
import { CJK, rolesOfLabel, wordsOfLabel } from './vocabulary.ts';

/**
 * `reason`: what explains a verdict. `sureness`: how sure the judge is. `verdict`: what it concludes; `whole` says that this is on
 * everything. `winner`: which of several it chooses. `count`: a number that counts or names something.
 */
const FIELD_SENSES = ['reason', 'sureness', 'verdict', 'whole', 'winner', 'count'] as const;
export type FieldSense = (typeof FIELD_SENSES)[number];

/** The words of one language by what they say, in strings with commas between. */
type FieldWords = Partial<Record<FieldSense, string>>;

/** Each sign of Chinese is a word of its own. */
const keyOf = (word: string) => wordsOfLabel(word).join(' ');

const KEYS = new Map(
  FIELD_SENSES.map((sense) => [
    sense,
    new Set(
      Object.values<FieldWords>(FIELD_WORDS).flatMap(
        (language) => language[sense]?.split(', ').map(keyOf) ?? [],
      ),
    ),
  ]),
);

/** Words of a name that stand together in the list: `độ tin cậy`, `最终得分`. */
const MOST_WORDS = 4;
/** Letters of a word that a longer one may end with (`finalscore`), or begin with before a short ending (`bewertungen`). */
const SHORTEST_END = 5;
const SHORTEST_START = 6;
const LONGEST_ENDING = 3;
/** Characters of a name; a key of a hostile reply may have millions, and says nothing. */
const LONGEST_NAME = 120;

/**
 * @param name of a field, or a label: `final_score`, `Begründung`
 *
 * @example fieldSays('finalScore', 'verdict') // true
 */
export function fieldSays(name: string, sense: FieldSense): boolean {
  if (name.length > LONGEST_NAME) return false;
  const words = wordsOfLabel(name.replaceAll('_', ' '));
  const says = (text: string) => KEYS.get(sense)?.has(text) === true;
  return words.some(
    (word, n) =>
      Array.from({ length: MOST_WORDS }, (_, more) => words.slice(n, n + 1 + more).join(' ')).some(says) ||
      stemsOf(word).some(says),
  );
}

/** What a word may be made of: all but its ending, or its last piece. */
function stemsOf(word: string): string[] {
  const starts = Array.from({ length: LONGEST_ENDING }, (_, n) => word.slice(0, -1 - n));
  const ends = Array.from(word, (_, n) => word.slice(n + 1));
  return [
    ...starts.filter(({ length }) => length >= (CJK.test(word) ? 2 : SHORTEST_START)),
    ...ends.filter(({ length }) => length >= (CJK.test(word) ? 2 : SHORTEST_END)),
  ];
}

/** Whether a field explains a verdict or says how sure the judge is, and so holds none. */
export const isBeside = (name: string): boolean => fieldSays(name, 'reason') || fieldSays(name, 'sureness');

/** The same where it holds a number: a remark that is a number each time is a mark (`Note finale: 9`, `"evidence": 4`). */
export const isBesideAsNumber = (name: string): boolean =>
  isBeside(name) && (fieldSays(name, 'sureness') || fieldSays(name, 'count'));

/** Whether a field or a line is called as what holds the verdict, rather than one of its grounds. */
export const namesVerdict = (name: string): boolean => fieldSays(name, 'verdict');

/** Whether a field or a line says which of several wins: what stands there is no score, whatever number it is. */
export const namesWinner = (name: string): boolean => fieldSays(name, 'winner');

/**
 * Whether a name says no more than that a field chooses, or what is chosen there: `final_winner`, `better_answer`. `style_winner` and
 * `better_written` choose by one criterion.
 */
export function concludes(name: string): boolean {
  if (name.length > LONGEST_NAME) return false;
  const words = wordsOfLabel(name.replaceAll('_', ' '));
  const says = (some: readonly string[], isLast: boolean) =>
    CONCLUDING.some((sense) => KEYS.get(sense)?.has(some.join(' '))) ||
    (some.length === 1 && CONCLUDING.some((sense) => fieldSays(some.join(), sense))) ||
    // `winner_index` says which, and `length_winner` by what.
    (isLast && fieldSays(some.join(' '), 'count')) ||
    ((some.length === 1 || CJK.test(some.join())) &&
      rolesOfLabel(some.join('')).some(([role]) => role === 'answer' || role === 'agent'));
  for (let at = 0; at < words.length; ) {
    const longest = Array.from({ length: MOST_WORDS }, (_, n) => words.slice(at, at + MOST_WORDS - n)).find(
      (some) => says(some, at > 0 && at + some.length === words.length),
    );
    if (!longest) return false;
    at += longest.length;
  }
  return true;
}

const CONCLUDING = ['verdict', 'winner'] as const;
