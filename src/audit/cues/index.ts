/** The audit of cues: `remand audit cues`. */
export {
  type AuditPair,
  auditPair,
  type CueRecord,
  createCueQuestion,
  cueRecord,
} from './ask-cues.ts';
export { type CuePair, cueFile, parseCuePairs, USUAL_PAIRS } from './cue-pairs.ts';
export { type CueReport, createCueReport } from './cue-report.ts';
export { describeCueVerdict } from './describe-cues.ts';
export {
  type CuePairResult,
  type JudgeCues,
  listDisagreements,
  measureCuePairs,
  measureCues,
} from './measure-cues.ts';
export { type CuePlan, type CuePlanOptions, chooseCues, createCuePlan, cueSettings } from './plan.ts';
