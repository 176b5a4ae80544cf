/**
 * What of a submission can be judged: a text in another language, or one that is not there, is named and counted and
 * never scored. That a paper has no sections, or that there is no rebuttal to change, is said by the perturbations.
 */
import type { ReviewRole } from '../../../prompts/index.ts';
import { findProtected, type Submission } from '../../bias/index.ts';
import { isForeign } from '../english.ts';

/** @returns why this role cannot judge the submission, in words that can be counted; null where it can */
export function explainUnfit(submission: Submission, role: ReviewRole): string | null {
  const { paper, reviews, rebuttals } = submission;
  if (paper.trim() === '') return 'the paper is empty';
  if (isInAnother(paper)) return 'the paper is in another language';
  if (role === 'reviewer') return null;
  if (reviews.length === 0) return 'there are no reviews';
  if (reviews.some(({ text }) => text.trim() === '')) return 'a review is empty';
  if (reviews.some(({ text }) => isInAnother(text))) return 'a review is in another language';
  return rebuttals.some(({ text }) => isInAnother(text)) ? 'a rebuttal is in another language' : null;
}

/** Formulas, code and references are no language. */
function isInAnother(text: string): boolean {
  let prose = '';
  let from = 0;
  for (const { start, end } of findProtected(text)) {
    prose += `${text.slice(from, start)} `;
    from = end;
  }
  return isForeign(prose + text.slice(from));
}
