/**
 * What stands in a field of a judge's reply, or behind a label in it, by the name: `field-words.json`, where one more language is
 * one more entry. A name may say several things (a `note` is a mark in French and a remark in English), or nothing.
 */

import FIELD_WORDS from './field-words.json' with { type: 'json' };
import { CJK, wordsOfLabel } from './vocabulary.ts';

/**
 * `reason`: what explains a verdict. `sureness`: how sure the judge is. `verdict`: what it concludes; `whole` says that this is on
 * everything. `winner`: which of several it chooses. `count`: a number that counts or names something.
 */
const FIELD_SENSES = ['reason', 'sureness', 'verdict', 'whole', 'winner', 'count'] as const;
export type FieldSense = (typeof FIELD_SENSES)[number];

/** The words of one language by what they say, in strings with commas between. */
type FieldWords = Partial<Record<FieldSense, string>>;

const SENSES_OF = new Map<string, Set<FieldSense>>();
for (const language of Object.values<FieldWords>(FIELD_WORDS))
  for (const sense of FIELD_SENSES)
    for (const word of language[sense]?.split(', ') ?? []) {
      // Each sign of Chinese is a word of its own.
      const key = wordsOfLabel(word).join(' ');
      SENSES_OF.set(key, (SENSES_OF.get(key) ?? new Set()).add(sense));
    }

/** Words of a name that stand together in the list: `độ tin cậy`, `最终得分`. */
const MOST_WORDS = Math.max(...[...SENSES_OF.keys()].map((key) => key.split(' ').length));
/** Letters of a word that a longer one may end with (`finalscore`), or begin with before a short ending (`bewertungen`). */
const SHORTEST_END = 5;
const SHORTEST_START = 6;
const LONGEST_ENDING = 3;

/**
 * @param name of a field, or a label: `final_score`, `Begründung`
 *
 * @example fieldSays('finalScore', 'verdict') // true
 */
export function fieldSays(name: string, sense: FieldSense): boolean {
  const words = wordsOfLabel(name.replaceAll('_', ' '));
  const says = (text: string) => SENSES_OF.get(text)?.has(sense) === true;
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
