/**
 * The loop: a judge decides, a detector says whether the verdict is biased and why, a biased one goes back to
 * the same judge with the reasons (arXiv 2505.17100 §3.1, Algorithm 1). Pure: whom to ask, which detector, the
 * clock and the signal are handed in, so the same loop runs in the proxy, in an evaluation and in a test.
 */
import {
  asGiven,
  type Case,
  type Counterfactual,
  changesNothing,
  formKindOf,
  isNone,
  kindOf,
  mapBack,
  preferred,
  reversed,
  type Verdict,
  whyOrderIsFixed,
} from '../case/index.ts';
import { describeError } from '../errors.ts';
import { BudgetError, openTimeLimit } from '../http/index.ts';
import type { Outcome } from './conclude.ts';
import { conclude } from './conclude.ts';
import { runRound } from './round.ts';
import { drawSamples } from './samples.ts';
import { openScope, type Scope } from './scope.ts';
import type { Answer, Opening, Round, Trial } from './types.ts';
import { explainNoVerdict } from './unexamined.ts';

/**
 * Rejects only when the very first call to the judge fails, or when the client leaves.
 *
 * @example
 * const { final, status } = await debias({ ...trial, subject, detector: createProbeDetector() });
 */
export async function debias<Reply>(trial: Trial<Reply>): Promise<Outcome<Reply>> {
  using scope = openScope(trial);
  const opening = await askFirst(trial, scope);
  const rounds: Round<Reply>[] = [];
  while (!opening.stop && rounds.length < trial.rounds && !rounds.at(-1)?.stop)
    rounds.push(await runRound(trial, opening, rounds, scope));
  return conclude(trial, opening, rounds);
}

/**
 * The orders in which the case is judged: as the client sent it, and reversed where a bias can be shown by that. `fixed` says
 * why it is not reversed all the same, as a clause. Of options that read the same any choice is as good as the other: there a
 * bias is shown only where the form could say that they are equal.
 */
function ordersOf<Reply>({
  subject,
  rounds,
  biases,
}: Trial<Reply>): Pick<Opening<Reply>, 'orders' | 'areAlike'> & { readonly fixed: string | null } {
  const given = asGiven(subject);
  const other = reversed(subject);
  const shows = rounds > 0 && subject.options.length > 1 && biases.some((bias) => bias.bothOrders);
  const same = shows && changesNothing(subject, other);
  const isShut = same && mustChoose(subject);
  const fixed = shows && !isShut ? whyOrderIsFixed(subject) : null;
  const isOpen = shows && fixed === null && !isShut;
  return { orders: isOpen ? [given, other] : [given], areAlike: same && fixed === null, fixed };
}

/** Whether the form cannot say that the options are equal. */
function mustChoose({ form, options }: Case): boolean {
  const decision = formKindOf(form).decide(
    options.map(() => 0),
    form,
  );
  return preferred({ ...decision, text: '' }) !== null;
}

/**
 * Asks the client's own request and, side by side, the same in the other order; or the other order afterwards, where
 * a first verdict far from the line may save that call, or nobody waits for it. The deadline starts with the first verdict;
 * in shadow mode with the second, which debias mode would have by then.
 */
async function askFirst<Reply>(trial: Trial<Reply>, scope: Scope): Promise<Opening<Reply>> {
  const { orders, areAlike, fixed } = ordersOf(trial);
  const { ask, clock, deadlineMs } = trial;
  const [, reverse] = orders;
  const other = areAlike ? undefined : reverse;
  const began = clock.elapsed();
  const asked = ask({ kind: 'judge' }, scope.signal);
  const askOther = (of: Counterfactual) => settle(ask({ kind: 'swap', of }, scope.signal));
  const checksAll = trial.orderCheck?.all ?? true;
  const always = trial.confident === undefined && checksAll ? other : undefined;
  const beside = always && trial.mode !== 'shadow' ? askOther(always) : null;
  const own = await scope.until(asked).catch((cause: unknown) => {
    scope.abort(cause);
    throw cause;
  });
  const unsampled: Opening<Reply> = {
    orders,
    areAlike,
    standing: { answer: own, swapped: null },
    samples: null,
    stop: null,
    error: null,
    withoutOrder: null,
  };
  if (isNone(own.verdict)) return { ...unsampled, stop: 'no-verdict' };
  const after = always && !beside ? await askAfter(always) : null;
  scope.startDeadline();
  const { answer, samples } = await drawSamples(trial, own, scope);
  const opening = { ...unsampled, standing: { answer, swapped: null }, samples };
  if (trial.rounds === 0) return { ...opening, stop: 'rounds' };
  if (isSure(answer.verdict, trial.confident)) return opening;
  if (fixed !== null)
    return { ...opening, error: `the other order was not judged: ${fixed}`, withoutOrder: 'order-fixed' };
  if (areAlike && reverse)
    return { ...opening, standing: { answer, swapped: mapBack(answer.verdict, reverse) } };
  if (!other) return opening;
  if (!always && trial.orderCheck && !trial.orderCheck.isDue(answer.verdict)) return opening;

  const settled =
    after ?? (await scope.until(beside ?? askOther(other)).catch((cause: unknown) => ({ cause })));
  if ('cause' in settled) {
    if (trial.signal.aborted) throw settled.cause;
    const stop = scope.signal.aborted ? 'deadline' : null;
    return {
      ...opening,
      stop,
      error: `the other order could not be judged: ${describeError(settled.cause)}`,
      withoutOrder: settled.cause instanceof BudgetError ? 'budget' : 'order-unknown',
    };
  }
  const swapped = mapBack(settled.answer.verdict, other);
  if (isNone(swapped))
    return {
      ...opening,
      error: `the other order holds no verdict: ${explainNoVerdict(swapped.reason)}`,
      withoutOrder: 'order-unknown',
    };
  return { ...opening, standing: { answer, swapped } };

  /** For as long as it could take if it were asked beside the first. */
  async function askAfter(of: Counterfactual) {
    using limit = openTimeLimit(clock.elapsed() - began + deadlineMs, clock, scope.signal);
    return await settle(limit.until(ask({ kind: 'swap', of }, limit.signal)));
  }
}

function isSure(verdict: Verdict, confident: number | undefined): boolean {
  // What the endpoint does not show could all be on another label: without alternatives, that is all of the rest.
  const { low = 0 } = kindOf(verdict).likelihood?.(verdict) ?? {};
  return confident !== undefined && low >= confident;
}

/** A promise that nobody may be waiting for yet must not reject unseen. */
function settle<Reply>(
  work: Promise<Answer<Reply>>,
): Promise<{ answer: Answer<Reply> } | { cause: unknown }> {
  return work.then(
    (answer) => ({ answer }),
    (cause: unknown) => ({ cause }),
  );
}
