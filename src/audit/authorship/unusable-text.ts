/** Which reviews can be scored at all. What cannot is named and counted: it is neither human nor a model's. */
import { isForeign } from '../english.ts';

/** Fewest words of a review: below, every similarity is chance. */
export const FEWEST_WORDS = 20;
/** @returns why a text cannot be scored, in words; null where it can */
export function explainUnusableText(text: string, language: 'en' | 'any'): string | null {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  if (words.length === 0) return 'the review is empty';
  // Languages without spaces have few words by this count and many letters.
  const letters = words.reduce((sum, word) => sum + word.length, 0);
  if (language === 'en' && isForeign(text)) return 'the review is not in English';
  const spaced = letters < 9 * words.length;
  if (spaced ? words.length < FEWEST_WORDS : letters < 2 * FEWEST_WORDS)
    return `the review has fewer than ${FEWEST_WORDS} words`;
  return null;
}
