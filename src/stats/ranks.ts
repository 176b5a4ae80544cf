/** Ranks, and the tests that need the order of scores alone: Wilcoxon's signed-rank test and the sign test. */
import { binomialCdf, normalCdf } from './distributions.ts';
import { type Alternative, type Figure, noFigure, requireCounts, requireFinite, sizeOf } from './figure.ts';

interface Ranks {
  /** In the order of the values. */
  readonly ranks: readonly number[];
  /** How many values share a rank, for each rank that more than one has. */
  readonly ties: readonly number[];
}

function midranks(values: readonly number[]): Ranks {
  const order = values.map((_, i) => i).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const ranks = new Array<number>(values.length).fill(0);
  const ties: number[] = [];
  for (let from = 0; from < order.length; ) {
    let to = from + 1;
    while (to < order.length && values[order[to] ?? 0] === values[order[from] ?? 0]) to++;
    for (const place of order.slice(from, to)) ranks[place] = (from + 1 + to) / 2;
    if (to - from > 1) ties.push(to - from);
    from = to;
  }
  return { ranks, ties };
}

export interface WilcoxonOptions {
  /** `greater`: the differences lie above 0. Default `two-sided`. */
  readonly alternative?: Alternative;
  /** Default `auto`: exact up to 50 differences that are not zero, ties among them or not; normal beyond. */
  readonly method?: 'auto' | 'exact' | 'normal';
  /** Half a rank sum towards the mean, for the normal method only. Default false. */
  readonly continuity?: boolean;
}

export interface Wilcoxon {
  /** The smaller of the two rank sums, W. */
  readonly value: number;
  readonly wPlus: number;
  readonly wMinus: number;
  /** In (0, 1]. */
  readonly p: number;
  /** Standardised rank sum of the positive differences; null where the test was exact. */
  readonly z: number | null;
  readonly method: 'exact' | 'normal';
  /** Differences that are not zero; the test is made of these. */
  readonly n: number;
  /** Differences that are zero, and dropped. */
  readonly zeros: number;
  /**
   * Effect size in [-1, 1]: the share of the rank sum that is positive less the share that is negative, the
   * matched-pairs rank-biserial correlation (Kerby, Comprehensive Psychology 3:11.IT.3.1, 2014).
   */
  readonly rankBiserial: number;
}

const EXACT_AT_MOST = 50;

/**
 * In the form of Wilcoxon's own paper: zero differences are dropped before ranking (Biometrics Bulletin 1:80,
 * 1945). Scores are decimals and their differences carry a rounding error (.4 - .3 is not .7 - .6), so they are
 * compared to 12 decimal places of the largest one. Ties share their mean rank. The exact method is the permutation
 * test on these ranks; the normal one corrects its variance for ties (Hollander, Wolfe and Chicken, Nonparametric
 * Statistical Methods, 2014, §3.1).
 *
 * @param differences after less before, one for each pair
 * @returns no figure where every difference is zero or there is none, or where the exact method was asked for
 * and differences are too many for it
 * @throws RangeError for a difference that is not finite
 *
 * @example wilcoxonSignedRank([1, 2, 3, -1, 4]) // { value: 1.5, wPlus: 13.5, … }
 */
export function wilcoxonSignedRank(
  differences: readonly number[],
  options: WilcoxonOptions = {},
): Figure<Wilcoxon> {
  const { alternative = 'two-sided', method = 'auto', continuity = false } = options;
  requireFinite('difference', differences);
  if (differences.length === 0) return noFigure('no differences');
  const largest = sizeOf(differences);
  const moved = differences
    .map((difference) => Math.round((difference / largest) * 1e12))
    .filter((difference) => difference !== 0 && !Number.isNaN(difference));
  const n = moved.length;
  if (n === 0) return noFigure(`all ${differences.length} differences are zero`);

  const { ranks, ties } = midranks(moved.map(Math.abs));
  const wPlus = ranks.reduce((sum, rank, i) => sum + ((moved[i] ?? 0) > 0 ? rank : 0), 0);
  const total = (n * (n + 1)) / 2;
  const wMinus = total - wPlus;
  const possible = n <= EXACT_AT_MOST;
  if (method === 'exact' && !possible)
    return noFigure(`the exact test needs at most ${EXACT_AT_MOST} differences that are not zero, not ${n}`);

  const exact = method !== 'normal' && possible;
  const z = exact ? null : standardised(wPlus, n, ties, continuity ? alternative : null);
  const p = z === null ? exactP(wPlus, ranks, alternative) : normalP(z, alternative);
  return {
    value: Math.min(wPlus, wMinus),
    wPlus,
    wMinus,
    p,
    z,
    method: exact ? 'exact' : 'normal',
    n,
    zeros: differences.length - n,
    rankBiserial: (wPlus - wMinus) / total,
  };
}

function standardised(
  wPlus: number,
  n: number,
  ties: readonly number[],
  corrected: Alternative | null,
): number {
  const away = wPlus - (n * (n + 1)) / 4;
  const tied = ties.reduce((sum, t) => sum + t ** 3 - t, 0);
  const variance = (n * (n + 1) * (2 * n + 1)) / 24 - tied / 48;
  const half = { greater: 0.5, less: -0.5, 'two-sided': Math.sign(away) / 2 };
  return (away - (corrected ? half[corrected] : 0)) / Math.sqrt(variance);
}

function normalP(z: number, alternative: Alternative): number {
  if (alternative === 'greater') return normalCdf(-z);
  if (alternative === 'less') return normalCdf(z);
  return Math.min(1, 2 * normalCdf(-Math.abs(z)));
}

/** Counts the sets of ranks by twice their sum, which is whole with ties, too; so are counts up to 2^50 sets. */
function exactP(wPlus: number, ranks: readonly number[], alternative: Alternative): number {
  const doubled = ranks.map((rank) => 2 * rank);
  const total = doubled.reduce((sum, rank) => sum + rank, 0);
  const sets = new Float64Array(total + 1);
  sets[0] = 1;
  for (const rank of doubled) {
    for (let sum = total; sum >= rank; sum--) sets[sum] = (sets[sum] ?? 0) + (sets[sum - rank] ?? 0);
  }
  // The distribution is symmetric: what lies at or above a sum is what lies at or below its mirror image.
  const atMost = (sum: number) => sets.subarray(0, sum + 1).reduce((a, b) => a + b, 0) / 2 ** ranks.length;
  const above = 2 * wPlus;
  if (alternative === 'less') return atMost(above);
  if (alternative === 'greater') return atMost(total - above);
  return Math.min(1, 2 * atMost(Math.min(above, total - above)));
}

export interface SignTest {
  /** Exact p-value in (0, 1]. */
  readonly value: number;
  /** Share of `positive` among those that are not tied, in [0, 1]. */
  readonly share: number;
  readonly n: number;
}

/**
 * The exact binomial test of a share of one half, ties left out beforehand (Dixon and Mood, JASA 41:557, 1946).
 *
 * @param alternative `greater`: positive is the more frequent one
 * @returns no figure where both counts are 0
 * @throws RangeError for a count that is negative or not whole
 *
 * @example signTest(9, 1) // { value: 0.0215, share: 0.9, n: 10 }
 */
export function signTest(
  positive: number,
  negative: number,
  alternative: Alternative = 'two-sided',
): Figure<SignTest> {
  requireCounts('signs', positive, negative);
  const n = positive + negative;
  if (n === 0) return noFigure('nothing moved either way');
  const tails = {
    less: () => binomialCdf(positive, n, 0.5),
    greater: () => binomialCdf(negative, n, 0.5),
    'two-sided': () => Math.min(1, 2 * binomialCdf(Math.min(positive, negative), n, 0.5)),
  };
  return { value: tails[alternative](), share: positive / n, n };
}
