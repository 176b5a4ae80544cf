/** Reasoning that an endpoint returns beside the answer, for replies that have some. */
import type { JudgeReply } from './types.ts';

/** @param said of the first choice, however many pieces it came in; empty for none */
export function toReasoningPart(said: string): Pick<JudgeReply, 'reasoning'> {
  return said.trim() === '' ? {} : { reasoning: said };
}
