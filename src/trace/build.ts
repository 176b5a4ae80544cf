/** Puts what happened to one judgment into a trace. */

import {
  type Analysis,
  type Case,
  type Evidence,
  finiteOrNull,
  isNone,
  kindOf,
  labelsOf,
  listAnswers,
  type Noise,
  type SecurityEvent,
  type Sensitivity,
  type Statement,
  sameVerdict,
  type Verdict,
} from '../case/index.ts';
import {
  type EscalationResult,
  findUnexaminedReason,
  type Outcome,
  type Stop,
  type UnexaminedReason,
} from '../loop/index.ts';
import { computeCost, type Prices } from '../models/index.ts';
import type { Call } from '../ports.ts';
import {
  type JudgeFingerprint,
  type Trace,
  type TraceEvidence,
  type TraceVerdict,
  traceVerdict,
} from './trace-schema.ts';

/** What is known of a judgment whatever became of it. */
export interface JudgmentInfo {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly began: number;
  /** From the request to the answer, in milliseconds. */
  readonly ms: number;
  readonly judge: string;
  readonly detector: string;
  readonly mode: 'debias' | 'shadow';
  readonly policy: string;
  readonly subject: Case;
  /** What the reading of the request told of its texts. */
  readonly security?: readonly SecurityEvent[];
  readonly calls: readonly Call[];
  /** Of a second judge, which all are added; missing where none was asked. */
  readonly secondCalls?: readonly Call[];
  /** What was decided on judging in the other order; missing where that is always done. */
  readonly order?: { readonly isMade: boolean; readonly share: number } | null;
  /** What the judge was; missing where nobody tells. */
  readonly fingerprint?: JudgeFingerprint | null;
  /** Of models, for what the calls cost. */
  readonly prices?: Prices;
  /** Takes keys out of an error's text: an endpoint may quote them. */
  readonly redact: (text: string) => string;
}

export function buildTrace(judged: JudgmentInfo, outcome: Outcome<unknown>): Trace {
  const { subject, redact } = judged;
  const [first] = outcome.verdicts;
  const sent = outcome.written ?? outcome.final.verdict;
  const last = outcome.wouldBe?.verdict ?? sent;
  return {
    ...begunIn(judged),
    status: outcome.status,
    would_be: outcome.wouldBe?.status ?? null,
    would_say: outcome.wouldBe && toTraceVerdict(subject, outcome.wouldBe.verdict),
    stop: outcome.stop,
    reason: findUnexaminedReason(outcome),
    verdicts: outcome.verdicts.map((verdict) => toTraceVerdict(subject, verdict)),
    swapped: outcome.swapped.map((verdict) => verdict && toTraceVerdict(subject, verdict)),
    looked_for: [...outcome.lookedFor],
    final: toTraceVerdict(subject, sent),
    moved: first !== undefined && decidesOtherwise(first, last),
    written: outcome.written?.text ?? null,
    analyses: outcome.analyses.map((analysis) => analysisIn(subject, analysis)),
    biases: [...outcome.biases],
    sensitivity: [...outcome.sensitivity],
    untested: outcome.untested.map(({ bias, favours, seen, why }) => ({
      bias,
      favours: favours === 'any' ? null : labelsOf(subject)(favours),
      seen,
      why,
    })),
    security: securityIn(subject, [...(judged.security ?? []), ...outcome.security]),
    confidence: confidenceIn(outcome.confidence),
    samples: outcome.samples && {
      wanted: outcome.samples.wanted,
      verdicts: outcome.samples.verdicts.map((verdict) => toTraceVerdict(subject, verdict)),
      why: outcome.samples.why === null ? null : redact(outcome.samples.why),
    },
    escalated: outcome.escalated && escalatedIn(subject, outcome.escalated, redact),
    order: judged.order ? { made: judged.order.isMade, share: judged.order.share } : null,
    rounds: outcome.rounds,
    ruling: outcome.ruling,
    error: outcome.error === null ? null : redact(outcome.error),
  };
}

/**
 * A judgment that came to no outcome: the client's own request failed, or the client left. What was called for it is
 * in its trace all the same.
 */
export function buildFailedTrace(
  judged: JudgmentInfo,
  { stop, error }: { readonly stop: Stop | 'client-left' | UnexaminedReason; readonly error: string },
): Trace {
  return {
    ...begunIn(judged),
    status: 'no-verdict',
    would_be: null,
    would_say: null,
    stop,
    reason: stop,
    verdicts: [],
    final: { text: '', none: 'no-reply' },
    moved: false,
    written: null,
    analyses: [],
    biases: [],
    sensitivity: [],
    untested: [],
    security: securityIn(judged.subject, judged.security ?? []),
    confidence: null,
    samples: null,
    escalated: null,
    order: null,
    rounds: 0,
    ruling: null,
    error: judged.redact(error),
  };
}

/** A request that was left alone though its texts are to be told of: nothing of it was read. */
export function buildUnexaminedTrace(
  judged: Omit<JudgmentInfo, 'subject' | 'calls'>,
  reason: UnexaminedReason,
): Trace {
  const error = `no case was found in the request (${reason}): it was not examined`;
  return buildFailedTrace({ ...judged, subject: NOTHING, calls: [] }, { stop: reason, error });
}

const NOTHING: Case = {
  layout: 'none',
  prompt: { parts: [] },
  instruction: null,
  options: [],
  context: [],
  form: { kind: 'choice', write: null, tie: null, field: null },
  noteAt: { part: 0, offset: 0 },
};

const confidenceIn = (confidence: Outcome<unknown>['confidence']): Trace['confidence'] =>
  confidence && { ...confidence, grounds: [...confidence.grounds] };

function escalatedIn(
  subject: Case,
  { to, result, why, verdict, confidence, before }: EscalationResult,
  redact: (text: string) => string,
): Trace['escalated'] {
  return {
    to,
    result,
    why: why === null ? null : redact(why),
    verdict: verdict && toTraceVerdict(subject, verdict),
    confidence: confidenceIn(confidence),
    before: confidenceIn(before),
  };
}

function securityIn(subject: Case, events: readonly SecurityEvent[]): Trace['security'] {
  return events.map(({ kind, option, seen }) => ({
    kind,
    option: option === null ? null : labelsOf(subject)(option),
    seen,
  }));
}

type Begun = Pick<
  Trace,
  | 'id'
  | 'time'
  | 'ms'
  | 'judge'
  | 'fingerprint'
  | 'detector'
  | 'mode'
  | 'layout'
  | 'case'
  | 'calls'
  | 'spent'
  | 'policy'
>;

function begunIn(judged: JudgmentInfo): Begun {
  const { subject, redact, secondCalls = [], prices = {} } = judged;
  const isOwn = ({ kind }: Call) => kind === 'judge';
  const added = [...judged.calls.filter((call) => !isOwn(call)), ...secondCalls];
  const calls = [...judged.calls, ...secondCalls];
  return {
    id: judged.id,
    time: new Date(judged.began).toISOString(),
    ms: judged.ms,
    judge: judged.judge,
    fingerprint: judged.fingerprint ?? null,
    detector: judged.detector,
    mode: judged.mode,
    policy: judged.policy,
    layout: subject.layout,
    case: {
      instruction: subject.instruction?.text ?? null,
      options: subject.options.map(({ label, text }) => ({ label, text })),
      context: subject.context.map(({ text }) => text),
      answers: listAnswers(subject.form, subject.options),
      marks: subject.context.map((statement) => marksOf(subject, statement)),
    },
    spent: { own: spentBy(judged.calls.filter(isOwn), prices), added: spentBy(added, prices) },
    calls: calls.map((call) => ({ ...call, error: call.error === null ? null : redact(call.error) })),
  };
}

/** What cannot be read decides nothing. */
const decidesOtherwise = (first: Verdict, last: Verdict): boolean =>
  !isNone(first) && !isNone(last) && !sameVerdict(first, last);

function spentBy(calls: readonly Call[], prices: Prices): NonNullable<Trace['spent']>['own'] {
  let tokens = 0;
  let cost: number | null = 0;
  for (const { to, tokens: used, cached, error } of calls) {
    if (cached || error !== null) continue;
    const paid = used && computeCost(to, used, prices);
    tokens += used ? used.input + used.output : 0;
    cost = paid && cost !== null ? cost + (paid.input + paid.output) : null;
  }
  return { calls: calls.filter(({ cached }) => !cached).length, tokens, cost };
}

/** Places are those in the statement's own text. */
function marksOf(
  subject: Case,
  { at: { start }, mentions, of }: Statement,
): NonNullable<Trace['case']['marks']>[number] {
  return {
    mentions: mentions.map(({ option, at }) => ({
      option: labelsOf(subject)(option),
      start: at.start - start,
      end: at.end - start,
    })),
    ...(of && { of }),
  };
}

function analysisIn(
  subject: Case,
  { biased, biases, reasoning, evidence }: Analysis,
): Trace['analyses'][number] {
  return {
    biased,
    biases: [...biases],
    reasoning,
    evidence: evidence.map((one) => evidenceIn(subject, one)),
  };
}

function evidenceIn(subject: Case, evidence: Evidence): TraceEvidence {
  return {
    biases: [...evidence.biases],
    undone: evidence.undone,
    before: toTraceVerdict(subject, evidence.before),
    after: toTraceVerdict(subject, evidence.after),
    changed: evidence.changed,
    ...(evidence.noise && { noise: noiseIn(subject, evidence.noise) }),
    ...(evidence.sensitivity && { sensitivity: toTraceSensitivity(evidence.sensitivity) }),
  };
}

function toTraceSensitivity({
  low,
  high,
  ...sensitivity
}: Sensitivity): NonNullable<TraceEvidence['sensitivity']> {
  return { ...sensitivity, low: finiteOrNull(low), high: finiteOrNull(high) };
}

function noiseIn(subject: Case, noise: Noise): NonNullable<TraceEvidence['noise']> {
  return noise.by === 'repeat' ? { ...noise, repeat: toTraceVerdict(subject, noise.repeat) } : noise;
}

/** A verdict as JSON: choices by label, never by place. */
export function toTraceVerdict(subject: Case, verdict: Verdict): TraceVerdict {
  return traceVerdict.parse({ text: verdict.text, ...kindOf(verdict).toTrace(verdict, labelsOf(subject)) });
}

/**
 * A trace without anybody's words, for operators who may not keep what they judge: labels, decisions, biases,
 * calls and times stay, every text is replaced by its length. Reasons quote the case, so they go, too.
 */
export function removeTexts(trace: Trace): Trace {
  const bare = mapTexts(trace, (text) => `[${text.length} characters withheld]`);
  const { answers: _answers, marks: _marks, ...subject } = bare.case;
  return { ...bare, case: subject };
}

/**
 * A trace with every text changed that the case, a model or an endpoint wrote. Names of ours, ids, labels and decisions stay
 * as they are, whatever the change makes of a text.
 */
export function mapTexts(trace: Trace, change: (text: string) => string): Trace {
  const orNull = (text: string | null) => (text === null ? null : change(text));
  const reply = (verdict: TraceVerdict): TraceVerdict => ({ ...verdict, text: change(verdict.text) });
  const replyOrNull = (verdict: TraceVerdict | null) => verdict && reply(verdict);
  const evidence = ({ undone, before, after, noise, ...rest }: TraceEvidence): TraceEvidence => ({
    ...rest,
    undone: change(undone),
    before: reply(before),
    after: reply(after),
    ...(noise && { noise: noise.by === 'repeat' ? { ...noise, repeat: reply(noise.repeat) } : noise }),
  });
  const { samples, escalated } = trace;
  return {
    ...trace,
    case: {
      ...trace.case,
      instruction: orNull(trace.case.instruction),
      options: trace.case.options.map(({ label, text }) => ({ label, text: change(text) })),
      context: trace.case.context.map(change),
    },
    verdicts: trace.verdicts.map(reply),
    ...(trace.swapped && { swapped: trace.swapped.map(replyOrNull) }),
    would_say: replyOrNull(trace.would_say),
    final: reply(trace.final),
    written: orNull(trace.written),
    analyses: trace.analyses.map((analysis) => ({
      ...analysis,
      reasoning: change(analysis.reasoning),
      evidence: analysis.evidence.map(evidence),
    })),
    untested: trace.untested.map((one) => ({ ...one, seen: change(one.seen) })),
    security: trace.security.map((one) => ({ ...one, seen: change(one.seen) })),
    samples: samples && { ...samples, verdicts: samples.verdicts.map(reply), why: orNull(samples.why) },
    escalated: escalated && {
      ...escalated,
      verdict: replyOrNull(escalated.verdict),
      why: orNull(escalated.why),
    },
    calls: trace.calls.map((call) => ({ ...call, error: orNull(call.error) })),
    error: orNull(trace.error),
  };
}

/** Whether a text of a trace is what `removeTexts` left of one. */
export const isWithheld = (text: string): boolean => /^\[\d+ characters withheld\]$/.test(text);
