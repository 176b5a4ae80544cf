/**
 * Whether a re-judgment can take the first reply's place: the client's parser expects a reply of the same shape
 * (as many choices, log-probabilities, the forced function), that ended as the first did, with a verdict in every
 * choice, each where the first reply had its own.
 */
import type { JudgeReply } from '../../adapters/index.ts';
import {
  companionsAgree,
  isNone,
  keepsPlace,
  type NoVerdictReason,
  standsInFor,
  type Verdict,
  type VerdictForm,
} from '../case/index.ts';

export interface ReplyForm extends Pick<JudgeReply, 'finish' | 'finishes' | 'shape' | 'texts'> {
  /** Choices from which no verdict could be read. */
  readonly unread: number;
}

/** What the request says about the reply's form. */
export interface ReplyDemand {
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
