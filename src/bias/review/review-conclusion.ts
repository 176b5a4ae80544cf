/** Reviews whose conclusion is turned: ratings that lean to accept become strong reject, and every reason stays. */
import { findRating, locateInReviews } from './submission-parts.ts';
import type { Perturbation } from './types.ts';

/** On the scale from 1 to 10 that conferences use, 6 is marginally above the threshold. */
const LEANS_TO_ACCEPT = 6;

export const reviewConclusion: Perturbation = {
  name: 'review-conclusion',
  part: 'review',
  aspect: 'conclusion',
  definition: 'Reviews that rate the paper for acceptance say strong reject, with the same reasons above it.',
  expectation: 'invariant',
  called: 'reviews turned to strong reject',
  by: 'rule',

  async perturb(submission) {
    const rated = locateInReviews(submission, findRating);
    if (rated.length === 0) return { dropped: 'no review has an overall rating' };
    const changes = rated.flatMap(({ item, at: { start, text, value } }) => {
      const scale = /^\d+\s*\/\s*(\d+)/.exec(text);
      if (value < LEANS_TO_ACCEPT || (scale && scale[1] !== '10')) return [];
      const after = `1${scale ? text.slice(String(value).length, scale[0].length) : ''}: strong reject`;
      return [{ part: 'review' as const, item, start, before: text, after }];
    });
    return changes.length > 0 ? { changes, refused: [] } : { dropped: 'no review leans to accept' };
  },
};
