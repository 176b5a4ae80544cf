/**
 * Whether a re-judgment can take the first reply's place: the client's parser expects a reply of the same shape
 * (as many choices, log-probabilities, the forced function), that was not cut off, with a verdict in it.
 */
import type { JudgeReply } from '../../adapters/types.ts';
import type { Verdict } from '../case/types.ts';

export type Form = Pick<JudgeReply, 'finish' | 'shape'>;

/**
 * @param first the judge's first reply; null where there is none to compare with
 * @returns the verdict, or none where the reply could not stand in for the first
 */
export function soundVerdict(verdict: Verdict, reply: Form, first: Form | null): Verdict {
  if (verdict.kind === 'none' || first === null) return verdict;
  const cut = reply.finish === 'length' && first.finish !== 'length';
  if (cut) return { text: verdict.text, kind: 'none', reason: 'truncated' };
  return reply.shape === first.shape ? verdict : { text: verdict.text, kind: 'none', reason: 'malformed' };
}
