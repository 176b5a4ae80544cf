/**
 * One judgment from its first call to its trace: the loop, a judge that is asked in whatever way, the account of its calls.
 * The proxy, judging in process and evaluations all run their judgments here.
 */
import type { Bias } from '../bias/index.ts';
import type { Checkpoint } from '../case/checkpoint.ts';
import type { Case, SecurityEvent } from '../case/types.ts';
import type { Detector } from '../detect/index.ts';
import { createInFlight } from '../http/in-flight.ts';
import { JudgeError } from '../http/judge-errors.ts';
import { withRetry } from '../http/retry.ts';
import { untilAborted } from '../http/wait.ts';
import { debias, type Outcome, type Policy, type Trial } from '../loop/index.ts';
import type { Ledger } from '../models/ledger.ts';
import type { Prices } from '../models/prices.ts';
import type { Call, CallKind, Clock, RewritePrompt } from '../ports.ts';
import { buildFailedTrace, buildTrace, type Trace } from '../trace/index.ts';
import { createAsk, type JudgeAnswer, type Put } from './ask.ts';

/** A judge, however it is asked. Each call is one attempt: retries and the account are the runner's. */
export interface JudgeCaller<Reply> {
  /** The model's name, which detectors and traces mention. */
  readonly model: string;
  /** JSON schema of the reply that the request demands; null where it demands none. */
  readonly schema: unknown;
  /** Whether probes' log-probabilities may be on another scale than those of the client's own reply. */
  readonly tempered?: boolean;
  /**
   * Whether a reply holds one text. A text of ours in each of several choices would pass for as many judgments, so
   * none is written there. Default: every reply does.
   */
  readonly hasOneText?: (reply: Reply) => boolean;
  /** Asks the client's own request, or that request with changes. */
  readonly put: Put<Reply>;
  /** Asks something of ours, for rewording: none of the client's format. */
  readonly plain: (prompt: RewritePrompt, signal: AbortSignal) => Promise<JudgeAnswer<Reply>>;
}

export interface JudgmentPlan {
  readonly subject: Case;
  /** What the reading of the request told of its texts. */
  readonly security: readonly SecurityEvent[];
  readonly detector: Detector;
  readonly biases: readonly Bias[];
  readonly rounds: number;
  readonly mode: 'debias' | 'shadow';
  readonly policy: Policy;
  readonly rule?: Trial<unknown>['rule'];
  readonly confident?: number | undefined;
  /** Milliseconds for all work after the first verdict, and the longest wait before a retry. */
  readonly deadlineMs: number;
  /** Retries of an added call. The client's own request is never retried: its client does that. Default 2. */
  readonly retries?: number;
  readonly ledger: Ledger;
  readonly clock: Clock;
  /** When the request came, by `clock.now()` and `clock.elapsed()`; default: now. */
  readonly began?: { readonly now: number; readonly elapsed: number };
  /** Begins the reading of a reply, or a search for cues. */
  readonly beginReading?: () => Checkpoint;
  /** Of models, for what the calls cost. */
  readonly prices?: Prices;
  /** Takes keys out of an error's text: an endpoint may quote them. Default: there are none to take out. */
  readonly redact?: (text: string) => string;
}

interface JudgmentRecord<Reply> {
  /** Every reply of the judge, in the order in which they came. */
  readonly replies: readonly Reply[];
  /** Every model call that was made, failed ones too. */
  readonly calls: readonly Call[];
  /** What happened, under this id; also where the judgment failed. */
  readonly trace: (id: string) => Trace;
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
  const { model, schema, tempered = false, hasOneText = () => true } = caller;
  const began = plan.began ?? { now: clock.now(), elapsed: clock.elapsed() };
  const inFlight = createInFlight();
  const replies: Reply[] = [];

  function call(
    kind: CallKind,
    work: (within: AbortSignal) => Promise<JudgeAnswer<Reply>>,
    within: AbortSignal,
  ): Promise<JudgeAnswer<Reply>> {
    const once = () =>
      ledger.run({ to: model, kind }, async () => {
        within.throwIfAborted();
        // A function that asks a judge may be deaf to its signal.
        const answer = await untilAborted(within, work(within));
        replies.push(answer.reply);
        return {
          value: answer,
          tokens: answer.read.tokens,
          cached: false,
          ...(answer.bytes && { bytes: answer.bytes }),
        };
      });
    const retry = { retries, maxWaitMs: deadlineMs, signal: within, clock };
    return inFlight.begin(kind === 'judge' ? once() : withRetry(once, retry));
  }

  const trial: Trial<Reply> = {
    subject,
    judge: model,
    detector,
    biases,
    rounds: plan.rounds,
    mode,
    policy,
    rule: plan.rule,
    confident: plan.confident,
    deadlineMs,
    clock,
    beginReading,
    signal,
    affords: ledger.affords,
    ask: createAsk(
      subject,
      (kind, changes, within) => call(kind, (until) => caller.put(kind, changes, until), within),
      { biases, schema, tempered, beginReading },
    ),
    async rewrite(prompt, within) {
      const { read } = await call('rewrite', (until) => caller.plain(prompt, until), within);
      const text = read.texts[0]?.trim() ?? '';
      if (text === '') throw new JudgeError(`${model} gave no text when asked to reword one`);
      return text;
    },
  };

  const ended = await debias(trial).then(
    (outcome) => ({ outcome: hasOneText(outcome.final.reply) ? outcome : { ...outcome, written: null } }),
    (cause: unknown) => ({ outcome: null, cause }),
  );
  await inFlight.settled();
  const ms = clock.elapsed() - began.elapsed;
  const { calls } = ledger;
  const info = {
    began: began.now,
    ms,
    judge: model,
    detector: detector.name,
    mode,
    policy,
    subject,
    security,
    calls,
    redact,
    ...(prices && { prices }),
  };
  if (ended.outcome !== null) {
    const { outcome } = ended;
    return { outcome, replies, calls, trace: (id) => buildTrace({ ...info, id }, outcome) };
  }
  const { cause } = ended;
  const failure = {
    stop: signal.aborted ? ('client-left' as const) : ('judge-failed' as const),
    error: cause instanceof Error ? cause.message : String(cause),
  };
  return { outcome: null, cause, replies, calls, trace: (id) => buildFailedTrace({ ...info, id }, failure) };
}
