/** Every prompt. */

export {
  FIRST_RBD_TEMPLATE,
  listUnknownPlaceholders,
  RBD_PLACEHOLDERS,
  RBD_TEMPLATE,
  renderRbd,
  renderShots,
  SHOT_TEMPLATE,
  type Shot,
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
export {
  mentionScore,
  renderAnswerRating,
  renderBiasWarning,
  renderOptions,
  renderStatement,
  renderStepByStep,
  suggestScore,
} from './judge-options.ts';
export { findReview, type ReviewedPaper, renderAnchor, renderRating, renderReview } from './paper-review.ts';
export { readStatementAnswer, renderStatementQuestion, TEMPLATE_READER } from './readers.ts';
export { findRemand, locateRemand, renderRemand } from './remand-note.ts';
export { readPlainJson, readYesOrNo } from './reply-text.ts';
export {
  findRewrite,
  findRewriteIn,
  type RewriteTask,
  readSameMeaning,
  renderRewrite,
  renderSameMeaningCheck,
  renderTone,
  writeRewrite,
} from './rewrite.ts';
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
export { renderSolve, renderTeacher } from './teacher.ts';
export { type ReviewField, renderBulletPoints, renderReviewEdit, renderVenueReview } from './venue-review.ts';
