/**
 * Hostility: the verdict on a paper follows the tone of its reviews (arXiv 2502.12510). Undone by restating hostile reviews
 * in a neutral tone, every point kept. The perturbation that injects it is `review-tone`.
 */

import { type Case, matchWords } from '../case/index.ts';
import { WORDS } from './meanings.ts';
import { calmReviews, findLiveReviews, type LiveReview } from './review/beside.ts';
import type { Bias } from './types.ts';

const FINDS_CONTEMPT = matchWords(WORDS.contempt, 'giu');
/** Different ones in one review: a single word may be a quotation, or a slip. */
const FEWEST = 2;

export const hostility: Bias = {
  name: 'hostility',
  definition:
    'The verdict on a paper follows the tone of its reviews (contempt, scorn) rather than the points that they make: ' +
    'the same points said plainly would have led to another verdict.',
  expectation: 'invariant',
  trait: 'tone',

  /** Whether a judge sides with a hostile reviewer or against one is its secret. */
  spot(subject) {
    const found = hostileIn(subject);
    const [first] = found;
    if (!first) return [];
    const words = [...new Set(contemptIn(first.text))].slice(0, 3).map((word) => `"${word}"`);
    return [
      {
        bias: 'hostility',
        favours: 'any',
        seen: `${found.length === 1 ? 'a review is' : `${found.length} reviews are`} hostile in tone (${words.join(', ')})`,
      },
    ];
  },

  async undo(subject, _cue, tools) {
    return calmReviews(subject, hostileIn(subject), tools);
  },
};

function hostileIn(subject: Case): LiveReview[] {
  return findLiveReviews(subject).filter(({ text }) => isHostile(text));
}

export function isHostile(review: string): boolean {
  return new Set(contemptIn(review)).size >= FEWEST;
}

function contemptIn(text: string): string[] {
  return [...text.matchAll(FINDS_CONTEMPT)].map(([word]) => word.toLowerCase());
}
