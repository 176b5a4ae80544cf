/**
 * Reviews with false claims: a bucket of them for each paper, three drawn for each review and put under its weaknesses.
 * A model fills the bucket; what is drawn and where it stands is by rule.
 */
import {
  holdsMarker,
  readFalseClaims,
  renderFalseClaims,
  renderFalsehoodCheck,
} from '../../../prompts/index.ts';
import { findWeaknesses, locateInReviews, type ReviewSection } from './submission-parts.ts';
import type { Perturbation, PerturbTools, Submission, TextChange } from './types.ts';

/** Claims asked for, and how many of them each review gets. */
const BUCKET = 9;
const CLAIMS_EACH = 3;
/** Characters of a claim. */
const LEAST = 20;
const MOST = 400;

export const reviewFacts: Perturbation = {
  name: 'review-facts',
  part: 'review',
  aspect: 'facts',
  definition: 'The reviews hold three further weaknesses each that the paper contradicts.',
  expectation: 'invariant',
  called: 'reviews with false claims',
  by: 'model',

  async perturb(submission, tools) {
    const reviews = locateInReviews(submission, findWeaknesses);
    if (reviews.length === 0) return { dropped: 'no review has a section of weaknesses' };
    if (!tools.editor) return { dropped: 'no model to edit with' };
    if (holdsMarker(submission.paper)) return { dropped: 'the text holds a marker of the request' };
    const { claims, refused } = await bucketOf(submission, tools);
    if (claims.length < CLAIMS_EACH) return { dropped: 'too few false claims that could be used', refused };
    const changes = reviews.map(({ item, id, text, at }) => {
      const drawn = drawSample(claims, CLAIMS_EACH, (of) => tools.draw(`${submission.id} ${id} ${of}`));
      return insertClaims(item, text, at, drawn);
    });
    return { changes, refused };
  },
};

/** The claims of the first reply that has enough of them. */
async function bucketOf(
  { title, paper, reviews }: Submission,
  { editor, signal }: PerturbTools,
): Promise<{ readonly claims: readonly string[]; readonly refused: string[] }> {
  const refused: string[] = [];
  const question = renderFalseClaims(title, paper, BUCKET);
  for (let attempt = 0; editor && attempt < editor.attempts; attempt++) {
    const read = readFalseClaims(await editor.ask({ ...question, attempt }, signal));
    if (read === null) {
      refused.push('no list of claims');
      continue;
    }
    const claims: string[] = [];
    for (const claim of new Set(read)) {
      const known = [paper, ...reviews.map(({ text }) => text)].some((text) => text.includes(claim));
      if (claim.length < LEAST || claim.length > MOST) refused.push('a claim too short or too long');
      else if (known) refused.push('a claim that stands in the paper or a review');
      else if (editor.check && !(await editor.check(renderFalsehoodCheck(paper, claim), signal)))
        refused.push('a claim that the paper does not contradict');
      else claims.push(claim);
    }
    if (claims.length >= CLAIMS_EACH) return { claims, refused };
  }
  return { claims: [], refused };
}

/** So many different ones, each as likely, the same for the same draws. */
function drawSample<T>(all: readonly T[], count: number, draw: (of: string) => number): T[] {
  return all
    .map((one, at) => ({ one, by: draw(`claim ${at}`) }))
    .toSorted((a, b) => a.by - b.by)
    .slice(0, count)
    .map(({ one }) => one);
}

const ITEM = /^[ \t]*(?:(?<bullet>[-*+•])|(?<number>\d+)(?<mark>[.)]))[ \t]+/gm;

/** As further items of the list that is there, or as a paragraph. */
function insertClaims(
  item: number,
  text: string,
  { start, end }: ReviewSection,
  claims: readonly string[],
): TextChange {
  const own = text.slice(start, end);
  const at = start + own.trimEnd().length;
  const last = [...own.matchAll(ITEM)].at(-1)?.groups;
  const lines = claims.map((claim, index) => {
    if (last?.bullet) return `\n${last.bullet} ${claim}`;
    return last?.number ? `\n${Number(last.number) + 1 + index}${last.mark} ${claim}` : claim;
  });
  const blank = own.trim() === '' ? '' : '\n\n';
  const after = last ? lines.join('') : `${blank}${lines.join(' ')}`;
  return { part: 'review', item, start: at, before: '', after };
}
