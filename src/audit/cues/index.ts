/** The audit of cues: `remand audit cues`. */
export { type AuditPair, auditPair, type CueRecord, createCueQuestion, cueRecord } from './ask-cues.ts';
export { type CuePair, cueFile, parseCuePairs, USUAL_PAIRS } from './cue-pairs.ts';
export { describeCueVerdict } from './cue-report.ts';
export {
  type CuePairResult,
  type JudgeCues,
  listDisagreements,
  measureCuePairs,
  measureCues,
} from './measure-cues.ts';
export { chooseCues, createCuePlan, cueSettings } from './plan.ts';
