/** What can go wrong between us and a model. */
import { RemandError } from '../errors.ts';

/** A model endpoint answered with an error status, not at all, or with something that is no reply. */
export class JudgeError extends RemandError {
  override name = 'JudgeError';
  /** HTTP status of the reply; null where none came. */
  readonly status: number | null;
  readonly retryable: boolean;
  /** The endpoint's own reply, to be passed on as it is; null where none came. */
  readonly response: Response | null;

  constructor(
    message: string,
    fields: { status?: number | null; retryable?: boolean; response?: Response | null; cause?: unknown } = {},
  ) {
    super(message, { cause: fields.cause });
    this.status = fields.status ?? null;
    this.retryable = fields.retryable ?? false;
    this.response = fields.response ?? null;
  }
}

/** One more call would exceed what this judgment may cost. */
export class BudgetError extends RemandError {
  override name = 'BudgetError';
}

/** An endpoint refuses the key, as it refused it before: like a spent budget, this ends a run. */
export class RefusedKeyError extends BudgetError {
  override name = 'RefusedKeyError';
}

/** The call was handed over to be made later: what needs its reply waits, and has neither succeeded nor failed. */
export class WaitingError extends RemandError {
  override name = 'WaitingError';
}

/** A detector's output could not be read, or was cut off. Never taken for a No. */
export class UnreadableAnalysisError extends RemandError {
  override name = 'UnreadableAnalysisError';
  readonly why: UnreadableReason;

  constructor(message: string, why: UnreadableReason = 'no-label') {
    super(message);
    this.why = why;
  }
}

/** Cut off at a limit or inside its reasoning, stopped by a filter, without a label, or with both. */
export type UnreadableReason = 'cut-off' | 'filtered' | 'no-label' | 'both-labels';
