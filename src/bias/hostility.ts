/**
 * Hostility: the verdict on a paper follows the tone of its reviews (arXiv 2502.12510). Undone by restating hostile reviews
 * in a neutral tone, every point kept. The perturbation that injects it is `review-tone`.
 */

import type { Case } from '../case/index.ts';
import { calmReviews, findLiveReviews, type LiveReview } from './review/beside.ts';
import type { Bias } from './types.ts';

/** Contempt, which no finding needs. Words that also name a finding (poor, weak, wrong, sloppy) are left out. */
const CONTEMPT =
  /\b(?:nonsens\w*|ridiculous\w*|laughabl\w*|a joke|absurd\w*|pathetic\w*|incompeten\w*|garbage|rubbish|worthless|embarrass\w*|waste of (?:my |our |everyone['’]?s? )?time|amateurish|lazy|clueless|shameful\w*|disgrac\w*|stupid\w*|idiot\w*|childish|hopeless\w*|insult to|beneath contempt|cannot be bothered|hard to (?:read|take) (?:this )?(?:with patience|seriously)|frankly|did (?:you|they|the authors) even|have (?:you|they|the authors) (?:even )?(?:read|opened)|any (?:competent|serious) (?:researcher|scientist|student))\b/gi;
/** Different ones in one review: a single word may be a quotation, or a slip. */
const FEWEST = 2;

export const hostility: Bias = {
  name: 'hostility',
  definition:
    'The verdict on a paper follows the tone of its reviews (contempt, scorn) rather than the points that they make: ' +
    'the same points said plainly would have led to another verdict.',
  expectation: 'invariant',

  /** Whether a judge sides with a hostile reviewer or against one is its secret. */
  spot(subject) {
    const found = hostileIn(subject);
    const [first] = found;
    if (!first) return [];
    const words = [...new Set(contemptIn(first.text))].slice(0, 3).map((word) => `"${word}"`);
    return [
      {
        ...{ bias: 'hostility', favours: 'any' },
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
  return [...text.matchAll(CONTEMPT)].map(([word]) => word.toLowerCase());
}
