/** Submissions with their reviews and rebuttals: JSONL, or OpenReview's JSON export of forums. For Node. */
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import * as z from 'zod';
import type { PaperReview, Rebuttal, Submission } from '../../bias/review/index.ts';
import { InputError } from '../../case/errors.ts';
import { readJsonl } from '../../records/jsonl.ts';
import { forums, submissionOf } from './openreview.ts';
import { reviewText } from './review-fields.ts';

const text = z.string().trim().min(1);
const id = z.union([text, z.number().transform(String)]);
/** As text, or by its fields: summary, strengths, weaknesses, questions, ratings. */
const review = z
  .union([z.string().transform((own) => ({ text: own })), z.looseObject({ id: id.nullish() })])
  .transform((one: Readonly<Record<string, unknown>>, context) => {
    const own = typeof one.text === 'string' ? one.text : reviewText(one);
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

const line = z
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

/**
 * @param option named in errors
 * @throws InputError naming the file and what is wrong with it, two submissions of one id included
 */
export async function* readSubmissions(path: string, option: string): AsyncGenerator<Submission> {
  const seen = new Set<string>();
  for await (const one of submissionsIn(path, option)) {
    if (seen.has(one.id)) throw new InputError(option, `${path}: a second submission has the id ${one.id}`);
    seen.add(one.id);
    yield one;
  }
}

async function* submissionsIn(path: string, option: string): AsyncGenerator<Submission> {
  const kind = extname(path).toLowerCase();
  if (kind === '.jsonl') return yield* readJsonl(path, line, option);
  if (kind !== '.json') throw new InputError(option, `${path} is neither .jsonl nor .json`);
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    throw new InputError(option, `${path}: ${cause instanceof Error ? cause.message : cause}`);
  }
  const { data } = forums.safeParse(value);
  if (!data)
    throw new InputError(
      option,
      `${path} is no OpenReview export: a list of notes, each with id, content.title and details.replies`,
    );
  yield* data.map(submissionOf);
}
