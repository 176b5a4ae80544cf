/** Which reviews can be scored at all. What cannot is named and counted: it is neither human nor a model's. */

/** Fewest words of a review: below, every similarity is chance. */
export const FEWEST_WORDS = 20;
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

/** @returns why a text cannot be scored, in words; null where it can */
export function unusable(text: string, language: 'en' | 'any'): string | null {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  if (words.length === 0) return 'the review is empty';
  // Languages without spaces have few words by this count and many letters.
  const letters = words.reduce((sum, word) => sum + word.length, 0);
  const common = words.filter((word) => ENGLISH.has(word)).length / words.length;
  if (language === 'en' && common < LEAST_ENGLISH && letters >= 2 * FEWEST_WORDS)
    return 'the review is not in English';
  const spaced = letters < 9 * words.length;
  if (spaced ? words.length < FEWEST_WORDS : letters < 2 * FEWEST_WORDS)
    return `the review has fewer than ${FEWEST_WORDS} words`;
  return null;
}
