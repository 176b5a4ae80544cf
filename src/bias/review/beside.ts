/** The reviews that stand beside a paper in a live case, and counterfactuals in which they read otherwise. */
import { renderRewrite } from '../../../prompts/index.ts';
import { asGiven, type Case, type Counterfactual } from '../../case/index.ts';
import type { UndoTools } from '../types.ts';
import { findRefusal } from './edit.ts';

export interface LiveReview {
  /** Index into the context. */
  readonly index: number;
  readonly text: string;
}

export function findLiveReviews({ context }: Case): LiveReview[] {
  return context.flatMap(({ of, text }, index) => (of === 'review' ? [{ index, text }] : []));
}

/** By rule: null where nothing changes. */
export function rewriteReviews(subject: Case, rewritten: (text: string) => string): Counterfactual | null {
  const context = findLiveReviews(subject).flatMap(({ index, text }) => {
    const after = rewritten(text);
    return after === text ? [] : [[index, after] as const];
  });
  return context.length > 0 ? { ...asGiven(subject), context: new Map(context) } : null;
}

/** What must stay when only the tone may go: a review that lost a point would be another review. */
const KEEP = { size: [0.4, 1.3], citations: 'all', numbers: 'all' } as const;

/** In a neutral tone, all in one call; null where there is no rewriter or one of them did not stay the same otherwise. */
export async function calmReviews(
  subject: Case,
  hostile: readonly LiveReview[],
  { rewrite, signal }: UndoTools,
): Promise<Counterfactual | null> {
  const texts = hostile.map(({ text }) => text);
  if (!rewrite || texts.length === 0) return null;
  const { read, ...prompt } = renderRewrite('neutral', texts);
  const calmed = read(await rewrite(prompt, signal));
  if (!calmed || calmed.some((text, at) => findRefusal(texts[at] ?? '', text, KEEP) !== null)) return null;
  const context = hostile.map(({ index }, at) => [index, calmed[at] ?? ''] as const);
  return { ...asGiven(subject), context: new Map(context) };
}
