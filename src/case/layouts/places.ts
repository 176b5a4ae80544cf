/**
 * Where a statement names an option by its place ("the first response", "the latter") instead of by its label.
 * Such a word is exchanged with the options like a label; a place that has no mirror image ("the last one",
 * "the answer above") would point at another option after an exchange, so its case is left alone.
 */

import type { Mention, Span } from '../types.ts';
import { NOUNS } from './titles.ts';

const ORDINALS = [
  ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'],
  ['1st', '2nd', '3rd', '4th', '5th', '6th', '7th', '8th', '9th', '10th'],
];
const OF_TWO = ['former', 'latter'];
const SCALES = [...ORDINALS, OF_TWO];

const THING = `(?:(?:of (?:the|these) (?:two )?)?(?:${NOUNS})s?|one)\\b`;
/** What may follow a place that stands for the option: "the second is better", "prefer the first." */
const ALONE = `(?:\\s*(?:$|[.,;:!?)"'”’])|\\s+(?:is|was|are|over|to|than|and|or|because|wins?|beats|as|seems|here)\\b)`;
const NAMED = new RegExp(
  `\\b(${ORDINALS.flat().join('|')})(?=\\s+${THING})|\\bthe\\s+(${ORDINALS.flat().join('|')})(?=${ALONE})|\\b(former|latter)\\b`,
  'giu',
);
const WITHOUT_MIRROR = new RegExp(
  `\\b(?:last|left|right|top|bottom|upper|lower|previous|preceding|following|next|other|remaining)(?:-?most|-hand)?\\s+${THING}|` +
    `\\b(?:${NOUNS}|one)s?\\s+(?:above|below|(?:on|to) the (?:left|right|top|bottom))\\b`,
  'iu',
);

const NAMES_PLACE = new RegExp(NAMED.source, 'iu');

/** Whether a line names an option by its place. */
export const namesPlace = (line: string) => NAMES_PLACE.test(line) || WITHOUT_MIRROR.test(line);

/** Most statements name no place, and that is seen sooner. */
const namedIn = (words: string) => (NAMES_PLACE.test(words) ? [...words.matchAll(NAMED)] : []);

/** @param options how many there are */
export function placesIn(text: string, at: Span, options: number): Mention[] {
  return namedIn(text.slice(at.start, at.end)).flatMap((match) => {
    const word = match[1] ?? match[2] ?? match[3] ?? '';
    const option = placeOf(word);
    if (option >= options || (OF_TWO.includes(word.toLowerCase()) && options !== 2)) return [];
    const start = at.start + match.index + match[0].lastIndexOf(word);
    return [{ option, at: { part: at.part, start, end: start + word.length } }];
  });
}

/** Whether a statement names a place that could not be exchanged with the options. */
export function hasNoMirror(statement: string, options: number): boolean {
  if (options < 2) return false;
  // `Finish the third.` may be said of anything: beyond the options only `the third answer` speaks of one.
  const words = namedIn(statement).map((match) => match[1] ?? match[3] ?? '');
  return (
    WITHOUT_MIRROR.test(statement) ||
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
