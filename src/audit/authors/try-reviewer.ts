/**
 * One review before all others: whether a judge gives log-probabilities is known only from a reply, and a run of
 * thousands is no way to find out. It is one of the run's own reviews, so where calls are stored it is paid for once.
 */

import type { ReviewedPaper } from '../../../prompts/index.ts';
import { InputError } from '../../errors.ts';
import { JudgeError } from '../../http/index.ts';
import { reviewPaper } from './review-paper.ts';
import type { Reviewer } from './review-task.ts';

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
