/** Measuring detectors and judges, and what calibrates them. */

export { createArmTally } from './arms/arm-summary.ts';
export { ARMS, createArm, DEFAULT_BELOW } from './arms/index.ts';
export { type ArmDecision, type ArmOutcome, type ArmRecord, armRecord, runArms } from './arms/run-arms.ts';
export { type AskedVariant, askItself } from './card/ask-itself.ts';
export {
  type AskedBias,
  applyLimits,
  askBiases,
  CHECKS,
  type Check,
  INJECTED,
  INJECTED_BY_DEFAULT,
  type JudgeCard,
  measureCards,
} from './card/measure-card.ts';
export {
  calibrateRecords,
  type JudgeConfidence,
} from './confidence/calibrate-confidence.ts';
export {
  CASCADE_SHARES,
  COVERAGES,
  evaluateRecords,
  type RecordsEvaluation,
} from './confidence/evaluate-records.ts';
export {
  groupJudgments,
  type JudgedItem,
  type LabelRecord,
  labelRecord,
  type PastJudgment,
  pastJudgment,
} from './confidence/past-judgment.ts';
export {
  calibrate,
  collectArmLabels,
  collectPeopleLabels,
  GAIN_THRESHOLD,
  type LabelledJudgment,
} from './decide-calibration.ts';
export {
  compareDetectors,
  computeFigureIntervals,
  createIntervalFigures,
  type DetectorComparison,
  type DetectorFinding,
  type DetectorScores,
  examineRows,
  type FigureIntervals,
  type IntervalFigures,
  scoreEach,
} from './detector.ts';
export { compareRuns, VERDICT_MEASURES } from './drift/compare-runs.ts';
export { ESTIMATE_COLUMNS, estimateRates, estimateRow, requireCounted } from './estimate/estimate-rate.ts';
export { EVALUATORS, type EvalRecordSource, toEvalRecord } from './estimate/eval-record.ts';
export {
  baselineInstruction,
  baselineVerdict,
  type ControlledRate,
  controlLength,
  controlStyle,
  STYLE,
  type StyleControlledRate,
} from './estimate/length-controlled.ts';
export { createRanking } from './estimate/rank-contestants.ts';
export {
  checkShots,
  createPromptedDetector,
  createRecordedDetectorModel,
  createShots,
  listUnrecorded,
  type ShotRow,
  shotRow,
  toDetectorModel,
} from './prompted-detector.ts';
export {
  type BaselineComparison,
  compareBaseline,
  countReplies,
  type JudgeEvaluation,
  judgeRecorded,
  type RecordedDecision,
  type RecordedJudgment,
  type ReplyCounts,
  summariseJudgments,
  VERDICT_SOURCES,
  type VerdictSource,
  wasAskedAgain,
  withJudge,
} from './recorded-run.ts';
export { createCrowdTwin, createLongerTwin, scoreTwin, type Twin, type TwinScores } from './twins.ts';
