/**
 * What an audit of author metadata comes to: rates, tests and words. Papers are the unit of every test, since the
 * pairs of one paper share its reviews; p-values are corrected for all comparisons of the run (Holm).
 */
import {
  type Equivalence,
  equivalence,
  type Figure,
  holm,
  type Interval,
  mean,
  signTest,
  wilcoxonSignedRank,
} from '../../stats/index.ts';
import {
  createPairOutcomes,
  type DimensionTally,
  type OutcomesByMeasure,
  type PairOutcomes,
  RATING_MEASURES,
  type RatingMeasure,
} from './author-tally.ts';
import { type AuthorData, type Dimension, nameSides } from './profiles.ts';

/** Shares of pairs, in [0, 1]; null where there is none. */
export interface Rates {
  readonly pairs: number;
  readonly win: number | null;
  readonly lose: number | null;
  readonly tie: number | null;
  /** First less second, in points, over the pairs. */
  readonly mean: number | null;
  /** Pairs in which only the first side, or only the second, reaches the threshold. */
  readonly raised: number;
  readonly lowered: number;
  /** Share of pairs won or lost that what is missing of the probabilities could turn. */
  readonly unsettled: number | null;
}

export interface MeasureFigures extends Rates {
  readonly papers: number;
  /** 95%, over the papers' own means and shares; null for a single paper, and where papers do not differ. */
  readonly mean_interval: Interval | null;
  readonly win_interval: Interval | null;
  /** Wilcoxon's signed-rank test on the papers' mean differences: as it is, and after Holm. 1 where nothing moved. */
  readonly p: number;
  readonly p_holm: number;
  /** The sign test on the same, uncorrected; null where nothing moved. */
  readonly sign_p: number | null;
  /** Of the papers' mean differences, in [-1, 1]; null where nothing moved. */
  readonly rank_biserial: number | null;
  readonly finding: boolean;
  /** Two one-sided tests within the margin, where there is no finding. */
  readonly equivalence: { readonly p: number; readonly interval: Interval; readonly shown: boolean } | null;
}

export interface AuthorFinding {
  readonly judge: string;
  readonly dimension: Dimension;
  readonly sides: readonly [string, string];
  readonly reviews: number;
  readonly failed: number;
  /** For how many comparisons of the run p is corrected. */
  readonly comparisons: number;
  readonly unread: Readonly<Record<string, number>>;
  readonly hard: MeasureFigures | null;
  readonly soft: MeasureFigures | null;
  /** Why reviews have no soft rating, counted. */
  readonly no_soft: Readonly<Record<string, number>>;
  /** Of the probability at the rating's place: mean and most that is on no listed rating. */
  readonly missing: { readonly mean: number; readonly most: number } | null;
  /** Soft less hard: of the shares won, and of the shares won less lost. What the written ratings hide. */
  readonly gap: { readonly win: number; readonly net: number } | null;
  readonly groups: Readonly<Record<string, Readonly<Record<RatingMeasure, Rates>>>>;
  /** Rows are the first side's institutions, columns the second's; null for other dimensions. */
  readonly heatmap: {
    readonly rows: readonly string[];
    readonly columns: readonly string[];
    readonly hard: readonly (readonly Rates[])[];
    readonly soft: readonly (readonly Rates[])[];
  } | null;
}

/** @param margin in points: the smallest difference that would matter */
export function concludeAuthors(
  tallies: readonly DimensionTally[],
  data: AuthorData,
  { margin, level = 0.05 }: { readonly margin: number; readonly level?: number },
): AuthorFinding[] {
  const compared = tallies.flatMap((tally) =>
    RATING_MEASURES.filter((measure) => tally.differences[measure].length > 0).map((measure) => ({
      tally,
      measure,
      test: wilcoxonSignedRank(tally.differences[measure]),
    })),
  );
  const adjusted = holm(compared.map(({ test }) => (test.value === null ? 1 : test.p)));
  return tallies.map((tally) => {
    const measured = (measure: RatingMeasure): MeasureFigures | null => {
      const index = compared.findIndex((one) => one.tally === tally && one.measure === measure);
      const test = compared[index]?.test;
      if (!test) return null;
      const differences = tally.differences[measure];
      const up = differences.filter((one) => one > 0).length;
      const down = differences.filter((one) => one < 0).length;
      const signs = signTest(up, down);
      const corrected = adjusted[index] ?? 1;
      const finding = corrected < level;
      return {
        ...ratesOf(
          (tally.groups.get('all') ?? { hard: createPairOutcomes(), soft: createPairOutcomes() })[measure],
        ),
        papers: differences.length,
        mean_interval: intervalOf(differences),
        win_interval: within01(intervalOf(tally.shares[measure])),
        p: test.value === null ? 1 : test.p,
        p_holm: corrected,
        sign_p: signs.value,
        rank_biserial: test.value === null ? null : test.rankBiserial,
        finding,
        equivalence: finding ? null : equivalent(equivalence(differences, margin, level), level),
      };
    };
    const [hard, soft] = [measured('hard'), measured('soft')];
    return {
      judge: tally.judge,
      dimension: tally.dimension,
      sides: nameSides(tally.dimension, data),
      reviews: tally.reviews,
      failed: tally.failed,
      comparisons: compared.length,
      unread: Object.fromEntries(tally.unread),
      hard,
      soft,
      no_soft: Object.fromEntries(tally.noSoft),
      missing:
        tally.softly === 0 ? null : { mean: tally.missing.sum / tally.softly, most: tally.missing.most },
      gap: gapOf(hard, soft),
      groups: Object.fromEntries([...tally.groups].map(([name, both]) => [name, rated(both)])),
      heatmap: tally.dimension === 'affiliation' ? heatmapOf(tally) : null,
    };
  });
}

/** Student's, over papers: pairs of one paper share its reviews, and are no sample of their own. */
function intervalOf(values: readonly number[]): Interval | null {
  const moments = { n: values.length, sum: 0, squares: 0 };
  for (const value of values) {
    moments.sum += value;
    moments.squares += value ** 2;
  }
  const found = mean(moments);
  const { interval } = found.value === null ? { interval: null } : found;
  return interval && interval.high - interval.low > ROUNDING ? interval : null;
}

/** Less spread than this is rounding. */
const ROUNDING = 1e-9;

function within01(interval: Interval | null): Interval | null {
  return interval && { low: Math.max(0, interval.low), high: Math.min(1, interval.high) };
}

function equivalent(test: Figure<Equivalence>, level: number): MeasureFigures['equivalence'] {
  return test.value === null ? null : { p: test.value, interval: test.interval, shown: test.value < level };
}

function gapOf(hard: Rates | null, soft: Rates | null): AuthorFinding['gap'] {
  const [h, s] = [hard, soft].map((one) =>
    one?.win == null || one.lose === null ? null : { win: one.win, net: one.win - one.lose },
  );
  return h && s ? { win: s.win - h.win, net: s.net - h.net } : null;
}

function rated(both: OutcomesByMeasure) {
  return { hard: ratesOf(both.hard), soft: ratesOf(both.soft) };
}

function ratesOf({ win, lose, tie, points, raised, lowered, unsettled }: PairOutcomes): Rates {
  const pairs = win + lose + tie;
  const share = (count: number, of: number) => (of === 0 ? null : count / of);
  return {
    pairs,
    win: share(win, pairs),
    lose: share(lose, pairs),
    tie: share(tie, pairs),
    mean: share(points, pairs),
    raised,
    lowered,
    unsettled: share(unsettled, win + lose),
  };
}

function heatmapOf({ institutions }: DimensionTally): AuthorFinding['heatmap'] {
  const rows = [...institutions.keys()];
  const columns = [...new Set([...institutions.values()].flatMap((row) => [...row.keys()]))];
  const cells = (measure: RatingMeasure) =>
    rows.map((row) =>
      columns.map((column) => ratesOf(institutions.get(row)?.get(column)?.[measure] ?? createPairOutcomes())),
    );
  return { rows, columns, hard: cells('hard'), soft: cells('soft') };
}
