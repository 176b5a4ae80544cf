/** What a judgment comes to: everything that is told of it, derived from its first verdicts and its rounds. */
import type { Bias } from '../bias/index.ts';
import {
  type Analysis,
  isNone,
  type SecurityEvent,
  sameVerdict,
  standsInFor,
  type Untested,
  type Verdict,
  writeVerdict,
  writtenLike,
} from '../case/index.ts';
import { findSuspects, listSensitivities } from '../detect/index.ts';
import type { Tokens } from '../ports.ts';
import { type Confidence, measureConfidence } from './confidence.ts';
import { examinableBiases } from './round.ts';
import type {
  Answer,
  Opening,
  Policy,
  Round,
  Ruling,
  Samples,
  Standing,
  Status,
  Stop,
  Trial,
} from './types.ts';
import { replyReason, UNEXAMINED_REASONS, type UnexaminedReason } from './unexamined.ts';

export interface Outcome<Reply> {
  readonly status: Status;
  /** In shadow mode the verdict that would have gone out, with its status; null elsewhere. */
  readonly wouldBe: { readonly status: Status; readonly verdict: Verdict } | null;
  readonly stop: Stop;
  readonly first: Answer<Reply>;
  /** The answer whose reply goes out. */
  readonly final: Answer<Reply>;
  /** The verdict, and its text, that goes out in place of what that reply says; null where the reply goes out as it is. */
  readonly written: Verdict | null;
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
  /** What pushed the judge's probabilities without changing its verdict: see src/detect/noise.ts. */
  readonly sensitivity: readonly string[];
  /** Cues that speak for the verdict and were not tested by the last analysis. */
  readonly untested: readonly Untested[];
  /** What judged text did to the examination: see SecurityEvent. */
  readonly security: readonly SecurityEvent[];
  /** How sure the verdict is that goes out; null where nothing tells. */
  readonly confidence: Confidence | null;
  /** What samples of the client's own request said; null where one reply was all that was wanted. */
  readonly samples: Samples | null;
  /** What a second judge made of the case; null where none was asked. */
  readonly escalated: EscalationResult | null;
  /** What failed, in words; null where nothing did. */
  readonly error: string | null;
}

/** What became of a case that went to a second judge. */
export interface EscalationResult {
  /** Its model. */
  readonly to: string;
  /** It decided as the first judge did, or otherwise; or the first one's answer was left, for a reason. */
  readonly result: 'agreed' | 'overruled' | 'left';
  readonly why: string | null;
  /** Null where it gave none. */
  readonly verdict: Verdict | null;
  readonly confidence: Confidence | null;
  /** How sure the first judge was of its own verdict; null where nothing tells. */
  readonly before: Confidence | null;
  /** Of all its calls; null where its endpoint counts none. */
  readonly tokens: Tokens | null;
}

/** Pure: the same trial, first verdicts and rounds always come to the same. */
export function conclude<Reply>(
  trial: Trial<Reply>,
  opening: Opening<Reply>,
  rounds: readonly Round<Reply>[],
): Outcome<Reply> {
  const later = rounds.flatMap(({ standing }) => standing ?? []);
  const standings = [opening.standing, ...later];
  const analyses = rounds.flatMap(({ analysis }) => analysis ?? []);
  const first = opening.standing.answer;
  const last = standings.at(-1) ?? opening.standing;
  const stop = opening.stop ?? rounds.at(-1)?.stop ?? 'rounds';
  const ruling = rounds.findLast(({ analysis }) => analysis?.biased)?.ruling ?? null;
  const status = statusOf(trial, stop, opening.standing, later);
  const policy = policyOf(trial.policy, ruling);
  const shadow = trial.mode === 'shadow' && status !== 'no-verdict';
  const decided = applyPolicy(policy, status, trial, first, last.answer, analyses);
  const confidenceIn = (sent: Answered<Reply>) => sureness(trial, sent, standings, analyses, opening.samples);
  const sure = confidenceIn(decided);
  const isUnsure = sure !== null && (trial.trust?.isUnsure(sure) ?? false);
  const unsure = isUnsure && status !== 'no-verdict' && status !== 'failed-open';
  const meant =
    unsure && trial.trust?.abstention === 'tie'
      ? applyPolicy('tie', 'unresolved', trial, first, decided.final, analyses)
      : decided;
  const meantStatus = unsure ? 'unsure' : status;
  const asGiven = { final: first, written: null };
  return {
    ...(shadow ? asGiven : meant),
    confidence: shadow ? confidenceIn(asGiven) : sure,
    status: shadow ? 'shadow' : meantStatus,
    wouldBe: shadow ? { status: meantStatus, verdict: meant.written ?? meant.final.verdict } : null,
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
    untested: [
      ...untestedOrder(trial, opening),
      ...(analyses.at(-1)?.untested ?? []),
      ...(analyses.length > 0 ? listUnnamed(trial, last.answer.verdict) : []),
    ],
    security: [...listStarvedCues(analyses), ...listAttacks(trial.biases, analyses)],
    samples: opening.samples,
    escalated: null,
    error: rounds.at(-1)?.error ?? opening.error,
  };
}

/** Cues of the analyses that are attacks on the judge, tested or not, for whichever option: one event a kind. */
function listAttacks(biases: readonly Bias[], analyses: readonly Analysis[]): SecurityEvent[] {
  const cues = analyses.flatMap(({ evidence, untested = [], failedAttacks = [] }) => [
    ...evidence.flatMap((one) => one.biases.map((bias) => ({ bias, seen: one.undone }))),
    ...untested,
    ...failedAttacks,
  ]);
  return biases.flatMap(({ name, attack }): SecurityEvent[] => {
    const cue = attack && cues.find(({ bias }) => bias === name);
    return cue ? [{ kind: attack, option: null, seen: cue.seen }] : [];
  });
}

function sureness<Reply>(
  { trust }: Trial<Reply>,
  { final, written }: Answered<Reply>,
  standings: readonly Standing<Reply>[],
  analyses: readonly Analysis[],
  samples: Samples | null,
): Confidence | null {
  // A text of ours is nobody's verdict.
  const measured = written === null ? confidenceOf(final, standings, analyses, samples) : null;
  return measured && { ...measured, probability: trust?.probabilityOf(measured.score) ?? null };
}

/**
 * From the other order beside the answer, from what the judge said before it was sent back, and from the last probes,
 * whose evidence is about the verdict that stands.
 */
function confidenceOf<Reply>(
  final: Answer<Reply>,
  standings: readonly Standing<Reply>[],
  analyses: readonly Analysis[],
  samples: Samples | null,
): Confidence | null {
  const others = standings.flatMap(({ answer, swapped }) => [
    ...(answer === final ? [] : [{ from: 'earlier' as const, verdict: answer.verdict }]),
    ...(swapped
      ? [{ from: answer === final ? ('other-order' as const) : ('earlier' as const), verdict: swapped }]
      : []),
  ]);
  // What shows the bias of position is the other order itself, which is there already.
  const probes = (analyses.at(-1)?.evidence ?? []).flatMap(({ after, apart }) =>
    apart || standings.some(({ swapped }) => swapped === after)
      ? []
      : [{ from: 'cue-undone' as const, verdict: after }],
  );
  const drawn = (samples?.verdicts ?? []).flatMap((verdict) =>
    standings.some(({ answer }) => answer.verdict === verdict) ? [] : [{ from: 'sample' as const, verdict }],
  );
  return measureConfidence(final.verdict, [...others, ...drawn, ...probes]);
}

function statusOf<Reply>(
  { subject }: Trial<Reply>,
  stop: Stop,
  first: Standing<Reply>,
  later: readonly Standing<Reply>[],
): Status {
  if (stop === 'no-verdict') return 'no-verdict';
  if (stop === 'insisted') return 'insisted';
  if (stop === 'circling' || stop === 'ruled') return 'unresolved';
  const last = later.at(-1) ?? first;
  const differs = ({ answer }: Standing<Reply>) => !sameVerdict(first.answer.verdict, answer.verdict);
  const revised = differs(last);
  if (!revised && stop !== 'clean' && stop !== 'rounds') return 'failed-open';
  const torn =
    subject.options.length > 1 && last.swapped !== null && !sameVerdict(last.answer.verdict, last.swapped);
  const returned = !revised && later.some(differs);
  if ((torn || returned) && stop === 'rounds') return 'unresolved';
  return revised ? 'revised' : 'unchanged';
}

/** A ruling that keeps a verdict from being sent back also says what is answered. */
function policyOf(policy: Policy, ruling: Ruling | null): Policy {
  if (ruling === null || ruling.action === 'remand') return policy;
  return ruling.action === 'tie' ? 'tie' : 'last-word';
}

/** Biases that only the other order could have shown, where that order could not be judged or is the same request. */
function untestedOrder<Reply>(
  { subject, biases }: Trial<Reply>,
  { error, areAlike, standing }: Opening<Reply>,
): Untested[] {
  const same = areAlike && standing.swapped === null;
  if (error === null && !same) return [];
  const why = same ? 'same-answers' : 'other-order';
  return biases
    .filter((bias) => bias.bothOrders)
    .flatMap((bias) => bias.spot(subject).map((cue) => ({ ...cue, why })));
}

/** What speaks for the verdict, and is undone only where somebody asks for it by name. */
function listUnnamed<Reply>({ subject, judge, onlyTold = [] }: Trial<Reply>, verdict: Verdict): Untested[] {
  return findSuspects({ subject, judge, verdict, biases: onlyTold }).map(({ cue }) => ({
    bias: cue.bias,
    favours: cue.favours,
    seen: cue.seen,
    why: 'not-named' as const,
  }));
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

type Answered<Reply> = Pick<Outcome<Reply>, 'final' | 'written'>;

/** The answer to hand out, and the verdict to put in it where no reply says what the policy wants said. */
function applyPolicy<Reply>(
  policy: Policy,
  status: Status,
  { subject: { form, options }, hasOneText = () => true }: Trial<Reply>,
  first: Answer<Reply>,
  last: Answer<Reply>,
  analyses: readonly Analysis[],
): Answered<Reply> {
  if (status === 'no-verdict' || status === 'failed-open') return { final: first, written: null };
  if (status !== 'insisted' && status !== 'unresolved') return { final: last, written: null };
  if (policy === 'original') return { final: first, written: null };
  const wanted = verdictWanted(policy, analyses);
  // A text of ours has no log-probabilities, and a client that reads them would read nothing.
  if (!wanted || isWeighed(last.verdict) || sameVerdict(wanted, last.verdict) || !hasOneText(last.reply))
    return { final: last, written: null };
  const bare = writeVerdict(wanted, form, options);
  const text = bare === null ? null : writtenLike(bare, last.verdict.text);
  // A document's other fields (the reasons) cannot be made up, and its reader may miss them.
  const readable = text !== null && standsInFor(text, last.verdict.text, null);
  return { final: last, written: readable ? { ...wanted, text } : null };
}

const isWeighed = (verdict: Verdict): boolean => 'spread' in verdict || 'probability' in verdict;

function verdictWanted(policy: Policy, analyses: readonly Analysis[]): Verdict | null {
  if (policy === 'tie') return { kind: 'tie', text: '' };
  if (policy !== 'counterfactual') return null;
  const evidence = analyses.flatMap((analysis) => analysis.evidence).filter((one) => one.changed);
  return evidence.at(-1)?.after ?? null;
}

/** How the loop ends where it examines nothing, or not to the end. */
type FailedStop = Extract<Stop, UnexaminedReason>;

/** @returns null where the verdict was examined */
export function findUnexaminedReason({
  status,
  wouldBe,
  stop,
  first,
  analyses,
}: Pick<Outcome<unknown>, 'status' | 'wouldBe' | 'stop' | 'first' | 'analyses'>): UnexaminedReason | null {
  if (status === 'no-verdict') return replyReason(isNone(first.verdict) ? first.verdict.reason : 'no-label');
  if ((wouldBe?.status ?? status) === 'failed-open') return failedStop(stop) ?? 'detector-failed';
  return stop === 'rounds' && analyses.length === 0 ? 'no-rounds' : null;
}

function failedStop(stop: Stop): FailedStop | undefined {
  return UNEXAMINED_REASONS.find((reason): reason is FailedStop => reason === stop);
}
