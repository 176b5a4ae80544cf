/** Shifts of means against scipy and numpy: references.py made references.json. Marks and spreads by hand and by simulation. */
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { bootstrap } from '../../../src/stats/bootstrap.ts';
import {
  linkedMark,
  type PairedValues,
  pairedShift,
  resampleMarks,
  spreadChange,
  unpairedShift,
} from '../../../src/stats/score-shift.ts';
import { createSeededDraw } from '../../../src/stats/seeded-draw.ts';
import made from './references.json' with { type: 'json' };

const numbers = z.array(z.number());
const limits = { low: z.number(), high: z.number() };
const samples = z.array(z.object({ before: numbers, after: numbers, p: z.number(), ...limits }));
const references = z
  .object({
    paired: samples,
    unpaired: samples,
    clustered: z.array(z.object({ differences: numbers, groups: numbers, ...limits })),
  })
  .parse(made);

const alone = (values: readonly number[]) => values.map((value, n) => ({ value, group: `${n}` }));
const show = (values: readonly number[]) => values.map((value) => value.toFixed(9));

test.each(references.paired)('paired: $before.length', ({ before, after, p, low, high }) => {
  const found = pairedShift(alone(after.map((value, n) => value - (before[n] ?? 0))));
  if (found.value === null) throw new Error(found.reason);
  expect(show([found.interval.low, found.interval.high, found.p])).toEqual(show([low, high, p]));
});

test.each(references.unpaired)('unpaired: $before.length', ({ before, after, p, low, high }) => {
  const found = unpairedShift(alone(before), alone(after));
  if (found.value === null) throw new Error(found.reason);
  expect(show([found.interval.low, found.interval.high, found.p])).toEqual(show([low, high, p]));
});

test.each(references.clustered)('in groups: $differences.length', ({ differences, groups, low, high }) => {
  const found = pairedShift(differences.map((value, n) => ({ value, group: `${groups[n]}` })));
  if (found.value === null) throw new Error(found.reason);
  expect(show([found.interval.low, found.interval.high])).toEqual(show([low, high]));
});

test('what cannot be told has no figure, and what never varies no width', () => {
  expect(pairedShift(alone([1])).value).toBeNull();
  expect(unpairedShift(alone([1]), alone([1, 2])).value).toBeNull();
  expect(pairedShift([1, 2, 3].map((value) => ({ value, group: 'same' }))).value).toBeNull();
  expect(pairedShift(alone([0, 0, 0]))).toMatchObject({ value: 0, p: 1, interval: { low: 0, high: 0 } });
  expect(pairedShift(alone([-1, -1, -1, -1]))).toMatchObject({ value: -1, p: 0.125 });
  expect(() => pairedShift(alone([1, Number.NaN]))).toThrow(RangeError);
});

test('numbers that all moved by the same decimal have no spread but that of rounding', () => {
  const before = [0.1, 0.2, 0.3, 7.1, 6.2, 5.3];
  const moved = before.map((value) => value + 0.1);
  expect(pairedShift(alone(moved.map((value, n) => value - (before[n] ?? 0))))).toMatchObject({
    ...{ standardError: 0, p: 2 ** -5 },
    value: expect.closeTo(0.1, 9),
  });
  const many = [...before, ...before.map((value) => value + 3)];
  const shifted = many.map((value, n) => ({ before: value, after: value + 0.1, group: `${n}` }));
  expect(spreadChange(shifted)).toMatchObject({ p: 1 });
  expect(spreadChange(shifted.map((pair) => ({ ...pair, after: 10.1 - pair.before })))).toMatchObject({
    p: 1,
  });
  // The mean of twelve times .1 is another number than that of nine.
  const [twelve, nine] = [12, 9].map((length) => alone(Array.from({ length }, () => 0.1)));
  expect(unpairedShift(twelve ?? [], nine ?? [])).toMatchObject({ value: 0, p: 1 });
  const constant = many.map((_, n) => ({ before: 0.1, after: n, group: `${n}` }));
  expect(spreadChange(constant).value).toBeNull();
});

describe('spreads', () => {
  const pairs = (wider: number, seed: number) => {
    const draw = createSeededDraw(seed);
    const uniform = () => draw(2 ** 30) / 2 ** 30 - 0.5;
    return Array.from({ length: 100 }, (_, n) => {
      const own = uniform() * 4;
      return { before: own + uniform(), after: own * wider + uniform(), group: `${n}` };
    });
  };
  const alarms = (wider: number) =>
    Array.from({ length: 500 }, (_, seed) => spreadChange(pairs(wider, seed))).filter(
      (found) => found.value !== null && found.p <= 0.05,
    ).length;

  test('a wider one is found; where nothing changed it is as often as declared', () => {
    expect(alarms(1.5)).toBeGreaterThan(480);
    expect(alarms(1)).toBeLessThan(500 * 0.05 + 3.1 * Math.sqrt(500 * 0.05 * 0.95));
  });

  test('few pairs, or scores that never vary, have none', () => {
    expect(spreadChange(pairs(1, 1).slice(0, 9)).value).toBeNull();
    expect(spreadChange(pairs(1, 1).map((one) => ({ ...one, before: 3 }))).value).toBeNull();
  });
});

test('a mark is translated to the score that as many reach', () => {
  const before = [3, 4, 5, 6, 7, 8, 9, 10];
  const shifted = before.map((score) => score - 1);
  for (const mark of [4, 7, 10]) expect(linkedMark(before, shifted, mark, 1).value).toBeCloseTo(mark - 1, 9);
  expect(linkedMark(before, before, 7, 1).value).toBeCloseTo(7, 9);
  // Twice as wide around 6.
  const wide = before.map((score) => 2 * score - 6);
  expect(linkedMark(before, wide, 8, 1).value).toBeGreaterThan(8);
  expect(linkedMark(before, before, 2, 1)).toEqual({
    value: null,
    reason: 'all of the scores before reach 2',
  });
  expect(linkedMark(before, before, 11, 1)).toEqual({
    value: null,
    reason: 'none of the scores before reach 11',
  });
});

test('marks that are resampled together waver as each alone', () => {
  const draw = createSeededDraw(4);
  const rows = Array.from({ length: 60 }, (_, n): PairedValues => {
    const before = 1 + draw(10);
    return { before, after: Math.max(1, before - draw(3)), group: `g${Math.floor(n / 3)}` };
  });
  const options = { seed: 2, confidence: 0.9, resamples: 300 };
  const alone = (mark: number) =>
    bootstrap(
      rows,
      (some) => {
        const [before, after] = [some.map((one) => one.before), some.map((one) => one.after)];
        return linkedMark(before, after, mark, 1).value;
      },
      { ...options, method: 'percentile', cluster: ({ group }) => group },
    );
  const marks = [4, 7, 11];
  expect(resampleMarks(rows, marks, 1, options)).toEqual(marks.map(alone));
  expect(alone(7)).toMatchObject({ interval: { low: expect.any(Number) }, clusters: 20 });
});
