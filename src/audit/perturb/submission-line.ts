/** A submission with its reviews and rebuttals, as a line of JSONL says it. */
import * as z from 'zod';
import type { PaperReview, Rebuttal, Submission } from '../../bias/index.ts';

/** A review that comes as fields, as text: headed sections, then a line for each rating. */
const PROSE = [
  'summary',
  'summary_of_the_paper',
  'main_review',
  'review',
  'strengths',
  'strength',
  'strengths_and_weaknesses',
  'weaknesses',
  'weakness',
  'questions',
  'limitations',
];
const RATINGS = ['soundness', 'presentation', 'contribution', 'rating', 'recommendation', 'confidence'];

/** @returns empty where it has none of the fields that reviews have */
export function formatReviewFields(fields: Readonly<Record<string, unknown>>): string {
  const named = (name: string): string => {
    const value = fields[name];
    const bare = typeof value === 'object' && value !== null && 'value' in value ? value.value : value;
    if (Array.isArray(bare)) return bare.map((one) => `- ${one}`).join('\n');
    return typeof bare === 'string' || typeof bare === 'number' ? String(bare).trim() : '';
  };
  const title = (name: string) => name.slice(0, 1).toUpperCase() + name.slice(1).replaceAll('_', ' ');
  const present = (names: readonly string[]) => names.filter((name) => named(name) !== '');
  const prose = present(PROSE).map((name) => `## ${title(name)}\n${named(name)}`);
  const ratings = present(RATINGS).map((name) => `${title(name)}: ${named(name)}`);
  return [...prose, ...(ratings.length > 0 ? [ratings.join('\n')] : [])]
    .map((block) => `${block}\n`)
    .join('\n');
}

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
