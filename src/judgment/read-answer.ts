/** Reads the verdict from a judge's answer: of one text, or of the several that a client asked for at once. */
import type { JudgeReply } from '../../adapters/index.ts';
import {
  type Case,
  type Checkpoint,
  formKindOf,
  isNone,
  type NoVerdictReason,
  ReadingTooLongError,
  readWeighed,
  sameVerdict,
  type Verdict,
  type VerdictForm,
} from '../case/index.ts';

/** Characters of all texts of a reply in which a verdict is looked for: some 200,000 words. */
const LONGEST_SAID = 1 << 20;

export interface ReadAnswer {
  readonly verdict: Verdict;
  /** Texts from which no verdict could be read. */
  readonly unread: number;
}

/**
 * @param comparable whether log-probabilities can be compared with those of the client's own reply; otherwise they are
 *   left out
 * @param checkpoint is called between the steps and may end the reading
 */
export function readAnswer(
  read: JudgeReply,
  subject: Case,
  { comparable, checkpoint }: { readonly comparable: boolean; readonly checkpoint: Checkpoint },
): ReadAnswer {
  const verdicts = verdictsIn(read, subject, checkpoint);
  const weighed = comparable ? verdicts : verdicts.map(unweighed);
  return {
    verdict: verdictOf(weighed, read.finish, subject.form),
    unread: verdicts.filter(isNone).length,
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
