/**
 * Replies without a figure, by the side that they are of. A judge that withholds them on one side alone leaves pairs that are
 * no fair sample: of those no preference is claimed, whatever their test says.
 */
import type { Losses } from '../report/index.ts';
import { mcnemarExact, wilcoxonSignedRank } from '../stats/index.ts';

/** Of one side. */
export interface SideCount {
  asked: number;
  unread: number;
  failed: number;
}

export function createSideCount(): SideCount {
  return { asked: 0, unread: 0, failed: 0 };
}

const LEVEL = 0.05;

function toLosses([first, second]: readonly [SideCount, SideCount], p: number): Losses {
  return {
    asked: [first.asked, second.asked],
    unread: [first.unread, second.unread],
    failed: [first.failed, second.failed],
    p,
    selective: p < LEVEL,
  };
}

/** @param differences of each paper the share lost on the first side, less that on the second */
export function testShares(sides: readonly [SideCount, SideCount], differences: readonly number[]): Losses {
  const test = wilcoxonSignedRank(differences);
  return toLosses(sides, test.value === null ? 1 : test.p);
}

/** @param alone pairs of which the first side alone was lost, and the second alone */
export function testPairs(sides: readonly [SideCount, SideCount], alone: readonly [number, number]): Losses {
  return toLosses(sides, mcnemarExact(...alone));
}

export function isLost({ unread, failed }: Losses): boolean {
  return [...unread, ...failed].some((count) => count > 0);
}

/**
 * @param sides what the replies are of
 * @returns `0 of 640 reviews of "strong" and 245 of 640 of "weak" have no rating (5 of them failed)`
 */
export function describeLosses(
  { asked, unread, failed }: Losses,
  [first, second]: readonly [string, string],
  nouns: { readonly replies: string; readonly figure: string },
): string {
  const lost = (side: 0 | 1) => `${unread[side] + failed[side]} of ${asked[side]}`;
  const calls = failed[0] + failed[1];
  const why = calls > 0 ? ` (${calls} of them failed)` : '';
  return `${lost(0)} ${nouns.replies} of ${first} and ${lost(1)} of ${second} have no ${nouns.figure}${why}`;
}

/** Behind what is said of the losses of one side. */
export function describeSelection({ p }: Losses): string {
  return `the two sides differ in it (${formatP(p)}), and the pairs that are left are no fair sample`;
}

export function formatP(p: number): string {
  return p < 0.0001 ? 'p < 0.0001' : `p = ${Number(p.toPrecision(2))}`;
}
