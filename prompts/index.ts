/** Every prompt; each has a file of its own. */

export { renderAnchor } from './anchor-review.ts';
export { mentionScore, renderAnswerRating, suggestScore } from './answer-rating.ts';
export { renderBiasWarning, renderStepByStep } from './baselines.ts';
export {
  FIRST_RBD_TEMPLATE,
  listUnknownPlaceholders,
  RBD_PLACEHOLDERS,
  RBD_TEMPLATE,
  renderRbd,
} from './bias-detector.ts';
export {
  CUE_PLACES,
  type CuePlace,
  findCuedPair,
  LETTERS,
  readCuedVerdict,
  renderCueCheck,
  renderCuedPair,
  TEXT_KINDS,
  type TextKind,
  writeCuedVerdict,
} from './cued-pair.ts';
export { renderShots, SHOT_TEMPLATE, type Shot } from './few-shot.ts';
export { renderOptions, renderStatement } from './judge-options.ts';
export { findReview, type ReviewedPaper, renderRating, renderReview } from './paper-review.ts';
export { findRemand, locateRemand, renderRemand } from './remand-note.ts';
export { readPlainJson, readYesOrNo } from './reply-text.ts';
export { findRewrite, findRewriteIn, type RewriteTask, renderRewrite, writeRewrite } from './rewrite.ts';
export { renderSolve } from './solve.ts';
export { readStatementAnswer, renderStatementQuestion } from './statement-reader.ts';
export {
  type EditTask,
  holdsMarker,
  readEditedText,
  readFalseClaims,
  renderEditCheck,
  renderEditTask,
  renderFalseClaims,
  renderFalsehoodCheck,
  renderSamePointsCheck,
} from './submission-edit.ts';
export {
  findPeerReview,
  type PeerReviewScores,
  REVIEW_DECISIONS,
  REVIEW_MODES,
  REVIEW_ROLES,
  type ReviewMode,
  type ReviewRole,
  readPeerReview,
  renderPeerReview,
  writePeerReview,
} from './submission-review.ts';
export { renderTeacher } from './teacher.ts';
export { TEMPLATE_READER } from './template-reader.ts';
export { readSameMeaning, renderSameMeaningCheck, renderTone } from './tone.ts';
export { type ReviewField, renderBulletPoints, renderReviewEdit, renderVenueReview } from './venue-review.ts';
