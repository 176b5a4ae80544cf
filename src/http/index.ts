/** Sending: retries, bodies up to a limit, time limits, errors. */
export {
  createBoundedFetch,
  joinBytes,
  limitedFetch,
  readJsonBody,
  readLines,
  readStream,
  readWhole,
  TooLongError,
} from './body.ts';
export {
  BudgetError,
  JudgeError,
  RefusedKeyError,
  UnreadableAnalysisError,
  type UnreadableReason,
  WaitingError,
} from './judge-errors.ts';
export {
  openTimeLimit,
  type RetryPolicy,
  readRetryAfterMs,
  readRetryMs,
  readSenderClock,
  runWithTimeout,
  type Until,
  untilAbortedEach,
  wait,
  withRetry,
} from './retry.ts';
export {
  describeCause,
  explainError,
  findSentence,
  isTransientStatus,
  joinUrl,
  listConnectionFields,
  readText,
  sendRequest,
} from './send.ts';
