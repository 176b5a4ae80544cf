/** Reads the verdict from a judge's answer, and checks whether a re-judgment can take the first reply's place. */
import type { JudgeReply } from '../../adapters/index.ts';
import {
  type Case,
  type Checkpoint,
  companionsAgree,
  formKindOf,
  isFromQuote,
  isNone,
  keepsPlace,
  type NoVerdictReason,
  ReadingTooLongError,
  readWeighed,
  sameVerdict,
  standsInFor,
  type Verdict,
  type VerdictForm,
} from '../case/index.ts';

/** Characters of all texts of a reply in which a verdict is looked for: some 200,000 words. */
const LONGEST_SAID = 1 << 20;

interface ReadAnswer {
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
  const weighed = comparable ? verdicts : verdicts.map(withoutWeights);
  return {
    verdict: verdictOf(weighed, read.finish, subject.form),
    unread: verdicts.filter(isNone).length,
  };
}

/** One for each text; where they are too long, or reading them takes too long, none for all of them. */
function verdictsIn(
  { texts, sampled, tooLong = false }: JudgeReply,
  subject: Case,
  checkpoint: Checkpoint,
): Verdict[] {
  const { form, options } = subject;
  const none = (reason: NoVerdictReason): Verdict[] =>
    (texts.length > 0 ? texts : ['']).map((text) => ({ text, kind: 'none', reason }));
  if (tooLong || texts.reduce((sum, { length }) => sum + length, 0) > LONGEST_SAID) return none('too-long');
  try {
    return texts.map((text, i) => {
      const verdict = readWeighed(text, sampled?.[i] ?? null, form, options, checkpoint);
      // The client may read either of the two.
      return isFromQuote(verdict, subject, checkpoint)
        ? { text, kind: 'none', reason: 'contradictory' }
        : verdict;
    });
  } catch (error) {
    if (error instanceof ReadingTooLongError) return none('over-time');
    throw error;
  }
}

/** Without what cannot be compared with the verdict on the case as it came. */
function withoutWeights<V extends Verdict>(verdict: V): V {
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

export interface ReplyForm extends Pick<JudgeReply, 'finish' | 'finishes' | 'shape' | 'texts'> {
  /** Choices from which no verdict could be read. */
  readonly unread: number;
}

/** What the request says about the reply's form. */
interface ReplyDemand {
  readonly form: VerdictForm;
  /** JSON schema of the reply; null where there is none. */
  readonly schema: unknown;
}

/**
 * @param first the judge's first reply; null where there is none to compare with
 * @returns the verdict, or none where the reply could not stand in for the first
 */
export function checkVerdict(
  verdict: Verdict,
  reply: ReplyForm,
  first: ReplyForm | null,
  demand: ReplyDemand,
): Verdict {
  if (isNone(verdict) || first === null) return verdict;
  const flaw = flawOf(reply, first, demand);
  return flaw === null ? verdict : { text: verdict.text, kind: 'none', reason: flaw };
}

function flawOf(reply: ReplyForm, first: ReplyForm, { form, schema }: ReplyDemand): NoVerdictReason | null {
  const ends = endsOf(reply).map((now, choice) => ({ now, before: endsOf(first)[choice] ?? null }));
  if (ends.some(({ now, before }) => now === 'length' && before !== 'length')) return 'truncated';
  if (reply.shape !== first.shape || !ends.every(({ now, before }) => endsLike(now, before)))
    return 'malformed';
  if (reply.texts.length !== first.texts.length || reply.unread > first.unread) return 'malformed';
  const kept = reply.texts.every((text, choice) => {
    const before = first.texts[choice] ?? '';
    return (
      keepsPlace(text, before, form) &&
      standsInFor(text, before, schema) &&
      companionsAgree(text, before, form)
    );
  });
  return kept ? null : 'malformed';
}

/** Of every choice: a client reads all of them. */
const endsOf = ({ finish, finishes }: ReplyForm) => finishes ?? [finish];

/** The protocols' words for a reply that was said to its end. */
const SAID = ['stop', 'end_turn', 'stop_sequence', 'STOP', 'eos', 'eos_token'];

/** Some clients refuse a reply by its finish reason (ragas takes `stop` alone). */
function endsLike(finish: string | null, first: string | null): boolean {
  if (finish === first || first === 'length') return true;
  return finish !== null && SAID.includes(finish) && (first === null || SAID.includes(first));
}
