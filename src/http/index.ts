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
  BudgetError,
  describeCause,
  explainError,
  findSentence,
  isTransientStatus,
  JudgeError,
  joinUrl,
  listConnectionFields,
  RefusedKeyError,
  readText,
  sendRequest,
  UnreadableAnalysisError,
  type UnreadableReason,
  WaitingError,
} from './send.ts';
