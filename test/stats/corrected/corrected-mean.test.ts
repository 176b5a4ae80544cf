/** Corrected means and rates against numpy and scipy: references.py made references.json. */
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { evaluateRecords, groupJudgments } from '../../../src/evaluate/index.ts';
import {
  correctedMean,
  type LabelledValue,
  labelsNeeded,
  roganGladen,
} from '../../../src/stats/corrected-mean.ts';
import { createSeededDraw } from '../../../src/stats/seeded-draw.ts';
import made from './references.json' with { type: 'json' };

const numbers = z.array(z.number());
const limits = { value: z.number(), low: z.number(), high: z.number() };
const references = z
  .object({
    means: z.array(
      z.object({ truth: numbers, judged: numbers, population: z.boolean(), weight: z.number(), ...limits }),
    ),
    rates: z.array(z.object({ confusion: numbers, yes: z.number(), judged: z.number(), ...limits })),
  })
  .parse(made);

test.each(references.means)(
  'a mean of $truth.length labels',
  ({ truth, judged, population, ...expected }) => {
    const labelled = truth.map((one, n) => ({ truth: one, judged: judged[n] ?? 0 }));
    const got = correctedMean(labelled, judged, { of: population ? 'population' : 'set' });
    if (got.value === null) throw new Error(got.reason);
    const { value, weight, interval } = got;
    expect([value, weight, interval.low, interval.high].map((one) => one.toFixed(9))).toEqual(
      [expected.value, expected.weight, expected.low, expected.high].map((one) => one.toFixed(9)),
    );
  },
);

test.each(references.rates)('a rate of $yes in $judged', ({ confusion, yes, judged, ...expected }) => {
  const [yesYes = 0, yesNo = 0, noYes = 0, noNo = 0] = confusion;
  const got = roganGladen({ yesYes, yesNo, noYes, noNo }, yes, judged);
  if (got.value === null) throw new Error(got.reason);
  expect([got.value, got.interval.low, got.interval.high].map((one) => one.toFixed(9))).toEqual(
    [expected.value, expected.low, expected.high].map((one) => one.toFixed(9)),
  );
});

test('a judge that was right on every label may be wrong on as many of the others as so many labels could miss', () => {
  const judged = Array.from({ length: 300 }, (_, n) => (n % 3 === 0 ? 1 : 0));
  const labelled = judged.slice(0, 30).map((one) => ({ truth: one, judged: one }));
  const got = correctedMean(labelled, judged);
  if (got.value === null) throw new Error(got.reason);
  // 30 of 30 right: Clopper and Pearson's upper limit is .1157; nine tenths of the items have no label.
  expect(got.value).toBeCloseTo(1 / 3, 9);
  expect(got.interval.high - got.value).toBeCloseTo(0.1157 * 0.9, 3);
  expect(got.value - got.interval.low).toBeCloseTo(0.1157 * 0.9, 3);
  expect(
    correctedMean(
      judged.map((one) => ({ truth: one, judged: one })),
      judged,
    ),
  ).toMatchObject({
    interval: { low: expect.closeTo(1 / 3, 9), high: expect.closeTo(1 / 3, 9) },
  });
});

test('a judge that says the same of every labelled item tells nothing about them, whatever decimal it says', () => {
  const truths = [0.5, 0.9, 0.9, 0.6, 0.8, 0.7, 0.9, 0.6, 0.8, 0.8, 0.7, 0.8];
  for (const said of [0.1, 0.2, 0.3, 0.6, 0.7, 1 / 3, 2.3, 4.6]) {
    const labelled = truths.map((truth) => ({ truth, judged: said }));
    const got = correctedMean(labelled, [...truths.map(() => said), ...truths.map((_, n) => n / 10)]);
    expect(got).toMatchObject({ weight: 0, value: expect.closeTo(0.75, 9) });
    // The one is what the other is: labels alone.
    if (got.value !== null) expect(got.interval).toEqual(got.labelsOnly.interval);
  }
});

// Without the range the interval holds it in 90, 89, 89 and 89 %.
test.each([
  { items: 600, labels: 50, often: 0.93, right: 0.85 },
  { items: 600, labels: 50, often: 0.93, right: 0.85, of: 'population' as const },
  { items: 1000, labels: 300, often: 0.98, right: 0.99 },
  { items: 300, labels: 100, often: 0.93, right: 0.85, of: 'population' as const, each: 2 },
])('of 600 samples the interval of a share holds it in 95 %: $items, $labels, $often', (kind) => {
  const { items: size, labels, often, right, of = 'set', each = 1 } = kind;
  const draw = createSeededDraw(size);
  const chance = (share: number) => Number(draw(2 ** 30) / 2 ** 30 < share);
  let [held, alone, all] = [0, 0, 0];
  for (let sample = 0; sample < 600; sample++) {
    const items = Array.from({ length: size / each }, (_, n) => {
      const truth = chance(often);
      const one = { truth, judged: chance(right) ? truth : 1 - truth, group: `g${n}` };
      return Array.from({ length: each }, () => one);
    }).flat();
    const labelled = items.slice(0, labels);
    const groups = {
      labelled: labelled.map(({ group }) => group),
      judged: items.map(({ group }) => group),
    };
    const judged = items.map((one) => one.judged);
    const found = correctedMean(labelled, judged, { of, groups, range: { low: 0, high: 1 } });
    if (found.value === null) continue;
    const share = of === 'set' ? items.reduce((sum, { truth }) => sum + truth, 0) / size : often;
    const holds = ({ low, high }: typeof found.interval) => Number(low <= share && share <= high);
    all++;
    held += holds(found.interval);
    alone += holds(found.labelsOnly.interval);
    expect(found.interval.low).toBeGreaterThanOrEqual(0);
    expect(found.interval.high).toBeLessThanOrEqual(1);
  }
  expect(held / all).toBeGreaterThan(0.925);
  expect(alone / all).toBeGreaterThan(0.925);
});

test('where every item of a set has a label, its share is known', () => {
  const items = Array.from({ length: 60 }, (_, n) => ({
    truth: Number(n % 5 > 0),
    judged: Number(n % 3 > 0),
  }));
  const judged = items.map((one) => one.judged);
  const found = correctedMean(items, judged, { range: { low: 0, high: 1 } });
  const share = { low: expect.closeTo(0.8, 9), high: expect.closeTo(0.8, 9) };
  expect(found).toMatchObject({ interval: share, labelsOnly: { interval: share } });
});

test('labels are worth so many as alone would give the same error, and of a set never more than it has', () => {
  const draw = createSeededDraw(3);
  const all = Array.from({ length: 120 }, () => {
    const truth = draw(10);
    return { truth, judged: truth + draw(3) };
  });
  const found = correctedMean(
    all.slice(0, 60),
    all.map(({ judged }) => judged),
  );
  if (found.value === null) throw new Error(found.reason);
  const truths = all.slice(0, 60).map(({ truth }) => truth);
  const middle = truths.reduce((sum, one) => sum + one, 0) / 60;
  const spread = truths.reduce((sum, one) => sum + (one - middle) ** 2, 0) / 59;
  // Labels alone, drawn without putting back.
  expect(spread * (1 / found.worth - 1 / 120)).toBeCloseTo(found.standardError ** 2, 12);
  expect(found.worth).toBeGreaterThan(60);
  expect(found.worth).toBeLessThan(120);
});

describe('where nothing can be told', () => {
  const labelled = (truths: readonly number[]) => truths.map((truth) => ({ truth, judged: 1 }));

  test('too few labels, and labels that are all alike', () => {
    expect(correctedMean(labelled([1, 0, 1]), [1, 1, 1, 0])).toMatchObject({
      value: null,
      reason: /too few/,
    });
    const alike = Array.from({ length: 20 }, () => 1);
    expect(correctedMean(labelled(alike), alike)).toMatchObject({
      value: null,
      reason: /all 20 labels are the same/,
    });
  });

  test('a class that no label has, and a judge that guesses', () => {
    expect(roganGladen({ yesYes: 20, yesNo: 0, noYes: 3, noNo: 0 }, 70, 100)).toMatchObject({
      value: null,
      reason: /no label says no/,
    });
    expect(roganGladen({ yesYes: 13, yesNo: 11, noYes: 12, noNo: 14 }, 50, 100)).toMatchObject({
      value: null,
      reason: /guesses/,
    });
  });

  test('more labels than judged items are an error', () => {
    expect(() => correctedMean(labelled([1, 0]), [1])).toThrow(RangeError);
  });
});

test('of items like these, the interval of a rate holds it in 95 of 100 draws', () => {
  let [means, rates] = [0, 0];
  const RUNS = 1000;
  for (let seed = 0; seed < RUNS; seed++) {
    const draw = createSeededDraw(seed);
    const chance = (share: number) => draw(1_000_000) < 1_000_000 * share;
    const items = Array.from({ length: 600 }, () => {
      const truth = Number(chance(0.64));
      return { truth, judged: Number(chance(truth === 1 ? 0.85 : 0.3)) };
    });
    const labelled = items.slice(0, 100);
    const judged = items.map((one) => one.judged);
    const mean = correctedMean(labelled, judged, { of: 'population' });
    if (mean.value !== null && mean.interval.low <= 0.64 && 0.64 <= mean.interval.high) means++;
    const count = (truth: number, said: number) =>
      labelled.filter((one) => one.truth === truth && one.judged === said).length;
    const confusion = { yesYes: count(1, 1), yesNo: count(0, 1), noYes: count(1, 0), noNo: count(0, 0) };
    const rate = roganGladen(confusion, judged.filter(Boolean).length, judged.length);
    if (rate.value !== null && rate.interval.low <= 0.64 && 0.64 <= rate.interval.high) rates++;
  }
  expect(means / RUNS).toBeGreaterThan(0.935);
  expect(means / RUNS).toBeLessThan(0.965);
  expect(rates / RUNS).toBeGreaterThan(0.935);
});

test('items of one group count as one observation, of a population', () => {
  const items = Array.from({ length: 200 }, (_, n) => ({
    truth: Number(n % 5 < 3),
    judged: Number(n % 5 < 3 !== (n % 11 === 0)),
  }));
  const drawn = items.slice(0, 80);
  const twice = <T>(all: readonly T[]) => all.flatMap((one) => [one, one]);
  const named = (all: readonly unknown[]) => twice(all.map((_, n) => `g${n}`));
  const judged = items.map((one) => one.judged);
  const groups = { labelled: named(drawn), judged: named(judged) };
  const width = (found: { value: null } | { interval: unknown }) => {
    if (!('interval' in found)) return Number.NaN;
    const { low, high } = found.interval as { low: number; high: number };
    return high - low;
  };
  const alone = width(correctedMean(drawn, judged, { of: 'population' }));
  const double = correctedMean(twice(drawn), twice(judged), { of: 'population', groups });
  // About as wide; labels and verdicts of one group move together here, which independent parts leave out.
  expect(width(double) / alone).toBeGreaterThan(0.9);
  expect(width(double) / alone).toBeLessThan(1.1);

  const confusion = (all: readonly LabelledValue[]) => {
    const count = (truth: number, said: number) =>
      all.filter((one) => one.truth === truth && one.judged === said).length;
    return { yesYes: count(1, 1), yesNo: count(0, 1), noYes: count(1, 0), noNo: count(0, 0) };
  };
  const yes = judged.filter((one) => one === 1).length;
  const once = width(roganGladen(confusion(drawn), yes, 200));
  const pairs = twice(items).map((one, n) => ({
    group: `g${n >> 1}`,
    judged: one.judged,
    truth: n < 160 ? one.truth : null,
  }));
  const doubled = width(roganGladen(confusion(twice(drawn)), 2 * yes, 400, 0.95, pairs));
  expect(doubled / once).toBeGreaterThan(0.9);
  expect(doubled / once).toBeLessThan(1.1);
});

test('the labels that a width takes', () => {
  const judged = Array.from({ length: 600 }, (_, n) => n % 2);
  const figures = { residual: 0.16, weight: 0.5, unseen: 0, standardError: 0.033 };
  // scipy: the first n with t.ppf(.975, n - 2) * sqrt(variance) <= .05; 1 - .025 ** (1 / n) where nothing is left.
  expect(labelsNeeded(figures, 0.05, 120, judged)).toEqual({ labels: 178, least: 0 });
  const right = Array.from({ length: 200 }, (_, n) => ({ truth: n % 2, judged: n % 2 }));
  const said = right.map((one) => one.judged);
  const found = correctedMean(right.slice(0, 40), said);
  if (found.value === null) throw new Error(found.reason);
  expect(labelsNeeded(found, 0.03, 40, said)).toEqual({ labels: 75, least: 0 });
  const { low, high } = found.interval;
  expect(labelsNeeded(found, (high - low) / 2 + 1e-9, 40, said).labels).toBe(40);
});

test('150,000 labels, and as many judged items', () => {
  const labelled = Array.from({ length: 150_000 }, (_, n) => ({ truth: n % 3, judged: n % 2 }));
  const judged = labelled.map((one) => one.judged);
  expect(correctedMean(labelled, judged, { of: 'population' }).value).toBeCloseTo(1, 4);
  const records = labelled.map(({ truth }, n) => ({
    ...{ item: `q${n}`, judge: 'j', choice: 0, probability: 0.5, label: Number(truth > 0) },
  }));
  expect(evaluateRecords(groupJudgments(records)).judges.j?.accuracy).toBeCloseTo(1 / 3, 9);
});

test('a rate of counts that are none is refused, and of nothing there is none', () => {
  const labels = { yesYes: 40, yesNo: 5, noYes: 5, noNo: 50 };
  expect(() => roganGladen(labels, 160, 100)).toThrow(RangeError);
  expect(() => roganGladen({ ...labels, noYes: -5 }, 60, 100)).toThrow(RangeError);
  expect(roganGladen(labels, 0, 0)).toEqual({ value: null, reason: 'nothing was judged' });
});
