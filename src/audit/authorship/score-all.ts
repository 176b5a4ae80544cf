/** Every review scored by every method: a stream of records in the order of the reviews, without their texts. */
import { JudgeError } from '../../http/index.ts';
import { type RunOptions, runAll } from '../../models/index.ts';
import { isForeign } from '../english.ts';
import type { ScoreResult } from './anchors.ts';
import { isReview, type ReviewRow } from './read-reviews.ts';
import type { Review, ReviewScores } from './review.ts';

// Which reviews can be scored at all. What cannot is named and counted: it is neither human nor a model's.

/** Fewest words of a review: below, every similarity is chance. */
const FEWEST_WORDS = 20;
/** @returns why a text cannot be scored, in words; null where it can */
export function explainUnusableText(text: string, language: 'en' | 'any'): string | null {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  if (words.length === 0) return 'the review is empty';
  // Languages without spaces have few words by this count and many letters.
  const letters = words.reduce((sum, word) => sum + word.length, 0);
  if (language === 'en' && isForeign(text)) return 'the review is not in English';
  const spaced = letters < 9 * words.length;
  if (spaced ? words.length < FEWEST_WORDS : letters < 2 * FEWEST_WORDS)
    return `the review has fewer than ${FEWEST_WORDS} words`;
  return null;
}

/** What scores reviews: some methods by name, asked together. */
export interface Scorer {
  readonly methods: readonly string[];
  /** One for each method, in their order. */
  score(review: Review, signal: AbortSignal): Promise<readonly ScoreResult[]>;
}

/** A record of `scores.jsonl`, one a line. */
interface ScoredReview extends ReviewScores {
  /** Why it has no score by a method, in words. */
  readonly unscored: Readonly<Record<string, string>>;
  /** What went wrong, in words; null where nothing did. */
  readonly error: string | null;
}

export interface ScoreOptions extends RunOptions {
  readonly language: 'en' | 'any';
}

/** Of a row or a review that nothing scores: where it stands, or its id, and why. */
export async function* scoreAll(
  reviews: AsyncIterable<ReviewRow>,
  scorers: readonly Scorer[],
  options: ScoreOptions,
): AsyncGenerator<ScoredReview | Exclude<ReviewRow, Review>> {
  const work = async (read: ReviewRow, signal: AbortSignal) => {
    if (!isReview(read)) return read;
    const why = explainUnusableText(read.text, options.language);
    if (why !== null) return { where: read.id, why };
    const all: [string, ScoreResult][] = [];
    for (const scorer of scorers) {
      const scores = await askScorer(scorer, read, signal);
      for (const [at, method] of scorer.methods.entries())
        all.push([method, scores[at] ?? { why: 'not scored' }]);
    }
    return recordOf(read, all);
  };
  for await (const result of runAll(reviews, work, options)) {
    if ('value' in result) yield result.value;
    else if (isReview(result.item)) yield { ...recordOf(result.item, []), error: result.error.message };
  }
}

/** What an endpoint refuses for good (a text that is too long for it) costs the review its own score and no other. */
async function askScorer(
  scorer: Scorer,
  review: Review,
  signal: AbortSignal,
): Promise<readonly ScoreResult[]> {
  try {
    return await scorer.score(review, signal);
  } catch (cause) {
    if (!(cause instanceof JudgeError) || cause.retryable) throw cause;
    await cause.response?.body?.cancel();
    return scorer.methods.map(() => ({ why: cause.message }));
  }
}

function recordOf(
  { text: _, ...review }: Review,
  all: readonly (readonly [string, ScoreResult])[],
): ScoredReview {
  return {
    ...review,
    scores: Object.fromEntries(all.flatMap(([method, one]) => ('why' in one ? [] : [[method, one]]))),
    unscored: Object.fromEntries(all.flatMap(([method, one]) => ('why' in one ? [[method, one.why]] : []))),
    error: null,
  };
}
