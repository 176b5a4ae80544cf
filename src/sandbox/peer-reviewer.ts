/** The sandbox judge as reviewer and as meta-reviewer: questions of the audit of perturbations as cases, and its replies. */
import { findPeerReview, type ReviewRole, writePeerReview } from '../../prompts/index.ts';
import { type Case, findCase, type Prompt } from '../case/index.ts';
import { PEER_REVIEW } from './peer-grounds.ts';
import { computeThought } from './rating.ts';

/** A question of the audit of perturbations: the paper, with what stands beside it; null where the question is another. */
export function findPeerReviewCase(
  prompt: Prompt,
): { readonly role: ReviewRole; readonly paper: Case } | null {
  const [system, user] = prompt.parts;
  const found = system && user ? findPeerReview(system.text, user.text) : null;
  if (!found || !user) return null;
  if (found.role === 'meta-reviewer') {
    const paper = findCase(prompt);
    return paper?.layout === PEER_REVIEW ? { role: found.role, paper } : null;
  }
  const { start, end } = found.paper;
  const paper: Case = {
    ...{
      layout: PEER_REVIEW,
      prompt,
      instruction: null,
      context: [],
      noteAt: { part: 1, offset: user.text.length },
    },
    options: [{ label: 'the paper', text: user.text.slice(start, end), at: { part: 1, start, end } }],
    form: { kind: 'score', min: 1, max: 10, template: null, field: 'overall' },
  };
  return { role: found.role, paper };
}

/** The reply that the question demands: every score follows the overall one. */
export function replyPeerReview(role: ReviewRole, liked: number, words: string): string {
  const overall = Math.round(computeThought(liked));
  const dimension = Math.min(4, Math.max(1, Math.ceil(overall / 2.5)));
  const decision = overall < 6 ? 'reject' : overall < 7 ? 'poster' : overall < 9 ? 'spotlight' : 'oral';
  return writePeerReview(
    role,
    { contribution: dimension, soundness: dimension, presentation: dimension, overall, decision },
    words,
  );
}
