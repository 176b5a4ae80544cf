/**
 * A second judge for what the first one leaves open. It is asked once, by the same runner, and its verdict goes out in the
 * first one's reply, so that the client reads one reply in its own form.
 */
import {
  type Case,
  companionsAgree,
  isNone,
  keepsPlace,
  sameVerdict,
  standsInFor,
  type Verdict,
  writeVerdict,
  writtenLike,
} from '../case/index.ts';
import { describeError } from '../errors.ts';
import { type EscalationResult, explainNoVerdict, inHundredths, type Outcome } from '../loop/index.ts';
import type { Call, Tokens } from '../ports.ts';

/** Whether a second judge is asked: the first one is unsure, insisted on a verdict found biased, or came to none that holds. */
export function needsSecondJudge({ status, confidence }: Outcome<unknown>, below: number): boolean {
  if (status === 'insisted' || status === 'unresolved' || status === 'unsure') return true;
  if (status !== 'unchanged' && status !== 'revised') return false;
  return confidence !== null && inHundredths(confidence.probability ?? confidence.score) < below;
}

interface SecondRun {
  readonly model: string;
  /** Null where it failed. */
  readonly outcome: Outcome<unknown> | null;
  readonly cause?: unknown;
  readonly calls: readonly Call[];
}

/**
 * The outcome with what the second judge said of the case. Where it said nothing that can go out, the first one's answer
 * does, and `escalated` tells why.
 *
 * @param schema of the reply that the request demands; null where it demands none
 * @param hasOneText whether the first judge's reply holds one text: of several none can be replaced
 */
export function withSecondJudge<Reply>(
  outcome: Outcome<Reply>,
  subject: Case,
  schema: unknown,
  hasOneText: boolean,
  second: SecondRun,
): Outcome<Reply> {
  const told = { to: second.model, before: outcome.confidence, tokens: tokensOf(second.calls) };
  const left = (why: string, verdict: Verdict | null = null): Outcome<Reply> => ({
    ...outcome,
    escalated: { ...told, result: 'left', why, verdict, confidence: null },
  });
  if (second.outcome === null) return left(`it failed: ${describeError(second.cause)}`);
  const { final, status, confidence } = second.outcome;
  const { verdict } = final;
  if (isNone(verdict))
    return left(`its reply holds no verdict: ${explainNoVerdict(verdict.reason)}`, verdict);
  if (status === 'unsure' || status === 'insisted' || status === 'unresolved')
    return left(`its own verdict does not hold either (${status})`, verdict);
  const escalated: EscalationResult = { ...told, result: 'agreed', why: null, verdict, confidence };
  const decided = { ...outcome, status: 'escalated' as const, confidence, escalated };
  const { verdict: first } = outcome.final;
  if (sameVerdict(verdict, first)) return { ...decided, written: null };
  // A text of ours has no log-probabilities, and a client that reads them would read nothing.
  if ('spread' in first || 'probability' in first)
    return left('the first reply has log-probabilities, which another text would not have', verdict);
  const text = hasOneText ? textFor(verdict, first, subject, schema) : null;
  if (text === null) return left('its verdict cannot be put into the first reply', verdict);
  return {
    ...decided,
    written: { ...verdict, text },
    escalated: { ...escalated, result: 'overruled' },
  };
}

/** What to say in place of the first reply's text: the second judge's own words where they have the same form, else the verdict. */
function textFor(verdict: Verdict, first: Verdict, { form, options }: Case, schema: unknown): string | null {
  const stands = (text: string) =>
    keepsPlace(text, first.text, form) &&
    standsInFor(text, first.text, schema) &&
    companionsAgree(text, first.text, form);
  if (verdict.text.trim() !== '' && stands(verdict.text)) return verdict.text;
  const bare = writeVerdict(verdict, form, options);
  if (bare === null) return null;
  const written = writtenLike(bare, first.text);
  return standsInFor(written, first.text, schema) ? written : null;
}

function tokensOf(calls: readonly Call[]): Tokens | null {
  const all = calls.flatMap(({ tokens }) => tokens ?? []);
  return all.length === 0
    ? null
    : {
        input: all.reduce((sum, { input }) => sum + input, 0),
        output: all.reduce((sum, { output }) => sum + output, 0),
      };
}
