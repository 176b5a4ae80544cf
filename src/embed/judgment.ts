/** One judgment in process: the loop with a judge that is called as a function, its account and its trace. */
import type { Case, SecurityEvent } from '../case/types.ts';
import { createInFlight } from '../http/in-flight.ts';
import { JudgeError } from '../http/judge-errors.ts';
import { withRetry } from '../http/retry.ts';
import { untilAborted } from '../http/wait.ts';
import { createAsk, type JudgeAnswer, type Put } from '../judgment/ask.ts';
import { debias } from '../loop/debias.ts';
import type { Outcome } from '../loop/types.ts';
import { createLedger } from '../models/ledger.ts';
import type { CallKind, RewritePrompt } from '../ports.ts';
import { buildTrace } from '../trace/build.ts';
import { removeTexts } from '../trace/redact.ts';
import type { Trace } from '../trace/trace-schema.ts';
import type { Settings } from './judgment-settings.ts';

/** Of an added call that fails with a JudgeError that is worth another try. */
const RETRIES = 2;

/** A judge that is called as a function. */
export interface JudgeCaller<Reply> {
  /** The model's name, which detectors and traces mention. */
  readonly model: string;
  /** JSON schema of the reply that the request demands; null where it demands none. */
  readonly schema: unknown;
  readonly put: Put<Reply>;
  /** A request of its own, for rewording: none of the client's format. */
  readonly plain: (prompt: RewritePrompt, signal: AbortSignal) => Promise<JudgeAnswer<Reply>>;
}

export interface JudgmentResult<Reply> {
  readonly outcome: Outcome<Reply>;
  readonly trace: Trace;
  /** Every reply of the judge, in the order in which they came. */
  readonly replies: readonly Reply[];
}

/** A case, and what its reading told of its texts. */
export interface RecognisedCase {
  readonly subject: Case;
  readonly security: readonly SecurityEvent[];
}

/** Rejects as `debias` does: where the first call fails, or the signal aborts. */
export async function judgeCase<Reply>(
  { subject, security }: RecognisedCase,
  caller: JudgeCaller<Reply>,
  settings: Settings & { readonly mode: 'debias' | 'shadow' },
  signal: AbortSignal,
): Promise<JudgmentResult<Reply>> {
  const { clock, mode, policy, rounds, biases, deadlineMs, extraCalls } = settings;
  const { model } = caller;
  const [began, start] = [clock.now(), clock.elapsed()];
  const ledger = createLedger({ clock, extraCalls });
  const detector = settings.detector(ledger);
  const underWay = createInFlight();
  const replies: Reply[] = [];

  function call(
    kind: CallKind,
    work: () => Promise<JudgeAnswer<Reply>>,
    until: AbortSignal,
  ): Promise<JudgeAnswer<Reply>> {
    const once = () =>
      ledger.run({ to: model, kind }, async () => {
        until.throwIfAborted();
        const said = await untilAborted(until, work());
        replies.push(said.reply);
        return { value: said, tokens: said.read.tokens, cached: false };
      });
    // The first call is the caller's own, and so are its retries.
    if (kind === 'judge') return underWay.begin(once());
    const retry = { retries: RETRIES, maxWaitMs: deadlineMs, signal: until, clock };
    return underWay.begin(withRetry(once, retry));
  }

  const outcome = await debias({
    subject,
    judge: model,
    detector,
    biases,
    rounds,
    mode,
    policy,
    deadlineMs,
    clock,
    signal,
    affords: ledger.affords,
    ask: createAsk(
      subject,
      (kind, changes, until) => call(kind, () => caller.put(kind, changes, until), until),
      { biases, schema: caller.schema },
    ),
    async rewrite(prompt, until) {
      const { read } = await call('rewrite', () => caller.plain(prompt, until), until);
      const text = read.texts[0]?.trim() ?? '';
      if (text === '') throw new JudgeError(`${model} gave no text when asked to reword one`);
      return text;
    },
  });
  await underWay.settled();
  const begun = {
    id: settings.id(),
    began,
    ms: clock.elapsed() - start,
    judge: model,
    detector: detector.name,
    mode,
    policy,
    subject,
    security,
    calls: ledger.calls,
    // Keys do not come this way: how the judge is reached is the caller's own affair.
    redact: (text: string) => text,
  };
  const trace = buildTrace(begun, outcome);
  return { outcome, trace: settings.traceTexts ? trace : removeTexts(trace), replies };
}
