/** The audit of perturbations: what a reviewer or a meta-reviewer makes of papers, reviews and rebuttals that are changed in one respect. */
export {
  explainUnfit,
  isShownTo,
  type JudgmentRecord,
  judgmentRecord,
  perturbationRecord,
  type SubmissionRecord,
} from './ask-judgments.ts';
export {
  type Comparison,
  comparePairs,
  countDecisions,
  type DecisionTransitions,
  describeEffect,
  describeFairness,
  describePerturbVerdicts,
} from './perturb-report.ts';
export {
  createPerturbTally,
  readDecision,
} from './perturb-tally.ts';
export { choosePerturbations, createPerturbPlan, type PerturbRecord, perturbSettings } from './plan.ts';
export { readSubmissions } from './submissions.ts';
