/**
 * A verdict read from what the judge could have said (its log-probabilities), not only from what it said.
 * alpaca_eval's weighted judge lets the judge say one token and compares the probabilities of `m` and `M`;
 * G-Eval (arXiv 2303.16634 §2) and DeepEval weigh a score by those of its digits.
 *
 * Which tokens are the verdict's, and what the judge could have said there, is found in could-say.ts.
 * Shares are those of the verdicts seen; how much of the probability is on none of them stands beside, with the
 * bounds that it leaves, for endpoints list the likeliest tokens only.
 */
import { type Checkpoint, ReadingTooLongError, unlimited } from '../checkpoint.ts';
import type { SampledToken, Verdict, VerdictForm } from '../types.ts';
import { readVerdict } from '../verdict.ts';
import { formKindOf, isNone, kindOf, sameVerdict } from '../verdicts/index.ts';
import type { Labelled } from '../verdicts/kind.ts';
import { couldSay, labelTokens, type Weighed } from './could-say.ts';

/**
 * Where the judge said something else, its labels are a verdict only if they are together at least so probable;
 * DeepEval, too, leaves out what is less.
 */
const LEAST = 0.01;
/** Probabilities of one place may exceed 1 together by their rounding, and by no more. */
const ROUNDING = 0.01;

/**
 * The verdict of a reply, with the probability of a choice or the spread of a score.
 * - One token is all there is (`max_tokens: 1`): the more probable label is the choice, whatever was sampled, for
 *   that is what such a client reads.
 * - Otherwise what is written is the verdict, since most clients read nothing else; so it is for scores, which
 *   keep their value and are compared by their expectation.
 * @param sampled the tokens of this reply; null where it has no log-probabilities
 * @param checkpoint called between the steps of the reading. What it throws ends the reading; where the written verdict
 *   is read by then, it goes without its probabilities
 */
export function readWeighed(
  text: string,
  sampled: readonly SampledToken[] | null,
  form: VerdictForm,
  options: Labelled,
  checkpoint: Checkpoint = unlimited,
): Verdict {
  const written = readVerdict(text, form, options, checkpoint);
  if (sampled === null || sampled.length === 0) return written;
  try {
    return readSampled(text, sampled, written, { form, options, checkpoint });
  } catch (error) {
    // What else could have been said is read once for each alternative; what was said is known without it.
    if (error instanceof ReadingTooLongError) return written;
    throw error;
  }
}

function readSampled(
  text: string,
  sampled: readonly SampledToken[],
  written: Verdict,
  {
    form,
    options,
    checkpoint,
  }: { readonly form: VerdictForm; readonly options: Labelled; readonly checkpoint: Checkpoint },
): Verdict {
  const tokens = endedWith(text, sampled);
  const read = (said: string) => readVerdict(said, form, options, checkpoint);
  if (formKindOf(form).takesLikeliest && tokens.length === 1 && tokens[0]?.text.trim() === text.trim()) {
    const all = couldSay(tokens, { first: 0, last: 0, before: '' }, form, options, read);
    return total(all) < LEAST ? written : addWeights({ ...likeliest(all, written), text }, all, '', form);
  }
  if (isNone(written)) return written;
  const at = labelTokens(tokens, written, form, options, read);
  if (at === null) return written;
  const lead = tokens.slice(0, at.first).map((token) => token.text);
  return addWeights(written, couldSay(tokens, at, form, options, read), lead.join(''), form);
}

/**
 * vLLM lists what ended a text (`</s>`, a stop sequence) behind it, and the text does not have it: there it says
 * nothing but that the text may end. What else could have stood there is kept.
 */
function endedWith(text: string, tokens: readonly SampledToken[]): readonly SampledToken[] {
  const said = tokens.map((token) => token.text).join('');
  const from = said.lastIndexOf(text);
  const end = from + text.length;
  if (from < 0 || end === said.length || text === '') return tokens;
  let start = 0;
  return tokens.map((token) => {
    const behind = start >= end;
    start += token.text.length;
    return behind ? withoutText(token) : token;
  });
}

function withoutText({ text, probability, likeliest }: SampledToken): SampledToken {
  const said = (other: string) => (other === text ? '' : other);
  return { text: '', probability, likeliest: likeliest.map((one) => ({ ...one, text: said(one.text) })) };
}

/** Several tokens may be one label: `m`, ` m`. */
function likeliest(all: readonly Weighed[], otherwise: Verdict): Verdict {
  const share = ({ verdict }: Weighed) => total(all.filter((one) => sameVerdict(one.verdict, verdict)));
  return all.toSorted((a, b) => share(b) - share(a))[0]?.verdict ?? otherwise;
}

/** A verdict with what its alternatives say of it. */
function addWeights(verdict: Verdict, all: readonly Weighed[], lead: string, form: VerdictForm): Verdict {
  const whole = total(all);
  if (whole === 0 || whole > 1 + ROUNDING) return verdict;
  // Less is the rounding of numbers as they are computed with.
  const missing = 1 - whole > 1e-9 ? 1 - whole : 0;
  const { min = 0, max = 1 } = formKindOf(form).scale?.(form) ?? {};
  const ends = [min ?? Number.NEGATIVE_INFINITY, max ?? Number.POSITIVE_INFINITY] as const;
  return kindOf(verdict).weigh?.(verdict, { all, whole, missing, lead, ends }) ?? verdict;
}

const total = (all: readonly Weighed[]) => all.reduce((sum, { probability }) => sum + probability, 0);
