/** One round: the detector says whether the verdict is biased; a biased one goes back to the judge with the reasons. */
import { type Bias, keepExaminable } from '../bias/index.ts';
import { type Analysis, isNone, mapBack, ReadingTooLongError, sameVerdict } from '../case/index.ts';
import { describeError } from '../errors.ts';
import { BudgetError, UnreadableAnalysisError } from '../http/index.ts';
import type { Scope } from './scope.ts';
import type { Opening, Round, Standing, Stop, Trial } from './types.ts';
import { explainNoVerdict } from './unexamined.ts';

/** Rejects only when the client leaves: whatever else fails is told in the round. */
export async function runRound<Reply>(
  trial: Trial<Reply>,
  opening: Opening<Reply>,
  earlier: readonly Round<Reply>[],
  scope: Scope,
): Promise<Round<Reply>> {
  const standings = [opening.standing, ...earlier.flatMap(({ standing }) => standing ?? [])];
  const before = standings.at(-1) ?? opening.standing;
  const round: Round<Reply> = {
    analysis: null,
    ruling: null,
    sentBack: false,
    standing: null,
    stop: null,
    error: null,
  };

  let analysis: Analysis;
  try {
    analysis = await scope.until(analyse(trial, opening, before, scope));
  } catch (cause) {
    return { ...round, ...failure(trial, scope, cause, 'detector-failed') };
  }
  if (!analysis.biased) return { ...round, analysis, ...concludeClean(analysis, opening) };
  const ruling = trial.rule?.(analysis.biases) ?? null;
  if (ruling !== null && ruling.action !== 'remand') return { ...round, analysis, ruling, stop: 'ruled' };

  const number = earlier.length + 1;
  let again: Standing<Reply>;
  try {
    again = await scope.until(remand(trial, opening, before, analysis, number, scope));
  } catch (cause) {
    return { ...round, analysis, ruling, ...failure(trial, scope, cause, 'judge-failed') };
  }
  const sent = { ...round, analysis, ruling, sentBack: true };
  const { verdict } = again.answer;
  if (isNone(verdict)) {
    const error = `the judge's reply in round ${number} holds no verdict: ${explainNoVerdict(verdict.reason)}`;
    return { ...sent, stop: 'unreadable-verdict', error };
  }
  const stop = isSame(before, again)
    ? 'insisted'
    : standings.some((one) => isSame(one, again))
      ? 'circling'
      : null;
  return { ...sent, standing: again, stop };
}

export function examinableBiases<Reply>(trial: Trial<Reply>, { standing }: Opening<Reply>): readonly Bias[] {
  return keepExaminable(trial.biases, standing.swapped !== null);
}

function analyse<Reply>(
  trial: Trial<Reply>,
  opening: Opening<Reply>,
  { answer, swapped }: Standing<Reply>,
  { probe, signal }: Scope,
): Promise<Analysis> {
  const { subject, judge, affords, rewrite, beginReading } = trial;
  const biases = examinableBiases(trial, opening);
  const first = opening.standing.answer.verdict;
  const { verdict } = answer;
  return trial.detector.analyse({
    subject,
    judge,
    verdict,
    first,
    swapped,
    biases,
    probe,
    affords,
    rewrite,
    beginReading,
    signal,
  });
}

/** Sends the case back, in every order in which it was judged, side by side. */
async function remand<Reply>(
  { affords, ask }: Trial<Reply>,
  { orders: [given, other] }: Opening<Reply>,
  { answer, swapped }: Standing<Reply>,
  analysis: Analysis,
  round: number,
  { signal }: Scope,
): Promise<Standing<Reply>> {
  const both = other && swapped ? { other, swapped } : null;
  const calls = both ? 2 : 1;
  // One of the two alone would be paid for and of no use.
  if (affords?.(calls) === false)
    throw new BudgetError(
      `round ${round} not begun: its calls (${calls}) are more than are left of the budget`,
    );
  const question = { kind: 'remand', round, analysis } as const;
  const [again, twin] = await Promise.all([
    ask({ ...question, of: given, verdict: answer.verdict }, signal),
    both && ask({ ...question, of: both.other, verdict: both.swapped }, signal),
  ]);
  const verdict = twin && both ? mapBack(twin.verdict, both.other) : null;
  return { answer: again, swapped: verdict && isNone(verdict) ? null : verdict };
}

/** The detector objects to nothing; whether the verdict counts as examined depends on what could be tested. */
function concludeClean<Reply>(
  { evidence, untested = [] }: Analysis,
  opening: Opening<Reply>,
): Pick<Round<Reply>, 'stop' | 'error'> {
  if (opening.withoutOrder !== null) return { stop: opening.withoutOrder, error: null };
  // Of a statement that nothing reads, nobody knows that it is a cue; and what the case asks for is a merit.
  const cues = untested.filter(({ why }) => why !== 'no-reader' && why !== 'asked-for');
  const testedNothing = cues.length > 0 && evidence.every(({ after }) => isNone(after));
  if (!testedNothing) return { stop: 'clean', error: null };
  return {
    stop: cues.every(({ why }) => why === 'budget') ? 'budget' : 'untested',
    error: `no cue could be tested: ${cues.map(({ bias, why }) => `${bias} (${why})`).join(', ')}`,
  };
}

/** @throws what failed where the client left */
function failure<Reply>(
  { signal: client }: Trial<Reply>,
  scope: Scope,
  cause: unknown,
  otherwise: 'detector-failed' | 'judge-failed',
): Pick<Round<Reply>, 'stop' | 'error'> {
  if (client.aborted) throw cause;
  const stop = scope.signal.aborted ? 'deadline' : stopOf(cause, otherwise);
  // A detector that failed may have calls of its own in flight.
  scope.abort(cause);
  return { stop, error: describeError(cause) };
}

function stopOf(cause: unknown, otherwise: Stop): Stop {
  if (cause instanceof BudgetError) return 'budget';
  if (cause instanceof ReadingTooLongError) return 'over-time';
  if (cause instanceof UnreadableAnalysisError) return 'unreadable-analysis';
  return otherwise;
}

/** The same verdict, in both orders where both know one. */
function isSame<Reply>(a: Standing<Reply>, b: Standing<Reply>): boolean {
  if (!sameVerdict(a.answer.verdict, b.answer.verdict)) return false;
  return a.swapped === null || b.swapped === null || sameVerdict(a.swapped, b.swapped);
}
