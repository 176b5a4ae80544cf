/**
 * Puts the loop's questions to a judge, however it is reached: each becomes edits of the client's request, and
 * the reply a verdict that can stand in for the first one.
 */
import type { JudgeReply } from '../../adapters/types.ts';
import { CATALOGUE } from '../bias/index.ts';
import type { Bias } from '../bias/types.ts';
import { sameVerdict } from '../case/counterfactual.ts';
import type { Case, Verdict } from '../case/types.ts';
import { readWeighed } from '../case/verdict/weighed.ts';
import { BudgetError } from './errors.ts';
import { type QuestionEdits, questionEdits } from './question.ts';
import { soundVerdict } from './sound.ts';
import type { Answer, Ask, CallKind } from './types.ts';

/** What a judge said: the reply to hand on, and what is read from it. */
export interface Said<Reply> {
  readonly reply: Reply;
  readonly read: JudgeReply;
}

/** Makes one call. `changes` is null where the client's own request is to go out as it came. */
export type Put<Reply> = (
  kind: CallKind,
  changes: QuestionEdits | null,
  signal: AbortSignal,
) => Promise<Said<Reply>>;

/**
 * An `Ask` for one judgment: it remembers the first reply, whose shape every re-judgment must have.
 *
 * @param biases where the definitions come from that go with a remand
 */
export function createAsk<Reply>(
  subject: Case,
  put: Put<Reply>,
  biases: readonly Bias[] = CATALOGUE,
): Ask<Reply> {
  let first: JudgeReply | null = null;
  return async function ask(question, signal) {
    const { kind } = question;
    const changes = questionEdits(question, subject, biases);
    const once = async (): Promise<Answer<Reply>> => {
      const { reply, read } = await put(kind, changes, signal);
      if (kind === 'judge') first = read;
      const verdict = verdictOf(read, subject);
      return { verdict: kind === 'remand' ? soundVerdict(verdict, read, first) : verdict, reply };
    };
    const answer = await once();
    if (kind !== 'remand' || answer.verdict.kind !== 'none') return answer;
    // A judge that slipped out of its form gets one more try at it.
    return once().catch((error: unknown) => {
      if (error instanceof BudgetError) return answer;
      throw error;
    });
  };
}

/** With several choices (`n` above 1) there is a verdict only where they agree. */
function verdictOf({ texts, sampled, finish }: JudgeReply, { form, options }: Case): Verdict {
  const [first, ...rest] = texts.map((text, i) => readWeighed(text, sampled?.[i] ?? null, form, options));
  if (!first) return { text: '', kind: 'none', reason: 'empty' };
  if (first.kind === 'none' && finish === 'length') return { ...first, reason: 'truncated' };
  const agree = rest.every((verdict) => sameVerdict(verdict, first));
  return agree ? first : { text: first.text, kind: 'none', reason: 'contradictory' };
}
