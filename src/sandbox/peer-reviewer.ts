/** The sandbox judge as reviewer and as meta-reviewer: what it makes of a paper and of its reviews, and the rating that it writes. */
import { findPeerReview, type ReviewRole, writePeerReview } from '../../prompts/index.ts';
import { findFalseClaims, findLiveReviews, findRating, isHostile } from '../bias/index.ts';
import { type Case, findCase, type LikelyToken, type Prompt, type SampledToken } from '../case/index.ts';

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
    layout: PEER_REVIEW,
    prompt,
    instruction: null,
    context: [],
    noteAt: { part: 1, offset: user.text.length },
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

/** The layout of cases in which a paper is judged. */
const PEER_REVIEW = 'peer-review';

interface PeerGrounds {
  /** Of the reviews' overall ratings the mean, in [-0.5, 0.5]. */
  readonly ratings: number;
  /** Share of the reviews that are hostile in tone. */
  readonly hostility: number;
  /** Share of the reviews that miss what the paper has. */
  readonly claims: number;
  /** How many numbers paper and rebuttals give, in [-0.5, 0.5]. */
  readonly evidence: number;
}

/** Numbers from which more evidence adds nothing. */
const ENOUGH = 60;

/** @returns null where no paper is judged */
export function measurePeerGrounds(subject: Case): PeerGrounds | null {
  if (subject.layout !== PEER_REVIEW) return null;
  const reviews = findLiveReviews(subject).map(({ text }) => text);
  const ratings = reviews.flatMap((text) => findRating(text)?.value ?? []);
  const share = (of: (review: string) => boolean) =>
    reviews.length === 0 ? 0 : reviews.filter(of).length / reviews.length;
  const given = [
    ...subject.options.map(({ text }) => text),
    ...subject.context.flatMap(({ of, text }) => (of === 'rebuttal' ? [text] : [])),
  ];
  const numbers = given.reduce((sum, text) => sum + (text.match(/\d+(?:[.,]\d+)*/g)?.length ?? 0), 0);
  return {
    ratings:
      ratings.length === 0 ? 0 : (ratings.reduce((sum, one) => sum + one, 0) / ratings.length - 5.5) / 9,
    hostility: share(isHostile),
    claims: share((text) => findFalseClaims(text, subject).length > 0),
    evidence: Math.min(1, numbers / ENOUGH) - 0.5,
  };
}

const LEAST = 1;
const MOST = 10;
/** Points: how unsure it is of its number. With this the expectation over 1 to 10 is the number itself to two decimals, ends aside. */
const UNSURE = 0.8;

/** The number it thinks of, in [1, 10]: liking 0 is the middle of the scale, 0.5 its top. */
export function computeThought(liked: number): number {
  return LEAST + (MOST - LEAST) * Math.min(1, Math.max(0, 0.5 + liked));
}

/** P(r) at index r - 1: a normal distribution about the number, on the whole numbers of the scale. */
function computeRatingShares(thought: number): number[] {
  const heights = Array.from({ length: MOST }, (_, index) =>
    Math.exp(-0.5 * ((index + LEAST - thought) / UNSURE) ** 2),
  );
  const sum = heights.reduce((one, other) => one + other, 0);
  return heights.map((height) => height / sum);
}

/**
 * @param comments before the rating; empty for the rating alone
 * @returns the text with its likeliest rating, and the tokens it is made of
 */
export function replyRating(
  thought: number,
  comments: string,
): { readonly text: string; readonly sampled: readonly SampledToken[] } {
  const likeliest: LikelyToken[] = computeRatingShares(thought)
    .map((probability, index) => ({ text: String(index + LEAST), probability }))
    .toSorted((a, b) => b.probability - a.probability);
  const [best = { text: '', probability: 0 }] = likeliest;
  const before = [...(comments === '' ? [] : [`${comments}\n\n`]), 'Rating', ':', ' '];
  const certain = (text: string) => ({ text, probability: 1, likeliest: [{ text, probability: 1 }] });
  return {
    text: `${before.join('')}${best.text}`,
    sampled: [...before.map(certain), { ...best, likeliest }],
  };
}
