/** Whether numbers moved: the mean of paired differences, or of two samples of different items, and their spread. */
import { type Bootstrap, type BootstrapOptions, bootstrapEach } from './bootstrap.ts';
import { normalCdf, tCdf, tQuantile } from './distributions.ts';
import {
  dropRounding,
  type Figure,
  type GroupedValue,
  type Interval,
  noFigure,
  requireShare,
  sizeOf,
  summarise,
} from './figure.ts';

export interface Shift {
  readonly value: number;
  readonly interval: Interval;
  readonly standardError: number;
  /** Two-sided, against no shift. */
  readonly p: number;
  /** Independent observations: groups, of both samples where there are two. */
  readonly groups: number;
}

/**
 * The mean of differences, with Student's interval over groups: what one group adds up to is one observation (Cameron and
 * Miller, Journal of Human Resources 50:317, 2015, with the number of groups less one as degrees of freedom).
 *
 * @param differences after less before, one for each pair
 * @param confidence in (0, 1), default .95
 * @returns no figure for fewer than two groups
 *
 * @example pairedShift([{ value: -1, group: 'a' }, { value: 0, group: 'b' }]).value // -.5
 */
export function pairedShift(differences: readonly GroupedValue[], confidence = 0.95): Figure<Shift> {
  requireShare('confidence', confidence);
  const sample = summarise(differences);
  if (sample.groups < 2)
    return noFigure(`a shift needs at least two independent items, not ${sample.groups}`);
  return shiftOf(sample.mean, sample.variance, sample.groups - 1, sample.groups, confidence);
}

/**
 * The same for two samples of different items (Welch, Biometrika 34:28, 1947).
 *
 * @example
 * unpairedShift([6, 7].map((value) => ({ value, group: `a${value}` })), [5, 7].map((value) => ({ value, group: `b${value}` })))
 * // { value: -0.5, interval: { low: -7.42, high: 6.42 }, … }
 */
export function unpairedShift(
  before: readonly GroupedValue[],
  after: readonly GroupedValue[],
  confidence = 0.95,
): Figure<Shift> {
  requireShare('confidence', confidence);
  const [a, b] = [summarise(before), summarise(after)];
  if (a.groups < 2 || b.groups < 2)
    return noFigure(
      `a shift needs at least two independent items on each side, not ${a.groups} and ${b.groups}`,
    );
  const variance = a.variance + b.variance;
  const df =
    variance === 0
      ? a.groups + b.groups - 2
      : variance ** 2 / (a.variance ** 2 / (a.groups - 1) + b.variance ** 2 / (b.groups - 1));
  const size = sizeOf([...before, ...after].map(({ value }) => value));
  const value = dropRounding(b.mean - a.mean, size);
  return shiftOf(value, variance, df, a.groups + b.groups, confidence);
}

function shiftOf(value: number, variance: number, df: number, groups: number, confidence: number): Shift {
  const standardError = Math.sqrt(variance);
  const reach = tQuantile(1 - (1 - confidence) / 2, df) * standardError;
  const p =
    standardError > 0
      ? 2 * tCdf(-Math.abs(value / standardError), df)
      : value === 0
        ? 1
        : // All moved by the same: as likely as all coins falling on one side.
          2 ** (1 - groups);
  return { value, interval: { low: value - reach, high: value + reach }, standardError, p, groups };
}

export interface PairedValues {
  readonly before: number;
  readonly after: number;
  readonly group: string;
}

export interface SpreadChange {
  /** Standard deviation after, over that before. */
  readonly value: number;
  readonly before: number;
  readonly after: number;
  /** Two-sided, against none. */
  readonly p: number;
}

/**
 * Whether paired numbers lie further apart than before. Where nothing changed, the two of a pair can be exchanged, and sum and
 * difference of a pair are uncorrelated (Pitman, Biometrika 31:9, 1939); here tested without assuming that they are normal.
 *
 * @returns no figure for fewer than ten pairs, and where the numbers before are all the same
 *
 * @example
 * spreadChange([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((n) => ({ before: n, after: n / 2, group: `q${n}` })))
 * // { value: 0.5, before: 3.03, after: 1.51, p: … }
 */
export function spreadChange(pairs: readonly PairedValues[]): Figure<SpreadChange> {
  const n = pairs.length;
  if (n < LEAST_PAIRS) return noFigure(`spreads are compared from ${LEAST_PAIRS} pairs on, not ${n}`);
  const average = (of: (pair: PairedValues) => number) => pairs.reduce((sum, pair) => sum + of(pair), 0) / n;
  const [first, second] = [average(({ before }) => before), average(({ after }) => after)];
  const size = sizeOf(pairs.flatMap((pair) => [pair.before, pair.after]));
  const deviation = (of: (pair: PairedValues) => number) =>
    dropRounding(Math.sqrt((average((pair) => of(pair) ** 2) * n) / (n - 1)), size);
  const before = deviation((pair) => pair.before - first);
  const after = deviation((pair) => pair.after - second);
  if (before === 0) return noFigure('all numbers before are the same');
  const products = new Map<string, number>();
  for (const pair of pairs) {
    const [a, b] = [pair.before - first, pair.after - second];
    products.set(
      pair.group,
      (products.get(pair.group) ?? 0) + dropRounding(b + a, size) * dropRounding(b - a, size),
    );
  }
  const sum = [...products.values()].reduce((all, one) => all + one, 0);
  const squares = [...products.values()].reduce((all, one) => all + one ** 2, 0);
  const z = squares === 0 ? 0 : sum / Math.sqrt(squares);
  return { value: after / before, before, after, p: 2 * normalCdf(-Math.abs(z)) };
}

const LEAST_PAIRS = 10;

// Which score of a new judge means what a score of the old one meant: equipercentile linking.

/**
 * The mark that as large a share of the new scores reaches as of the old ones reaches the old mark (Kolen and Brennan, Test
 * Equating, 2014, ch. 2). A score stands for all values nearer to it than to the next, so that marks may lie between two scores;
 * none lies above the highest new score.
 *
 * @param before scores by the old judge
 * @param after scores by the new judge on the same items, or on items like them
 * @param step between two scores, above 0
 * @returns no figure where all or none of the old scores reach the mark: then no share tells
 *
 * @example linkedMark([5, 6, 7, 8], [4, 5, 6, 7], 7, 1) // { value: 6 }
 */
export function linkedMark(
  before: readonly number[],
  after: readonly number[],
  mark: number,
  step: number,
): Figure {
  return linkCounts(countScores(before), countScores(after), mark, step);
}

/** Different scores in rising order, and how often each was given. */
type ScoreCounts = readonly (readonly [score: number, count: number])[];

function countScores(scores: readonly number[]): ScoreCounts {
  const counts = new Map<number, number>();
  for (const score of scores) counts.set(score, (counts.get(score) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => a - b);
}

/** `linkedMark` for scores that are counted already. */
function linkCounts(before: ScoreCounts, after: ScoreCounts, mark: number, step: number): Figure {
  const [olds, news] = [countAll(before), countAll(after)];
  if (olds === 0 || news === 0) return noFigure('no scores');
  const half = step / 2;
  const below = shareBelow(before, mark - half, step);
  if (below <= 0 || below >= 1)
    return noFigure(`${below <= 0 ? 'all' : 'none'} of the scores before reach ${mark}`);
  // No judge gives a mark above its highest.
  const highest = after.findLast(([, count]) => count > 0)?.[0] ?? 0;
  let passed = 0;
  for (const [score, count] of after) {
    const own = count / news;
    if (own > 0 && passed + own >= below - 1e-12)
      return { value: Math.min(highest, score + step * ((below - passed) / own - 0.5) + half) };
    passed += own;
  }
  return noFigure('no score after reaches as far');
}

const countAll = (counts: ScoreCounts) => counts.reduce((sum, [, count]) => sum + count, 0);

/** The share of scores below a value, each spread evenly over the step around it. */
function shareBelow(scores: ScoreCounts, value: number, step: number): number {
  const sum = scores.reduce(
    (all, [score, count]) => all + count * Math.min(1, Math.max(0, (value - (score - step / 2)) / step)),
    0,
  );
  return sum / countAll(scores);
}

/**
 * What each mark is linked to, with its percentile interval: all pairs of a group are drawn together. A sample is drawn and
 * counted once for all marks.
 *
 * @param marks and step as `linkedMark` takes them
 * @returns one for each mark, in their order; none where there are no pairs
 *
 * @example
 * const pairs = [5, 6, 7, 8].map((score) => ({ before: score, after: score - 1, group: `q${score}` }));
 * resampleMarks(pairs, [7], 1, { seed: 1 }) // [{ value: 6, interval: …, clusters: 4, resamples: … }]
 */
export function resampleMarks(
  pairs: readonly PairedValues[],
  marks: readonly number[],
  step: number,
  options: Pick<BootstrapOptions<PairedValues>, 'seed' | 'confidence' | 'resamples'>,
): Figure<Bootstrap>[] {
  const scores = [...new Set(pairs.flatMap(({ before, after }) => [before, after]))].sort((a, b) => a - b);
  const places = new Map(scores.map((score, place) => [score, place]));
  const placed = pairs.map(
    ({ before, after, group }): PairedValues => ({
      before: places.get(before) ?? 0,
      after: places.get(after) ?? 0,
      group,
    }),
  );
  const count = (rows: readonly PairedValues[], run: 'before' | 'after') => {
    const counts = scores.map(() => 0);
    for (const row of rows) counts[row[run]] = (counts[row[run]] ?? 0) + 1;
    return counts.map((number, place) => [scores[place] ?? 0, number] as const);
  };
  const link = (rows: readonly PairedValues[]) => {
    const [before, after] = [count(rows, 'before'), count(rows, 'after')];
    return marks.map((mark) => linkCounts(before, after, mark, step).value);
  };
  return bootstrapEach(placed, link, {
    ...options,
    method: 'percentile',
    cluster: ({ group }) => group,
  });
}
