/** The nine perturbations of peer review, one file each (arXiv 2502.12510). */
import { paperContribution } from './paper-contribution.ts';
import { paperPresentation } from './paper-presentation.ts';
import { paperSoundness } from './paper-soundness.ts';
import { rebuttalCompleteness } from './rebuttal-completeness.ts';
import { rebuttalPresentation } from './rebuttal-presentation.ts';
import { rebuttalTone } from './rebuttal-tone.ts';
import { reviewConclusion } from './review-conclusion.ts';
import { reviewFacts } from './review-facts.ts';
import { reviewTone } from './review-tone.ts';
import type { Perturbation } from './types.ts';

export { applyChanges, revertChanges } from './changes.ts';
export { findPaperSections, findReviewSections } from './submission-parts.ts';
export type * from './types.ts';

export const PERTURBATIONS: readonly Perturbation[] = [
  paperContribution,
  paperSoundness,
  paperPresentation,
  reviewTone,
  reviewFacts,
  reviewConclusion,
  rebuttalTone,
  rebuttalPresentation,
  rebuttalCompleteness,
];
