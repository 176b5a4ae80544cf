/** A submission with its reviews and rebuttals, as a line of JSONL says it. */
import * as z from 'zod';
import type { PaperReview, Rebuttal, Submission } from '../../bias/index.ts';
import { formatReviewFields } from './review-fields.ts';

const text = z.string().trim().min(1);
const id = z.union([text, z.number().transform(String)]);
/** As text, or by its fields: summary, strengths, weaknesses, questions, ratings. */
const review = z
  .union([z.string().transform((own) => ({ text: own })), z.looseObject({ id: id.nullish() })])
  .transform((one: Readonly<Record<string, unknown>>, context) => {
    const own = typeof one.text === 'string' ? one.text : formatReviewFields(one);
    if (typeof one.text !== 'string' && own === '')
      context.addIssue('a review needs `text`, or fields such as `weaknesses` and `rating`');
    return { id: typeof one.id === 'string' ? one.id : null, text: own };
  });
const rebuttal = z.union([
  z.string().transform((own): Rebuttal => ({ to: null, text: own })),
  z
    .looseObject({ to: id.nullish(), text: z.string() })
    .transform((one): Rebuttal => ({ to: one.to ?? null, text: one.text })),
]);

/** Fields that are not known are left alone. */
export const submissionLine = z
  .looseObject({
    id,
    title: text,
    text: z.string(),
    reviews: z.array(review).default([]),
    rebuttals: z.array(rebuttal).optional(),
    rebuttal: rebuttal.nullish(),
  })
  .transform(
    ({ id: own, title, text: paper, reviews, rebuttals, rebuttal: single }): Submission => ({
      ...{ id: own, title, paper, reviews: named(reviews) },
      rebuttals: rebuttals ?? (single ? [single] : []),
    }),
  );

/** Reviews without a name get their place as one; two of one name, too. */
function named(reviews: readonly { readonly id: string | null; readonly text: string }[]): PaperReview[] {
  const unique = new Set(reviews.map((one) => one.id)).size === reviews.length;
  return reviews.map((one, at) => ({ id: unique && one.id !== null ? one.id : `${at + 1}`, text: one.text }));
}
