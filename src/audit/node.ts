/** What audits read and keep in files. */
export { readPapers } from './authors/papers.ts';
export { type AnchorShelf, anchorRecord, openAnchorShelf } from './authorship/anchor-shelf.ts';
export { type ColumnNames, isReview, type ReviewRow, readReviews } from './authorship/read-reviews.ts';
export { type ScoreOptions, type Scorer, scoreAll } from './authorship/score-all.ts';
export {
  type Comparison,
  choosePerturbations,
  createPerturbPlan,
  type DecisionTransitions,
  explainUnfit,
  isShownTo,
  type JudgmentRecord,
  type PerturbRecord,
  perturbSettings,
  readDecision,
  readSubmissions,
  type SubmissionRecord,
} from './perturb/index.ts';
