/** Which reviews the figures are made of: those that calibrate, those that test, and what they are. */
import type { ReviewScores } from './review.ts';

interface ReviewSplit {
  /** Reviews by people that the lines are drawn on. */
  readonly calibration: readonly ReviewScores[];
  /** Reviews by people and by models that they are held against. */
  readonly test: readonly ReviewScores[];
  /** How the two were told apart, in words. */
  readonly split: string;
}

/** A person's own words, edited by nobody. */
export function isHuman({ author, edit }: Pick<ReviewScores, 'author' | 'edit'>): boolean {
  return author === 'human' && (edit === null || edit === 'none');
}

/** A model's, from the paper alone. */
export function isWhole({ author, source }: Pick<ReviewScores, 'author' | 'source'>): boolean {
  return author === 'model' && (source === null || source === 'paper');
}

/**
 * By what the reviews say of themselves (`calibration`, and any other subset tests). Where none says so, half of the
 * papers calibrates: all reviews of a paper fall on one side.
 *
 * @param half whether a paper belongs to the half that calibrates
 */
export function splitReviews(
  reviews: readonly ReviewScores[],
  half: (paper: string) => boolean,
): ReviewSplit {
  const told = reviews.some(({ subset }) => subset === 'calibration');
  const calibrates = (one: ReviewScores) => (told ? one.subset === 'calibration' : half(one.paper));
  return {
    calibration: reviews.filter((one) => calibrates(one) && isHuman(one)),
    test: reviews.filter((one) => !calibrates(one)),
    split: told
      ? 'as the reviews say of themselves'
      : 'by paper, one half to calibrate and the other to test, since no review says which it is for',
  };
}

/** Numbers of one method, highest first; people count with the highest that theirs could be. */
export function listHumanScores(reviews: readonly ReviewScores[], method: string): number[] {
  return reviews.flatMap(({ scores }) => scores[method]?.high ?? []).sort((a, b) => b - a);
}
