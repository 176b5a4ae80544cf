/** One review of one paper under one profile: the rating that the judge wrote, the one that it leans to, and its record. */
import * as z from 'zod';
import { type ReviewedPaper, renderRating, renderReview } from '../../../prompts/index.ts';
import { InputError } from '../../errors.ts';
import { JudgeError } from '../../http/index.ts';
import { type Model, settleAll } from '../../models/index.ts';
import {
  averageSampledRatings,
  computeSoftRating,
  createNoSoftRating,
  type SoftRatingResult,
} from '../soft-rating.ts';
import type { Paper } from './paper.ts';
import type { Profile } from './profiles.ts';

/** How the soft rating is come by. */
type SoftRatingMethod =
  | { readonly by: 'logprobs' }
  /** The judge with a temperature, asked for the rating alone so many times. */
  | { readonly by: 'samples'; readonly samples: number; readonly sampler: Model }
  | { readonly by: 'nothing' };

interface RatedReview {
  /** The reply, as it came. */
  readonly text: string;
  /** The rating it writes, 1 to 10; null where none could be read. */
  readonly hard: number | null;
  /** Why none could be read; null where one was. */
  readonly unread: 'no-rating' | 'contradictory' | 'truncated' | null;
  readonly soft: SoftRatingResult;
}

/** Rejects as the model does. */
async function reviewPaper(
  { judge, softly, threshold }: Reviewer,
  paper: ReviewedPaper,
  signal: AbortSignal,
): Promise<RatedReview> {
  const { text, finish, sampled } = await judge.ask(renderReview(paper, threshold), signal);
  const read = readRating(text, finish);
  if (read.hard === null) return { text, ...read, soft: createNoSoftRating('the review has no rating') };
  switch (softly.by) {
    case 'logprobs':
      return { text, ...read, soft: computeSoftRating(sampled, read.hard) };
    case 'samples': {
      const { samples, sampler } = softly;
      const question = renderRating(paper, commentsOf(text), threshold);
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
  /** Whether the paper's text named authors, which were taken out. */
  own_authors: z.boolean().default(false),
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

/**
 * One review before all others: whether a judge gives log-probabilities is known only from a reply, and a run of
 * thousands is no way to find out. It is one of the run's own reviews, so where calls are stored it is paid for once.
 */
const OTHERWISE = 'ask for --soft samples (estimated from sampled ratings) or --soft none';

/**
 * @param asked whether log-probabilities were asked for in so many words, so that going on without is no answer
 * @throws InputError where the judge refuses a request for them, or gives none though they were asked for
 */
export async function tryReviewer(
  reviewer: Reviewer,
  paper: ReviewedPaper,
  asked: boolean,
  signal: AbortSignal,
): Promise<void> {
  const { judge, softly } = reviewer;
  if (softly.by !== 'logprobs') return;
  try {
    const { hard, soft } = await reviewPaper(reviewer, paper, signal);
    // A review that has no rating says nothing of the endpoint.
    if (!asked || hard === null || soft.from !== null) return;
    throw new InputError('--soft', `${judge.name}: ${soft.reason}; ${OTHERWISE}`);
  } catch (cause) {
    if (!(cause instanceof JudgeError)) throw cause;
    // Any other failure is the review's own, and is told with it.
    const why = refusal(cause);
    if (!/log_?prob|top_n_tokens/i.test(why)) return;
    throw new InputError(
      '--soft',
      `${judge.name} refuses log-probabilities (${why}); ask for fewer (--top-logprobs), or ${OTHERWISE}`,
    );
  }
}

/** What an endpoint says to a request that is wrong; empty for any other failure. */
function refusal({ status, message }: JudgeError): string {
  return status !== null && status >= 400 && status <= 422 ? message : '';
}

export interface Reviewer {
  readonly judge: Model;
  readonly softly: SoftRatingMethod;
  /** The least rating at which a paper is accepted; the reviewer is told. */
  readonly threshold: number;
}

/** One paper for one judge under one profile: a call, and one for each sample of the rating. */
interface ReviewTask {
  readonly paper: Paper;
  readonly reviewer: Reviewer;
  readonly profile: Profile;
}

/** Rejects as the model does. */
export async function askReview(task: ReviewTask, signal: AbortSignal): Promise<AuthorReviewRecord> {
  const { paper, reviewer, profile } = task;
  const said = await reviewPaper(reviewer, applyProfile(paper, profile), signal);
  return { ...headOf(task), ...flattenRating(said), error: null };
}

export function createFailedReview(task: ReviewTask, { message }: Error): AuthorReviewRecord {
  const none = { hard: null, unread: null, soft: null, no_soft: null, text: null };
  return { ...headOf(task), ...none, error: message };
}

function headOf({ paper, reviewer, profile }: ReviewTask) {
  return {
    paper: paper.id,
    judge: reviewer.judge.name,
    dimension: profile.dimension,
    profile: profile.id,
    side: profile.side,
    stratum: profile.stratum,
    institution: profile.institution,
    own_authors: paper.ownAuthors,
    accepted: paper.accepted,
    field: paper.field,
  };
}

function flattenRating({ text, hard, unread, soft }: RatedReview) {
  if (soft.from === null) return { text, hard, unread, soft: null, no_soft: soft.reason };
  const { from, value } = soft;
  const { low, high, missing } = from === 'logprobs' ? soft : { low: value, high: value, missing: 0 };
  return { text, hard, unread, soft: { from, value, low, high, missing }, no_soft: null };
}

/** A paper as its reviewer sees it under a profile. */
export function applyProfile({ title, text }: Paper, { block }: Profile): ReviewedPaper {
  return { title, text, authors: block };
}
