/**
 * The figure that a team reports (a win rate, a pass rate, a mean score) from a judge's verdicts on many items and labels on
 * some: the judge alone, corrected by the labels, and the labels alone.
 */
import type { VerdictValue } from '../../case/index.ts';
import { InputError } from '../../errors.ts';
import { type CombinedVerdict, combineDraws, creditOf } from '../../loop/index.ts';
import type { RateEstimate } from '../../report/index.ts';
import {
  type Confusion,
  type CorrectedMean,
  clusteredShare,
  cohensKappa,
  correctedMean,
  type Figure,
  type GroupedValue,
  type Interval,
  type ItemGroups,
  type LabelledValue,
  labelsNeeded,
  noFigure,
  normalQuantile,
  pairedShift,
  roganGladen,
  wilson,
} from '../../stats/index.ts';
import { average } from '../../stats/mean.ts';
import type { JudgedItem, LabelRecord } from '../confidence/past-judgment.ts';

export interface EstimateOptions {
  /** Index of the option whose wins count, in the items' own order; default 0. */
  readonly option?: number;
  /** The category that counts, where verdicts are categories. */
  readonly category?: string | undefined;
  /** What the figure is of: the judged items, or all like them. */
  readonly of?: 'set' | 'population';
  readonly confidence?: number;
  /** Half the width of the interval that more labels should give: of a share in points of a hundred, of scores in their own units. */
  readonly halfWidth?: number | undefined;
}

/** Labels alone tell as much where the judge makes them worth less than so much more. */
const GAIN = 1.05;

/**
 * @param judges as `groupJudgments` gives them
 * @param labels of the file of labels, which may name items that were not judged
 * @throws InputError for labels of items that were not judged, verdicts of several kinds, and categories without one to count
 *
 * @example estimateRates(groupJudgments(records, labels), labels)[0]?.corrected // { value: .64, interval: { low: .58, … }, … }
 */
export function estimateRates(
  judges: ReadonlyMap<string, readonly JudgedItem[]>,
  labels: readonly LabelRecord[],
  options: EstimateOptions = {},
): RateEstimate[] {
  const combined = new Map([...judges].map(([judge, items]) => [judge, items.map(combineItem)]));
  return estimateCombined(combined, labels, options);
}

/** @throws InputError where nothing in the records is what is to be counted: a judge without a verdict, an unknown option or category */
export function requireCounted(
  judges: ReadonlyMap<string, readonly JudgedItem[]>,
  { option = 0, category }: Pick<EstimateOptions, 'option' | 'category'>,
): void {
  let options = 0;
  const categories = new Set<string>();
  for (const [judge, items] of judges) {
    if (items.every(({ draws }) => combineDraws(draws) === null))
      throw new InputError('--records', `holds no verdict of ${judge}`);
    for (const { draws, label } of items)
      for (const { choice, scores, contestants, category: named } of draws) {
        if (named !== undefined) categories.add(named).add(String(label ?? named));
        if (choice === undefined && scores === undefined) continue;
        const chosen = [choice, label].map((one) => (typeof one === 'number' ? one + 1 : 2));
        options = Math.max(options, scores?.length ?? contestants?.length ?? 0, ...chosen);
      }
  }
  if (category !== undefined && !categories.has(category))
    throw new InputError(
      '--category',
      `no verdict and no label is "${category}"; there are ${[...categories].sort().join(', ') || 'no categories'}`,
    );
  if (option > 0 && option >= options)
    throw new InputError(
      '--option',
      options === 0
        ? 'no verdict chooses between options'
        : `no item has an option ${option}; there are 0 to ${options - 1}`,
    );
}

/** An item with what its draws say together; null where none has a verdict. */
export interface CombinedItem extends Omit<JudgedItem, 'draws'> {
  readonly verdict: CombinedVerdict | null;
}

export const combineItem = ({ draws, ...item }: JudgedItem): CombinedItem => ({
  ...item,
  verdict: combineDraws(draws),
});

/** `estimateRates` for items that are combined already: one run of a judge can be put beside many sets of labels. */
export function estimateCombined(
  judges: ReadonlyMap<string, readonly CombinedItem[]>,
  labels: readonly LabelRecord[],
  options: EstimateOptions = {},
): RateEstimate[] {
  const known = new Set([...judges.values()].flatMap((items) => items.map(({ item }) => item)));
  const strangers = [...new Set(labels.map(({ item }) => item).filter((item) => !known.has(item)))];
  if (strangers.length > 0)
    throw new InputError(
      '--labels',
      `${strangers.length} labelled items were not judged, the first of them ${strangers[0]}`,
    );
  return [...judges].flatMap(([judge, items]) => {
    const parts = Map.groupBy(items, ({ subgroup }) => subgroup);
    const named = [...parts].flatMap(([subgroup, some]) =>
      subgroup === null || some.every(({ verdict }) => verdict === null) ? [] : [{ subgroup, some }],
    );
    return [{ subgroup: null, some: items }, ...named].map(({ subgroup, some }) =>
      estimateRate(judge, subgroup, some, options),
    );
  });
}

interface ReadItem {
  readonly group: string;
  readonly verdict: CombinedVerdict;
  readonly label: VerdictValue | null;
  readonly random: boolean;
}

function estimateRate(
  judge: string,
  subgroup: string | null,
  items: readonly CombinedItem[],
  options: EstimateOptions,
): RateEstimate {
  const read = items.flatMap(({ verdict, group, label, random }): ReadItem[] =>
    verdict ? [{ group, verdict, label, random }] : [],
  );
  const kinds = new Set(read.map(({ verdict }) => verdict.kind));
  if (kinds.size > 1)
    throw new InputError(
      '--records',
      `${judge} gives ${[...kinds].join(' and ')}: one figure needs one kind`,
    );
  const isScore = kinds.has('score');
  const toNumber = createValue(isScore, read, options);
  const judged = read.map(({ verdict }) => average(verdict.best.map(toNumber)));
  const all = read.map((one, n) => ({ ...one, judged: judged[n] ?? 0 }));
  const drawn = all.flatMap(({ label, random, verdict, group, judged: said }) =>
    label !== null && random ? [{ label, verdict, group, truth: toNumber(label), judged: said }] : [],
  );
  const { of = 'set', confidence = 0.95, halfWidth } = options;
  const groups = { labelled: drawn.map(({ group }) => group), judged: all.map(({ group }) => group) };
  const range = isScore ? undefined : UNIT;
  const corrected = correctedMean(drawn, judged, { of, confidence, groups, range });
  const isBinary = [...drawn.flatMap((one) => [one.truth, one.judged]), ...judged].every(
    (value) => value === 0 || value === 1,
  );
  const same = drawn.map(({ verdict, label }) => ({ said: singleOf(verdict), label }));
  return {
    judge,
    subgroup,
    figure: nameFigure(kinds, read),
    judged: read.length,
    labelled: drawn.length,
    unread: items.length - read.length,
    chosen: all.filter(({ label, random }) => label !== null && !random).length,
    raw: average(judged),
    rawInterval: meanInterval(
      all.map(({ judged: value, group }) => ({ value, group })),
      confidence,
      range,
    ),
    agreement:
      drawn.length === 0 ? null : average(drawn.map(({ verdict, label }) => creditOf(verdict, label))),
    kappa: isScore
      ? noFigure('scores have no kappa here: they are rarely equal')
      : cohensKappa(
          same.map(({ label }) => label),
          same.map(({ said }) => said),
          confidence,
          groups.labelled,
        ),
    confusion: countPairs(same),
    corrected,
    roganGladen: isBinary
      ? roganGladen(
          countConfusion(drawn),
          judged.filter((value) => value === 1).length,
          judged.length,
          confidence,
          all.map(({ group, judged: said, label, random }) => ({
            group,
            judged: said,
            truth: label !== null && random ? toNumber(label) : null,
          })),
        )
      : noFigure('it is of yes and no alone: here are ties, scores or several options'),
    ...recommend(corrected, drawn.length),
    plan:
      halfWidth === undefined
        ? null
        : planLabels(corrected, drawn, judged, {
            halfWidth,
            range,
            of,
            confidence,
            groups,
          }),
  };
}

/** What a verdict or a label counts as, from 0 to 1 unless it is a score. */
function createValue(isScore: boolean, read: readonly ReadItem[], { option = 0, category }: EstimateOptions) {
  const isCategory = read.some(({ verdict }) =>
    verdict.best.some((value) => typeof value === 'string' && value !== 'tie'),
  );
  if (isCategory && category === undefined)
    throw new InputError(
      '--category',
      'is needed: verdicts are categories, and one of them is to be counted',
    );
  return (value: VerdictValue): number => {
    if (typeof value === 'boolean') return Number(value);
    if (isCategory) return Number(value === category);
    if (isScore) return Number(value);
    return value === 'tie' ? 0.5 : Number(value === option);
  };
}

/** Where a share can be. */
const UNIT: Interval = { low: 0, high: 1 };

const within = ({ low, high }: Interval, range: Interval): Interval => ({
  low: Math.max(low, range.low),
  high: Math.min(high, range.high),
});

/**
 * Values that are all alike show no spread. Where their range is known, the interval allows for others that were not drawn: as
 * large a share of them as Wilson's interval for none in so many holds, anywhere in the range. Scores without a known range get
 * an interval of no width, which reports as none.
 *
 * @param range where the mean can be
 */
function meanInterval(
  values: readonly GroupedValue[],
  confidence: number,
  range: Interval | undefined,
): Interval {
  if (range && values.every(({ value }) => value === range.low || value === range.high)) {
    const share = clusteredShare(values, confidence);
    if ('low' in share) return share;
  }
  const one = values[0]?.value ?? Number.NaN;
  const others = wilson(0, Math.max(1, new Set(values.map(({ group }) => group)).size), confidence);
  if (range && 'low' in others && values.every(({ value }) => value === one))
    return {
      low: one - others.high * (one - range.low),
      high: one + others.high * (range.high - one),
    };
  const found = pairedShift(values, confidence);
  const limits = 'interval' in found ? found.interval : { low: one, high: one };
  return range ? within(limits, range) : limits;
}

function nameFigure(kinds: ReadonlySet<string>, read: readonly ReadItem[]): RateEstimate['figure'] {
  if (kinds.has('score')) return 'mean score';
  if (kinds.has('pass')) return 'pass rate';
  return read.some(({ verdict }) => verdict.best.some((one) => typeof one === 'string' && one !== 'tie'))
    ? 'share'
    : 'win rate';
}

/** A verdict that is left open between several options counts as a tie. */
const singleOf = ({ best }: CombinedVerdict): VerdictValue =>
  best.length === 1 ? (best[0] ?? 'tie') : 'tie';

function countPairs(pairs: readonly { readonly said: VerdictValue; readonly label: VerdictValue }[]) {
  const counts: Record<string, Record<string, number>> = {};
  for (const { said, label } of pairs) {
    const row = counts[String(label)] ?? {};
    counts[String(label)] = { ...row, [String(said)]: (row[String(said)] ?? 0) + 1 };
  }
  return counts;
}

function countConfusion(drawn: readonly LabelledValue[]): Confusion {
  const count = (truth: number, judged: number) =>
    drawn.filter((one) => one.truth === truth && one.judged === judged).length;
  return { yesYes: count(1, 1), yesNo: count(0, 1), noYes: count(1, 0), noNo: count(0, 0) };
}

function recommend(corrected: Figure<CorrectedMean>, labels: number): Pick<RateEstimate, 'report' | 'why'> {
  if (corrected.value === null) return { report: 'none', why: corrected.reason };
  const { worth } = corrected;
  return worth < GAIN * labels
    ? { report: 'labels', why: 'the verdicts tell next to nothing that the labels do not' }
    : {
        report: 'corrected',
        why: `with the verdicts ${labels} labels are worth ${Math.round(worth)}`,
      };
}

type LabelPlan = NonNullable<RateEstimate['plan']>;

interface PlanOptions {
  /** Half the width of the interval: in points of a hundred where the range is known, else in the units of the scores. */
  readonly halfWidth: number;
  /** Where a value can be; undefined for scores, of which that is not known. */
  readonly range: Interval | undefined;
  readonly of: 'set' | 'population';
  readonly confidence: number;
  readonly groups: ItemGroups;
}

/** More different values are no strata. */
const MOST_STRATA = 8;

/** @returns no figure where labels are too few to tell, or where no labels of these items could give that width */
function planLabels(
  corrected: Figure<CorrectedMean>,
  labelled: readonly LabelledValue[],
  judged: readonly number[],
  { halfWidth: asked, range, ...options }: PlanOptions,
): LabelPlan {
  if (corrected.value === null) return corrected;
  const scale = range ? 100 : 1;
  const halfWidth = asked / scale;
  const { labels, least } = labelsNeeded(corrected, halfWidth, labelled.length, judged, options);
  if (labels === null)
    return noFigure(
      `labels on all ${judged.length} items would leave ±${round(scale * least)}: judge more items, or ask for the rate of these (--of set)`,
    );
  const wanted = (halfWidth / normalQuantile(1 - (1 - options.confidence) / 2)) ** 2;
  // With two labels more, so that a part where all were alike is not taken for one without doubt: one at each end of the range, or
  // as far from the middle of the part as the verdicts leave scores on average.
  const left = Math.sqrt(corrected.residual);
  const spreadOf = (truths: readonly number[]) => {
    const middle = truths.length === 0 ? 0 : average(truths);
    const { low, high } = range ?? { low: middle - left, high: middle + left };
    return Math.sqrt(variance([...truths, low, high]));
  };
  return {
    value: labels - labelled.length,
    strata: allocate(labelled, judged, { wanted, of: options.of, spreadOf }),
  };
}

interface Allocation {
  /** Variance of the figure. */
  readonly wanted: number;
  readonly of: PlanOptions['of'];
  /** Of the labels in one part. */
  readonly spreadOf: (truths: readonly number[]) => number;
}

/** Neyman's allocation (Journal of the Royal Statistical Society 97:558, 1934): labels where they differ most. */
function allocate(
  labelled: readonly LabelledValue[],
  judged: readonly number[],
  { wanted, of, spreadOf }: Allocation,
): Extract<LabelPlan, { readonly strata: unknown }>['strata'] {
  const counts = Map.groupBy(judged, (value) => value);
  if (counts.size < 2 || counts.size > MOST_STRATA) return [];
  const strata = [...counts]
    .sort(([a], [b]) => a - b)
    .map(([value, some]) => {
      const truths = labelled.filter((one) => one.judged === value).map(({ truth }) => truth);
      return { value, size: some.length, spread: spreadOf(truths) };
    });
  const all = judged.length;
  const sum = strata.reduce((total, { size, spread }) => total + (size / all) * spread, 0);
  if (sum === 0) return [];
  const squares = strata.reduce((total, { size, spread }) => total + (size / all) * spread ** 2, 0);
  const labels = sum ** 2 / (wanted + (of === 'set' ? squares / all : 0));
  return strata.map(({ value, size, spread }) => ({
    judged: value,
    items: size,
    labels: Math.min(size, Math.ceil((labels * (size / all) * spread) / sum)),
  }));
}

function variance(values: readonly number[]): number {
  const middle = average(values);
  return values.reduce((sum, one) => sum + (one - middle) ** 2, 0) / Math.max(1, values.length - 1);
}

const round = (value: number) => Number(value.toPrecision(2));

// Estimates as a flat table, which spreadsheets and data frames take.

const known = ({ corrected }: RateEstimate) => (corrected.value === null ? null : corrected);
const rates = ({ roganGladen }: RateEstimate) => (roganGladen.value === null ? null : roganGladen);

/** Shares are in [0, 1]; what is not known is empty. */
const TABLE: Readonly<Record<string, (one: RateEstimate) => string | number | null | undefined>> = {
  judge: ({ judge }) => judge,
  subgroup: ({ subgroup }) => subgroup,
  figure: ({ figure }) => figure,
  judged: ({ judged }) => judged,
  labelled: ({ labelled }) => labelled,
  raw: ({ raw }) => raw,
  raw_low: ({ rawInterval }) => rawInterval.low,
  raw_high: ({ rawInterval }) => rawInterval.high,
  corrected: (one) => known(one)?.value,
  corrected_low: (one) => known(one)?.interval.low,
  corrected_high: (one) => known(one)?.interval.high,
  labels_only: (one) => known(one)?.labelsOnly.value,
  labels_only_low: (one) => known(one)?.labelsOnly.interval.low,
  labels_only_high: (one) => known(one)?.labelsOnly.interval.high,
  rogan_gladen: (one) => rates(one)?.value,
  rogan_gladen_low: (one) => rates(one)?.interval.low,
  rogan_gladen_high: (one) => rates(one)?.interval.high,
  agreement: ({ agreement }) => agreement,
  kappa: ({ kappa }) => kappa.value,
  report: ({ report }) => report,
  why: ({ why }) => why,
};
export const ESTIMATE_COLUMNS: readonly string[] = Object.keys(TABLE);

/** In the order of the columns; null for what is not known. */
export function estimateRow(one: RateEstimate): (string | number | null)[] {
  return Object.values(TABLE).map((cell) => {
    const value = cell(one);
    return value == null || Number.isNaN(value) ? null : value;
  });
}
