/** What a simulated reviewer or meta-reviewer makes of a paper and what stands beside it, as numbers to be weighed. */
import { findLiveReviews, findRating, isHostile } from '../bias/index.ts';
import type { Case } from '../case/index.ts';

/** The layout of cases in which a paper is judged. */
export const PEER_REVIEW = 'peer-review';

interface PeerGrounds {
  /** Of the reviews' overall ratings the mean, in [-0.5, 0.5]. */
  readonly ratings: number;
  /** Share of the reviews that are hostile in tone. */
  readonly hostility: number;
  /** How many numbers paper and rebuttals give, in [-0.5, 0.5]. */
  readonly evidence: number;
}

/** Numbers from which more evidence adds nothing. */
const ENOUGH = 60;

/** @returns null where no paper is judged */
export function measurePeerGrounds(subject: Case): PeerGrounds | null {
  if (subject.layout !== PEER_REVIEW) return null;
  const reviews = findLiveReviews(subject).map(({ text }) => text);
  const ratings = reviews.flatMap((text) => findRating(text)?.value ?? []);
  const hostile = reviews.filter(isHostile).length;
  const given = [
    ...subject.options.map(({ text }) => text),
    ...subject.context.flatMap(({ of, text }) => (of === 'rebuttal' ? [text] : [])),
  ];
  const numbers = given.reduce((sum, text) => sum + (text.match(/\d+(?:[.,]\d+)*/g)?.length ?? 0), 0);
  return {
    ratings:
      ratings.length === 0 ? 0 : (ratings.reduce((sum, one) => sum + one, 0) / ratings.length - 5.5) / 9,
    hostility: reviews.length === 0 ? 0 : hostile / reviews.length,
    evidence: Math.min(1, numbers / ENOUGH) - 0.5,
  };
}
