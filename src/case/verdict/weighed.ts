/**
 * A verdict read from what the judge could have said (its log-probabilities), not only from what it said.
 * alpaca_eval's weighted judge lets the judge say one token and compares the probabilities of `m` and `M`;
 * G-Eval (arXiv 2303.16634 §2) and DeepEval weigh a score by those of its digits.
 *
 * Where the verdict stands among the tokens is found by reading the reply without one: the token whose loss
 * takes the verdict away is the one. What the alternatives there mean is found by reading the reply with each of
 * them in its place, so every form is read by the rules it has, and by no others.
 */
import { labelKey, sameVerdict } from '../counterfactual.ts';
import type { LikelyToken, SampledToken } from '../sampled.ts';
import type { Verdict, VerdictForm } from '../types.ts';
import { readVerdict } from '../verdict.ts';
import type { Labelled } from './naming.ts';

/** Tokens that could be the verdict's are many where a label is a word such as `a`; verdicts stand at either end. */
const FIRST_LOOKS = 8;
const LAST_LOOKS = 16;
/** Endpoints give at most 20 alternatives; what more there is, is not read. */
const MAX_ALTERNATIVES = 64;
/**
 * Where the judge said something else, its labels are a verdict only if they are together at least so probable;
 * DeepEval, too, leaves out what is less.
 */
const LEAST = 0.01;

/** Something the judge could have said, and how probable that was. */
interface Weighed {
  readonly verdict: Verdict;
  readonly probability: number;
}

/**
 * The verdict of a reply, with the probability of a choice or the spread of a score.
 * - One token is all there is (`max_tokens: 1`): the more probable label is the choice, whatever was sampled, for
 *   that is what such a client reads.
 * - Otherwise what is written is the verdict, since most clients read nothing else; so it is for scores, which
 *   keep their value and are compared by their expectation.
 * @param tokens of this reply; null where it has no log-probabilities
 */
export function readWeighed(
  text: string,
  tokens: readonly SampledToken[] | null,
  form: VerdictForm,
  options: Labelled,
): Verdict {
  const written = readVerdict(text, form, options);
  if (tokens === null || tokens.length === 0) return written;
  const read = (said: string) => readVerdict(said, form, options);
  if (form.kind === 'choice' && tokens.length === 1 && joined(tokens).trim() === text.trim()) {
    const all = alternatives(tokens, 0, read);
    return total(all) < LEAST ? written : weighed({ ...likeliest(all, written), text }, all);
  }
  if (written.kind === 'none') return written;
  const at = place(tokens, written, form, options, read);
  return at === null ? written : weighed(written, alternatives(tokens, at, read));
}

/** Where the verdict stands; null where no single token decides, or the tokens do not say what the text says. */
function place(
  tokens: readonly SampledToken[],
  written: Verdict,
  form: VerdictForm,
  options: Labelled,
  read: (said: string) => Verdict,
): number | null {
  if (!sameVerdict(read(joined(tokens)), written)) return null;
  const names = namesOf(written, form, options);
  const likely = tokens.flatMap(({ text }, at) => (names(coreOf(text)) ? [at] : []));
  const looks =
    likely.length <= FIRST_LOOKS + LAST_LOOKS
      ? likely
      : [...likely.slice(0, FIRST_LOOKS), ...likely.slice(-LAST_LOOKS)];
  const found = looks.findLast((at) => !sameVerdict(read(joined(tokens, at, '')), written));
  return found ?? null;
}

/** Whether a token could be what names this verdict. */
function namesOf(written: Verdict, form: VerdictForm, options: Labelled): (core: string) => boolean {
  switch (written.kind) {
    case 'score':
      return (core) => core !== '' && Number(core) === written.score;
    case 'pass':
      return (core) =>
        /^(?:[ynci]|yes|no|true|false|pass(?:ed)?|fail(?:ed)?|(?:in)?correct|[01])$/i.test(core);
    case 'choice': {
      const label = form.kind === 'choice' ? form.write?.labels[written.option] : undefined;
      const keys = [label, options[written.option]?.label].flatMap((one) =>
        one === undefined ? [] : [one.toLowerCase(), labelKey(one).toLowerCase()],
      );
      return (core) => keys.includes(core.toLowerCase());
    }
    default:
      return () => false;
  }
}

/** What could have stood at a place, each as it would have been read; what would have been no verdict is left out. */
function alternatives(
  tokens: readonly SampledToken[],
  at: number,
  read: (said: string) => Verdict,
): Weighed[] {
  const sampled = tokens[at];
  if (!sampled) return [];
  const listed = sampled.likeliest.slice(0, MAX_ALTERNATIVES);
  const all: LikelyToken[] = listed.some(({ text }) => text === sampled.text) ? listed : [sampled, ...listed];
  return all
    .filter(({ text, probability }) => coreOf(text) !== '' && probability > 0)
    .map(({ text, probability }) => ({ verdict: read(joined(tokens, at, text)), probability }))
    .filter(({ verdict }) => verdict.kind !== 'none');
}

/** Several tokens may be one label: `m`, ` m`. */
function likeliest(all: readonly Weighed[], otherwise: Verdict): Verdict {
  const share = ({ verdict }: Weighed) => total(all.filter((one) => sameVerdict(one.verdict, verdict)));
  return all.toSorted((a, b) => share(b) - share(a))[0]?.verdict ?? otherwise;
}

/** A verdict with what its alternatives say of it. */
function weighed(verdict: Verdict, all: readonly Weighed[]): Verdict {
  const whole = total(all);
  if (whole === 0) return verdict;
  if (verdict.kind === 'choice') {
    const same = all.filter((one) => sameVerdict(one.verdict, verdict));
    return { ...verdict, probability: total(same) / whole };
  }
  if (verdict.kind !== 'score' && verdict.kind !== 'pass') return verdict;
  const values = all.flatMap(({ verdict: { ...one }, probability }) => {
    const value = one.kind === 'score' ? one.score : one.kind === 'pass' ? Number(one.pass) : null;
    return value === null ? [] : [{ value, share: probability / whole }];
  });
  const mean = values.reduce((sum, { value, share }) => sum + share * value, 0);
  const variance = values.reduce((sum, { value, share }) => sum + share * (value - mean) ** 2, 0);
  return { ...verdict, spread: { mean, variance } };
}

const total = (all: readonly Weighed[]) => all.reduce((sum, { probability }) => sum + probability, 0);

/** The tokens as one text, with another one at a place. */
function joined(tokens: readonly SampledToken[], at = -1, instead = ''): string {
  return tokens.map(({ text }, i) => (i === at ? instead : text)).join('');
}

/** A token without what stands around its word or number: `("A`, ` 8`. Empty where it holds neither, or two. */
function coreOf(text: string): string {
  return (
    /^[\s\p{P}\p{S}]{0,4}?(-?\d{1,9}(?:\.\d{1,9})?|\p{L}{1,20})[\s\p{P}\p{S}]{0,4}$/u.exec(text)?.[1] ?? ''
  );
}
