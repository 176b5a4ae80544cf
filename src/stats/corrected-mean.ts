/**
 * What a judge's verdicts are worth beside labels: the mean that labels of all items would give, from verdicts on all of them
 * and labels on some, by prediction-powered inference, and by the confusion of the two.
 */
import { normalQuantile, tQuantile } from './distributions.ts';
import {
  dropRounding,
  type Figure,
  type GroupedValue,
  type Interval,
  noFigure,
  requireFinite,
  requireShare,
  sizeOf,
  summarise,
} from './figure.ts';
import { average } from './mean.ts';

/** An item with a label: what is right, and what the judge's verdict says, both as numbers (1 for a win, 0.5 for a tie). */
export interface LabelledValue {
  readonly truth: number;
  readonly judged: number;
}

export interface CorrectedMeanOptions {
  /** In (0, 1), default .95. */
  readonly confidence?: number;
  /**
   * What the mean is of: the judged items themselves (`set`, the default), or all items like them (`population`), which is
   * less sure: the items are a sample, too.
   */
  readonly of?: 'set' | 'population';
  /**
   * The groups of the judged items, where some are not independent. Of a population what a group adds up to is one observation.
   * Of the set they do not matter: labels are drawn by chance among its items, whatever these have to do with each other.
   */
  readonly groups?: ItemGroups;
  /**
   * The ends between which labels and verdicts lie, where these are known: 0 and 1 of a share. What few labels do not show is then
   * allowed for, and the interval stays within.
   */
  readonly range?: Interval | undefined;
}

/** Names of groups: in the order of the labelled items, and in that of all judged ones. */
export interface ItemGroups {
  readonly labelled: readonly string[];
  readonly judged: readonly string[];
}

/** Whether a group has more than one item. */
const areGrouped = (groups: ItemGroups | undefined): groups is ItemGroups =>
  groups !== undefined && new Set(groups.judged).size < groups.judged.length;

const inGroups = (values: readonly number[], groups: readonly string[]): GroupedValue[] =>
  values.map((value, n) => ({ value, group: groups[n] ?? '' }));

export interface CorrectedMean {
  readonly value: number;
  readonly interval: Interval;
  readonly standardError: number;
  /** Variance of the labels once the judge was listened to: what more labels have to average out. */
  readonly residual: number;
  /** By how much the interval is wider on either side where the verdicts explain every label; 0 elsewhere. */
  readonly unseen: number;
  /**
   * What the interval allows for beside the labels at hand, where the range is known: two labels, or as many as two groups have, and the
   * squares that they add to what the verdicts leave. 0 elsewhere.
   */
  readonly added: { readonly labels: number; readonly squares: number };
  /** How far the judge is listened to: 0 is labels alone, about 1 a judge whose verdicts move as the labels do. */
  readonly weight: number;
  /** Labels alone. */
  readonly labelsOnly: { readonly value: number; readonly interval: Interval };
  /** So many labels alone would tell as much. */
  readonly worth: number;
}

/** Labels below which nothing is told. */
export const LEAST_LABELS = 10;

/**
 * Prediction-powered inference with the weight that makes the interval the shortest (PPI++, arXiv 2311.01453). With the labelled
 * items among the judged ones it is the regression estimator of survey sampling (Cochran, Sampling Techniques, 1977, ch. 7),
 * whose correction for a finite set and whose degrees of freedom keep the interval honest with a hundred labels. Where the
 * verdicts explain every label, the interval is as wide as the share of others that so many labels could all have missed
 * (the exact interval of Clopper and Pearson for none of n).
 *
 * Where the range is known, intervals are those of the labels at hand and two more, spread evenly over the four ways to have a label
 * at one end for a verdict at one (as Agresti and Coull, The American Statistician 52:119, 1998, add to a share). They hold the
 * share in 92 to 100 % of the samples of each of 328 kinds, rare labels among them. Without the two labels intervals are as wide, and
 * hold it in 86 to 100 %.
 *
 * @param labelled drawn by chance among the judged items
 * @param judged what the verdicts on all items say, those of the labelled ones included
 * @returns no figure with fewer than 10 labels, or labels that are all the same
 *
 * @example correctedMean(labelled, judged) // { value: …, interval: { low: …, high: … }, … }
 */
export function correctedMean(
  labelled: readonly LabelledValue[],
  judged: readonly number[],
  { confidence = 0.95, of = 'set', groups, range }: CorrectedMeanOptions = {},
): Figure<CorrectedMean> {
  requireShare('confidence', confidence);
  requireFinite('verdict', judged);
  requireFinite(
    'label',
    labelled.map(({ truth }) => truth),
  );
  const n = labelled.length;
  if (n > judged.length) throw new RangeError(`${n} labels on ${judged.length} judged items`);
  if (n < LEAST_LABELS)
    return noFigure(`${n} labels are too few to tell: at least ${LEAST_LABELS} are needed`);
  const truths = labelled.map(({ truth }) => truth);
  if (truths.every((one) => one === truths[0]))
    return noFigure(`all ${n} labels are the same: too few to tell how often they are not`);
  const isGrouped = of === 'population' && areGrouped(groups);
  const labelledGroups = isGrouped ? new Set(groups.labelled).size : n;
  if (labelledGroups < LEAST_GROUPS)
    return noFigure(
      `the labels are of ${labelledGroups} ${labelledGroups === 1 ? 'group' : 'groups'}: too few to tell how far groups differ, at least ${LEAST_GROUPS} are needed`,
    );
  const given = labelled.map((one, at) => ({ ...one, weight: 1, group: groups?.labelled[at] ?? `${at}` }));
  const more = range ? furtherLabels(range, n / labelledGroups) : [];
  const plain = fitLabels(given, isGrouped);
  const wide = fitLabels([...given, ...more], isGrouped);
  const all = average(judged);
  const outside = of === 'set' ? 1 - n / judged.length : 1;
  const varianceOfFit = ({ whole: labels, pulls, spread, weight, residual }: LabelFit) => {
    // Weights learned on the same labels fit them better than others: the distance to the mean of all adds what that hides.
    const leverage = spread === 0 ? 0 : (all - plain.heard) ** 2 / (spread * (labels - 1));
    const explained = of === 'set' ? 0 : (weight ** 2 * varianceOf(judged)) / judged.length;
    return isGrouped
      ? residual * leverage + groupedVariance({ pulls, weight, judged, groups })
      : residual * (outside / labels + leverage) + explained;
  };
  const [value, middle] = [plain, wide].map(({ truth, heard, weight }) => truth + weight * (all - heard)) as [
    number,
    number,
  ];
  /** Of a finite set only what has no label is open. */
  const limits = (figure: number, allowed: number, error: number, freedom: number): Interval => {
    const centre = figure + outside * (allowed - figure);
    const reach = tQuantile(1 - (1 - confidence) / 2, freedom) * error;
    return {
      low: Math.max(range?.low ?? Number.NEGATIVE_INFINITY, Math.min(figure, centre - reach)),
      high: Math.min(range?.high ?? Number.POSITIVE_INFINITY, Math.max(figure, centre + reach)),
    };
  };
  const standardError = Math.sqrt(varianceOfFit(wide));
  const fitting = limits(value, middle, standardError, Math.max(1, labelledGroups - plain.learned));
  const missed = wide.residual === 0 ? missedShare(labelledGroups, confidence) : 0;
  const unseen = missed * outside * rangeOf(labelled.flatMap((one) => [one.truth, one.judged]));
  return {
    value,
    standardError,
    residual: plain.residual,
    unseen,
    added: {
      labels: wide.whole - n,
      squares: wide.residual * (wide.whole - wide.learned) - plain.residual * (n - plain.learned),
    },
    weight: wide.weight,
    interval: { low: fitting.low - unseen, high: fitting.high + unseen },
    labelsOnly: {
      value: plain.truth,
      interval: limits(
        plain.truth,
        wide.truth,
        Math.sqrt((wide.own * outside) / wide.whole),
        labelledGroups - 1,
      ),
    },
    // Of a finite set so many labels more leave fewer items open: never more than there are.
    worth: 1 / (varianceOfFit(plain) / plain.own + (of === 'set' ? 1 / judged.length : 0)),
  };
}

/** What labels and verdicts on them say together. */
interface LabelFit {
  /** Sum of the labels' weights. */
  readonly whole: number;
  /** Means of the labels and of the verdicts. */
  readonly truth: number;
  readonly heard: number;
  /** Variance of the verdicts, of the labels, and of what the verdicts leave of these. */
  readonly spread: number;
  readonly own: number;
  readonly residual: number;
  readonly weight: number;
  /** What each label adds to the figure beside its verdict. */
  readonly pulls: readonly GroupedValue[];
  /** Figures that were learned: the mean, and the weight where there is one. */
  readonly learned: number;
}

interface WeightedLabel extends LabelledValue {
  readonly weight: number;
  readonly group: string;
}

/** @param isGrouped what a group adds up to is one observation */
function fitLabels(labels: readonly WeightedLabel[], isGrouped: boolean): LabelFit {
  const sum = (of: (label: WeightedLabel) => number) =>
    labels.reduce((all, label) => all + label.weight * of(label), 0);
  const whole = sum(() => 1);
  const [truth, heard] = [sum((one) => one.truth) / whole, sum((one) => one.judged) / whole];
  const truths = labels.map((one) => one.truth);
  const said = labels.map((one) => one.judged);
  const spread = clearVariance(sum((one) => (one.judged - heard) ** 2) / (whole - 1), said);
  const shared = sum((one) => (one.truth - truth) * (one.judged - heard)) / (whole - 1);
  const weight = spread === 0 ? 0 : shared / spread;
  const learned = spread === 0 ? 1 : 2;
  const varianceAbout = (rest: (label: WeightedLabel) => number, free: number) =>
    clearVariance(
      isGrouped ? whole * varianceOfSum(pullsOf(rest)) : sum((one) => rest(one) ** 2) / free,
      truths,
    );
  const pullsOf = (rest: (label: WeightedLabel) => number) =>
    labels.map((one) => ({ value: (one.weight * rest(one)) / whole, group: one.group }));
  const left = (one: WeightedLabel) => one.truth - truth - weight * (one.judged - heard);
  return {
    whole,
    truth,
    heard,
    spread,
    weight,
    learned,
    pulls: pullsOf(left),
    own: varianceAbout((one) => one.truth - truth, whole - 1),
    residual: varianceAbout(left, whole - learned),
  };
}

/**
 * Two labels, spread evenly over the four ways to have a label at one end of the range for a verdict at one.
 *
 * @param size of each: as many labels as a group has, for they may hang together
 */
function furtherLabels({ low, high }: Interval, size: number): WeightedLabel[] {
  const ends = [low, high];
  return ends.flatMap((truth) =>
    ends.map((judged) => ({ truth, judged, weight: size / 2, group: `further ${truth} ${judged}` })),
  );
}

/**
 * Labels that the verdicts explain to the last one tell no spread, but so many could have missed this share of others.
 *
 * @param labels independent ones, at least one
 */
const missedShare = (labels: number, confidence: number): number =>
  1 - ((1 - confidence) / 2) ** (1 / labels);

/**
 * How many labels give an interval of that width. It is reckoned with more labels as it is with those at hand, whose spread and
 * distance from all items stay as they are; with as many as there are it is their own.
 *
 * @param corrected by the labels at hand, and by these options
 * @param halfWidth of the interval that is wanted, in units of the mean
 * @param had labels at hand
 * @param judged what the verdicts on all items say
 * @returns the fewest labels, those at hand included; null where labels on all items are not enough. And half the width with
 *   labels on all
 *
 * @example
 * const judged = Array.from({ length: 600 }, (_, n) => n % 2);
 * labelsNeeded({ residual: 0.16, weight: 0.5, unseen: 0, standardError: 0.033 }, 0.05, 120, judged)
 * // { labels: 178, least: 0 }
 */
export function labelsNeeded(
  {
    residual,
    weight,
    unseen,
    standardError,
    added = { labels: 0, squares: 0 },
  }: Pick<CorrectedMean, 'residual' | 'weight' | 'unseen' | 'standardError'> &
    Partial<Pick<CorrectedMean, 'added'>>,
  halfWidth: number,
  had: number,
  judged: readonly number[],
  { confidence = 0.95, of = 'set', groups }: CorrectedMeanOptions = {},
): { readonly labels: number | null; readonly least: number } {
  const items = judged.length;
  // Of a population the items are a sample: what they leave open no label closes.
  const names = groups?.judged ?? judged.map((_, n) => String(n));
  const left = of === 'set' ? 0 : weight ** 2 * summarise(inGroups(judged, names)).variance;
  const open = (labels: number) => (of === 'set' ? 1 - labels / items : 1);
  const further = (labels: number) => open(labels) / (open(had) || 1);
  const learned = weight === 0 ? 1 : 2;
  /** Variance of the figure that labels on the other items would end. */
  const leftBy = (labels: number) => {
    const whole = labels + added.labels;
    const squares = residual * (labels - learned) + added.squares;
    return ((squares / (whole - learned)) * open(labels)) / whole;
  };
  const apart = Math.max(0, standardError ** 2 - leftBy(had) - left);
  const share = of === 'set' || !groups ? 1 : new Set(groups.labelled).size / had;
  const independent = (labels: number) => Math.max(1, Math.round(share * labels));
  const missed = (labels: number) => missedShare(independent(labels), confidence);
  const reach = (labels: number) => {
    const variance = leftBy(labels) + left + apart * further(labels) * (had / labels) ** 2;
    const t = tQuantile(1 - (1 - confidence) / 2, Math.max(1, independent(labels) - learned));
    return t * Math.sqrt(variance) + unseen * further(labels) * (missed(labels) / missed(had));
  };
  const least = reach(items);
  if (least > halfWidth) return { labels: null, least };
  let [tooFew, enough] = [had - 1, items];
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (reach(middle) > halfWidth) tooFew = middle;
    else enough = middle;
  }
  return { labels: enough, least };
}

/** Groups of labelled items below which nothing is told of a population. */
const LEAST_GROUPS = 5;

interface GroupedParts {
  /** What each label adds to the figure beside its verdict. */
  readonly pulls: readonly GroupedValue[];
  readonly weight: number;
  readonly judged: readonly number[];
  readonly groups: ItemGroups;
}

/** Of the sum of both means: what one group adds to either of them is one observation. */
function groupedVariance({ pulls, weight, judged, groups }: GroupedParts): number {
  const middle = average(judged);
  const explained = judged.map((one) => (weight * (one - middle)) / judged.length);
  return varianceOfSum([...pulls, ...inGroups(explained, groups.judged)]);
}

/** Of independent groups. @param pulls with a sum of 0 */
const varianceOfSum = (pulls: readonly GroupedValue[]) => summarise(pulls).variance * pulls.length ** 2;

/** Verdicts on labelled items, both yes or no. */
export interface Confusion {
  readonly yesYes: number;
  /** The judge says yes, and it is no. */
  readonly yesNo: number;
  readonly noYes: number;
  readonly noNo: number;
}

export interface RoganGladen {
  readonly value: number;
  readonly interval: Interval;
  /** Share of what is yes that the judge calls yes, and of what is no that it calls no. */
  readonly sensitivity: number;
  readonly specificity: number;
}

/**
 * The rate that a judge of this sensitivity and specificity must have seen (Rogan and Gladen, American Journal of Epidemiology
 * 107:71, 1978), with the uncertainty of both samples by the adjusted delta method (arXiv 2511.21140).
 *
 * @param confusion of labels drawn by chance
 * @param yes how many of the judged items the judge calls yes
 * @param judged how many items were judged
 * @param items all judged ones, where some are not independent: the interval is wider by as much as groups scatter more than
 *   items would (the design effect of Kish, Survey Sampling, 1965)
 * @returns no figure where nothing was judged, a class is missing among the labels, or the judge cannot be told from one that guesses
 * @throws RangeError for counts that are none, and a confidence outside (0, 1)
 *
 * @example
 * roganGladen({ yesYes: 40, yesNo: 10, noYes: 5, noNo: 45 }, 60, 100)
 * // { value: 0.591, interval: { low: 0.424, high: 0.774 }, … }
 */
export function roganGladen(
  { yesYes, yesNo, noYes, noNo }: Confusion,
  yes: number,
  judged: number,
  confidence = 0.95,
  items: readonly GroupedVerdict[] = [],
): Figure<RoganGladen> {
  requireShare('confidence', confidence);
  if (![yesYes, yesNo, noYes, noNo].every((count) => count >= 0))
    throw new RangeError('a count of labels must not be below 0');
  if (!(yes >= 0 && yes <= judged)) throw new RangeError(`${yes} of ${judged} is no count`);
  if (judged === 0) return noFigure('nothing was judged');
  const [positives, negatives] = [yesYes + noYes, yesNo + noNo];
  if (positives === 0 || negatives === 0)
    return noFigure(
      `no label says ${positives === 0 ? 'yes' : 'no'}: how often the judge is right there is not known`,
    );
  const tail = 1 - (1 - confidence) / 2;
  const labelledGroups = new Set(items.flatMap(({ group, truth }) => (truth === null ? [] : [group]))).size;
  const isGrouped = new Set(items.map(({ group }) => group)).size < items.length;
  if (isGrouped && labelledGroups < LEAST_GROUPS)
    return noFigure(
      `the labels are of ${labelledGroups} groups: at least ${LEAST_GROUPS} are needed to tell how far groups differ`,
    );
  const z = isGrouped ? tQuantile(tail, labelledGroups - 1) : normalQuantile(tail);
  const [sensitivity, specificity] = [yesYes / positives, noNo / negatives];
  // One more of each, as in Agresti and Coull's interval: a judge that was never wrong on a few labels may still be.
  const [s, c] = [(yesYes + 1) / (positives + 2), (noNo + 1) / (negatives + 2)];
  const reach = s + c - 1;
  const rate = yes / judged;
  /** How far each item moves rate, sensitivity and specificity, times these weights. */
  const widenBy = (ofRate: number, ofYes: number, ofNo: number) =>
    isGrouped
      ? designEffect(
          items.map(({ group, judged: said, truth }) => {
            const right =
              truth === null
                ? 0
                : truth === 1
                  ? (ofYes * (said - sensitivity)) / positives
                  : (ofNo * (1 - said - specificity)) / negatives;
            return { group, value: (ofRate * (said - rate)) / judged + right };
          }),
        )
      : 1;
  const doubt = Math.sqrt(
    ((s * (1 - s)) / (positives + 2) + (c * (1 - c)) / (negatives + 2)) * widenBy(0, 1, 1),
  );
  if (Math.abs(reach) <= z * doubt)
    return noFigure(
      `on ${positives + negatives} labels the judge cannot be told from one that guesses (it calls ${percent(sensitivity)} of what is yes a yes, and ${percent(1 - specificity)} of what is no)`,
    );
  const value = (rate + c - 1) / reach;
  const variance =
    (rate * (1 - rate)) / judged +
    (value ** 2 * s * (1 - s)) / (positives + 2) +
    ((1 - value) ** 2 * c * (1 - c)) / (negatives + 2);
  const error = Math.sqrt(variance * widenBy(1, -value, 1 - value)) / Math.abs(reach);
  const within = (share: number) => Math.min(1, Math.max(0, share));
  const raw = (rate + specificity - 1) / (sensitivity + specificity - 1);
  return {
    value: within(Number.isFinite(raw) ? raw : value),
    interval: { low: within(value - z * error), high: within(value + z * error) },
    sensitivity,
    specificity,
  };
}

/** A verdict of yes (1) or no (0), the label where there is one, and the group whose items are not independent of it. */
export interface GroupedVerdict {
  readonly group: string;
  readonly judged: number;
  readonly truth: number | null;
}

/** How many times the variance of a sum is what it would be with independent items; never below 1. */
function designEffect(pulls: readonly GroupedValue[]): number {
  const alone = varianceOfSum(pulls.map(({ value }, n) => ({ value, group: String(n) })));
  return alone === 0 ? 1 : Math.max(1, varianceOfSum(pulls) / alone);
}

/** Of any number of values: a call takes only so many arguments. */
function rangeOf(values: readonly number[]): number {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) [least, most] = [Math.min(least, value), Math.max(most, value)];
  return most - least;
}

const percent = (share: number) => `${Math.round(100 * share)}%`;

/** @param values in whose units the variance is */
const clearVariance = (variance: number, values: readonly number[]) =>
  dropRounding(Math.sqrt(variance), sizeOf(values)) ** 2;

function varianceOf(values: readonly number[]): number {
  const middle = average(values);
  const squares = values.reduce((sum, one) => sum + (one - middle) ** 2, 0);
  return clearVariance(squares / (values.length - 1), values);
}
