/**
 * Kappas against statsmodels 0.15.0: `cohens_kappa(confusion_matrix(first, second))`, its kappa, std_kappa, kappa_low and
 * kappa_upp. scikit-learn 1.9.1's cohen_kappa_score agrees.
 */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { cohensKappa } from '../../src/stats/kappa.ts';

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
  ['five', 0.34117647058823525, 0.09461411180770946, 0.1557362190158788, 0.5266167221605917],
  ['two', 0.523809523809524, 0.29426082897974304, -0.05293110305167281, 1],
  ['gap', 0.34117647058823525, 0.09461411180770946, 0.1557362190158788, 0.5266167221605917],
  ['contrary', -0.5, 0.30618621784789724, -1, 0.10011395954441382],
] as const)('%s', (name, value, standardError, low, high) => {
  const [first, second] = CASES[name] ?? [[], []];
  const got = cohensKappa(first, second);
  if (got.value === null) throw new Error(got.reason);
  expect(got.value).toBeCloseTo(value, 12);
  expect(got.standardError).toBeCloseTo(standardError, 12);
  expect(got.interval.low).toBeCloseTo(low, 9);
  expect(got.interval.high).toBeCloseTo(high, 9);
});

it('has no interval of no width: so many items could all have missed others', () => {
  const labels = digits('0101010101');
  // 1 - scipy.stats.beta.ppf(.025, 10, 1) is what 10 of 10 can have missed; chance agrees on half.
  const missed = 2 * 0.3084971078;
  for (const [other, value] of [
    [labels, 1],
    [digits('2222222222'), 0],
  ] as const) {
    const found = cohensKappa(labels, other);
    const chance = value === 1 ? 1 : 0.5;
    expect(found).toMatchObject({
      value: expect.closeTo(value, 12),
      interval: {
        low: expect.closeTo(value - missed * chance, 9),
        high: expect.closeTo(Math.min(1, value + missed * chance), 9),
      },
    });
  }
});

test.each([196, 300, 1000])('full agreement on %i items with one rare label has no width of 0', (n) => {
  const labels = Array.from({ length: n }, (_, i) => i > 0);
  for (const groups of [[], labels.map((_, i) => `${Math.floor(i / 2)}`)]) {
    const found = cohensKappa(labels, labels, 0.95, groups);
    if (found.value === null) throw new Error(found.reason);
    expect(found).toMatchObject({ value: 1, standardError: 0 });
    // So many could have missed two in a hundred, and of the rare label that is most there is.
    expect(found.interval.low).toBeLessThan(-0.8);
  }
});

describe('what kappa cannot say', () => {
  it('says so in words', () => {
    expect(cohensKappa([], [])).toEqual({ value: null, reason: 'no item has a label from both judges' });
    expect(cohensKappa(['A', 'A'], ['A', 'A'])).toMatchObject({ value: null, reason: /same label/ });
  });

  it('is no agreement at all where each has a label of their own', () => {
    expect(cohensKappa(['A', 'A'], ['B', 'B'])).toMatchObject({ value: 0, observed: 0 });
  });

  it('refuses lists that do not pair up', () => {
    expect(() => cohensKappa(['A'], [])).toThrow('1 values cannot be paired with 0');
    expect(() => cohensKappa(['A'], ['A'], 95)).toThrow(RangeError);
  });
});

const pairs = fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 })), {
  minLength: 2,
});

it('does not depend on who is named first, on the order of the items or on what the labels are', () => {
  fc.assert(
    fc.property(pairs, (rows) => {
      const first = rows.map(([score]) => score);
      const second = rows.map(([, score]) => score);
      const got = cohensKappa(first, second);
      const others = [
        cohensKappa(second, first),
        cohensKappa(first.toReversed(), second.toReversed()),
        cohensKappa(
          first.map((score) => 20 * score - 7),
          second.map((score) => 20 * score - 7),
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

test('items of one group count as one observation', () => {
  const first = Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? 'a' : 'b'));
  const second = first.map((label, n) => (n % 7 === 0 ? 'a' : label));
  const twice = <T>(all: readonly T[]) => all.flatMap((one) => [one, one]);
  const width = (found: ReturnType<typeof cohensKappa>) =>
    found.value === null ? Number.NaN : found.interval.high - found.interval.low;
  const alone = width(cohensKappa(first, second));
  const groups = twice(first.map((_, n) => `g${n}`));
  // By Student instead of the normal law, a little wider.
  expect(width(cohensKappa(twice(first), twice(second), 0.95, groups)) / alone).toBeCloseTo(1.03, 1);
  expect(
    width(
      cohensKappa(
        first,
        second,
        0.95,
        first.map((_, n) => `g${n}`),
      ),
    ),
  ).toBe(alone);
});
