/** The audit of perturbations: what a reviewer or a meta-reviewer makes of papers, reviews and rebuttals that are changed in one respect. */
export {
  isShownTo,
  type JudgmentRecord,
  judgmentRecord,
  type PerturbationRecord,
  perturbationRecord,
  type SubmissionRecord,
} from './ask-judgments.ts';
export {
  type Comparison,
  comparePairs,
  countDecisions,
  type DecisionTransitions,
  MARGINS,
  type Margins,
} from './compare-pairs.ts';
export { createPerturbCounts, type PerturbCounts } from './counts.ts';
export { describeEffect, describeFairness, describePerturbVerdicts } from './describe-perturb.ts';
export { createPerturbReport, type PerturbReport } from './perturb-report.ts';
export { createPerturbTally, readDecision } from './perturb-tally.ts';
export {
  choosePerturbations,
  createPerturbPlan,
  type PerturbRecord,
  perturbSettings,
} from './plan.ts';
export { readSubmissions } from './submissions.ts';
export { explainUnfit } from './unfit-submission.ts';
