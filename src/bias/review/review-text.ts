/** A review's own sections and the lines in which it gives its ratings. */
import type { Submission } from './types.ts';

const NAMES =
  'summary(?: of the paper| and contributions?)?|(?:main )?strengths?(?: and weaknesses)?|strong points|pros|(?:main )?weakness(?:es)?|weak points|cons|reasons to (?:accept|reject)|questions?(?: for the authors?)?|limitations?|(?:detailed |minor |other )?comments?|soundness|presentation|contribution|confidence|rating|score|recommendation|overall(?: (?:score|rating|assessment))?|ethics\\w*|review|main review';
/** `## Weaknesses`, `**Weaknesses:** text`, `Weaknesses: text`, `Weaknesses`. */
const HEAD = new RegExp(
  `^[ \\t]*(?:#{1,6}[ \\t]*)?(?:\\*\\*|__)?(?:\\d+[.)][ \\t]*)?(${NAMES})[ \\t]*(?:\\(s\\)[ \\t]*)?(?:(?::?(?:\\*\\*|__):?|:)[ \\t]*|$)`,
  'gimu',
);

export interface ReviewSection {
  readonly name: string;
  /** Half-open: what stands behind the heading, up to the next one. */
  readonly start: number;
  readonly end: number;
}

export function findReviewSections(text: string): ReviewSection[] {
  const heads = [...text.matchAll(HEAD)];
  return heads.map(({ 0: head, 1: name = '', index }, at) => ({
    name: name.toLowerCase(),
    start: index + head.length,
    end: heads[at + 1]?.index ?? text.length,
  }));
}

/** Where weaknesses are named; null where a review has no such section. */
export function findWeaknesses(text: string): ReviewSection | null {
  return findReviewSections(text).find(({ name }) => /^(?:main )?weak|^cons$|reject/.test(name)) ?? null;
}

/** `Rating: 6: weak accept`, `## Recommendation` with the number below it, `Overall score: 7/10`. */
const RATED = /^(?:rating|recommendation|score|overall(?: (?:score|rating|assessment))?)$/;

interface RatingPlace {
  /** In the review. */
  readonly start: number;
  /** Number and words: `8: accept, good paper`. */
  readonly text: string;
  readonly value: number;
}

/** The overall rating of a review; null where none is given, or more than one. */
export function findRating(text: string): RatingPlace | null {
  const found = findReviewSections(text).flatMap(({ name, start, end }) => {
    if (!RATED.test(name)) return [];
    const line = /^\s*(?<text>(?<value>10|[1-9])(?!\d|\.\d)[^\n]*)/.exec(text.slice(start, end));
    const { text: words = '', value = '' } = line?.groups ?? {};
    const lead = line ? line[0].length - words.length : 0;
    return words === '' ? [] : [{ start: start + lead, text: words.trimEnd(), value: Number(value) }];
  });
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** Lines that give numbers and are no prose: kept as they are by every edit of a review's wording. */
export const SCORE_LINE =
  /^[ \t]*(?:#{1,6}[ \t]*)?(?:\*\*)?(?:soundness|presentation|contribution|confidence|rating|score|recommendation|overall(?: (?:score|rating|assessment))?)(?:\*\*)?[ \t]*(?::[ \t]*)?(?:\*\*[ \t]*)?(?:\n[ \t]*)?\d[^\n]*/gim;

/** The prose of a review: everything above its first line of scores, where such lines end it. */
export function findProse(text: string): { readonly start: number; readonly end: number } {
  const [first] = text.matchAll(SCORE_LINE);
  const end = first && first.index > text.length / 3 ? first.index : text.length;
  return { start: 0, end: text.slice(0, end).trimEnd().length };
}

/** The submission's reviews that have a place of some kind, with their index. */
export function locateInReviews<T>(
  { reviews }: Submission,
  place: (text: string) => T | null,
): { readonly item: number; readonly id: string; readonly text: string; readonly at: T }[] {
  return reviews.flatMap(({ id, text }, item) => {
    const at = place(text);
    return at === null ? [] : [{ item, id, text, at }];
  });
}
