/** A judge put to the test before it is trusted, and who wrote a review. */

export {
  type AuthorReviewRecord,
  applyProfile,
  authorReviewRecord,
  tryReviewer,
} from './authors/ask-reviews.ts';
export { describeCoverage } from './authors/author-report.ts';
export { collectPanels, RATING_MEASURES, type RatingMeasure } from './authors/author-tally.ts';
export type { Paper } from './authors/paper.ts';
export {
  type AuthorPlan,
  authorSettings,
  createAuthorPlan,
  listProfiles,
} from './authors/plan.ts';
export { AUTHOR_DATA, authorData } from './authors/profiles.ts';
export { createAnchorScorer, type Embed, embedWording, makeAnchors } from './authorship/anchors.ts';
export {
  type AuthorshipAnswer,
  evaluateAuthorship,
  type ScoringMethods,
} from './authorship/evaluate.ts';
export { TARGETS } from './authorship/measure-method.ts';
export {
  EDIT_EXTENTS,
  type EditExtent,
  isHuman,
  type Review,
  type ReviewScores,
} from './authorship/review.ts';
export { createTokenScorer, type TokenEndpoint } from './authorship/tokens/statistics.ts';
export { type BiasEffect, type BiasedVerdicts, boundEffect, measureBiasEffects } from './bias-effects.ts';
export { type AuditPair, auditPair, type CueRecord, cueRecord } from './cues/ask-cues.ts';
export { cueFile } from './cues/cue-pairs.ts';
export { chooseCues, createCuePlan, cueSettings } from './cues/plan.ts';
export { type AuditJudge, type AuditPlan, askMissing, isFailed, runPlan } from './plan.ts';
export { openPlan, type RowBatch, splitRows } from './plans.ts';
