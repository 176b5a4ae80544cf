/** A review and who wrote it, as far as that is known: the record that the audit reads, and which reviews calibrate or test. */
import * as z from 'zod';

/** How much of a review by a person a model rewrote, from least to most (arXiv 2502.19614 §5). */
export const EDIT_EXTENTS = ['none', 'minimum', 'moderate', 'extensive', 'maximum'] as const;
export type EditExtent = (typeof EDIT_EXTENTS)[number];

/** What a model's review was made from: the paper, a person's review (edited), or a person's bullet points. */
const SOURCES = ['paper', 'edit', 'bullets'] as const;

const text = z.string().min(1);

export const reviewRecord = z.object({
  id: text,
  /** The paper's id, as the papers have it. */
  paper: text,
  /** Conference and year as one word, such as `iclr2021`; null where it is not known. */
  venue: text.nullable().default(null),
  /** `calibration`, `test` or another part of a dataset; null for none. */
  subset: text.nullable().default(null),
  /** Null for a review whose author is the question. */
  author: z.enum(['human', 'model']).nullable(),
  /** Which model wrote or edited it; null for none. */
  model: text.nullable().default(null),
  /** Of a model's review; `paper` where nothing else is said. */
  source: z.enum(SOURCES).nullable().default(null),
  edit: z.enum(EDIT_EXTENTS).nullable().default(null),
  /** The id of the review by a person that it was made from. */
  of: text.nullable().default(null),
  /** The manner that a model was asked to review in. */
  archetype: text.nullable().default(null),
  rating: z.number().nullable().default(null),
  text: z.string(),
});
export type Review = z.output<typeof reviewRecord>;

/**
 * A score higher for what is likelier a model's. Between `low` and `high` where an endpoint does not say enough; both
 * are the same where it does.
 */
export interface ScoreRange {
  readonly low: number;
  readonly high: number;
}

/** A review's scores, without its text: what the figures are made of. */
export interface ReviewScores extends Omit<Review, 'text'> {
  /** By method. */
  readonly scores: Readonly<Record<string, ScoreRange>>;
}

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
