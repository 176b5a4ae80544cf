/** Replies that judge a pair in both orders: `### Original Order\nOutput (a)\n\n### Swapped Order\nOutput (b)`. */

/** What the headings of such a reply say, and few others do. */
const ORDERED = /(?:original|swapped) order/i;

/** The two texts of such a reply (position rows of arXiv 2505.17100); null where it is none. */
export function readTwoOrders(text: string): { readonly original: string; readonly swapped: string } | null {
  if (!ORDERED.test(text)) return null;
  const headings = [...text.matchAll(/^[ \t#*]{0,12}(original|swapped) order[ \t*:]{0,12}$/gim)];
  const [first, second] = headings;
  if (headings.length !== 2 || !first || !second || first[1]?.toLowerCase() === second[1]?.toLowerCase())
    return null;
  const one = text.slice(first.index + first[0].length, second.index).trim();
  const two = text.slice(second.index + second[0].length).trim();
  return first[1]?.toLowerCase() === 'original'
    ? { original: one, swapped: two }
    : { original: two, swapped: one };
}
