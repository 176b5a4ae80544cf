/** One round: the detector says whether the verdict is biased; a biased one goes back to the judge with the reasons. */
import { type Bias, keepExaminable } from '../bias/index.ts';
import {
  type Analysis,
  type Counterfactual,
  isNone,
  mapBack,
  ReadingTooLongError,
  sameVerdict,
  type UntestedReason,
  type Verdict,
} from '../case/index.ts';
import type { Probe } from '../detect/index.ts';
import { describeError } from '../errors.ts';
import { BudgetError, UnreadableAnalysisError } from '../http/index.ts';
import type { Scope } from './scope.ts';
import type { Note, Opening, Round, Standing, Stop, Trial } from './types.ts';
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

  const number = earlier.length + 1;
  const analyses = earlier.flatMap((one) => one.analysis ?? []);
  const reviewed = standings.at(-2);
  const noteFor = reviewed ? notesOn(reviewed, analyses) : null;
  const probe = createProbe(scope, before, noteFor);
  let analysis: Analysis;
  try {
    analysis = await scope.until(analyse(trial, opening, before, probe, scope));
  } catch (cause) {
    return { ...round, ...failure(trial, scope, cause, 'detector-failed') };
  }
  if (!analysis.biased) return { ...round, analysis, ...concludeClean(analysis, opening) };
  const ruling = trial.rule?.(analysis.biases) ?? null;
  if (ruling !== null && ruling.action !== 'remand') return { ...round, analysis, ruling, stop: 'ruled' };

  let again: Standing<Reply>;
  try {
    again = await scope.until(
      remand(trial, opening, before, notesOn(before, [...analyses, analysis]), scope),
    );
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
  probe: Probe,
  { signal }: Scope,
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

/** The note that goes with the case in the order of a counterfactual. */
type NoteFor = (of: Counterfactual) => Note;

/** @param analyses one for each round up to that of the note; none of what was found is to be forgotten */
function notesOn<Reply>(before: Standing<Reply>, analyses: readonly Analysis[]): NoteFor {
  const found = analyses.flatMap((one) => one.biases).flatMap((names) => names.split('+'));
  const beside = analyses.flatMap(({ evidence }) => evidence.flatMap((one) => one.beside ?? []));
  const biases = [...new Set([...found, ...beside])];
  const { reasoning = '' } = analyses.at(-1) ?? {};
  return (of) => ({ round: analyses.length, biases, reasoning, verdict: verdictIn(before, of) });
}

const verdictIn = <Reply>({ answer, swapped }: Standing<Reply>, { order }: Counterfactual): Verdict =>
  (order[0] === 0 ? null : swapped) ?? answer.verdict;

/**
 * What was decided with a note is compared with what is decided with that note: without it the note would pass for the cue.
 * Nothing is asked where the verdict has become what the judge decided with the cue undone, before it was told anything. How
 * far the judge wavers by itself is measured once, on the case as it came.
 */
function createProbe<Reply>(scope: Scope, standing: Standing<Reply>, noteFor: NoteFor | null): Probe {
  return async (of) => {
    if (!noteFor || !undoesSomething(of)) return scope.probe(of, null);
    const known = await scope.knownProbe(of);
    return known && sameVerdict(known, verdictIn(standing, of)) ? known : scope.probe(of, noteFor(of));
  };
}

const undoesSomething = ({ options, context, elsewhere }: Counterfactual): boolean =>
  options.size + context.size + elsewhere.length > 0;

/** Sends the case back, in every order in which it was judged, side by side. */
async function remand<Reply>(
  { affords, ask }: Trial<Reply>,
  { orders: [given, other], areAlike }: Opening<Reply>,
  { swapped }: Standing<Reply>,
  noteFor: NoteFor,
  { signal }: Scope,
): Promise<Standing<Reply>> {
  const both = swapped === null ? undefined : other;
  const apart = areAlike ? undefined : both;
  const calls = apart ? 2 : 1;
  // One of the two alone would be paid for and of no use.
  if (affords?.(calls) === false)
    throw new BudgetError(
      `round ${noteFor(given).round} not begun: its calls (${calls}) are more than are left of the budget`,
    );
  const send = (of: Counterfactual) => ask({ kind: 'remand', of, ...noteFor(of) }, signal);
  const [again, twin] = await Promise.all([send(given), apart && send(apart)]);
  const verdict = both ? mapBack((twin ?? again).verdict, both) : null;
  return { answer: again, swapped: verdict && isNone(verdict) ? null : verdict };
}

/** Of these nobody knows that there is a cue: no one reads the statement, it is a merit, or the rewriter found nothing to undo. */
const NO_CUE: ReadonlySet<UntestedReason> = new Set(['no-reader', 'asked-for', 'same-wording']);

/** The detector objects to nothing; whether the verdict counts as examined depends on what could be tested. */
function concludeClean<Reply>(
  { evidence, untested = [] }: Analysis,
  opening: Opening<Reply>,
): Pick<Round<Reply>, 'stop' | 'error'> {
  if (opening.withoutOrder !== null) return { stop: opening.withoutOrder, error: null };
  const cues = untested.filter(({ why }) => !NO_CUE.has(why));
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
