/** The audit of perturbations: what a reviewer or a meta-reviewer makes of papers, reviews and rebuttals that are changed in one respect. */
export {
  askJudgment,
  failedJudgment,
  type JudgmentRecord,
  judgeAll,
  judgmentRecord,
  judgmentTasks,
  type PerturbationRecord,
  type PerturbedSubmission,
  perturbAll,
  perturbationRecord,
  shownTo,
} from './ask.ts';
export { type Comparison, compare, type Decided, decide, MARGINS, type Margins } from './conclude.ts';
export { createCounts, type PerturbCounts } from './counts.ts';
export { unfit } from './intake.ts';
export { type PerturbReport, perturbReport } from './report.ts';
export { readSubmissions } from './submissions.ts';
export { createPerturbTally, decisionIn } from './tally.ts';
export { arrow, fairness, perturbVerdicts } from './words.ts';
