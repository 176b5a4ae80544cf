/**
 * Who an option is by, said in its label: `Response A (by Dr. Jane Smith, MIT):`, `Answer 1 — written by GPT-4`.
 * It is part of how the answer is presented: where answers are exchanged it goes with its own.
 */

import type { Span } from '../types.ts';
import type { Mark } from './layout.ts';
import { NOUNS, readTitle } from './titles.ts';

interface Signed {
  readonly label: string;
  readonly byline: string;
}

const MADE = '(?:written|generated|produced|authored|created|composed|submitted|answered|provided|given)';
const BYLINE = new RegExp(
  `^(.{1,60}?)\\s{0,9}(\\((?:${MADE} )?(?:by|from) [^()\\n]{1,90}\\)|(?:,|[—–-]{1,2})?\\s{0,9}${MADE} by [^\\n]{1,90}|[—–-]{1,2}\\s{0,9}(?:by|from) [^\\n]{1,90})$`,
  'i',
);

/** No byline is without one of these, and most labels are seen to have none. */
const SAYS_BY = /(?:by|from) /i;

/** In a heading, whatever stands in brackets behind the name: `# Response A [Response A was written in 1950.]`. */
const NOTE = /^(.{1,60}?)\s*(\[[^[\]\n]{1,100}\])$/;

/** @returns the label without its byline, and the byline as written; null where it has none */
export function splitByline(label: string, inHeading = false): Signed | null {
  const written = label.trim();
  const noted = inHeading && written.endsWith(']') ? NOTE.exec(written) : null;
  const signed = noted && readTitle(noted[1] ?? '') ? noted : SAYS_BY.test(written) && BYLINE.exec(written);
  if (!signed) return null;
  const [, rest, byline] = signed;
  return rest === undefined || byline === undefined ? null : { label: rest, byline };
}

const NAMES = new RegExp(`\\b(?:${NOUNS})[\\s#_-]*\\(?(\\d{1,2}|[a-z])\\)?(?![\\p{L}\\p{N}])`, 'dgiu');

/**
 * What of each option's byline goes with it: all of it but its own name where it says that, which is that of the place.
 *
 * @returns as many spans for every option; null where nothing tells how bylines were to read once exchanged: one names
 *   another option, or not all name their own
 */
export function movingBylines(family: readonly Mark[]): readonly (readonly Span[])[] | null {
  if (family.every(({ byline }) => !byline)) return family.map(() => []);
  const parts = family.map(({ page, key, byline }): Span[] | null => {
    if (!byline) return [];
    const at = (start: number, end: number) => ({
      part: page.part,
      start: byline.start + start,
      end: byline.start + end,
    });
    const written = page.text.slice(byline.start, byline.end);
    const named = [...written.matchAll(NAMES)];
    if (named.some(([, name]) => name?.toLowerCase() !== key?.toLowerCase())) return null;
    const names = named.flatMap(({ indices }) => indices?.[1] ?? []);
    const cuts = [0, ...names, written.length];
    return Array.from({ length: cuts.length / 2 }, (_, i) => at(cuts[2 * i] ?? 0, cuts[2 * i + 1] ?? 0));
  });
  const whole = parts.filter((spans) => spans !== null);
  const same = whole.every(({ length }) => length === whole[0]?.length);
  return whole.length === family.length && same ? whole : null;
}
