/** Turns confidence scores into probabilities with labels: how often a judge that is so sure is right, judge by judge. */
import { applyCurve, type ConfidenceCurve, combineDraws, creditOf, logOdds } from '../../loop/index.ts';
import { bootstrap, createSeededDraw, fitLogistic, type Interval, type NoFigure } from '../../stats/index.ts';
import type { JudgedItem } from './past-judgment.ts';
import { type PromiseResult, promiseRisk, type ScoredItem } from './promise-risk.ts';

interface CalibratedConfidence {
  readonly curve: ConfidenceCurve;
  readonly labels: number;
  /** Out of sample, by cross-validation. */
  readonly brier: number;
  /** Expected calibration error: how far probability and share of right verdicts lie apart, over bins of about equally many. */
  readonly ece: number;
  /** Of 95 %, as `boundError` gives it. A perfect curve has an error of some points, too, with few labels. */
  readonly ece_interval: Interval | NoFigure;
  /** Mean squared error of always saying the share of right verdicts. */
  readonly brier_of_base_rate: number;
  /** Bins of about equally many items, the least sure first, out of sample; equal probabilities are in one. */
  readonly reliability: readonly ReliabilityBin[];
  /** Why the figures should not be relied on; null where there is nothing to say. */
  readonly warning: string | null;
}

interface ReliabilityBin {
  readonly n: number;
  readonly probability: number;
  readonly right: number;
}

const FOLDS = 5;
const BINS = 10;
/** Labels below which no curve is learned, and below which it is told that more would change it. */
const LEAST_LABELS = 30;
const ENOUGH_LABELS = 100;

/**
 * Learns logistic and isotonic curves and takes the one with the smallest Brier score out of sample.
 *
 * @param items labelled ones
 * @param seed of the folds
 * @returns the reason where there are too few labels, or all verdicts are right or all wrong
 */
export function calibrateConfidence(
  items: readonly ScoredItem[],
  seed: number,
): CalibratedConfidence | string {
  const right = items.reduce((sum, { credit }) => sum + credit, 0);
  if (items.length < LEAST_LABELS)
    return `${items.length} labels are too few to learn a probability from: at least ${LEAST_LABELS} are needed`;
  if (right === 0 || right === items.length)
    return `all ${items.length} labelled verdicts are ${right === 0 ? 'wrong' : 'right'}: nothing tells a sure one from another`;
  const folds = foldsOf(items, seed);
  const isProbability = items.every(({ confidence }) => confidence >= 0 && confidence <= 1);
  const [best] = [learnLogistic, learnIsotonic, ...(isProbability ? [learnLogOdds] : [])]
    .map((learn) => ({ learn, told: outOfSample(items, folds, learn) }))
    .sort((a, b) => brierOf(a.told) - brierOf(b.told));
  const { learn = learnLogistic, told = [] } = best ?? {};
  const share = right / items.length;
  return {
    curve: learn(items),
    labels: items.length,
    brier: brierOf(told),
    ece: calibrationError(told),
    ece_interval: boundError(told, calibrationError, seed),
    brier_of_base_rate: items.reduce((sum, { credit }) => sum + (credit - share) ** 2, 0) / items.length,
    reliability: binsOf(told),
    warning:
      items.length < ENOUGH_LABELS
        ? `${items.length} labels: the curve is rough, and its error is not known well; ${ENOUGH_LABELS} or more are advised`
        : null,
  };
}

/** A probability and how right the verdict was, from 0 to 1. */
export interface ToldProbability {
  readonly probability: number;
  readonly credit: number;
  /** As that of `ScoredItem`. */
  readonly group?: string;
}

const brierOf = (told: readonly ToldProbability[]): number =>
  told.reduce((sum, { probability, credit }) => sum + (probability - credit) ** 2, 0) / told.length;

/** Expected calibration error over bins of about equally many items. */
export const calibrationError = (told: readonly ToldProbability[]): number =>
  binsOf(told).reduce((sum, { n, probability, right }) => sum + n * Math.abs(probability - right), 0) /
  told.length;

const RESAMPLES = 500;

/**
 * The 95 % interval of a calibration error. A distance is never below 0, so that few labels make it larger than it is, and a
 * resample, which is fewer still, makes it larger once more. Percentiles alone hold the true error of a well calibrated judge in
 * 0 to 15 % of samples. The upper end is the percentile, which is rather too high. The lower one lies as far below the error as
 * that above it (Davison and Hinkley, Bootstrap Methods and their Application, 1997, §5.2). It is 0 where a perfect curve has as
 * large an error by chance (consistency resampling: Bröcker and Smith, Weather and Forecasting 22:651, 2007). In 29 kinds of
 * simulated samples this held the true error in 92 to 99 %.
 *
 * @param errorOf expected calibration error, in the way in which it is shown
 * @param seed a whole number of 32 bits
 */
export function boundError(
  told: readonly ToldProbability[],
  errorOf: (told: readonly ToldProbability[]) => number,
  seed: number,
): Interval | NoFigure {
  const cluster = clusterOf(told);
  const options = { seed, resamples: RESAMPLES, method: 'percentile', ...(cluster && { cluster }) } as const;
  const figure = bootstrap(told, errorOf, options);
  if (figure.value === null) return figure;
  if (!('low' in figure.interval)) return figure.interval;
  const { value, interval } = figure;
  const asLarge = errorsOfPerfect(told, errorOf, seed).filter((error) => error >= value).length;
  const isChance = asLarge > 0.025 * RESAMPLES;
  return { low: isChance ? 0 : Math.max(0, 2 * value - interval.high), high: interval.high };
}

/** What the error would be if the probabilities were right. Items of one group are right or wrong together, which is the worst case. */
function errorsOfPerfect(
  told: readonly ToldProbability[],
  errorOf: (told: readonly ToldProbability[]) => number,
  seed: number,
): number[] {
  const draw = createSeededDraw(seed);
  const nameOf = clusterOf(told);
  const names = told.map((item, n) => nameOf?.(item) ?? String(n));
  return Array.from({ length: RESAMPLES }, () => {
    const luck = new Map(names.map((name) => [name, draw(2 ** 30) / 2 ** 30]));
    return errorOf(
      told.map(({ probability }, n) => ({
        probability,
        credit: Number((luck.get(names[n] ?? '') ?? 0) < probability),
      })),
    );
  });
}

/** Equal probabilities are in one bin, that of their middle: no bin depends on the order of the items. */
function binsOf(told: readonly ToldProbability[]): ReliabilityBin[] {
  const sorted = told.toSorted((a, b) => a.probability - b.probability);
  const count = Math.min(BINS, sorted.length);
  const sums = Array.from({ length: count }, () => ({ n: 0, probability: 0, right: 0 }));
  for (let from = 0, to = 0; from < sorted.length; from = to) {
    do to++;
    while (sorted[to]?.probability === sorted[from]?.probability);
    const sum = sums[Math.floor((count * (from + to)) / 2 / sorted.length)];
    if (!sum) break;
    for (const { probability, credit } of sorted.slice(from, to)) {
      sum.n++;
      sum.probability += probability;
      sum.right += credit;
    }
  }
  return sums.flatMap(({ n, probability, right }) =>
    n === 0 ? [] : [{ n, probability: probability / n, right: right / n }],
  );
}

/** Where items have groups. */
function clusterOf<Item extends { readonly group?: string }>(
  items: readonly Item[],
): ((item: Item) => string) | null {
  return items.every(({ group }) => group !== undefined) ? ({ group = '' }) => group : null;
}

/** For each item the fold in which it is left out, with all of its group. */
function foldsOf(items: readonly ScoredItem[], seed: number): number[] {
  const draw = createSeededDraw(seed);
  const nameOf = clusterOf(items);
  const names = items.map((item, n) => nameOf?.(item) ?? String(n));
  const order = [...new Set(names)]
    .map((name) => ({ name, key: draw(2 ** 31) }))
    .sort((a, b) => a.key - b.key);
  const folds = new Map(order.map(({ name }, place) => [name, place % FOLDS]));
  return names.map((name) => folds.get(name) ?? 0);
}

function outOfSample(
  items: readonly ScoredItem[],
  folds: readonly number[],
  learn: (items: readonly ScoredItem[]) => ConfidenceCurve,
): ToldProbability[] {
  return Array.from({ length: FOLDS }, (_, fold) => {
    const curve = learn(items.filter((__, n) => folds[n] !== fold));
    return items
      .filter((__, n) => folds[n] === fold)
      .map(({ confidence, ...item }) => ({ ...item, probability: applyCurve(curve, confidence) }));
  }).flat();
}

/** A slight pull to 0 keeps the slope finite where confidence parts right from wrong completely. */
const RIDGE = 1e-3;

const learnLogistic = (items: readonly ScoredItem[]): ConfidenceCurve => ({
  method: 'logistic',
  ...logisticOf(items),
});

const learnLogOdds = (items: readonly ScoredItem[]): ConfidenceCurve => ({
  method: 'logistic-of-log-odds',
  ...logisticOf(items.map(({ confidence, credit }) => ({ confidence: logOdds(confidence), credit }))),
});

/** Platt's targets are not needed with the ridge. */
function logisticOf(items: readonly ScoredItem[]): { intercept: number; slope: number } {
  const [intercept = 0, slope = 0] =
    fitLogistic({
      features: items.map(({ confidence }) => [1, confidence]),
      targets: items.map(({ credit }) => credit),
      ridge: RIDGE,
    }) ?? [];
  return { intercept, slope };
}

/** Pool adjacent violators: the rising step function that is nearest to the credits, one knot at the middle of each step. */
function learnIsotonic(items: readonly ScoredItem[]): ConfidenceCurve {
  const pools: { sum: number; n: number; low: number; high: number }[] = [];
  const groups = [...Map.groupBy(items, ({ confidence }) => confidence)].sort(([a], [b]) => a - b);
  for (const [confidence, equal] of groups) {
    pools.push({
      sum: equal.reduce((all, { credit }) => all + credit, 0),
      n: equal.length,
      low: confidence,
      high: confidence,
    });
    for (let last = pools.at(-1), before = pools.at(-2); last && before; before = pools.at(-2)) {
      if (before.sum / before.n < last.sum / last.n) break;
      pools.splice(-2, 2, {
        sum: before.sum + last.sum,
        n: before.n + last.n,
        low: before.low,
        high: last.high,
      });
      last = pools.at(-1);
      if (!last) break;
    }
  }
  return { method: 'isotonic', knots: pools.map(({ sum, n, low, high }) => [(low + high) / 2, sum / n]) };
}

export interface JudgeConfidence {
  readonly labels: number;
  /** Labels on items that were chosen for what the judge said of them: no promise can rest on them. */
  readonly chosen: number;
  /** Labels on further items of a group: the promise rests on one item of each, drawn by chance. */
  readonly grouped: number;
  /** Left out: labels on items whose records tell no confidence, where those of others do. */
  readonly unscored: number;
  /** Null with the reason in `uncalibrated` where there are too few labels. */
  readonly calibration: CalibratedConfidence | null;
  readonly uncalibrated: string | null;
  /** Absent where no risk was asked for. */
  readonly promise?: PromiseResult & { readonly risk: number; readonly confidence: number };
}

export interface RiskTarget {
  /** Share of errors among the answered, in (0, 1). */
  readonly risk: number;
  /** With which the risk is kept, in (0, 1). */
  readonly confidence: number;
}

/** @param target null where no threshold is asked for */
export function calibrateRecords(
  judges: ReadonlyMap<string, readonly JudgedItem[]>,
  target: RiskTarget | null,
  seed: number,
): Record<string, JudgeConfidence> {
  return Object.fromEntries(
    [...judges].map(([name, judged]): [string, JudgeConfidence] => {
      // By name, so that what is drawn by chance does not depend on the order of the records.
      const all = judged.toSorted((a, b) => (a.item < b.item ? -1 : 1));
      // What the proxy compares, or what all draws together say: a threshold on one is none on the other.
      const told = all.filter(({ draws }) => draws.some(({ confidence }) => confidence !== undefined));
      const items = told.length > 0 ? told : all;
      const scored = scoreItems(items);
      const calibrated = calibrateConfidence(scored, seed);
      const drawn = scoreItems(items.filter(({ random }) => random));
      const alone = drawOneEach(drawn, seed);
      const isRefused = typeof calibrated === 'string';
      return [
        name,
        {
          labels: scored.length,
          chosen: scored.length - drawn.length,
          grouped: drawn.length - alone.length,
          unscored: scoreItems(all).length - scored.length,
          calibration: isRefused ? null : calibrated,
          uncalibrated: isRefused ? calibrated : null,
          ...(target && {
            promise: { ...promiseRisk(alone, target.risk, target.confidence), ...target },
          }),
        },
      ];
    }),
  );
}

/** One item of each group: they are independent, as a promise needs them. */
function drawOneEach(items: readonly ScoredItem[], seed: number): ScoredItem[] {
  const draw = createSeededDraw(seed);
  const groups = [...Map.groupBy(items, ({ group }) => group).values()];
  return groups.flatMap((some) => some[draw(some.length)] ?? []);
}

/** The items with a verdict and a label. */
export function scoreItems(items: readonly JudgedItem[]): ScoredItem[] {
  return items.flatMap(({ draws, label, group }) => {
    const told = draws.find(({ confidence }) => confidence !== undefined);
    const verdict = combineDraws(told ? [told] : draws);
    return verdict && label !== null
      ? [{ confidence: told?.confidence ?? verdict.confidence, credit: creditOf(verdict, label), group }]
      : [];
  });
}
