/**
 * One judgment from its first call to its trace: the loop, a judge that is asked in whatever way, the account of its calls.
 * Each question of the loop becomes edits of the client's request, and the reply a verdict that can stand in for the first
 * one. The proxy, judging in process and evaluations all run their judgments here.
 */
import type { JudgeReply } from '../../adapters/index.ts';
import { type Bias, CATALOGUE } from '../bias/index.ts';
import {
  type Case,
  type Checkpoint,
  isNone,
  kindOf,
  listAnswers,
  type SecurityEvent,
  sameVerdict,
  unlimited,
  type Verdict,
} from '../case/index.ts';
import type { Detector } from '../detect/index.ts';
import { describeError } from '../errors.ts';
import {
  BudgetError,
  CROWDED_RETRIES,
  isCrowded,
  isTimeout,
  JudgeError,
  openTimeLimit,
  retryFailed,
  withRetry,
} from '../http/index.ts';
import {
  type Answer,
  type Ask,
  debias,
  type FirstVerdict,
  type OrderCheck,
  type OrderChecks,
  type Outcome,
  type Policy,
  type Question,
  type Trial,
  type Trust,
} from '../loop/index.ts';
import type { CallBytes, Ledger, Prices } from '../models/index.ts';
import type { Call, CallKind, Clock, RewritePrompt } from '../ports.ts';
import { buildFailedTrace, buildTrace, type JudgeFingerprint, type Trace } from '../trace/index.ts';
import { needsSecondJudge, withSecondJudge } from './escalate.ts';
import { createQuestionEdits, type QuestionEdits } from './question.ts';
import { checkVerdict, type ReplyForm, readAnswer } from './read-answer.ts';

/** What a judge said: the reply to hand on, and what is read from it. */
export interface JudgeAnswer<Reply> {
  readonly reply: Reply;
  readonly read: JudgeReply;
  /** Whether it was known before and cost nothing; default: it was not. */
  readonly cached?: boolean;
  /** How long request and reply were, where that is known. */
  readonly bytes?: () => CallBytes;
  /** Where several samples were asked for: each as an answer of its own, in the form of a reply that holds one. */
  readonly separate?: () => readonly JudgeAnswer<Reply>[];
}

/** Makes one call. `changes` is null where the client's own request is to go out as it came. */
export type Put<Reply> = (
  kind: Question['kind'],
  changes: QuestionEdits | null,
  signal: AbortSignal,
) => Promise<JudgeAnswer<Reply>>;

/** One call to a judge: the client's own request, that request with changes, or a prompt of ours for rewording. */
export type JudgeCall =
  | { readonly kind: 'rewrite'; readonly prompt: RewritePrompt }
  | { readonly kind: Question['kind']; readonly changes: QuestionEdits | null };

/** A judge, however it is asked. Each call is one attempt: retries, time and the account are the runner's. */
export interface JudgeCaller<Reply> {
  /** The model's name, which detectors and traces mention. */
  readonly model: string;
  /** JSON schema of the reply that the request demands; null where it demands none. */
  readonly schema: unknown;
  /** Whether probes' log-probabilities may be on another scale than those of the client's own reply. */
  readonly tempered?: boolean;
  /** Whether the client's own request may be answered otherwise when it is asked again. Default: it may. */
  readonly varies?: boolean;
  /**
   * Whether a reply holds one text. A text of ours in each of several choices would pass for as many judgments, so
   * none is written there. Default: every reply does.
   */
  readonly hasOneText?: (reply: Reply) => boolean;
  /** Whether one call can ask for several samples, which its answer then gives apart. Default: none can. */
  readonly samplesTogether?: boolean;
  /** For one call, its reply read to the end, in milliseconds. Default: whoever is asked keeps the time. */
  readonly timeoutMs?: number;
  /** @param held told while the call is held back before it is sent */
  readonly ask: (
    call: JudgeCall,
    signal: AbortSignal,
    held?: (isHeld: boolean) => void,
  ) => Promise<JudgeAnswer<Reply>>;
}

/** The judge to which a verdict goes that the first one is unsure of. */
export interface Escalation {
  /** The second judge, however it is asked. */
  readonly caller: JudgeCaller<unknown>;
  /** Confidence of the first judge, as it is told, below which a verdict goes to the second. */
  readonly below: number;
  /** How far the second one's verdicts are trusted. */
  readonly trust: Trust;
  /** The second one's own account. */
  readonly ledger: Ledger;
}

export interface JudgmentPlan {
  readonly subject: Case;
  /** What the reading of the request told of its texts. */
  readonly security: readonly SecurityEvent[];
  readonly detector: Detector;
  readonly biases: readonly Bias[];
  readonly onlyTold?: readonly Bias[];
  readonly rounds: number;
  readonly mode: 'debias' | 'shadow';
  readonly policy: Policy;
  readonly rule?: Trial<unknown>['rule'];
  readonly trust?: Trial<unknown>['trust'];
  readonly confident?: number | undefined;
  /** Most samples of the client's own request, its first reply included; default 1. */
  readonly samples?: number;
  readonly escalation?: Escalation | undefined;
  /** Which verdicts are judged in the other order, by what is known of this judge; default: all are. */
  readonly orders?: { readonly checks: OrderChecks; readonly isSampled: boolean } | undefined;
  /** Milliseconds for all work after the first verdict, and the longest wait before a retry. */
  readonly deadlineMs: number;
  /** Retries of an added call, and of the client's own request where its client cannot. Default 2. */
  readonly retries?: number;
  /** Whether the client cannot try its own request again any more. Default: it can, so nobody else does. */
  readonly isBound?: () => boolean;
  readonly ledger: Ledger;
  readonly clock: Clock;
  /** When the request came, by `clock.now()` and `clock.elapsed()`; default: now. */
  readonly began?: { readonly now: number; readonly elapsed: number };
  /** Begins the reading of a reply, or a search for cues. */
  readonly beginReading?: () => Checkpoint;
  /** What is known of the judge before it answers, for the trace. */
  readonly asked?: Pick<JudgeFingerprint, 'parameters' | 'template'>;
  /** Of models, for what the calls cost. */
  readonly prices?: Prices;
  /** Takes keys out of an error's text: an endpoint may quote them. Default: there are none to take out. */
  readonly redact?: (text: string) => string;
}

export interface OrderDecision {
  readonly isMade: boolean;
  /** Of the latest verdicts. */
  readonly share: number;
  /** Whether the judge disagrees with itself more often than before. */
  readonly isAlarm: boolean;
}

interface JudgmentRecord<Reply> {
  /** Every reply of the judge that was paid for, in the order in which they came. */
  readonly replies: readonly Reply[];
  /** Every model call, failed ones too; of those that are `cached` the reply was known before. */
  readonly calls: readonly Call[];
  /** What happened, under this id; also where the judgment failed. */
  readonly trace: (id: string) => Trace;
  /** What the judge was; null where the plan does not say what it was asked. */
  readonly fingerprint: JudgeFingerprint | null;
  /** What was decided on judging in the other order; null where that is always done, or cannot be. */
  readonly order: OrderDecision | null;
  /** Whether this judge was unsure of its verdict, whatever a second one said. */
  readonly isUnsure: boolean;
}

export type JudgmentRun<Reply> =
  | (JudgmentRecord<Reply> & { readonly outcome: Outcome<Reply> })
  /** The first call failed, or the signal aborted: `cause` says why. */
  | (JudgmentRecord<Reply> & { readonly outcome: null; readonly cause: unknown });

const RETRIES = 2;

/** Never rejects: what failed is told in the result. Resolves when no call of the judgment is in flight any more. */
export async function runJudgment<Reply>(
  caller: JudgeCaller<Reply>,
  plan: JudgmentPlan,
  signal: AbortSignal,
): Promise<JudgmentRun<Reply>> {
  const { subject, security, detector, biases, mode, policy, deadlineMs, ledger, clock, prices } = plan;
  const { retries = RETRIES, beginReading, redact = (text) => text } = plan;
  const { model, schema, tempered, varies, timeoutMs, hasOneText = () => true } = caller;
  const began = plan.began ?? { now: clock.now(), elapsed: clock.elapsed() };
  /** Calls may outlive whoever asked for them; the account is complete when all have ended. */
  const begun: Promise<unknown>[] = [];
  const replies: Reply[] = [];
  let served: string | null = null;

  async function callOnce(call: JudgeCall, within: AbortSignal): Promise<JudgeAnswer<Reply>> {
    using limit = openTimeLimit(timeoutMs, clock, within);
    const entry = ledger.open({ to: model, kind: call.kind });
    let isHeld = false;
    const held = (now: boolean) => {
      isHeld = now;
    };
    try {
      const answer = await limit.until(caller.ask(call, limit.signal, held));
      const { cached = false } = answer;
      if (!cached) replies.push(answer.reply);
      if (call.kind === 'judge') served = answer.read.served ?? null;
      entry.close({
        tokens: answer.read.tokens,
        cached,
        ...(answer.bytes && { bytes: answer.bytes }),
      });
      return answer;
    } catch (error) {
      // Its own time limit ends a connection that hangs: that may have been sent. Any other end came before it went out.
      if (isHeld && (within.aborted || !isTimeout(error))) entry.withdraw();
      else entry.fail(error);
      throw error;
    }
  }

  function track<T>(call: Promise<T>): Promise<T> {
    begun.push(call);
    return call;
  }

  const patience = { retries, maxWaitMs: deadlineMs, clock };
  const callWithRetry = (call: JudgeCall, within: AbortSignal) =>
    track(withRetry(() => callOnce(call, within), { ...patience, signal: within }));

  /**
   * Its client tries a request again by itself, unless it cannot, or added calls were in its way. Where a judge hangs, the
   * client has waited as long as one call may take.
   */
  const retryOwn = (first: Promise<JudgeAnswer<Reply>>, call: JudgeCall, within: AbortSignal) =>
    track(
      retryFailed(first, () => callOnce(call, within), {
        ...patience,
        signal: within,
        retries: Math.max(retries, CROWDED_RETRIES),
        when: (error, number) =>
          isCrowded(error) || (number <= retries && plan.isBound?.() === true && !isTimeout(error)),
      }),
    );

  const order = openOrderCheck(plan);
  const trial: Trial<Reply> = {
    subject,
    judge: model,
    detector,
    biases,
    ...(plan.onlyTold && { onlyTold: plan.onlyTold }),
    rounds: plan.rounds,
    mode,
    policy,
    rule: plan.rule,
    trust: plan.trust,
    confident: plan.confident,
    samples: plan.samples,
    samplesTogether: caller.samplesTogether,
    hasOneText,
    orderCheck: order.check,
    deadlineMs,
    clock,
    beginReading,
    signal,
    affords: ledger.affords,
    ask: createAsk(
      subject,
      function put(kind, changes, within) {
        const call = { kind, changes };
        if (kind !== 'judge') return callWithRetry(call, within);
        return retryOwn(callOnce(call, within), call, within);
      },
      {
        biases,
        schema,
        beginReading,
        ...(tempered !== undefined && { tempered }),
        ...(varies !== undefined && { varies }),
      },
    ),
    async rewrite(prompt, within) {
      const { read } = await callWithRetry({ kind: 'rewrite', prompt }, within);
      const text = read.texts[0]?.trim() ?? '';
      if (text === '') throw new JudgeError(`${model} gave no text when asked to reword one`);
      return text;
    },
  };

  const ended = await debias(trial).then(
    (outcome) => ({ outcome }),
    (cause: unknown) => ({ outcome: null, cause }),
  );
  await Promise.allSettled(begun);
  const ordered = order.close(ended.outcome);
  const { escalation } = plan;
  const isOpen =
    escalation && ended.outcome && mode === 'debias' && needsSecondJudge(ended.outcome, escalation.below);
  const second = isOpen ? await runSecond(plan, escalation, signal) : null;
  const ms = clock.elapsed() - began.elapsed;
  const secondCalls = second?.calls ?? [];
  const calls = [...ledger.calls, ...secondCalls];
  const fingerprint = plan.asked ? { ...plan.asked, served, form: formOf(subject) } : null;
  const info = {
    began: began.now,
    ms,
    judge: model,
    detector: detector.name,
    mode,
    policy,
    subject,
    security,
    calls: ledger.calls,
    secondCalls,
    order: ordered,
    fingerprint,
    redact,
    ...(prices && { prices }),
  };
  if (ended.outcome !== null) {
    const { reply } = ended.outcome.final;
    const outcome = second
      ? withSecondJudge(ended.outcome, subject, schema, hasOneText(reply), second)
      : ended.outcome;
    return {
      outcome,
      replies,
      calls,
      fingerprint,
      order: ordered,
      isUnsure: ended.outcome.status === 'unsure',
      trace: (id) => buildTrace({ ...info, id }, outcome),
    };
  }
  const { cause } = ended;
  const failure = {
    stop:
      signal.aborted && !(cause instanceof JudgeError) ? ('client-left' as const) : ('judge-failed' as const),
    error: describeError(cause),
  };
  return {
    outcome: null,
    cause,
    replies,
    calls,
    fingerprint,
    order: ordered,
    isUnsure: false,
    trace: (id) => buildFailedTrace({ ...info, id }, failure),
  };
}

/** The kind of verdict and its scale: no label, for that may be a text. */
function formOf({ form, options }: Case): string {
  const { min, max } = listAnswers(form, options);
  const scale = min === null || max === null ? '' : `, ${min} to ${max}`;
  return `${form.kind}, ${options.length} ${options.length === 1 ? 'option' : 'options'}${scale}`;
}

/** Asks what is known of the judge whether to ask in the other order, and tells it what came of that. */
function openOrderCheck({ orders, subject }: JudgmentPlan) {
  if (!orders || subject.options.length < 2)
    return { check: undefined, close: (): OrderDecision | null => null };
  const { checks, isSampled } = orders;
  const [a, b] = subject.options;
  const seenIn = (verdict: Verdict): FirstVerdict => ({
    choice: kindOf(verdict).preferred?.(verdict) ?? null,
    probability: kindOf(verdict).likelihood?.(verdict)?.low ?? null,
    lengths: [a?.text.length ?? 0, b?.text.length ?? 0],
  });
  let decided: { readonly first: FirstVerdict; readonly check: OrderCheck } | null = null;
  const isDue = (verdict: Verdict): boolean => {
    const first = seenIn(verdict);
    decided ??= { first, check: checks.decide(first, isSampled) };
    return decided.check.isDue;
  };
  return {
    check: { all: checks.checksAll(), isDue },
    close(outcome: Outcome<unknown> | null): OrderDecision | null {
      const [verdict] = outcome?.verdicts ?? [];
      if (!verdict || isNone(verdict)) return null;
      isDue(verdict);
      if (!decided || !outcome) return null;
      const { first, check } = decided;
      const [other] = outcome.swapped;
      const isAlarm = other ? checks.observe(first, check, !sameVerdict(verdict, other)) : false;
      return { isMade: other !== null && other !== undefined, share: check.share, isAlarm };
    },
  };
}

/** The same case before the second judge: its own calls, its own account, as long again for all of them, and nobody behind it. */
async function runSecond(plan: JudgmentPlan, { caller, trust, ledger }: Escalation, signal: AbortSignal) {
  const {
    escalation: _escalation,
    began: _began,
    rule: _rule,
    samples: _samples,
    orders: _orders,
    ...rest
  } = plan;
  const { deadlineMs, clock } = plan;
  const model = caller.model;
  if (signal.aborted) return { outcome: null, cause: signal.reason, calls: [], model };
  using limit = openTimeLimit(deadlineMs, clock, signal);
  const run = await runJudgment(caller, { ...rest, trust, ledger }, limit.signal);
  return { ...run, model };
}

/**
 * An `Ask` for one judgment: it remembers the first reply, whose form every re-judgment must have.
 *
 * @param options.schema JSON schema of the reply that the request demands; null where it demands none
 * @param options.tempered whether probes' log-probabilities may be on another scale than the client's own reply's
 * @param options.varies whether the client's own request may be answered otherwise when it is asked again
 * @param options.beginReading begins the reading of a reply: what it gives is called between the steps and may end it
 * @param options.biases where the definitions come from that go with a remand
 *
 * @example const ask = createAsk(subject, (kind, changes, signal) => askMyJudge(changes, signal));
 */
export function createAsk<Reply>(
  subject: Case,
  put: Put<Reply>,
  {
    schema = null,
    biases = CATALOGUE,
    tempered = false,
    varies = true,
    beginReading = () => unlimited,
  }: {
    readonly schema?: unknown;
    readonly biases?: readonly Bias[];
    readonly tempered?: boolean;
    readonly varies?: boolean;
    readonly beginReading?: (() => Checkpoint) | undefined;
  } = {},
): Ask<Reply> {
  const { form } = subject;
  let first: ReplyForm | null = null;

  function answerWith(
    { reply, read }: JudgeAnswer<Reply>,
    kind: CallKind,
    comparable: boolean,
  ): Answer<Reply> {
    const { verdict, unread } = readAnswer(read, subject, { comparable, checkpoint: beginReading() });
    const now: ReplyForm = { ...read, unread };
    if (kind === 'judge') first = now;
    return {
      verdict:
        kind === 'remand' || kind === 'sample'
          ? checkVerdict(verdict, now, first, { form, schema })
          : verdict,
      reply,
    };
  }

  return async function ask(question, signal) {
    const { kind } = question;
    if (kind === 'sample' && !varies)
      throw new JudgeError('the request asks for greedy decoding: samples would all be the same');
    if (kind === 'sample' && (first?.texts.length ?? 1) > 1)
      throw new JudgeError('the request asks for several choices, which are samples already');
    const changes = createQuestionEdits(question, subject, biases);
    const comparable = !(tempered && changes?.steady);
    const said = await put(kind, changes, signal);
    const [one = said, ...others] = said.separate?.() ?? [];
    const answer = answerWith(one, kind, comparable);
    if (others.length > 0)
      return { ...answer, besides: others.map((other) => answerWith(other, kind, comparable)) };
    if (kind !== 'remand' || !isNone(answer.verdict)) return answer;
    try {
      // A judge that slipped out of its form gets one more try at it.
      return answerWith(await put(kind, changes, signal), kind, comparable);
    } catch (error) {
      if (error instanceof BudgetError) return answer;
      throw error;
    }
  };
}
