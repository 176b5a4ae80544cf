/**
 * Kappas against statsmodels 0.15.0: `cohens_kappa(table)`, its kappa and std_kappa. scikit-learn 1.9.1's cohen_kappa_score agrees.
 * Intervals are kappa_low and kappa_upp of `cohens_kappa(table + numpy.where(numpy.eye(k) > 0, 1.5 / k, 1.5 / (k * (k - 1))))` for k
 * labels, cut at 1.
 */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { cohensKappa } from '../../src/stats/kappa.ts';
import { createSeededDraw } from '../../src/stats/seeded-draw.ts';

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
  ['five', 0.34117647058823525, 0.09461411180770946, 0.16370553042780386, 0.5237181569958836],
  ['two', 0.523809523809524, 0.29426082897974304, -0.11508697900197229, 0.9255444953418414],
  ['gap', 0.34117647058823525, 0.09461411180770946, 0.16370553042780386, 0.5237181569958836],
  ['contrary', -0.5, 0.30618621784789724, -0.9141317870954051, 0.1868590598226778],
] as const)('%s', (name, value, standardError, low, high) => {
  const [first, second] = CASES[name] ?? [[], []];
  const got = cohensKappa(first, second);
  if (got.value === null) throw new Error(got.reason);
  expect(got.value).toBeCloseTo(value, 12);
  expect(got.standardError).toBeCloseTo(standardError, 12);
  expect(got.interval.low).toBeCloseTo(low, 9);
  expect(got.interval.high).toBeCloseTo(high, 9);
});

test.each([
  ['full agreement', digits('0101010101'), digits('0101010101'), 0.421888523459078, 1],
  [
    'one label throughout',
    digits('0101010101'),
    digits('2222222222'),
    -0.21234407129167926,
    0.16439886581222707,
  ],
  ['one rare label', digits(`0${'1'.repeat(195)}`), digits(`0${'1'.repeat(195)}`), 0.23372167736760951, 1],
] as const)('labels that show no spread have an interval all the same: %s', (_, first, second, low, high) => {
  expect(cohensKappa(first, second)).toMatchObject({
    standardError: 0,
    interval: { low: expect.closeTo(low, 9), high: expect.closeTo(high, 9) },
  });
  // In pairs that hang together it is wider, and of one group all is open.
  const inPairs = first.map((__, n) => `${Math.floor(n / 2)}`);
  const paired = cohensKappa(first, second, 0.95, inPairs);
  expect(paired.value !== null && paired.interval.low).toBeLessThan(low - 0.1);
  const together = first.map(() => 'all');
  expect(cohensKappa(first, second, 0.95, together)).toMatchObject({ interval: { low: -1, high: 1 } });
});

// The plain normal interval holds it in 88, 65, 20 and 86 %, in groups in 65 %.
test.each([
  { n: 50, rare: 0.5, kappa: 0.8 },
  { n: 20, rare: 0.1, kappa: 0.2 },
  { n: 500, rare: 0.01, kappa: 0 },
  { n: 100, rare: 0.5, kappa: 0.94 },
  { n: 40, rare: 0.1, kappa: 0.2, each: 2 },
])('of 400 samples the interval holds kappa in 95 %: $n, $rare, $kappa', ({ n, rare, kappa, each = 1 }) => {
  const draw = createSeededDraw(n);
  const both = rare ** 2 + kappa * rare * (1 - rare);
  let [held, all] = [0, 0];
  for (let sample = 0; sample < 400; sample++) {
    const labels = Array.from({ length: n / each }, () => {
      const place = draw(2 ** 30) / 2 ** 30;
      const first = place < rare;
      return { first, second: place < both || (!first && place < 2 * rare - both) };
    }).flatMap((one) => Array.from({ length: each }, () => one));
    const found = cohensKappa(
      labels.map(({ first }) => first),
      labels.map(({ second }) => second),
      0.95,
      labels.map((_, place) => `${Math.floor(place / each)}`),
    );
    if (found.value === null) continue;
    all++;
    if (found.interval.low <= kappa && kappa <= found.interval.high) held++;
  }
  expect(held / all).toBeGreaterThan(0.925);
});

describe('what kappa cannot say', () => {
  it('says so in words', () => {
    expect(cohensKappa([], [])).toEqual({ value: null, reason: 'no item has a label from both' });
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
