/** The audit of cues: `remand audit cues`. */
export {
  type AuditPair,
  auditCues,
  auditPair,
  type CueAudit,
  type CueRecord,
  cueQuestion,
  cueRecord,
} from './ask.ts';
export { type CuePair, cueFile, cuePairs, USUAL_PAIRS } from './cues.ts';
export {
  type CuePairResult,
  disagreements,
  type JudgeCues,
  measureCuePairs,
  measureCues,
} from './measure.ts';
export { cueVerdict } from './words.ts';
