/**
 * Kappas against statsmodels 0.15.0: `cohens_kappa(confusion_matrix(first, second), wt=None | 'linear' |
 * 'quadratic')`, its kappa, std_kappa, kappa_low and kappa_upp. `gap` is the first pair of lists with 3, 4, 5
 * written 5, 7, 10, and `weights=` the matrix of |a - b| or (a - b)² (statsmodels' own weights go by rank).
 * scikit-learn 1.9.1's cohen_kappa_score agrees on all but `gap`.
 */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { cohensKappa, weightedKappa } from '../../src/stats/kappa.ts';

const digits = (text: string) => [...text].map(Number);
const FIVE = [
  digits('4544552254521432151544525151112251434525'),
  digits('4552452344521221241532325152221251334334'),
] as const;
const spread = (scores: readonly number[]) => scores.map((score) => [0, 1, 2, 5, 7, 10][score] ?? 0);
const CASES: Record<string, readonly [readonly number[], readonly number[]]> = {
  five: FIVE,
  two: [digits('1101011011'), digits('1100011111')],
  gap: [spread(FIVE[0]), spread(FIVE[1])],
  contrary: [digits('11110000'), digits('00010111')],
};

test.each([
  ['five', null, 0.34117647058823525, 0.09461411180770946, 0.1557362190158788, 0.5266167221605917],
  ['five', 'linear', 0.6148148148148148, 0.06999293437853563, 0.4776311842606096, 0.75199844536902],
  ['five', 'quadratic', 0.7960917587085812, 0.05325904341795639, 0.6917059517583316, 0.9004775656588307],
  ['two', null, 0.523809523809524, 0.29426082897974304, -0.05293110305167281, 1],
  ['two', 'linear', 0.5238095238095237, 0.29426082897974304, -0.052931103051673034, 1],
  ['gap', null, 0.34117647058823525, 0.09461411180770946, 0.1557362190158788, 0.5266167221605917],
  ['gap', 'linear', 0.628463476070529, 0.07389955065853845, 0.4836230183061003, 0.7733039338349577],
  ['gap', 'quadratic', 0.7892318449705324, 0.058434086569103164, 0.6747031398255945, 0.9037605501154704],
  ['contrary', null, -0.5, 0.30618621784789724, -1, 0.10011395954441382],
] as const)('%s, weights %s', (name, weights, value, standardError, low, high) => {
  const [first, second] = CASES[name] ?? [[], []];
  const got = weights ? weightedKappa(first, second, weights) : cohensKappa(first, second);
  if (got.value === null) throw new Error(got.reason);
  expect(got.value).toBeCloseTo(value, 12);
  expect(got.standardError).toBeCloseTo(standardError, 12);
  expect(got.interval.low).toBeCloseTo(low, 9);
  expect(got.interval.high).toBeCloseTo(high, 9);
});

describe('what kappa cannot say', () => {
  it('says so in words', () => {
    expect(cohensKappa([], [])).toEqual({ value: null, reason: 'no item has a label from both judges' });
    expect(cohensKappa(['A', 'A'], ['A', 'A'])).toMatchObject({ value: null, reason: /same label/ });
    expect(weightedKappa([3, 3], [3, 3], 'linear')).toMatchObject({ value: null, reason: /same label/ });
  });

  it('is no agreement at all where each has a label of their own', () => {
    expect(cohensKappa(['A', 'A'], ['B', 'B'])).toMatchObject({ value: 0, observed: 0 });
  });

  it('refuses lists that do not pair up', () => {
    expect(() => cohensKappa(['A'], [])).toThrow('1 values cannot be paired with 0');
    expect(() => weightedKappa([1], [Number.NaN], 'linear')).toThrow(RangeError);
    expect(() => cohensKappa(['A'], ['A'], 95)).toThrow(RangeError);
  });
});

const pairs = fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 })), {
  minLength: 2,
});

it('does not depend on who is named first, on the order of the items or on the scale of the scores', () => {
  fc.assert(
    fc.property(pairs, fc.constantFrom('linear' as const, 'quadratic' as const), (rows, weights) => {
      const first = rows.map(([score]) => score);
      const second = rows.map(([, score]) => score);
      const got = weightedKappa(first, second, weights);
      const others = [
        weightedKappa(second, first, weights),
        weightedKappa(first.toReversed(), second.toReversed(), weights),
        weightedKappa(
          first.map((score) => 20 * score - 7),
          second.map((score) => 20 * score - 7),
          weights,
        ),
      ];
      for (const other of others) {
        if (got.value === null) expect(other).toEqual(got);
        else expect(other.value).toBeCloseTo(got.value, 10);
      }
      if (got.value === null) return;
      expect(got.value).toBeLessThanOrEqual(1 + 1e-12);
      expect(got.interval.low).toBeLessThanOrEqual(got.value + 1e-12);
      expect(got.interval.high).toBeGreaterThanOrEqual(got.value - 1e-12);
    }),
  );
});
