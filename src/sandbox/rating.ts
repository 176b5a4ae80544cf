/**
 * A paper's rating by the sandbox judge, with log-probabilities: it thinks of a number with decimals and writes one
 * without. What is too small to move the written number still moves the probabilities beneath it.
 */
import type { LikelyToken, SampledToken } from '../case/index.ts';

const LEAST = 1;
const MOST = 10;
/** Points: how unsure it is of its number. With this the expectation over 1 to 10 is the number itself to two decimals, ends aside. */
const UNSURE = 0.8;

/** The number it thinks of, in [1, 10]: liking 0 is the middle of the scale, 0.5 its top. */
export function computeThought(liked: number): number {
  return LEAST + (MOST - LEAST) * Math.min(1, Math.max(0, 0.5 + liked));
}

/** P(r) at index r - 1: a normal distribution about the number, on the whole numbers of the scale. */
function computeRatingShares(thought: number): number[] {
  const heights = Array.from({ length: MOST }, (_, index) =>
    Math.exp(-0.5 * ((index + LEAST - thought) / UNSURE) ** 2),
  );
  const sum = heights.reduce((one, other) => one + other, 0);
  return heights.map((height) => height / sum);
}

/**
 * @param comments before the rating; empty for the rating alone
 * @returns the text with its likeliest rating, and the tokens it is made of
 */
export function replyRating(
  thought: number,
  comments: string,
): { readonly text: string; readonly sampled: readonly SampledToken[] } {
  const likeliest: LikelyToken[] = computeRatingShares(thought)
    .map((probability, index) => ({ text: String(index + LEAST), probability }))
    .toSorted((a, b) => b.probability - a.probability);
  const [best = { text: '', probability: 0 }] = likeliest;
  const before = [...(comments === '' ? [] : [`${comments}\n\n`]), 'Rating', ':', ' '];
  const certain = (text: string) => ({ text, probability: 1, likeliest: [{ text, probability: 1 }] });
  return {
    text: `${before.join('')}${best.text}`,
    sampled: [...before.map(certain), { ...best, likeliest }],
  };
}
