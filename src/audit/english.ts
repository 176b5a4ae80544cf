/** Whether a text is English, by its commonest words: what an audit reads in another language it must not score. */

/**
 * Words without which hardly a sentence of English can be written. In English prose they are two of five words, in
 * languages written with the same letters fewer than one of ten.
 */
const ENGLISH = new Set(
  (
    'the of and to in is that it for on with as this are be not by from an or which but have has we at ' +
    'they their its can was were would more if there these'
  ).split(' '),
);
const LEAST_ENGLISH = 0.15;
/** Letters below which nothing can be said. */
const LEAST_LETTERS = 40;

/** @returns false also for a text too short to tell */
export function isForeign(text: string): boolean {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  // Languages without spaces have few words by this count and many letters.
  const letters = words.reduce((sum, word) => sum + word.length, 0);
  const common = words.filter((word) => ENGLISH.has(word)).length;
  return letters >= LEAST_LETTERS && common / words.length < LEAST_ENGLISH;
}
