/** One review of one paper under one profile: the rating that the judge wrote, and the one that it leans to. */
import * as z from 'zod';
import { type ReviewedPaper, renderRating, renderReview } from '../../../prompts/index.ts';
import { type Model, settleAll } from '../../models/index.ts';
import {
  averageSampledRatings,
  computeSoftRating,
  createNoSoftRating,
  type SoftRatingResult,
} from '../soft-rating.ts';

/** How the soft rating is come by. */
export type SoftRatingMethod =
  | { readonly by: 'logprobs' }
  /** The judge with a temperature, asked for the rating alone so many times. */
  | { readonly by: 'samples'; readonly samples: number; readonly sampler: Model }
  | { readonly by: 'nothing' };

export interface RatedReview {
  /** The reply, as it came. */
  readonly text: string;
  /** The rating it writes, 1 to 10; null where none could be read. */
  readonly hard: number | null;
  /** Why none could be read; null where one was. */
  readonly unread: 'no-rating' | 'contradictory' | 'truncated' | null;
  readonly soft: SoftRatingResult;
}

/** Rejects as the model does. */
export async function reviewPaper(
  judge: Model,
  paper: ReviewedPaper,
  softly: SoftRatingMethod,
  signal: AbortSignal,
): Promise<RatedReview> {
  const { text, finish, sampled } = await judge.ask(renderReview(paper), signal);
  const read = readRating(text, finish);
  if (read.hard === null) return { text, ...read, soft: createNoSoftRating('the review has no rating') };
  switch (softly.by) {
    case 'logprobs':
      return { text, ...read, soft: computeSoftRating(sampled, read.hard) };
    case 'samples': {
      const { samples, sampler } = softly;
      const question = renderRating(paper, commentsOf(text));
      const asked = await settleAll(
        Array.from({ length: samples }, (_, attempt) => sampler.ask({ ...question, attempt }, signal)),
      );
      return {
        text,
        ...read,
        soft: averageSampledRatings(asked.map((one) => readRating(one.text, one.finish).hard)),
      };
    }
    case 'nothing':
      return { text, ...read, soft: createNoSoftRating('not asked for') };
  }
}

/** A line that is nothing but a rating, emphasised or not, out of ten or not. */
const LINE = /^[\s*_#>"']*rating["'*_\s]*:["'*_\s]*(10|[1-9])(?:\s*\/\s*10)?[\s*_"'.]*$/i;
/** Finish reasons of the protocols for a reply that was cut off. */
const CUT = /^(?:length|max_tokens|MAX_TOKENS|incomplete|max_output_tokens)$/;

/** @param finish the protocol's finish reason; null for none */
export function readRating(text: string, finish: string | null): Pick<RatedReview, 'hard' | 'unread'> {
  if (finish !== null && CUT.test(finish)) return { hard: null, unread: 'truncated' };
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const ratings = new Set(lines.flatMap((line) => LINE.exec(line)?.[1] ?? []));
  const last = LINE.exec(lines.at(-1) ?? '')?.[1];
  if (last === undefined) return { hard: null, unread: 'no-rating' };
  return ratings.size > 1 ? { hard: null, unread: 'contradictory' } : { hard: Number(last), unread: null };
}

/** The review less its last line, the rating. */
function commentsOf(text: string): string {
  return text.trimEnd().split('\n').slice(0, -1).join('\n').trim();
}

/** A review as `reviews.jsonl` has it, one a line, in the order of papers, judges, dimensions and profiles. */
export const authorReviewRecord = z.object({
  paper: z.string(),
  judge: z.string(),
  dimension: z.enum(['affiliation', 'gender', 'seniority', 'publications']),
  profile: z.string(),
  side: z.union([z.literal(0), z.literal(1)]),
  stratum: z.string(),
  institution: z.string(),
  accepted: z.boolean().nullable(),
  field: z.string().nullable(),
  hard: z.int().min(1).max(10).nullable(),
  unread: z.string().nullable(),
  /** Its value to two decimals, and between which values it lies; null where there is none. */
  soft: z
    .object({
      from: z.enum(['logprobs', 'samples']),
      value: z.number(),
      low: z.number(),
      high: z.number(),
      missing: z.number(),
    })
    .nullable(),
  /** Why there is no soft rating; null where there is one. */
  no_soft: z.string().nullable(),
  text: z.string().nullable(),
  /** What went wrong, in words; null where nothing did. */
  error: z.string().nullable(),
});
export type AuthorReviewRecord = z.output<typeof authorReviewRecord>;
