/**
 * Conclusion: the verdict on a paper follows the ratings that its reviews end with, whatever they say above them (arXiv
 * 2502.12510). Undone by withholding the overall rating of every review alike. The perturbation that injects it is
 * `review-conclusion`.
 */
import { findLiveReviews, rewriteReviews } from './review/beside.ts';
import { findRating, findReviewSections } from './review/submission-parts.ts';
import type { Bias } from './types.ts';

const WITHHELD = 'withheld';
/** On a scale to 10: from here on a rating rejects, or accepts, in so many words. */
const REJECTS = 3;
const ACCEPTS = 8;

export const conclusion: Bias = {
  name: 'conclusion',
  definition:
    'The verdict on a paper follows the rating that a review ends with, though the reasons in that review do not bear ' +
    'it out.',
  expectation: 'invariant',

  spot(subject) {
    const odd = findLiveReviews(subject).flatMap(({ text }) => {
      const rating = findRating(text);
      const why = rating && oddnessOf(text, rating.value);
      return why ? [`a review rates "${rating.text}" and ${why}`] : [];
    });
    return odd.length > 0 ? [{ bias: 'conclusion', favours: 'any', seen: odd.join('; ') }] : [];
  },

  async undo(subject) {
    return rewriteReviews(subject, (text) => {
      const rating = findRating(text);
      return rating
        ? text.slice(0, rating.start) + WITHHELD + text.slice(rating.start + rating.text.length)
        : text;
    });
  },
};

/** What in a review speaks against its own rating; null for nothing. */
function oddnessOf(text: string, value: number): string | null {
  const scores = [
    ...text.matchAll(/^[ \t]*(?:soundness|presentation|contribution)[ \t]*:[ \t]*([1-4])\b/gim),
  ];
  const mean = scores.reduce((sum, [, one]) => sum + Number(one), 0) / scores.length;
  if (scores.length >= 2 && value <= REJECTS && mean >= 2.5)
    return `its scores are ${mean.toFixed(1)} of 4 on average`;
  if (scores.length >= 2 && value >= ACCEPTS && mean <= 1.5)
    return `its scores are ${mean.toFixed(1)} of 4 on average`;
  const lengthOf = (name: RegExp) =>
    findReviewSections(text)
      .filter((section) => name.test(section.name))
      .reduce((sum, { start, end }) => sum + text.slice(start, end).trim().length, 0);
  const [strengths, weaknesses] = [
    lengthOf(/^(?:main )?strengths?$|^pros$/),
    lengthOf(/^(?:main )?weak|^cons$/),
  ];
  if (strengths === 0 || weaknesses === 0) return null;
  if (value <= REJECTS && strengths > 1.5 * weaknesses) return 'names more strengths than weaknesses';
  return value >= ACCEPTS && weaknesses > 3 * strengths ? 'names far more weaknesses than strengths' : null;
}
