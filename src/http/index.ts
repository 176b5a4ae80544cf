/** Sending: retries, bodies up to a limit, time limits, errors. */
export {
  createBoundedFetch,
  limitedFetch,
  readJsonBody,
  readLines,
  readStream,
  readWhole,
  TooLongError,
} from './body.ts';
export { explainError } from './explain-error.ts';
export { listConnectionFields } from './headers.ts';
export { joinBytes } from './join-bytes.ts';
export {
  BudgetError,
  JudgeError,
  UnreadableAnalysisError,
  type UnreadableReason,
  WaitingError,
} from './judge-errors.ts';
export { type RetryPolicy, readRetryAfterMs, readRetryMs, readSenderClock, withRetry } from './retry.ts';
export { describeCause, isTransientStatus, readText, sendRequest } from './send.ts';
export { openTimeLimit, runWithTimeout } from './timeout.ts';
export { joinUrl } from './url.ts';
export { type Until, untilAbortedEach, wait } from './wait.ts';
