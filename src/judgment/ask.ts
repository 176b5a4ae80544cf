/**
 * Puts the loop's questions to a judge, however it is reached: each becomes edits of the client's request, and
 * the reply a verdict that can stand in for the first one.
 */
import type { JudgeReply } from '../../adapters/index.ts';
import { type Bias, CATALOGUE } from '../bias/index.ts';
import { type Checkpoint, ReadingTooLongError, unlimited } from '../case/checkpoint.ts';
import type { Case, NoVerdictReason, Verdict, VerdictForm } from '../case/types.ts';
import { formKindOf, isNone, sameVerdict } from '../case/verdicts/index.ts';
import { readWeighed } from '../case/weighing/weighed.ts';
import { BudgetError } from '../http/judge-errors.ts';
import type { Answer, Ask } from '../loop/index.ts';
import type { CallBytes } from '../models/ledger.ts';
import type { CallKind } from '../ports.ts';
import { checkVerdict, type ReplyForm } from './check-verdict.ts';
import { createQuestionEdits, type QuestionEdits } from './question.ts';

/** What a judge said: the reply to hand on, and what is read from it. */
export interface JudgeAnswer<Reply> {
  readonly reply: Reply;
  readonly read: JudgeReply;
  /** How long request and reply were, where that is known. */
  readonly bytes?: () => CallBytes;
}

/** Makes one call. `changes` is null where the client's own request is to go out as it came. */
export type Put<Reply> = (
  kind: CallKind,
  changes: QuestionEdits | null,
  signal: AbortSignal,
) => Promise<JudgeAnswer<Reply>>;

/** Characters of all texts of a reply in which a verdict is looked for: some 200,000 words. */
const LONGEST_SAID = 1 << 20;

/**
 * An `Ask` for one judgment: it remembers the first reply, whose form every re-judgment must have.
 *
 * @param options.schema JSON schema of the reply that the request demands; null where it demands none
 * @param options.tempered whether probes' log-probabilities may be on another scale than the client's own reply's
 * @param options.beginReading begins the reading of a reply: what it gives is called between the steps and may end it
 * @param options.biases where the definitions come from that go with a remand
 */
export function createAsk<Reply>(
  subject: Case,
  put: Put<Reply>,
  {
    schema = null,
    biases = CATALOGUE,
    tempered = false,
    beginReading = () => unlimited,
  }: {
    readonly schema?: unknown;
    readonly biases?: readonly Bias[];
    readonly tempered?: boolean;
    readonly beginReading?: (() => Checkpoint) | undefined;
  } = {},
): Ask<Reply> {
  const { form } = subject;
  let first: ReplyForm | null = null;
  return async function ask(question, signal) {
    const { kind } = question;
    const changes = createQuestionEdits(question, subject, biases);
    const once = async (): Promise<Answer<Reply>> => {
      const { reply, read } = await put(kind, changes, signal);
      const verdicts = verdictsIn(read, subject, beginReading());
      const steady = changes?.steady ?? false;
      const verdict = verdictOf(tempered && steady ? verdicts.map(unweighed) : verdicts, read.finish, form);
      const unread = verdicts.filter(isNone).length;
      const now: ReplyForm = { ...read, unread };
      if (kind === 'judge') first = now;
      const sound = kind === 'remand' ? checkVerdict(verdict, now, first, { form, schema }) : verdict;
      return { verdict: sound, reply };
    };
    const answer = await once();
    if (kind !== 'remand' || !isNone(answer.verdict)) return answer;
    // A judge that slipped out of its form gets one more try at it.
    return once().catch((error: unknown) => {
      if (error instanceof BudgetError) return answer;
      throw error;
    });
  };
}

/** One for each text; where they are too long, or reading them takes too long, none for all of them. */
function verdictsIn(
  { texts, sampled, tooLong = false }: JudgeReply,
  { form, options }: Case,
  checkpoint: Checkpoint,
): Verdict[] {
  const none = (reason: NoVerdictReason): Verdict[] =>
    (texts.length > 0 ? texts : ['']).map((text) => ({ text, kind: 'none', reason }));
  if (tooLong || texts.reduce((sum, { length }) => sum + length, 0) > LONGEST_SAID) return none('too-long');
  try {
    return texts.map((text, i) => readWeighed(text, sampled?.[i] ?? null, form, options, checkpoint));
  } catch (error) {
    if (error instanceof ReadingTooLongError) return none('over-time');
    throw error;
  }
}

/** Without what cannot be compared with the verdict on the case as it came. */
function unweighed<V extends Verdict>(verdict: V): V {
  const weights = { spread: undefined, probability: undefined, missing: undefined };
  const {
    spread: _spread,
    probability: _probability,
    missing: _missing,
    ...rest
  } = { ...weights, ...verdict };
  // Each of the three is optional in every kind that has it.
  return rest as V;
}

/**
 * Of several choices (`n` above 1) what the client is known to make of them (the mean of their scores); otherwise the
 * verdict of more than half of them, unreadable ones counted. Where no verdict is that of most, there is none.
 */
function verdictOf(verdicts: readonly Verdict[], finish: string | null, form: VerdictForm): Verdict {
  const [first] = verdicts;
  if (!first) return { text: '', kind: 'none', reason: 'empty' };
  const combined = formKindOf(form).combine?.(verdicts, form);
  if (combined) return { text: first.text, ...combined };
  const most = verdicts.find(
    (one) => verdicts.filter((other) => sameVerdict(one, other)).length * 2 > verdicts.length,
  );
  if (most) return most;
  const read = verdicts.find((one) => !isNone(one));
  if (read) return { text: read.text, kind: 'none', reason: 'contradictory' };
  return isNone(first) && finish === 'length' ? { ...first, reason: 'truncated' } : first;
}
