/** One judgment in process, by the settings of whoever asked for it. */
import type { Case, SecurityEvent } from '../case/index.ts';
import { type JudgeCaller, runJudgment } from '../judgment/index.ts';
import type { Outcome } from '../loop/index.ts';
import { createLedger } from '../models/index.ts';
import { removeTexts, type Trace } from '../trace/index.ts';
import type { Settings } from './judgment-settings.ts';

export interface JudgmentResult<Reply> {
  readonly outcome: Outcome<Reply>;
  readonly trace: Trace;
  /** Every reply of the judge, in the order in which they came. */
  readonly replies: readonly Reply[];
}

/** A case, and what its reading told of its texts. */
interface RecognisedCase {
  readonly subject: Case;
  readonly security: readonly SecurityEvent[];
}

/** Rejects with what the first call was refused with, or with the signal's reason. */
export async function judgeCase<Reply>(
  { subject, security }: RecognisedCase,
  caller: JudgeCaller<Reply>,
  settings: Settings & { readonly mode: 'debias' | 'shadow' },
  signal: AbortSignal,
): Promise<JudgmentResult<Reply>> {
  const { clock, mode, policy, rounds, biases, deadlineMs, extraCalls } = settings;
  const ledger = createLedger({ clock, extraCalls });
  const detector = settings.detector(ledger);
  const plan = { subject, security, detector, biases, rounds, mode, policy, deadlineMs, ledger, clock };
  const run = await runJudgment(caller, plan, signal);
  const whole = run.trace(settings.id());
  const trace = settings.traceTexts ? whole : removeTexts(whole);
  settings.onTrace(trace);
  if (run.outcome === null) throw run.cause;
  return { outcome: run.outcome, trace, replies: run.replies };
}
