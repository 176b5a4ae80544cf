/**
 * Reviews added up as they come, paper by paper: who wins how many pairs, by the written rating (hard) and by the
 * expectation (soft). Memory holds one paper's reviews, the counts, and four numbers a paper.
 */

import { createSideCount, type SideCount } from '../losses.ts';
import type { AuthorReviewRecord } from './ask-reviews.ts';

/** Of pairs: how often the first side was rated higher, lower, the same. */
export interface PairOutcomes {
  win: number;
  lose: number;
  tie: number;
  /** Pairs that only the first side, or only the second, would be accepted in. */
  raised: number;
  lowered: number;
  /** Sum of first less second, in points. */
  points: number;
  /** Wins and losses that what is missing of the probabilities could turn; 0 for hard ratings. */
  unsettled: number;
}

export const RATING_MEASURES = ['hard', 'soft'] as const;
export type RatingMeasure = (typeof RATING_MEASURES)[number];
export type OutcomesByMeasure = Record<RatingMeasure, PairOutcomes>;

export type DimensionTally = ReturnType<typeof emptyTally>;

function emptyTally({ judge, dimension }: AuthorReviewRecord) {
  return {
    judge,
    dimension,
    /** `all`, `accepted: yes|no|unknown`, `field: …`, `stratum: …`. */
    groups: new Map<string, OutcomesByMeasure>(),
    /** By institution of the first side, then of the second. */
    institutions: new Map<string, Map<string, OutcomesByMeasure>>(),
    /** Of each paper the mean of first less second over its pairs, in points. */
    differences: { hard: [] as number[], soft: [] as number[] },
    /** Of each paper the share of its pairs that the first side won. */
    shares: { hard: [] as number[], soft: [] as number[] },
    reviews: 0,
    failed: 0,
    sides: [createSideCount(), createSideCount()] as const,
    /** Of each paper the share of reviews without a rating on the first side, less that on the second. */
    lost: [] as number[],
    unread: new Map<string, number>(),
    noSoft: new Map<string, number>(),
    /** Probability on no listed rating: sum and most, over `softly` reviews. */
    missing: { sum: 0, most: 0 },
    softly: 0,
  };
}

interface AuthorTally {
  /** Records of one paper, judge and dimension come one after the other. */
  add(record: AuthorReviewRecord): void;
  /** One for each judge and dimension, in the order in which they came. */
  finish(): DimensionTally[];
}

/** @param threshold the least rating at which a paper is accepted */
export function createAuthorTally(threshold: number): AuthorTally {
  const tallies = new Map<string, DimensionTally>();
  const panels = collectPanels((panel, first) => {
    const key = JSON.stringify([first.judge, first.dimension]);
    const tally = tallies.get(key) ?? emptyTally(first);
    tallies.set(key, tally);
    addPanel(tally, panel, threshold);
  });
  return {
    add: panels.add,
    finish() {
      panels.close();
      return [...tallies.values()];
    },
  };
}

/**
 * Puts together the records of one paper, judge and dimension, which come one after the other.
 *
 * @param onPanel told of each, with the first of its records
 */
export function collectPanels(
  onPanel: (panel: readonly AuthorReviewRecord[], first: AuthorReviewRecord) => void,
) {
  let panel: AuthorReviewRecord[] = [];
  const close = () => {
    if (panel[0]) onPanel(panel, panel[0]);
    panel = [];
  };
  return {
    add(record: AuthorReviewRecord) {
      const [first] = panel;
      const same =
        first?.paper === record.paper && first.judge === record.judge && first.dimension === record.dimension;
      if (!same) close();
      panel.push(record);
    },
    close,
  };
}

function addPanel(tally: DimensionTally, panel: readonly AuthorReviewRecord[], threshold: number): void {
  const own = [createSideCount(), createSideCount()] as const;
  for (const one of panel) {
    count(tally, one);
    for (const sides of [tally.sides, own]) countSide(sides[one.side], one);
  }
  const [first, second] = own.map(({ asked, unread, failed }) =>
    asked === 0 ? null : (unread + failed) / asked,
  );
  if (first != null && second != null) tally.lost.push(first - second);
  const sums = { hard: { points: 0, won: 0, pairs: 0 }, soft: { points: 0, won: 0, pairs: 0 } };
  for (const first of panel.filter(({ side }) => side === 0))
    for (const second of panel.filter(({ side, stratum }) => side === 1 && stratum === first.stratum))
      for (const measure of RATING_MEASURES) {
        const pair = compareRatings(first, second, measure, threshold);
        if (!pair) continue;
        sums[measure].points += pair.points;
        sums[measure].won += pair.win;
        sums[measure].pairs++;
        for (const both of placesOf(tally, first, second)) addTo(both[measure], pair);
      }
  for (const measure of RATING_MEASURES) {
    const { points, won, pairs } = sums[measure];
    if (pairs === 0) continue;
    tally.differences[measure].push(points / pairs);
    tally.shares[measure].push(won / pairs);
  }
}

function count(tally: DimensionTally, { error, unread, soft, no_soft: reason }: AuthorReviewRecord): void {
  tally.reviews++;
  if (error !== null) tally.failed++;
  if (unread !== null) tally.unread.set(unread, (tally.unread.get(unread) ?? 0) + 1);
  else if (reason !== null) tally.noSoft.set(reason, (tally.noSoft.get(reason) ?? 0) + 1);
  if (!soft) return;
  tally.softly++;
  tally.missing = { sum: tally.missing.sum + soft.missing, most: Math.max(tally.missing.most, soft.missing) };
}

function countSide(side: SideCount, { error, unread }: AuthorReviewRecord): void {
  side.asked++;
  if (error !== null) side.failed++;
  else if (unread !== null) side.unread++;
}

/** Null where either side has no such rating: a pair of one is none. */
function compareRatings(
  first: AuthorReviewRecord,
  second: AuthorReviewRecord,
  measure: RatingMeasure,
  threshold: number,
): PairOutcomes | null {
  const [a, b] = [ratingOf(first, measure), ratingOf(second, measure)];
  if (!a || !b) return null;
  // Both have two decimals: what is equal there is a tie, whatever the bits say.
  const points = Math.round((a.value - b.value) * 100) / 100;
  const apart = a.low > b.high || b.low > a.high;
  return {
    win: Number(points > 0),
    lose: Number(points < 0),
    tie: Number(points === 0),
    raised: Number(a.value >= threshold && b.value < threshold),
    lowered: Number(a.value < threshold && b.value >= threshold),
    points,
    unsettled: Number(points !== 0 && !apart),
  };
}

function ratingOf({ hard, soft }: AuthorReviewRecord, measure: RatingMeasure) {
  if (measure === 'soft') return soft;
  return hard === null ? null : { value: hard, low: hard, high: hard };
}

/** Everywhere that a pair counts. */
function placesOf(
  tally: DimensionTally,
  first: AuthorReviewRecord,
  second: AuthorReviewRecord,
): OutcomesByMeasure[] {
  const { accepted, field, stratum } = first;
  const known = accepted === null ? 'unknown' : accepted ? 'yes' : 'no';
  const names = [
    'all',
    `accepted: ${known}`,
    ...(field === null ? [] : [`field: ${field}`]),
    ...(stratum === '' ? [] : [`stratum: ${stratum}`]),
  ];
  const places = names.map((name) => placeIn(tally.groups, name));
  if (tally.dimension !== 'affiliation') return places;
  const row = tally.institutions.get(first.institution) ?? new Map<string, OutcomesByMeasure>();
  tally.institutions.set(first.institution, row);
  return [...places, placeIn(row, second.institution)];
}

function placeIn(all: Map<string, OutcomesByMeasure>, name: string): OutcomesByMeasure {
  const place = all.get(name) ?? { hard: createPairOutcomes(), soft: createPairOutcomes() };
  all.set(name, place);
  return place;
}

export function createPairOutcomes(): PairOutcomes {
  return { win: 0, lose: 0, tie: 0, raised: 0, lowered: 0, points: 0, unsettled: 0 };
}

function addTo(all: PairOutcomes, more: PairOutcomes): void {
  all.win += more.win;
  all.lose += more.lose;
  all.tie += more.tie;
  all.raised += more.raised;
  all.lowered += more.lowered;
  all.points += more.points;
  all.unsettled += more.unsettled;
}
