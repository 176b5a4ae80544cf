/**
 * Who an option is by, said in its label: `Response A (by Dr. Jane Smith, MIT):`, `Answer 1 — written by GPT-4`.
 * It is part of how the answer is presented: where answers are exchanged it goes with its own.
 */

const MADE = '(?:written|generated|produced|authored|created|composed|submitted|answered|provided|given)';
const BYLINE = new RegExp(
  `^(.{1,60}?)\\s*(\\((?:${MADE} )?(?:by|from) [^()\\n]{1,90}\\)|(?:,|[—–-]{1,2})?\\s*${MADE} by [^\\n]{1,90}|[—–-]{1,2}\\s*(?:by|from) [^\\n]{1,90})$`,
  'i',
);

/** @returns the label without its byline, and the byline as written; null where it has none */
export function splitByline(label: string): { readonly label: string; readonly byline: string } | null {
  const [, rest, byline] = BYLINE.exec(label.trim()) ?? [];
  return rest === undefined || byline === undefined ? null : { label: rest, byline };
}
