/** Hostile reviews: the same points, said with contempt. */
import { runEditPlan } from './edit.ts';
import { findProse } from './submission-parts.ts';
import type { Perturbation } from './types.ts';

export const reviewTone: Perturbation = {
  name: 'review-tone',
  part: 'review',
  aspect: 'tone',
  definition: 'The reviews make the same points in a hostile tone.',
  expectation: 'invariant',
  called: 'hostile reviews',
  by: 'model',

  async perturb({ reviews }, tools) {
    if (reviews.length === 0) return { dropped: 'there are no reviews' };
    const stretches = reviews.map(({ text }, item) => {
      const { start, end } = findProse(text);
      return { item, start, text: text.slice(start, end) };
    });
    const keep = { size: [0.6, 2], citations: 'all', numbers: 'all' } as const;
    return runEditPlan({ task: 'hostile', part: 'review', keep, stretches }, tools);
  },
};
