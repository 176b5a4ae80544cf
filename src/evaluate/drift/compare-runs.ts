/**
 * Whether a judge is still the judge it was: two runs over the same items, before and after a change (another model, another
 * prompt, another month), or over different items where no item is in both.
 */
import type { VerdictValue } from '../../case/index.ts';
import { InputError } from '../../errors.ts';
import { decisionOf } from '../../loop/index.ts';
import type { DriftResult } from '../../report/index.ts';
import { toInterval } from '../../stats/figure.ts';
import {
  dropRounding,
  exactShare,
  type Figure,
  type GroupedValue,
  holm,
  linkedMark,
  noFigure,
  type PairedValues,
  pairedShift,
  resampleMarks,
  type Shift,
  sizeOf,
  spreadChange,
  unpairedShift,
} from '../../stats/index.ts';
import { average } from '../../stats/mean.ts';
import type { JudgedItem, PastJudgment } from '../confidence/past-judgment.ts';

export interface DriftOptions {
  readonly confidence?: number;
  /** How often an alarm may be raised where nothing changed, in (0, 1); default .05. */
  readonly falseAlarms?: number;
  /** Shift that would not matter, in the units of the scores; null where none is declared. */
  readonly margin?: number | null;
  /** Marks of the old judge that are to be translated; all that enough scores lie around where none are given. */
  readonly marks?: readonly number[];
  readonly seed?: number;
  /** Which kind of verdict, where the runs hold several; the others are left out. */
  readonly of?: VerdictMeasure | undefined;
}

/** What verdicts are compared as, by how a user names them. */
export const VERDICT_MEASURES = ['score', 'pass', 'choice', 'category'] as const;
export type VerdictMeasure = (typeof VERDICT_MEASURES)[number];

type DriftTest = DriftResult['tests'][number];
type TranslatedMark = DriftResult['marks'][number];

/** Groups from which on what one adds up to is one observation; fewer are told apart instead. */
const LEAST_GROUPS = 20;
/** Items of a part from which on it is told apart. */
const LEAST_IN_PART = 10;
const MOST_PARTS = 50;
/** Scores that lie on each side of a mark which is translated unasked. */
const LEAST_AROUND = 20;
const RESAMPLES = 1000;

interface ReadItem {
  readonly item: string;
  readonly group: string;
  readonly part: string;
  readonly label: VerdictValue | null;
  /** Each draw as a number; none for categories. */
  readonly numbers: readonly number[];
  /** Each draw as what it decides. */
  readonly values: readonly VerdictValue[];
}

/**
 * @param before the items of one judge, as `groupJudgments` gives them
 * @throws InputError where no item has a verdict, or the two runs give verdicts of different kinds
 *
 * @example compareRuns(before, after).shift // { value: -.605, low: -.641, high: -.569 }
 */
export function compareRuns(
  before: readonly JudgedItem[],
  after: readonly JudgedItem[],
  options: DriftOptions = {},
): DriftResult {
  const { confidence = 0.95, falseAlarms = 0.05, margin = null, seed = 1, of } = options;
  const [kept, keptAfter] = [before, after].map((items) => (of ? keepMeasure(items, of) : items));
  const measure = measureOf([...(kept ?? []), ...(keptAfter ?? [])]);
  const [old, now] = [
    (kept ?? []).flatMap((one) => spreadItem(one, measure)),
    (keptAfter ?? []).flatMap((one) => spreadItem(one, measure)),
  ];
  const later = new Map(now.map((one) => [one.item, one]));
  const shared = old.flatMap((one) => {
    const other = later.get(one.item);
    return other ? [{ before: one, after: other }] : [];
  });
  const read = shared.filter(({ before: a, after: b }) => a.values.length > 0 && b.values.length > 0);
  const paired = shared.length > 0;
  const sides = paired
    ? [read.map((pair) => pair.before), read.map((pair) => pair.after)]
    : [old, now].map((all) => all.filter(({ values }) => values.length > 0));
  if (sides.some((all) => all.length < 2))
    throw new InputError(
      '--after',
      'has fewer than two items with a verdict that --before has a verdict on, too',
    );

  const notes: string[] = [];
  const clusters = sides.map((all) => new Set(all.map(({ group }) => group)).size);
  const isClustered = clusters.every((count) => count >= LEAST_GROUPS);
  if (!isClustered && clusters.some((count, n) => count < (sides[n]?.length ?? 0)))
    notes.push(
      `fewer than ${LEAST_GROUPS} groups: they are told apart instead of being one observation each`,
    );
  if (!paired) notes.push('no item is in both runs: the items are compared as two samples, which tells less');
  // Every test below takes the same items for one observation.
  const [olds = [], news = []] = isClustered
    ? sides
    : sides.map((all) => all.map((one) => ({ ...one, group: one.item })));
  const [oldValues, newValues] = [grouped(olds), grouped(news)];
  const reach = measure === 'score' ? rangeOf([...oldValues, ...newValues]) : 1;
  const shiftBetween = (
    a: readonly GroupedValue[],
    b: readonly GroupedValue[],
    level = confidence,
  ): Figure<Shift> => {
    if (measure === 'category') return noFigure('categories are no numbers');
    const found = paired ? pairedShift(differencesOf(pairsOf(a, b)), level) : unpairedShift(a, b, level);
    return allowForUnseen(found, reach, level);
  };
  // The mean of several draws scatters less than one: spreads and marks compare as many draws of the one run as of the other.
  const [oldLike, newLike] = keepAsMany(olds, news, paired);
  const pairs = paired ? pairsOf(grouped(oldLike), grouped(newLike)) : [];

  const shift = shiftBetween(oldValues, newValues);
  const spread =
    measure !== 'score'
      ? noFigure('only scores spread')
      : paired
        ? spreadChange(pairs)
        : noFigure('the items differ');
  const scatter = paired ? excessFlips(olds, news, confidence) : noFigure('the items differ');
  const repeats = [...before, ...after].some(({ draws }) => draws.length > 1);
  if (paired && !repeats)
    notes.push('no item was judged twice by the same judge, so flips cannot be told from its own noise');
  const fit = paired ? compareFit(olds, news, measure, { reach, confidence }) : null;
  const wanted = {
    shift: measure !== 'category' && shift,
    spread: paired && measure === 'score' && spread,
    flips: paired && repeats && scatter,
    fit: fit?.change,
  };
  for (const [name, figure] of Object.entries(wanted))
    if (figure && figure.value === null) notes.push(`${name} could not be tested: ${figure.reason}`);
  const tests = correct([
    ...(shift.value === null ? [] : [{ name: 'shift' as const, p: shift.p }]),
    ...(spread.value === null ? [] : [{ name: 'spread' as const, p: spread.p }]),
    ...(scatter.value === null ? [] : [{ name: 'flips' as const, p: scatter.p }]),
    ...(fit?.change.value == null ? [] : [{ name: 'fit' as const, p: fit.change.p }]),
  ]);
  if (tests.length === 0) notes.push('nothing could be tested, so no alarm can be raised');
  // Two one-sided tests at 1 - confidence hold where this interval lies inside the margin (Schuirmann, 1987).
  const wider = shiftBetween(oldValues, newValues, 2 * confidence - 1);
  const within =
    paired && wider.value !== null && wider.interval.low < wider.interval.high
      ? Math.max(Math.abs(wider.interval.low), Math.abs(wider.interval.high))
      : null;
  const parts = [...Map.groupBy(olds, ({ part }) => part)];
  const partner = new Map(news.map((one) => [one.item, one]));
  return {
    judges: { before: before[0]?.judge ?? '', after: after[0]?.judge ?? '' },
    n: paired ? read.length : olds.length + news.length,
    paired,
    only_before: paired ? old.length - shared.length : 0,
    only_after: paired ? now.length - shared.length : 0,
    unread: paired ? shared.length - read.length : old.length + now.length - olds.length - news.length,
    of: measure,
    means:
      measure === 'category'
        ? null
        : { before: average(oldValues.map(numberOf)), after: average(newValues.map(numberOf)) },
    shift: tellShift(shift),
    spread,
    flips: paired ? average(olds.map(({ values }, n) => Number(values[0] !== news[n]?.values[0]))) : null,
    flips_of_repeats: flipsOfRepeats([...olds, ...news]),
    equivalent_within: within,
    equivalent: within === null || margin === null ? null : within < margin,
    tests,
    alarm: tests.some(({ adjusted }) => adjusted <= falseAlarms),
    false_alarms: falseAlarms,
    marks:
      measure === 'score'
        ? translateMarks(pairs, grouped(oldLike), grouped(newLike), { ...options, confidence, seed })
        : [],
    fit: fit?.figures ?? null,
    groups:
      parts.length > 1 && parts.length <= MOST_PARTS
        ? parts
            .filter(([, items]) => items.length >= LEAST_IN_PART)
            .map(([name, items]) => {
              const others = paired
                ? items.flatMap(({ item }) => partner.get(item) ?? [])
                : news.filter(({ part }) => part === name);
              return {
                name,
                n: items.length,
                shift: tellShift(shiftBetween(grouped(items), grouped(others))),
              };
            })
        : [],
    notes,
  };
}

/** As many draws in both runs: of each pair of items, or of all items as of the one that has the fewest. */
function keepAsMany(
  before: readonly ReadItem[],
  after: readonly ReadItem[],
  paired: boolean,
): [ReadItem[], ReadItem[]] {
  const fewest = [...before, ...after].reduce((few, { numbers }) => Math.min(few, numbers.length), Infinity);
  const keep = (items: readonly ReadItem[], others: readonly ReadItem[]) =>
    items.map((item, n) => {
      const least = paired ? Math.min(item.numbers.length, others[n]?.numbers.length ?? 0) : fewest;
      return { ...item, numbers: item.numbers.slice(0, least) };
    });
  return [keep(before, after), keep(after, before)];
}

const grouped = (items: readonly ReadItem[]) =>
  items.flatMap(({ numbers, group }): GroupedValue[] =>
    numbers.length === 0 ? [] : [{ value: average(numbers), group }],
  );

const numberOf = ({ value }: GroupedValue) => value;

const rangeOf = (values: readonly GroupedValue[]) => {
  const numbers = values.map(numberOf);
  return numbers.reduce((a, b) => Math.max(a, b)) - numbers.reduce((a, b) => Math.min(a, b));
};

/**
 * Where all items moved alike, Student's interval has no width. It is as wide as if as large a share of items as so many could all
 * have missed (the exact interval for none of n) had moved as far as values can.
 *
 * @param reach how far that is
 */
function allowForUnseen(shift: Figure<Shift>, reach: number, confidence: number): Figure<Shift> {
  if (shift.value === null || shift.standardError > 0) return shift;
  const missed = exactShare(0, shift.groups, confidence);
  const unseen = 'high' in missed ? missed.high * reach : 0;
  return { ...shift, interval: { low: shift.value - unseen, high: shift.value + unseen } };
}

const tellShift = (shift: Figure<Shift>) =>
  shift.value === null ? null : { value: shift.value, ...shift.interval };

function measureOf(items: readonly JudgedItem[]): DriftResult['of'] {
  const kinds = new Set(items.flatMap(({ draws }) => draws.flatMap((draw) => measureOfDraw(draw) ?? [])));
  const [measure, other] = kinds;
  if (measure === undefined) throw new InputError('--before', 'holds no verdict');
  if (other !== undefined)
    throw new InputError(
      '--after',
      `gives a ${other} where --before gives a ${measure}, or one of them holds both: name one kind with --of (${VERDICT_MEASURES.join(', ')})`,
    );
  return measure;
}

function keepMeasure(items: readonly JudgedItem[], of: VerdictMeasure): JudgedItem[] {
  const wanted = of === 'choice' ? 'wins of the first option' : of;
  return items.flatMap((item) => {
    const draws = item.draws.filter((draw) => measureOfDraw(draw) === wanted);
    return draws.length > 0 ? [{ ...item, draws }] : [];
  });
}

function measureOfDraw({ score, scores, pass, choice, category }: PastJudgment): DriftResult['of'] | null {
  if (score !== undefined || scores !== undefined) return 'score';
  if (pass !== undefined) return 'pass';
  if (choice !== undefined) return 'wins of the first option';
  return category === undefined ? null : 'category';
}

/**
 * Each order of an item by itself, for what a place is worth is no drift. Scores of several options are scores of several
 * items. All of one item are of one group.
 */
function spreadItem(
  { item, group, subgroup, label, draws }: JudgedItem,
  measure: DriftResult['of'],
): ReadItem[] {
  // A part of the items; where nobody names one, a group can be one.
  const common = { group, part: subgroup ?? (group === item ? '' : group) };
  const toNumber = (value: VerdictValue): number =>
    measure === 'wins of the first option' ? (value === 'tie' ? 0.5 : Number(value === 0)) : Number(value);
  return [...Map.groupBy(draws, ({ order = 'given' }) => order)].flatMap(([order, some]): ReadItem[] => {
    const name = JSON.stringify([item, order]);
    const several = some.find(({ scores }) => scores)?.scores;
    if (several)
      return several.map((_, option) => {
        const given = some.flatMap(({ scores }) => scores?.[option] ?? []);
        return { ...common, item: `${name} ${option}`, label: null, numbers: given, values: given };
      });
    const values = some.flatMap((draw) => draw.score ?? decisionOf(draw) ?? []);
    return [
      { ...common, item: name, label, values, numbers: measure === 'category' ? [] : values.map(toNumber) },
    ];
  });
}

const pairsOf = (before: readonly GroupedValue[], after: readonly GroupedValue[]): PairedValues[] =>
  before.map(({ value, group }, n) => ({ before: value, after: after[n]?.value ?? Number.NaN, group }));

function differencesOf(pairs: readonly PairedValues[]): GroupedValue[] {
  const size = sizeOf(pairs.flatMap(({ before, after }) => [before, after]));
  return pairs.map(({ before, after, group }) => ({ value: dropRounding(after - before, size), group }));
}

function correct(tests: readonly { readonly name: DriftTest['name']; readonly p: number }[]): DriftTest[] {
  const adjusted = holm(tests.map(({ p }) => p));
  return tests.map((test, n) => ({ ...test, adjusted: adjusted[n] ?? 1 }));
}

/** How far two verdicts lie apart: scores by their distance, all else by whether they differ. */
const distance = (a: VerdictValue, b: VerdictValue): number =>
  typeof a === 'number' && typeof b === 'number' ? Math.abs(a - b) : Number(a !== b);

const apart = (a: VerdictValue, b: VerdictValue) => Number(a !== b);

function meanBetween(a: readonly VerdictValue[], b: readonly VerdictValue[], of: typeof distance): number {
  let sum = 0;
  for (const one of a) for (const other of b) sum += of(one, other);
  return sum / (a.length * b.length);
}

/** Of each two replies; null where there is one alone. */
function meanWithin(values: readonly VerdictValue[], of: typeof distance): number | null {
  if (values.length < 2) return null;
  let sum = 0;
  for (const [n, one] of values.entries())
    for (let other = n + 1; other < values.length; other++) sum += of(one, values[other] ?? one);
  return sum / ((values.length * (values.length - 1)) / 2);
}

/**
 * By how much further the verdicts of the two runs lie apart than those of one run among themselves (the energy distance of
 * Székely and Rizzo, Journal of Statistical Planning and Inference 143:1249, 2013, on each item); 0 on average where the
 * judge is the same. One-sided: less than its own noise is chance.
 */
function excessFlips(
  before: readonly ReadItem[],
  after: readonly ReadItem[],
  confidence: number,
): Figure<Shift> {
  const excess = before.flatMap(({ values, group }, n): GroupedValue[] => {
    const others = after[n]?.values ?? [];
    const own = [meanWithin(values, distance), meanWithin(others, distance)].filter((one) => one !== null);
    if (own.length === 0) return [];
    const [across, among] = [meanBetween(values, others, distance), average(own)];
    return [{ value: dropRounding(across - among, Math.max(across, among)), group }];
  });
  if (excess.length < LEAST_IN_PART) return noFigure('too few items were judged more than once');
  const found = pairedShift(excess, confidence);
  return found.value === null ? found : { ...found, p: found.value > 0 ? found.p / 2 : 1 - found.p / 2 };
}

function flipsOfRepeats(items: readonly ReadItem[]): number | null {
  const own = items.flatMap(({ values }) => meanWithin(values, apart) ?? []);
  return own.length === 0 ? null : average(own);
}

function translateMarks(
  pairs: readonly PairedValues[],
  before: readonly GroupedValue[],
  after: readonly GroupedValue[],
  { marks, confidence, seed }: DriftOptions & { readonly confidence: number; readonly seed: number },
): TranslatedMark[] {
  const [olds, news] = [before.map(numberOf), after.map(numberOf)];
  if (marks?.length === 0) return [];
  const step = stepOf([...olds, ...news]);
  const findUsual = () =>
    [...new Set(olds)]
      .sort((a, b) => a - b)
      .filter((mark) => {
        const reached = olds.filter((score) => score >= mark).length;
        return step >= MARKED_STEP && reached >= LEAST_AROUND && olds.length - reached >= LEAST_AROUND;
      });
  const asked = marks ?? findUsual();
  const sure = resampleMarks(pairs, asked, step, { seed, confidence, resamples: RESAMPLES });
  return asked.map((mark, n): TranslatedMark => {
    const found = linkedMark(olds, news, mark, step);
    if (found.value === null) return { before: mark, after: null, interval: null, reason: found.reason };
    const own = sure[n];
    const interval = own?.value != null ? toInterval(own.interval) : null;
    return { before: mark, after: found.value, interval, reason: null };
  });
}

/** Steps finer than this come from averages, of which not every value is a mark. */
const MARKED_STEP = 0.25;

/** The smallest distance between two different scores. */
function stepOf(scores: readonly number[]): number {
  const distinct = [...new Set(scores)].sort((a, b) => a - b);
  const size = sizeOf(distinct);
  const steps = distinct
    .slice(1)
    .map((score, n) => dropRounding(score - (distinct[n] ?? 0), size))
    .filter((step) => step > 0);
  return steps.length === 0 ? 1 : steps.reduce((least, one) => Math.min(least, one), Infinity);
}

function compareFit(
  before: readonly ReadItem[],
  after: readonly ReadItem[],
  measure: DriftResult['of'],
  { reach, confidence }: { readonly reach: number; readonly confidence: number },
): { readonly figures: DriftResult['fit']; readonly change: Figure<Shift> } | null {
  const labelled = before.flatMap((one, n) => {
    const other = after[n];
    const label = one.label ?? other?.label ?? null;
    return label === null || !other ? [] : [{ before: one, after: other, label }];
  });
  const isNumeric = measure === 'score' && labelled.every(({ label }) => typeof label === 'number');
  if (labelled.length === 0) return null;
  const none = (reason: string) => ({ figures: null, change: noFigure(reason) });
  if (measure === 'score' && !isNumeric) return none('not every label is a score');
  if (labelled.length < LEAST_IN_PART)
    return none(`${labelled.length} items with a label are too few: at least ${LEAST_IN_PART} are needed`);
  const rate = (item: ReadItem, label: VerdictValue): number =>
    isNumeric
      ? average(item.numbers.map((one) => Math.abs(one - Number(label))))
      : average(item.values.map((one) => creditOfValue(one, label)));
  const pairs = labelled.map(
    (one): PairedValues => ({
      before: rate(one.before, one.label),
      after: rate(one.after, one.label),
      group: one.before.group,
    }),
  );
  const change = pairedShift(differencesOf(pairs), confidence);
  const figures = {
    measure: isNumeric ? ('mean absolute error' as const) : ('agreement' as const),
    n: pairs.length,
    before: average(pairs.map((pair) => pair.before)),
    after: average(pairs.map((pair) => pair.after)),
    change: tellShift(allowForUnseen(change, reach, confidence)),
  };
  return { figures, change };
}

/** A tie is half right where one of the two is the label. */
const creditOfValue = (value: VerdictValue, label: VerdictValue): number =>
  value === label ? 1 : value === 'tie' || label === 'tie' ? 0.5 : 0;
