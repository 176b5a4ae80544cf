/** The loop: read `debias.ts` first. */
export { type Calibration, type CalibrationEntry, calibrationSchema, findRuling } from './calibration.ts';
export type { Outcome } from './conclude.ts';
export { debias } from './debias.ts';
export { DEFAULTS } from './defaults.ts';
export {
  type Answer,
  type Ask,
  type Policy,
  type Question,
  type SecurityEvent,
  type SecurityEventKind,
  STATUSES,
  type Status,
  type Stop,
  type Trial,
} from './types.ts';
export { findUnexaminedReason, UNEXAMINED_REASONS, type UnexaminedReason } from './unexamined.ts';
