/** What audits read and keep in files. */
export { readPapers } from './authors/papers.ts';
export { type AnchorShelf, anchorRecord, openAnchorShelf } from './authorship/anchor-shelf.ts';
export { type ColumnNames, isReview, type ReviewRow, readReviews } from './authorship/read-reviews.ts';
export { type ScoreOptions, type Scorer, scoreAll } from './authorship/score-all.ts';
export {
  explainUnfit,
  isShownTo,
  type JudgmentRecord,
  type SubmissionRecord,
} from './perturb/ask-judgments.ts';
export { readDecision } from './perturb/perturb-tally.ts';
export {
  choosePerturbations,
  createPerturbPlan,
  type PerturbRecord,
  perturbSettings,
} from './perturb/plan.ts';
export { readSubmissions } from './perturb/submissions.ts';
