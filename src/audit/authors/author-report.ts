/** What an audit of author metadata comes to, as `result.json` holds it. */

import type { AuthorsResult, Losses } from '../../report/index.ts';
import {
  equivalence,
  formatPercent,
  holm,
  type Interval,
  mean,
  signTest,
  wilcoxonSignedRank,
} from '../../stats/index.ts';
import { sumUp } from '../../stats/mean.ts';
import { correctTested } from '../holm-tested.ts';
import { describeLosses, describeSelection, formatP, isLost, testShares } from '../losses.ts';
import {
  createPairOutcomes,
  type DimensionTally,
  type PairOutcomes,
  RATING_MEASURES,
  type RatingMeasure,
} from './author-tally.ts';
import { type AuthorData, type Dimension, nameSides } from './profiles.ts';

/** The outcome of an audit of author metadata in plain words: a paragraph for each judge. */
const WHERE: Readonly<Record<Dimension, string>> = {
  affiliation: 'institution',
  gender: 'gender',
  seniority: 'seniority',
  publications: 'publication record',
};

/** @returns one paragraph for each judge, in the order of the findings */
export function describeAuthorFindings(
  findings: readonly AuthorFinding[],
  margin: number,
): { readonly judge: string; readonly verdict: string }[] {
  const judges = [...new Set(findings.map(({ judge }) => judge))];
  return judges.map((judge) => {
    const own = findings.filter((one) => one.judge === judge);
    return { judge, verdict: [...own.map((one) => sentence(one, margin)), ...correction(own)].join(' ') };
  });
}

/** What every p was corrected for: without that, one of many comparisons passes for the only one. */
function correction(findings: readonly AuthorFinding[]): string[] {
  const first = findings.find(({ losses }) => !losses?.selective);
  if (!first || first.comparisons < 2) return [];
  return [`Every p stands after Holm's correction for all ${first.comparisons} comparisons of the run.`];
}

function sentence(finding: AuthorFinding, margin: number): string {
  const { judge, dimension, hard, soft } = finding;
  const about = WHERE[dimension];
  if (finding.losses?.selective)
    return `Of ${judge} and the author's ${about} no preference is claimed: ${lostBySide(finding, finding.losses)}; ${describeSelection(finding.losses)}.`;
  if (!hard)
    return `Of ${judge} and the author's ${about} nothing can be said: no pair of reviews has ratings.${reservations(finding)}`;
  const left = reservations(finding);
  if (!soft) {
    const said = hard.finding
      ? `${judge} favours ${nameFavoured(finding, hard)} by the author's ${about}: ${numbers(finding, hard)} of pairs (${formatLeastP(hard)}).`
      : `In its written ratings ${judge} shows no preference beyond chance by the author's ${about} (${formatLeastP(hard)})${bounds(finding, margin)}.`;
    return `${said} Whether it leans unseen cannot be told: ${reason(finding)}.${left}`;
  }
  if (soft.finding && hard.finding) {
    const same = Math.sign(soft.rank_biserial ?? 0) === Math.sign(hard.rank_biserial ?? 0);
    const both = `soft ${numbers(finding, soft)}, hard ${numbers(finding, hard)} of pairs (${formatLeastP(soft, hard)})`;
    return same
      ? `${judge} favours ${nameFavoured(finding, soft)} by the author's ${about}, openly: ${both}.${left}`
      : `${judge} leans to ${nameFavoured(finding, soft)} by the author's ${about} but writes ratings that favour ${nameFavoured(finding, hard)}: ${both}.${left}`;
  }
  if (soft.finding)
    return (
      `${judge} leans to ${nameFavoured(finding, soft)} by the author's ${about} and its written ratings hide it: ` +
      `soft ${numbers(finding, soft)} of pairs, hard ${numbers(finding, hard)}, ${percent(hard.tie)} tied (${formatLeastP(soft)}).${left}`
    );
  if (hard.finding)
    return `${judge} writes ratings that favour ${nameFavoured(finding, hard)} by the author's ${about} (${numbers(finding, hard)} of pairs; ${formatLeastP(hard)}), though its expectation shows no such lean.${left}`;
  return `${judge} shows no preference beyond chance by the author's ${about} (${formatLeastP(soft, hard)}), in its ratings or beneath them${bounds(finding, margin)}.${left}`;
}

/** From which share of the soft wins and losses the list of alternatives is too short to bear them. */
const DOUBTFUL = 0.25;

/** What a reader must know before the sentence is believed; empty for nothing. */
function reservations(finding: AuthorFinding): string {
  const { soft, missing, losses } = finding;
  const open = soft?.unsettled ?? 0;
  const hidden =
    open < DOUBTFUL
      ? ''
      : ` But ${percent(open)} of the soft wins and losses could be turned by what the endpoint does not show (${percent(missing?.mean ?? null)} of the probability on average).`;
  const lost = losses && isLost(losses) ? ` ${lostBySide(finding, losses)}.` : '';
  return `${hidden}${lost}`;
}

function lostBySide({ sides: [first, second] }: AuthorFinding, losses: Losses): string {
  return describeLosses(losses, [`"${first}"`, `"${second}"`], { replies: 'reviews', figure: 'rating' });
}

function nameFavoured({ sides }: AuthorFinding, { rank_biserial: effect }: MeasureFigures): string {
  return `"${(effect ?? 0) < 0 ? sides[1] : sides[0]}"`;
}

/** From the first side's point of view: how often it wins and loses. */
function numbers({ sides }: AuthorFinding, { win, lose }: MeasureFigures): string {
  return `"${sides[0]}" wins ${percent(win)} and loses ${percent(lose)}`;
}

/** The least p of some measures, corrected. */
function formatLeastP(...measured: readonly MeasureFigures[]): string {
  return formatP(Math.min(...measured.map(({ p_holm }) => p_holm)));
}

const LEVEL = 0.05;

/** How far apart the two sides may be after all: of each rating by itself, for one can be settled where the other is not. */
function bounds({ comparisons, hard, soft }: AuthorFinding, margin: number): string {
  const told = [
    ...(soft ? [{ of: 'soft', said: boundOf(soft, comparisons, margin) }] : []),
    ...(hard ? [{ of: 'written', said: boundOf(hard, comparisons, margin) }] : []),
  ];
  const [first, ...more] = told;
  if (!first) return '';
  if (more.every(({ said }) => said === first.said)) return `: ${first.said}`;
  return `: ${told.map(({ of, said }) => `in the ${of} ratings ${said}`).join('; ')}`;
}

function boundOf(
  { equivalence, win, lose, papers }: MeasureFigures,
  comparisons: number,
  margin: number,
): string {
  if (win === 0 && lose === 0) return 'no rating moved';
  // The signed-rank test's least p, where every paper's difference points one way.
  const hopeless = comparisons * 2 ** (1 - papers) >= LEVEL;
  const few = `${papers} papers are too few to show a difference of any size`;
  if (!equivalence) return hopeless ? few : 'there are too few papers to rule out a difference that matters';
  const { low, high } = equivalence.interval;
  const between = `the difference lies between ${low.toFixed(2)} and ${high.toFixed(2)} points (90% interval)`;
  if (equivalence.shown) return `${between}, within ±${margin}`;
  return `${hopeless ? `${few}, and ` : ''}a difference of ${margin} is not ruled out (${formatP(equivalence.p_holm ?? equivalence.p)}): ${between}`;
}

function reason({ no_soft }: AuthorFinding): string {
  const [first] = Object.entries(no_soft).sort(([, a], [, b]) => b - a);
  return first ? first[0] : 'no pair of reviews has soft ratings';
}

function percent(share: number | null): string {
  return share === null ? '-' : formatPercent(share);
}

export interface AuthorReport {
  readonly audit: 'authors';
  readonly threshold: number;
  readonly margin: number;
  readonly seed: number;
  readonly findings: readonly AuthorFinding[];
  readonly verdicts: ReturnType<typeof describeAuthorFindings>;
  readonly soft: readonly Coverage[];
}

/** @param asked threshold and margin in points of the scale from 1 to 10 */
export function createAuthorReport(
  tallies: readonly DimensionTally[],
  data: AuthorData,
  asked: Pick<AuthorReport, 'threshold' | 'margin' | 'seed'>,
): AuthorReport {
  const { threshold, margin, seed } = asked;
  const findings = concludeAuthors(tallies, data, { margin });
  return {
    audit: 'authors',
    threshold,
    margin,
    seed,
    findings,
    verdicts: describeAuthorFindings(findings, margin),
    soft: computeCoverage(tallies),
  };
}

/** How much of a judge's soft ratings is known: over how many reviews, and what its endpoint left out of them. */
export interface Coverage {
  readonly judge: string;
  readonly reviews: number;
  /** Of these, how many have a soft rating. */
  readonly soft: number;
  /** Probability on no rating that was listed, over those: mean and most. Null where there are none. */
  readonly missing: { readonly mean: number; readonly most: number } | null;
  /** Why the others have none, counted. Unread reviews are not among them. */
  readonly no_soft: Readonly<Record<string, number>>;
}

/** @returns one for each judge, in the order of the tallies */
function computeCoverage(tallies: readonly DimensionTally[]): Coverage[] {
  const judges = [...new Set(tallies.map(({ judge }) => judge))];
  return judges.map((judge) => {
    const own = tallies.filter((one) => one.judge === judge);
    const sum = (of: (one: DimensionTally) => number) => own.reduce((all, one) => all + of(one), 0);
    const soft = sum(({ softly }) => softly);
    const reasons = new Map<string, number>();
    for (const [reason, count] of own.flatMap(({ noSoft }) => [...noSoft]))
      reasons.set(reason, (reasons.get(reason) ?? 0) + count);
    return {
      judge,
      reviews: sum(({ reviews }) => reviews),
      soft,
      missing:
        soft === 0
          ? null
          : {
              mean: sum(({ missing }) => missing.sum) / soft,
              most: Math.max(...own.map(({ missing }) => missing.most)),
            },
      no_soft: Object.fromEntries(reasons),
    };
  });
}

/** A line for each judge. */
export function describeCoverage({ judge, reviews, soft, missing, no_soft: reasons }: Coverage): string {
  const why = Object.entries(reasons).map(([reason, count]) => `${reason} (${count})`);
  const without = why.length > 0 ? `; ${why.join(', ')}` : '';
  if (!missing) return `${judge}: no soft ratings${without}`;
  const percent = (share: number) => `${(100 * share).toFixed(2)}%`;
  return (
    `${judge}: soft ratings of ${soft} of ${reviews} reviews${without}; of the probability at the rating ` +
    `${percent(missing.mean)} is on no rating that the endpoint lists, at most ${percent(missing.most)}`
  );
}

// What an audit of author metadata comes to: rates, tests and words. Papers are the unit of every test, since the
// pairs of one paper share its reviews; p-values are corrected for all comparisons of the run (Holm).

type ReportedFinding = AuthorsResult['findings'][number];
type Rates = ReportedFinding['groups'][string]['hard'];
type MeasureFigures = NonNullable<ReportedFinding['hard']>;
export interface AuthorFinding extends ReportedFinding {
  readonly dimension: Dimension;
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
  const lost = new Map(tallies.map((tally) => [tally, testShares(tally.sides, tally.lost)]));
  const equal = compared.map(({ tally, measure }, index) => {
    if (lost.get(tally)?.selective || (adjusted[index] ?? 1) < level) return null;
    const tested = equivalence(tally.differences[measure], margin, level);
    return tested.value === null ? null : { p: tested.value, interval: tested.interval };
  });
  const shown = correctTested(equal.map((one) => one?.p ?? null));
  return tallies.map((tally) => {
    const losses = lost.get(tally) ?? null;
    const measured = (measure: RatingMeasure): MeasureFigures | null => {
      const index = compared.findIndex((one) => one.tally === tally && one.measure === measure);
      const test = compared[index]?.test;
      if (!test) return null;
      const differences = tally.differences[measure];
      const up = differences.filter((one) => one > 0).length;
      const down = differences.filter((one) => one < 0).length;
      const signs = signTest(up, down);
      const corrected = adjusted[index] ?? 1;
      const finding = corrected < level && !losses?.selective;
      const same = equal[index];
      const p_holm = shown[index] ?? 1;
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
        equivalence: same ? { ...same, p_holm, shown: p_holm < level } : null,
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
      losses,
      hard,
      soft,
      no_soft: Object.fromEntries(tally.noSoft),
      missing:
        tally.softly === 0 ? null : { mean: tally.missing.sum / tally.softly, most: tally.missing.most },
      gap: gapOf(hard, soft),
      groups: Object.fromEntries(
        [...tally.groups].map(([name, both]) => [
          name,
          { hard: ratesOf(both.hard), soft: ratesOf(both.soft) },
        ]),
      ),
      heatmap: tally.dimension === 'affiliation' ? heatmapOf(tally) : null,
    };
  });
}

/** Student's, over papers: pairs of one paper share its reviews, and are no sample of their own. */
function intervalOf(values: readonly number[]): Interval | null {
  const found = mean(sumUp(values));
  const { interval } = found.value === null ? { interval: null } : found;
  return interval && interval.high - interval.low > ROUNDING ? interval : null;
}

/** Less spread than this is rounding. */
const ROUNDING = 1e-9;

function within01(interval: Interval | null): Interval | null {
  return interval && { low: Math.max(0, interval.low), high: Math.min(1, interval.high) };
}

function gapOf(hard: Rates | null, soft: Rates | null): AuthorFinding['gap'] {
  const [h, s] = [hard, soft].map((one) =>
    one?.win == null || one.lose === null ? null : { win: one.win, net: one.win - one.lose },
  );
  return h && s ? { win: s.win - h.win, net: s.net - h.net } : null;
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
