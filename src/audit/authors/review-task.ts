/** A review of a paper under a profile as a record. */
import type { ReviewedPaper } from '../../../prompts/index.ts';
import { InputError } from '../../errors.ts';
import { JudgeError } from '../../http/index.ts';
import type { Model } from '../../models/index.ts';
import type { Paper } from './paper.ts';
import type { Profile } from './profiles.ts';
import {
  type AuthorReviewRecord,
  type RatedReview,
  reviewPaper,
  type SoftRatingMethod,
} from './review-paper.ts';

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
  { judge, softly }: Reviewer,
  paper: ReviewedPaper,
  asked: boolean,
  signal: AbortSignal,
): Promise<void> {
  if (softly.by !== 'logprobs') return;
  try {
    const { hard, soft } = await reviewPaper(judge, paper, softly, signal);
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
  const said = await reviewPaper(reviewer.judge, applyProfile(paper, profile), reviewer.softly, signal);
  return { ...headOf(task), ...written(said), error: null };
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
    accepted: paper.accepted,
    field: paper.field,
  };
}

function written({ text, hard, unread, soft }: RatedReview) {
  if (soft.from === null) return { text, hard, unread, soft: null, no_soft: soft.reason };
  const { from, value } = soft;
  const { low, high, missing } = from === 'logprobs' ? soft : { low: value, high: value, missing: 0 };
  return { text, hard, unread, soft: { from, value, low, high, missing }, no_soft: null };
}

/** A paper as its reviewer sees it under a profile. */
export function applyProfile({ title, text }: Paper, { block }: Profile): ReviewedPaper {
  return { title, text, authors: block };
}
