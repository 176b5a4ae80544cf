/** The audit of cues: `remand audit cues`. */
export {
  type AuditPair,
  askCues,
  auditCues,
  auditPair,
  type CueAudit,
  type CueRecord,
  type CueTask,
  cueQuestion,
  cueRecord,
  cueTasks,
  failedCues,
} from './ask.ts';
export { type CuePair, cueFile, cuePairs, USUAL_PAIRS } from './cues.ts';
export {
  type CuePairResult,
  disagreements,
  type JudgeCues,
  measureCuePairs,
  measureCues,
} from './measure.ts';
export { type CueReport, cueReport } from './report.ts';
export { cueVerdict } from './words.ts';
