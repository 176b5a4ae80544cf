/** Bootstrap intervals against scipy 1.17.1, and what a seed and a cluster promise. */
import { describe, expect, it, test } from 'vitest';
import { bcaInterval, bootstrap, bootstrapEach, percentileInterval } from '../../src/stats/bootstrap.ts';
import { createSeededDraw } from '../../src/stats/seeded-draw.ts';

const TEN = [0.2, 0.9, 1.4, 0.3, 2.8, 0.7, 1.1, 0.4, 5.2, 0.6];
const mean = (rows: readonly number[]) => rows.reduce((a, b) => a + b, 0) / rows.length;

describe('the interval of given replicates', () => {
  /**
   * `bootstrap((TEN,), np.mean, n_resamples=0, bootstrap_result=R, method=…, confidence_level=…)`, where R is an
   * object with these replicates as its bootstrap_distribution: the whole computation but the drawing.
   */
  const replicates = Array.from(
    { length: 500 },
    (_, i) => (((i * 7919) % 1009) / 1009) * 2.2 + 0.35 + (((i * 104729) % 997) / 997) ** 2,
  );
  const jackknife = TEN.map((_, i) => mean(TEN.toSpliced(i, 1)));

  test.each([
    ['percentile', 0.9, 0.6417178804142277, 2.9274823835704766],
    ['percentile', 0.95, 0.5355596238113081, 3.091258106971991],
    ['bca', 0.9, 0.4627762974298336, 2.4097075154339698],
    ['bca', 0.95, 0.4141327878688943, 2.6382886039092375],
  ])('%s at %d', (method, confidence, low, high) => {
    const got =
      method === 'bca'
        ? bcaInterval(mean(TEN), replicates, jackknife, confidence)
        : percentileInterval(replicates, confidence);
    expect(got?.low).toBeCloseTo(low, 10);
    expect(got?.high).toBeCloseTo(high, 10);
  });
});

// scipy's `bootstrap((TEN,), np.mean, n_resamples=200000, method=…, rng=1)`.
test.each([
  ['bca', 0.72, 2.78],
  ['percentile', 0.61, 2.38],
] as const)('%s finds what scipy finds with draws of its own', (method, low, high) => {
  const got = bootstrap(TEN, mean, { seed: 1, resamples: 20_000, method });
  expect(got).toMatchObject({ value: mean(TEN), clusters: 10, resamples: 20_000 });
  if (got.value === null || 'value' in got.interval) throw new Error('no interval');
  expect(Math.abs(got.interval.low - low)).toBeLessThan(0.05);
  expect(Math.abs(got.interval.high - high)).toBeLessThan(0.1);
});

it('gives the same bits for the same seed, and others for another', () => {
  const run = (seed: number) => JSON.stringify(bootstrap(TEN, mean, { seed, resamples: 200 }));
  expect(run(7)).toBe(run(7));
  expect(run(7)).not.toBe(run(8));
  const draw = createSeededDraw(2026);
  // xoroshiro128+ (24, 16, 37) in Python's whole numbers, from the first two numbers of SplitMix64 (there checked by
  // 1234567: 6457827717110365317, 3203168211198807973); its lower 32 bits with the highest one turned, modulo 100.
  // Other draws would silently change every published interval.
  expect(Array.from({ length: 8 }, () => draw(100))).toEqual([88, 10, 93, 53, 43, 83, 81, 87]);
});

it.each(['bca', 'percentile'] as const)(
  'draws once for several statistics, each as if alone: %s',
  (method) => {
    const options = { seed: 3, resamples: 200, method };
    const most = (rows: readonly number[]) => Math.max(...rows);
    const seldom = (rows: readonly number[]) => (rows.includes(5.2) ? rows.length : null);
    let samples = 0;
    const all = bootstrapEach(
      TEN,
      (rows) => {
        samples++;
        return [mean(rows), most(rows), seldom(rows), null];
      },
      options,
    );
    expect(all).toEqual([mean, most, seldom, () => null].map((one) => bootstrap(TEN, one, options)));
    expect(samples).toBe(1 + 200 + (method === 'bca' ? TEN.length : 0));
    expect(bootstrapEach([], () => [1, 2], options)).toEqual([]);
  },
);

it('takes an item judged twice for one item: the copy makes nothing surer', () => {
  const twice = TEN.flatMap((score, item) => [
    { score, item },
    { score, item },
  ]);
  const options = { seed: 3, resamples: 500 };
  const once = bootstrap(TEN, mean, options);
  const clustered = bootstrap(twice, (rows) => mean(rows.map((row) => row.score)), {
    ...options,
    cluster: (row) => `${row.item}`,
  });
  if (once.value === null || clustered.value === null) throw new Error('no figure');
  if ('value' in once.interval || 'value' in clustered.interval) throw new Error('no interval');
  expect(clustered.clusters).toBe(10);
  expect(clustered.interval.low).toBeCloseTo(once.interval.low, 10);
  expect(clustered.interval.high).toBeCloseTo(once.interval.high, 10);
});

describe('what it does not know it says', () => {
  const options = { seed: 1, resamples: 100 };
  test.each([
    ['no rows', [], { value: null, reason: 'no rows' }],
    ['one row', [1], { value: 1, interval: { value: null, reason: /one item/ } }],
    ['no spread', [1, 1, 1], { value: 1, interval: { value: null, reason: /every resample/ } }],
  ])('%s', (_, rows, expected) => expect(bootstrap(rows, mean, options)).toMatchObject(expected));

  it('a statistic that most resamples do not have', () => {
    const onlyAll = (rows: readonly number[]) => (new Set(rows).size < 4 ? null : mean(rows));
    expect(bootstrap([1, 2, 3, 4], onlyAll, options)).toMatchObject({
      value: 2.5,
      interval: { value: null, reason: /too little data.*of 100 resamples/ },
    });
    expect(bootstrap([1, 2, 3], onlyAll, options)).toMatchObject({ value: null });
  });

  test.each([
    ['a broken seed', { seed: 0.5 }],
    ['a seed beyond 32 bits', { seed: 2 ** 32 }],
    ['no resamples', { seed: 1, resamples: 0 }],
    ['per cent', { seed: 1, confidence: 95 }],
  ])('refuses %s', (_, wrong) => expect(() => bootstrap(TEN, mean, wrong)).toThrow(RangeError));

  it('refuses a statistic that answers NaN', () => {
    expect(() => bootstrap(TEN, () => Number.NaN, options)).toThrow('the statistic is NaN');
  });
});
