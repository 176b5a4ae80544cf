/** The loop: read `debias.ts` first. */
export { type Calibration, type CalibrationEntry, calibrationSchema } from '../report/calibration.ts';
export type { EscalationResult, Outcome } from './conclude.ts';
export { findUnexaminedReason } from './conclude.ts';
export {
  type CombinedVerdict,
  type Confidence,
  combineDraws,
  creditOf,
  decisionOf,
  valuesBeside,
  whyNoLabel,
} from './confidence.ts';
export { debias } from './debias.ts';
export { findRuling } from './find-ruling.ts';
export {
  createOrderBook,
  createOrderChecks,
  type FirstVerdict,
  type OrderCheck,
  type OrderChecks,
} from './order-checks.ts';
export { isMajoritySettled } from './samples.ts';
export { DEFAULTS } from './scope.ts';
export {
  ABSTENTIONS,
  applyCurve,
  type ConfidenceCurve,
  createCoverageWatch,
  createTrust,
  inHundredths,
  logOdds,
  type Trust,
  trustSchema,
} from './trust.ts';
export {
  type Answer,
  type Ask,
  type Note,
  POLICIES,
  type Policy,
  type Question,
  type SecurityEvent,
  type SecurityEventKind,
  STATUSES,
  type Status,
  type Stop,
  type Trial,
} from './types.ts';
export {
  explainNoVerdict,
  explainUnexamined,
  explainUntested,
  replyReason,
  UNEXAMINED_REASONS,
  UNTESTED_REASONS,
  type UnexaminedReason,
} from './unexamined.ts';
