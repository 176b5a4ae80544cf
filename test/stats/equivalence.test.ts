/**
 * Two one-sided tests against statsmodels 0.15.0, `ttost_paired(d, zeros, -margin, margin)`, the interval against
 * scipy 1.17.1, `ttest_rel(d, zeros).confidence_interval(.9)`, `mean` and `sem(d)`.
 */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { equivalence } from '../../src/stats/mean.ts';
import { SCORES } from './scores.ts';

test.each([
  [
    'plain',
    0.5,
    0.06657108494151916,
    0.1142003264069047,
    -0.5601012865469281,
    0.6796012865469278,
    0.34515091396241576,
  ],
  [
    'darwin',
    40,
    1.05908035958308e-5,
    0.03533171151936539,
    3.7683857536552843,
    38.098280913011365,
    9.745556578044837,
  ],
  [
    'tied',
    2,
    3.8182314861935904e-6,
    0.018986052015071513,
    0.23130123623986742,
    1.768698763760132,
    0.4364357804719847,
  ],
  [
    'long',
    0.6,
    5.882845563240767e-9,
    0.0707485627744914,
    0.14341200167939297,
    0.6262359983206067,
    0.14399324194912902,
  ],
  [
    'scores',
    0.25,
    7.725819275707631e-7,
    0.8887481577585562,
    0.19668723774291832,
    0.6033127622570816,
    0.12166453832980935,
  ],
] as const)('%s within %d', (name, margin, pLower, pUpper, low, high, standardError) => {
  const got = equivalence(SCORES[name], margin);
  if (got.value === null) throw new Error(got.reason);
  expect(got.pLower / pLower).toBeCloseTo(1, 9);
  expect(got.pUpper / pUpper).toBeCloseTo(1, 9);
  expect(got.value).toBe(Math.max(got.pLower, got.pUpper));
  expect(got.standardError).toBeCloseTo(standardError, 12);
  expect(got.interval.low).toBeCloseTo(low, 10);
  expect(got.interval.high).toBeCloseTo(high, 10);
});

describe('what it cannot say', () => {
  test.each([
    [[], /at least two pairs, not 0/],
    [[1], /at least two pairs, not 1/],
    [[0, 0, 0], /all 3 differences are 0/],
  ])('%j', (differences, reason) => {
    expect(equivalence(differences, 1)).toMatchObject({ value: null, reason });
  });

  it('refuses a margin or a level that is none', () => {
    expect(() => equivalence([1, 2], 0)).toThrow('a margin must be above 0, not 0');
    expect(() => equivalence([1, 2], 1, 0.5)).toThrow(RangeError);
    expect(() => equivalence([1, Infinity], 1)).toThrow('difference 2 of 2 is Infinity');
  });
});

const differences = fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 2 });

it('turns round with the sign, follows the unit, and agrees with its own interval', () => {
  fc.assert(
    fc.property(differences, fc.integer({ min: 1, max: 20 }), (values, margin) => {
      const got = equivalence(values, margin);
      if (got.value === null) return;
      const back = equivalence(
        values.map((value) => -value),
        margin,
      );
      const scaled = equivalence(
        values.map((value) => value * 8),
        margin * 8,
      );
      expect(back.value).toBeCloseTo(got.value, 10);
      expect(scaled.value).toBeCloseTo(got.value, 10);
      expect(got.value).toBeGreaterThanOrEqual(0);
      expect(got.value).toBeLessThanOrEqual(1);
      fc.pre(Math.abs(got.value - 0.05) > 1e-9);
      expect(got.interval.low > -margin && got.interval.high < margin).toBe(got.value < 0.05);
    }),
  );
});
