/**
 * The loop: a judge decides, a detector says whether the verdict is biased and why, a biased one goes back to
 * the same judge with the reasons (arXiv 2505.17100 §3.1, Algorithm 1). Pure: whom to ask, which detector, the
 * clock and the signal are handed in, so the same loop runs in the proxy, in an evaluation and in a test.
 */
import type { Bias } from '../bias/types.ts';
import { ReadingTooLongError } from '../case/checkpoint.ts';
import { asGiven, type Counterfactual, mapBack, reversed, sameVerdict } from '../case/counterfactual.ts';
import type { Analysis, Untested, Verdict } from '../case/types.ts';
import { listSensitivities } from '../detect/sensitivity.ts';
import { BudgetError, UnreadableAnalysisError } from '../http/judge-errors.ts';
import { type Until, untilAbortedEach } from '../http/wait.ts';
import { createEnding, type Ending } from './ending.ts';
import { applyPolicy } from './policy.ts';
import type { Answer, DebiasOptions, Outcome, Policy, Ruling, SecurityEvent, Status, Stop } from './types.ts';

export type { DebiasOptions, Outcome, Policy, Ruling, Status, Stop } from './types.ts';

/** What the judge stands by at a time: its answer to the client, and its verdict in the other order. */
interface Standing<Reply> {
  readonly answer: Answer<Reply>;
  readonly swapped: Verdict | null;
}

/** Rejects only when the very first call to the judge fails, or when the client leaves. */
export async function debias<Reply>(options: DebiasOptions<Reply>): Promise<Outcome<Reply>> {
  const { ask, rewrite } = options;
  const ending = createEnding(options.signal, options.clock, options.deadlineMs);
  const noted: DebiasOptions<Reply> = {
    ...options,
    ask: (question, signal) => ending.begin(ask(question, signal)),
    rewrite: rewrite && ((prompt, signal) => ending.begin(rewrite(prompt, signal))),
  };
  try {
    return await judged(noted, ending);
  } finally {
    ending.over();
  }
}

async function judged<Reply>(options: DebiasOptions<Reply>, ending: Ending): Promise<Outcome<Reply>> {
  const { subject, rounds } = options;
  const { signal } = ending;
  const until = untilAbortedEach(signal);
  const orders = [asGiven(subject)];
  if (rounds > 0 && subject.options.length > 1 && options.biases.some((bias) => bias.bothOrders))
    orders.push(reversed(subject));

  const opening = await askFirst(options, orders, ending, until);
  let standing = opening.standing;
  const first = standing.answer;
  const verdicts = [first.verdict];
  const swapped = [standing.swapped];
  const analyses: Analysis[] = [];
  let remands = 0;
  let ruling: Ruling | null = null;
  let stop: Stop = opening.stop ?? 'rounds';
  let error = opening.error;
  const orderUnknown = opening.error !== null;
  const biases = standing.swapped ? options.biases : options.biases.filter((bias) => !bias.bothOrders);
  const sentBack: Standing<Reply>[] = [];
  const probes = new Map<string, Promise<Verdict>>();

  try {
    for (let round = 1; opening.stop === null && round <= rounds; round++) {
      const analysis = await until(analyse(options, standing, first.verdict, biases, probes, signal));
      analyses.push(analysis);
      if (!analysis.biased) {
        stop = error === null ? 'clean' : 'order-unknown';
        if (stop === 'clean' && testedNothing(analysis)) {
          stop = analysis.untested?.every(({ why }) => why === 'budget') ? 'budget' : 'untested';
          error = `no cue could be tested: ${analysis.untested?.map(({ bias, why }) => `${bias} (${why})`).join(', ')}`;
        }
        break;
      }
      ruling = options.rule?.(analysis.biases) ?? null;
      if (ruling !== null && ruling.action !== 'remand') {
        stop = 'ruled';
        break;
      }
      const again = await until(remand(options, standing, analysis, orders, round, signal));
      remands = round;
      if (again.answer.verdict.kind === 'none') {
        stop = 'unreadable-verdict';
        error = `the judge's reply in round ${round} holds no verdict (${again.answer.verdict.reason})`;
        break;
      }
      sentBack.push(standing);
      verdicts.push(again.answer.verdict);
      swapped.push(again.swapped);
      const insisted = same(standing, again);
      standing = again;
      if (insisted) {
        stop = 'insisted';
        break;
      }
      if (sentBack.some((earlier) => same(earlier, again))) {
        stop = 'circling';
        break;
      }
    }
  } catch (cause) {
    if (options.signal.aborted) throw cause;
    stop = whatFailed(cause, signal, analyses.length > remands ? 'judge-failed' : 'detector-failed');
    error = cause instanceof Error ? cause.message : String(cause);
    // A detector that failed may have calls of its own under way.
    ending.abort(cause);
  }

  const status = statusOf(options, stop, first, standing);
  const answered = applyPolicy(
    policyOf(options.policy, ruling),
    status,
    subject,
    first,
    standing.answer,
    analyses,
  );
  return {
    ...(options.mode === 'shadow' ? { final: first, written: null } : answered),
    status: options.mode === 'shadow' && status !== 'no-verdict' ? 'shadow' : status,
    stop,
    first,
    verdicts,
    swapped,
    lookedFor: biases.map((bias) => bias.name),
    analyses,
    ruling,
    rounds: remands,
    biases: [...new Set(analyses.flatMap((analysis) => analysis.biases))],
    sensitivity: listSensitivities(analyses),
    untested: [...(orderUnknown ? orderUntested(options) : []), ...(analyses.at(-1)?.untested ?? [])],
    security: budgetEaten(analyses),
    error,
  };
}

/**
 * The client's own request and, side by side, the same in the other order; or that one later, where a first verdict
 * far from the line is to save it. The deadline starts with the first verdict.
 */
async function askFirst<Reply>(
  { ask, rounds, confident, signal: client }: DebiasOptions<Reply>,
  orders: readonly Counterfactual[],
  ending: Ending,
  until: Until,
): Promise<{ standing: Standing<Reply>; stop: Stop | null; error: string | null }> {
  const { signal } = ending;
  const other = orders[1];
  // The client's own request goes out first: where the judge's rate limit has one slot left, it is the client's.
  const asked = ask({ kind: 'judge' }, signal);
  const askOther = (of: Counterfactual) => settle(ask({ kind: 'swap', of }, signal));
  const beside = other && confident === undefined ? askOther(other) : null;
  let answer: Answer<Reply>;
  try {
    answer = await until(asked);
  } catch (cause) {
    ending.abort(cause);
    throw cause;
  }
  if (answer.verdict.kind === 'none') {
    ending.abort(new DOMException('the first reply holds no verdict', 'AbortError'));
    return { standing: { answer, swapped: null }, stop: 'no-verdict', error: null };
  }
  if (rounds === 0) return { standing: { answer, swapped: null }, stop: 'rounds', error: null };
  ending.startDeadline();
  if (!other || isSure(answer.verdict, confident))
    return { standing: { answer, swapped: null }, stop: null, error: null };

  const settled = await until(beside ?? askOther(other)).catch((cause: unknown) => ({
    cause,
  }));
  if ('cause' in settled) {
    if (client.aborted) throw settled.cause;
    const stop = signal.aborted ? 'deadline' : null;
    return {
      standing: { answer, swapped: null },
      stop,
      error: `the other order could not be judged: ${messageOf(settled.cause)}`,
    };
  }
  const swapped = mapBack(settled.answer.verdict, other);
  if (swapped.kind !== 'none') return { standing: { answer, swapped }, stop: null, error: null };
  return {
    standing: { answer, swapped: null },
    stop: null,
    error: `the other order holds no verdict (${swapped.reason})`,
  };
}

function isSure(verdict: Verdict, confident: number | undefined): boolean {
  if (confident === undefined || verdict.kind !== 'choice') return false;
  // What the endpoint does not show could all be on another label: without alternatives, that is all of the rest.
  return (verdict.probability ?? 0) * (1 - (verdict.missing ?? 0)) >= confident;
}

function analyse<Reply>(
  options: DebiasOptions<Reply>,
  standing: Standing<Reply>,
  first: Verdict,
  biases: readonly Bias[],
  probes: Map<string, Promise<Verdict>>,
  signal: AbortSignal,
): Promise<Analysis> {
  return options.detector.analyse({
    subject: options.subject,
    judge: options.judge,
    verdict: standing.answer.verdict,
    first,
    swapped: standing.swapped,
    biases,
    // The same counterfactual is never paid for twice within one judgment.
    probe(of) {
      const key = JSON.stringify([of.order, [...of.options], [...of.context]]);
      const known =
        probes.get(key) ??
        options.ask({ kind: 'probe', of }, signal).then(({ verdict }) => mapBack(verdict, of));
      probes.set(key, known);
      return known;
    },
    affords: options.affords,
    rewrite: options.rewrite,
    beginReading: options.beginReading,
    signal,
  });
}

/** Sends the case back, in every order in which it was judged, side by side. */
async function remand<Reply>(
  { ask, affords }: DebiasOptions<Reply>,
  standing: Standing<Reply>,
  analysis: Analysis,
  orders: readonly Counterfactual[],
  round: number,
  signal: AbortSignal,
): Promise<Standing<Reply>> {
  const [given, other] = orders;
  if (!given) throw new RangeError('a case has at least its own order');
  const question = { kind: 'remand', round, analysis } as const;
  // One of the two alone would be paid for and of no use.
  const calls = other && standing.swapped ? 2 : 1;
  if (affords?.(calls) === false)
    throw new BudgetError(
      `round ${round} not begun: its calls (${calls}) are more than are left of the budget`,
    );
  const [answer, swapped] = await Promise.all([
    ask({ ...question, of: given, verdict: standing.answer.verdict }, signal),
    other && standing.swapped ? ask({ ...question, of: other, verdict: standing.swapped }, signal) : null,
  ]);
  const verdict = swapped && other ? mapBack(swapped.verdict, other) : null;
  return { answer, swapped: verdict?.kind === 'none' ? null : verdict };
}

/** Cues spoke for the verdict, and of none is it known what it does. */
function testedNothing({ evidence, untested = [] }: Analysis): boolean {
  return untested.length > 0 && evidence.every(({ after }) => after.kind === 'none');
}

/** Biases that only the other order could have shown, where that could not be judged. */
function orderUntested<Reply>({ subject, biases }: DebiasOptions<Reply>): Untested[] {
  return biases
    .filter((bias) => bias.bothOrders)
    .flatMap((bias) => bias.spot(subject).map((cue) => ({ ...cue, why: 'other-order' as const })));
}

/** Told of the first analysis only: later ones share the budget with the remands before them. */
function budgetEaten([first]: readonly Analysis[]): SecurityEvent[] {
  const starved = (first?.untested ?? []).filter(({ why }) => why === 'budget');
  const [one] = starved;
  if (!one) return [];
  const others = starved.length > 1 ? ` and ${starved.length - 1} more` : '';
  const seen = `more cues speak for the verdict than the budget could test: ${one.bias} (${one.seen})${others}`;
  return [{ kind: 'budget', option: one.favours === 'any' ? null : one.favours, seen }];
}

function same<Reply>(a: Standing<Reply>, b: Standing<Reply>): boolean {
  if (!sameVerdict(a.answer.verdict, b.answer.verdict)) return false;
  return a.swapped === null || b.swapped === null || sameVerdict(a.swapped, b.swapped);
}

function statusOf<Reply>(
  { subject }: DebiasOptions<Reply>,
  stop: Stop,
  first: Answer<Reply>,
  last: Standing<Reply>,
): Status {
  if (stop === 'no-verdict') return 'no-verdict';
  if (stop === 'insisted') return 'insisted';
  if (stop === 'circling' || stop === 'ruled') return 'unresolved';
  const revised = !sameVerdict(first.verdict, last.answer.verdict);
  if (!revised && stop !== 'clean' && stop !== 'rounds') return 'failed-open';
  const torn =
    subject.options.length > 1 && last.swapped !== null && !sameVerdict(last.answer.verdict, last.swapped);
  if (torn && stop === 'rounds') return 'unresolved';
  return revised ? 'revised' : 'unchanged';
}

/** A ruling that keeps a verdict from being sent back says what is answered, too. */
function policyOf(policy: Policy, ruling: Ruling | null): Policy {
  if (ruling === null || ruling.action === 'remand') return policy;
  return ruling.action === 'tie' ? 'tie' : 'last-word';
}

function whatFailed(cause: unknown, signal: AbortSignal, otherwise: Stop): Stop {
  if (signal.aborted) return 'deadline';
  if (cause instanceof BudgetError) return 'budget';
  if (cause instanceof ReadingTooLongError) return 'over-time';
  if (cause instanceof UnreadableAnalysisError) return 'unreadable-analysis';
  return otherwise;
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

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
