/** One method held against reviews whose authors are known: what it finds at each promised rate of false alarms, give or take. */
import type { AuthorshipResult } from '../../report/index.ts';
import { createSeededDraw, exactShare, type Figure, noFigure, roc } from '../../stats/index.ts';
import { isHuman, isWhole, listHumanScores, type ReviewScores } from './review.ts';

export type MethodFigures = AuthorshipResult['methods'][number];
export type TargetFigures = MethodFigures['targets'][number];
/** A share of a count, with its exact interval. */
export type ExactShare = TargetFigures['fpr'];

export interface MeasureOptions {
  readonly targets: readonly number[];
  readonly seed: number;
}

/**
 * @param calibration reviews by people
 * @param tested reviews by people and by models; those that models only edited, or wrote from bullet points, are left out
 */
export function measureMethod(
  method: string,
  calibration: readonly ReviewScores[],
  tested: readonly ReviewScores[],
  { targets, seed }: MeasureOptions,
): MethodFigures {
  const humans = listHumanScores(calibration, method);
  const people = tested.filter(isHuman);
  const models = tested.filter(isWhole);
  const cases = [
    ...people.flatMap(({ paper, scores }) => caseOf(paper, scores[method]?.high, false)),
    ...models.flatMap(({ paper, scores, model }) => caseOf(paper, scores[method]?.low, true, model)),
  ];
  const lines = targets.map((target) => computeThreshold(humans, target));
  const spread = computeDeviations(
    cases,
    lines.map(({ value }) => value ?? Number.POSITIVE_INFINITY),
    seed,
  );
  const byModel = Map.groupBy(
    cases.filter(({ byModel }) => byModel),
    ({ model }) => model ?? 'unnamed',
  );
  const fromPeople = cases.filter((one) => !one.byModel);
  const whole = curveOf(cases);
  return {
    method,
    unscored: [...calibration, ...people, ...models].filter(({ scores }) => !scores[method]).length,
    bounded: [...calibration, ...people, ...models].some(({ scores }) => {
      const score = scores[method];
      return score !== undefined && score.low < score.high;
    }),
    calibrated_on: humans.length,
    auc: {
      value: whole.value,
      deviation: whole.value === null ? null : spread.auc,
      reason: whole.value === null ? whole.reason : null,
    },
    auc_by_model: Object.fromEntries(
      [...byModel].map(([model, own]) => [model, curveOf([...fromPeople, ...own]).value]),
    ),
    targets: targets.map((target, at): TargetFigures => {
      const line = lines[at];
      const drawn = line && line.value !== null ? line : null;
      const flagged = (some: typeof cases, deviation: number | null) =>
        computeExactShare(
          drawn ? some.filter(({ score }) => score > drawn.value).length : 0,
          drawn ? some.length : 0,
          deviation,
        );
      return {
        target,
        line: drawn?.value ?? null,
        refused: line && line.value === null ? line.reason : null,
        fpr: flagged(fromPeople, spread.fpr[at] ?? null),
        expected: drawn && predictAlarms(drawn, fromPeople.length),
        tpr: flagged(
          cases.filter((one) => one.byModel),
          spread.tpr[at] ?? null,
        ),
        by_model: Object.fromEntries([...byModel].map(([model, own]) => [model, flagged(own, null)])),
      };
    }),
    curve: whole.value === null ? [] : thinCurve(whole.points.map(({ fpr, tpr }) => [fpr, tpr] as const)),
    histogram: histogramOf(cases),
  };
}

export function computeExactShare(count: number, n: number, deviation: number | null = null): ExactShare {
  const interval = exactShare(count, n);
  if (!('low' in interval)) return { count, n, share: null, interval: null, deviation: null };
  return { count, n, share: count / n, interval, deviation };
}

function caseOf(paper: string, score: number | undefined, byModel: boolean, model: string | null = null) {
  return score === undefined ? [] : [{ paper, score, byModel, model }];
}

function curveOf(cases: readonly { readonly score: number; readonly byModel: boolean }[]) {
  return roc(
    cases.map(({ score }) => score),
    cases.map(({ byModel }) => byModel),
  );
}

/** Points that a drawing can tell apart: every step of the left end, where all is decided, fewer of the rest. */
function thinCurve(points: readonly (readonly [number, number])[]): [number, number][] {
  const kept: [number, number][] = [];
  for (const [at, point] of points.entries()) {
    const last = kept.at(-1);
    const next = points[at + 1];
    const step = point[0] <= 0.02 ? 0.0005 : 0.005;
    const moved = !last || point[0] - last[0] >= step || point[1] - last[1] >= 0.005;
    if (moved || !next) kept.push([roundShare(point[0]), roundShare(point[1])]);
  }
  return kept;
}

const BINS = 40;

function histogramOf(
  cases: readonly { readonly score: number; readonly byModel: boolean }[],
): MethodFigures['histogram'] {
  const scores = cases.map(({ score }) => score);
  const from = scores.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY);
  const to = scores.reduce((most, one) => Math.max(most, one), Number.NEGATIVE_INFINITY);
  if (!(to > from)) return null;
  const people = new Array<number>(BINS).fill(0);
  const models = new Array<number>(BINS).fill(0);
  for (const { score, byModel } of cases) {
    const bin = Math.min(BINS - 1, Math.floor(((score - from) / (to - from)) * BINS));
    const counts = byModel ? models : people;
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return { from, to, people, models };
}

function roundShare(share: number): number {
  return Math.round(share * 1e6) / 1e6;
}

/** Lines drawn on one venue and held against another: whether a promise made for one holds for the next. */
type Transfer = AuthorshipResult['transfers'][number];

/** @returns for each method, pair of venues and target; nothing where there is only one venue */
export function measureTransfers(
  methods: readonly string[],
  calibration: readonly ReviewScores[],
  tested: readonly ReviewScores[],
  targets: readonly number[],
): Transfer[] {
  const [from, to] = [byVenue(calibration), byVenue(tested)];
  if (new Set([...from.keys(), ...to.keys()]).size < 2) return [];
  return methods.flatMap((method) =>
    [...from].flatMap(([calibrated_on, humans]) => {
      const scores = listHumanScores(humans, method);
      return [...to].flatMap(([tested_on, reviews]) =>
        targets.map((target): Transfer => {
          const found = computeThreshold(scores, target);
          const line = found.value === null ? null : found;
          const above = (some: readonly ReviewScores[], end: 'low' | 'high') => {
            const own = line ? some.flatMap(({ scores: all }) => all[method]?.[end] ?? []) : [];
            return computeExactShare(own.filter((score) => line && score > line.value).length, own.length);
          };
          const fpr = above(reviews.filter(isHuman), 'high');
          return {
            method,
            calibrated_on,
            tested_on,
            target,
            refused: found.value === null ? found.reason : null,
            fpr,
            tpr: above(reviews.filter(isWhole), 'low'),
            broken: line && fpr.n > 0 ? fpr.count > predictAlarms(line, fpr.n).high : null,
          };
        }),
      );
    }),
  );
}

function byVenue(reviews: readonly ReviewScores[]): Map<string, ReviewScores[]> {
  return Map.groupBy(reviews, ({ venue }) => venue ?? 'unnamed');
}

interface ScoredCase {
  readonly paper: string;
  readonly score: number;
  readonly byModel: boolean;
}

interface Deviations {
  /** Null where no resample had reviews of both kinds. */
  readonly auc: number | null;
  /** For each line, of the share of reviews by models and by people above it. */
  readonly tpr: readonly (number | null)[];
  readonly fpr: readonly (number | null)[];
}

const RESAMPLES = 200;

/**
 * The reviews of a paper share its anchors, so they are drawn together (Davison and Hinkley, Bootstrap Methods and
 * their Application, 1997, §3.8). Sorted once, then weighted: a resample costs one walk over the reviews.
 */
function computeDeviations(cases: readonly ScoredCase[], lines: readonly number[], seed: number): Deviations {
  const papers = [...new Set(cases.map(({ paper }) => paper))];
  const places = new Map(papers.map((paper, place) => [paper, place]));
  const sorted = cases
    .toSorted((a, b) => b.score - a.score)
    .map(({ paper, score, byModel }) => ({ place: places.get(paper) ?? 0, score, byModel }));
  // As the scores fall, those above a line are the first so many.
  const above = lines.map((line) => sorted.filter(({ score }) => score > line).length);
  const modelsUpTo = new Float64Array(sorted.length + 1);
  const peopleUpTo = new Float64Array(sorted.length + 1);
  const draw = createSeededDraw(seed);
  const spread = { auc: spreading(), tpr: lines.map(spreading), fpr: lines.map(spreading) };
  for (let resample = 0; resample < RESAMPLES; resample++) {
    const weights = new Uint32Array(papers.length);
    for (let count = 0; count < papers.length; count++) {
      const drawn = draw(papers.length);
      weights[drawn] = (weights[drawn] ?? 0) + 1;
    }
    let [models, people, area, tied] = [0, 0, 0, { models: 0, people: 0, score: Number.NaN }];
    for (const [n, { place, score, byModel }] of sorted.entries()) {
      const weight = weights[place] ?? 0;
      if (weight > 0 && score !== tied.score) {
        area += tied.people * (models - tied.models / 2);
        tied = { models: 0, people: 0, score };
      }
      tied[byModel ? 'models' : 'people'] += weight;
      if (byModel) models += weight;
      else people += weight;
      modelsUpTo[n + 1] = models;
      peopleUpTo[n + 1] = people;
    }
    area += tied.people * (models - tied.models / 2);
    if (models > 0 && people > 0) spread.auc.add(area / (models * people));
    for (const [at, count] of above.entries()) {
      if (models > 0) spread.tpr[at]?.add((modelsUpTo[count] ?? 0) / models);
      if (people > 0) spread.fpr[at]?.add((peopleUpTo[count] ?? 0) / people);
    }
  }
  return {
    auc: spread.auc.deviation(),
    tpr: spread.tpr.map((one) => one.deviation()),
    fpr: spread.fpr.map((one) => one.deviation()),
  };
}

/** Welford's running variance (Technometrics 4:419, 1962). */
function spreading() {
  let [count, mean, squares] = [0, 0, 0];
  return {
    add(value: number) {
      count++;
      const away = value - mean;
      mean += away / count;
      squares += away * (value - mean);
    },
    /** Null where every resample came to the same, as where all are told apart: such a bootstrap knows of no spread. */
    deviation: () => (squares === 0 ? null : Math.sqrt(squares / (count - 1))),
  };
}

// The line above which a review is flagged, drawn on reviews that people wrote so that of others like them no more than
// the target share is flagged, and the probability that a person's review looks as much like a model's as this one.

/** Targets of arXiv 2502.19614: 1 review by a person in 1,000, in 200, in 100 is flagged. */
export const TARGETS = [0.001, 0.005, 0.01] as const;

interface Threshold {
  /** What scores above it is flagged. */
  readonly value: number;
  /** Reviews by people that it was drawn on. */
  readonly humans: number;
  /** It is the score of the human review with this rank from the top. */
  readonly rank: number;
}

/**
 * Of n + 1 reviews by people of which one is new, each is as likely as another to score highest. A line at the rank
 * ⌊target·(n + 1)⌋ therefore flags a new one with a probability of at most the target, ties included (split conformal
 * prediction: Vovk, Gammerman and Shafer, Algorithmic Learning in a Random World, 2005, §4.2). A quantile of the
 * scores would flag nearly twice as many as promised where n is little more than 1/target.
 *
 * @param humans scores of reviews by people, highest first
 * @param target share of reviews by people that may be flagged, in (0, 1)
 * @returns no figure where there are fewer than 1/target: a single review would decide
 */
export function computeThreshold(humans: readonly number[], target: number): Figure<Threshold> {
  const refused = explainTooFew(humans.length, target);
  if (refused !== null) return noFigure(refused);
  const rank = computeThresholdRank(humans.length, target);
  return { value: humans[rank - 1] ?? Number.POSITIVE_INFINITY, humans: humans.length, rank };
}

/** @returns at least 1 where there are 1/target reviews */
export function computeThresholdRank(humans: number, target: number): number {
  // Products of decimals fall a hair short of the whole number that they are.
  return Math.floor(target * (humans + 1) + 1e-9);
}

/** @returns why so few reviews cannot calibrate a target, in words; null where they can */
export function explainTooFew(humans: number, target: number): string | null {
  const needed = Math.ceil(1 / target - 1e-9);
  if (humans >= needed) return null;
  return (
    `a false-positive rate of ${formatShare(target)} cannot be calibrated on ${humans.toLocaleString('en')} human reviews: ` +
    `it means less than one of them, and needs ${needed.toLocaleString('en')} at least`
  );
}

/** In percent, to three digits. */
export function formatShare(value: number): string {
  return `${Number((100 * value).toPrecision(3))}%`;
}

/**
 * How often a review by a person scores at least this high, so that flagging it would be wrong: at most this share of
 * reviews by people would be flagged with it.
 *
 * @param humans scores of reviews by people, highest first
 * @returns in [1/(n + 1), 1]
 */
export function estimateHumanChance(humans: readonly number[], score: number): number {
  return (1 + countFirst(humans, (one) => one >= score)) / (humans.length + 1);
}

/** Of numbers in order, how many hold before the first one that does not: a binary search. */
export function countFirst(sorted: readonly number[], holds: (one: number) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(sorted[middle] ?? 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * How many of further reviews by people the line will flag, in 95 of 100 cases. The line itself was drawn on a sample:
 * its true rate is Beta(rank, n + 1 - rank) distributed, and the count beta-binomial.
 *
 * @param tested how many further reviews by people
 */
export function predictAlarms(
  { rank, humans }: Pick<Threshold, 'rank' | 'humans'>,
  tested: number,
): { readonly low: number; readonly high: number } {
  // 95 of 100 lie between the two.
  const tail = 0.025;
  const [a, b] = [rank, humans + 1 - rank];
  // P(0) = Π (b + i) / (a + b + i), then by recurrence; in logarithms, since it can be very small.
  let log = 0;
  for (let i = 0; i < tested; i++) log += Math.log((b + i) / (a + b + i));
  let [below, low] = [0, -1];
  for (let count = 0; count <= tested; count++) {
    below += Math.exp(log);
    if (low < 0 && below > tail) low = count;
    if (below >= 1 - tail) return { low: Math.max(0, low), high: count };
    log += Math.log(((tested - count) * (a + count)) / ((count + 1) * (b + tested - count - 1)));
  }
  return { low: Math.max(0, low), high: tested };
}
