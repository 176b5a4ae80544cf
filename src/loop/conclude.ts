/** What a judgment comes to: everything that is told of it, derived from its first verdicts and its rounds. */

import {
  type Analysis,
  type SecurityEvent,
  sameVerdict,
  type Untested,
  type Verdict,
} from '../case/index.ts';
import { listSensitivities } from '../detect/index.ts';
import { applyPolicy } from './policy.ts';
import { examinableBiases } from './round.ts';
import type { Answer, Opening, Policy, Round, Ruling, Standing, Status, Stop, Trial } from './types.ts';

export interface Outcome<Reply> {
  readonly status: Status;
  readonly stop: Stop;
  readonly first: Answer<Reply>;
  /** The answer whose reply goes out. */
  readonly final: Answer<Reply>;
  /** Where the policy demands a verdict that no reply expresses: the text to answer with. */
  readonly written: string | null;
  /** Every verdict on the case as the client sent it, in order. */
  readonly verdicts: readonly Verdict[];
  /** Beside each of them the one in the opposite order, said of the original options; null where there is none. */
  readonly swapped: readonly (Verdict | null)[];
  /** Names of the biases that the detector was to look for. */
  readonly lookedFor: readonly string[];
  readonly analyses: readonly Analysis[];
  /** How the last verdict that was found biased was ruled on; null where none was, or no rule was given. */
  readonly ruling: Ruling | null;
  /** Remands sent. */
  readonly rounds: number;
  /** Names of the biases found, each once. */
  readonly biases: readonly string[];
  /** What pushed the judge's probabilities without changing its verdict: see src/detect/sensitivity.ts. */
  readonly sensitivity: readonly string[];
  /** Cues that speak for the verdict and were not tested by the last analysis. */
  readonly untested: readonly Untested[];
  /** What judged text did to the examination: see SecurityEvent. */
  readonly security: readonly SecurityEvent[];
  /** What failed, in words; null where nothing did. */
  readonly error: string | null;
}

/** Pure: the same trial, first verdicts and rounds always come to the same. */
export function conclude<Reply>(
  trial: Trial<Reply>,
  opening: Opening<Reply>,
  rounds: readonly Round<Reply>[],
): Outcome<Reply> {
  const standings = [opening.standing, ...rounds.flatMap(({ standing }) => standing ?? [])];
  const analyses = rounds.flatMap(({ analysis }) => analysis ?? []);
  const first = opening.standing.answer;
  const last = standings.at(-1) ?? opening.standing;
  const stop = opening.stop ?? rounds.at(-1)?.stop ?? 'rounds';
  const ruling = rounds.findLast(({ analysis }) => analysis?.biased)?.ruling ?? null;
  const status = statusOf(trial, stop, opening.standing, last);
  const policy = policyOf(trial.policy, ruling);
  const shadow = trial.mode === 'shadow';
  return {
    ...(shadow
      ? { final: first, written: null }
      : applyPolicy(policy, status, trial.subject, first, last.answer, analyses)),
    status: shadow && status !== 'no-verdict' ? 'shadow' : status,
    stop,
    first,
    verdicts: standings.map(({ answer }) => answer.verdict),
    swapped: standings.map(({ swapped }) => swapped),
    lookedFor: examinableBiases(trial, opening).map(({ name }) => name),
    analyses,
    ruling,
    rounds: rounds.filter(({ sentBack }) => sentBack).length,
    biases: [...new Set(analyses.flatMap(({ biases }) => biases))],
    sensitivity: listSensitivities(analyses),
    untested: [...untestedOrder(trial, opening), ...(analyses.at(-1)?.untested ?? [])],
    security: listStarvedCues(analyses),
    error: rounds.at(-1)?.error ?? opening.error,
  };
}

function statusOf<Reply>(
  { subject }: Trial<Reply>,
  stop: Stop,
  first: Standing<Reply>,
  last: Standing<Reply>,
): Status {
  if (stop === 'no-verdict') return 'no-verdict';
  if (stop === 'insisted') return 'insisted';
  if (stop === 'circling' || stop === 'ruled') return 'unresolved';
  const revised = !sameVerdict(first.answer.verdict, last.answer.verdict);
  if (!revised && stop !== 'clean' && stop !== 'rounds') return 'failed-open';
  const torn =
    subject.options.length > 1 && last.swapped !== null && !sameVerdict(last.answer.verdict, last.swapped);
  if (torn && stop === 'rounds') return 'unresolved';
  return revised ? 'revised' : 'unchanged';
}

/** A ruling that keeps a verdict from being sent back also says what is answered. */
function policyOf(policy: Policy, ruling: Ruling | null): Policy {
  if (ruling === null || ruling.action === 'remand') return policy;
  return ruling.action === 'tie' ? 'tie' : 'last-word';
}

/** Biases that only the other order could have shown, where that order could not be judged. */
function untestedOrder<Reply>({ subject, biases }: Trial<Reply>, { error }: Opening<Reply>): Untested[] {
  if (error === null) return [];
  return biases
    .filter((bias) => bias.bothOrders)
    .flatMap((bias) => bias.spot(subject).map((cue) => ({ ...cue, why: 'other-order' as const })));
}

/** Cues that the budget did not reach in the first analysis: later ones share it with the remands before them. */
function listStarvedCues([first]: readonly Analysis[]): SecurityEvent[] {
  const starved = (first?.untested ?? []).filter(({ why }) => why === 'budget');
  const [one] = starved;
  if (!one) return [];
  const others = starved.length > 1 ? ` and ${starved.length - 1} more` : '';
  const seen = `more cues speak for the verdict than the budget could test: ${one.bias} (${one.seen})${others}`;
  return [{ kind: 'budget', option: one.favours === 'any' ? null : one.favours, seen }];
}
