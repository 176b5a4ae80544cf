/** A difference over items: its interval and test against scipy, and what an item's judgments together change. */
import { describe, expect, it } from 'vitest';
import { type ClusteredPair, clusteredPairs } from '../../../src/stats/clustered-pairs.ts';

/** `w` wrong and `r` right, before and after in turn: `wrrr` is an item of two judgments, one of which turned right. */
const pairs = (items: readonly string[]): ClusteredPair[] =>
  items.flatMap((item, index) =>
    (item.match(/../g) ?? []).map((pair) => ({
      ...{ item: `${index}`, before: pair[0] === 'r', after: pair[1] === 'r' },
    })),
  );
const times = (count: number, item: string) => Array.from({ length: count }, () => item);
const ITEMS = [
  ...[times(20, 'rrrr'), times(10, 'wwww'), times(6, 'wrwr'), times(4, 'wrww')],
  ...[times(2, 'rwrr'), times(3, 'wrrw')],
].flat();

/**
 * scipy 1.17.1, with the balances d = [0]*30 + [2]*6 + [1]*4 + [-1]*2 + [0]*3 of two judgments each:
 * `bootstrap((d,), lambda d, axis: d.mean(axis) / 2, n_resamples=200000, method='percentile', rng=1)`
 * and `permutation_test((d[d != 0],), np.sum, permutation_type='samples', n_resamples=np.inf)`.
 */
const SCIPY = { low: 0.0556, high: 0.2778, p: 0.013671875 };

describe('a difference over items', () => {
  it('has the interval and the p-value that scipy finds', () => {
    const found = clusteredPairs(pairs(ITEMS), 1);
    if (found.value === null || !('low' in found.interval)) throw new Error('no figure');
    expect(found).toMatchObject({ value: 14 / 90, items: 45 });
    expect(Math.abs(found.interval.low - SCIPY.low)).toBeLessThan(0.012);
    expect(Math.abs(found.interval.high - SCIPY.high)).toBeLessThan(0.012);
    expect(found.test.value).toBeCloseTo(SCIPY.p, 12);
    expect(clusteredPairs(pairs(ITEMS), 1)).toEqual(found);
  });

  it('is less sure where the judgments of an item change together than where they were items of their own', () => {
    const together = clusteredPairs(pairs(ITEMS), 1);
    const apart = clusteredPairs(
      pairs(ITEMS).map((pair, index) => ({ ...pair, item: `${index}` })),
      1,
    );
    const width = (found: typeof together) =>
      found.value !== null && 'low' in found.interval ? found.interval.high - found.interval.low : Number.NaN;
    expect(together.value).toBe(apart.value);
    expect(width(together)).toBeGreaterThan(1.1 * width(apart));
  });

  it('says why where there is none', () => {
    expect(clusteredPairs([], 1)).toEqual({ value: null, reason: 'no pairs' });
    expect(clusteredPairs(pairs(['rrrr', 'wwww']), 1)).toEqual({
      ...{ value: 0, items: 2, test: { value: null, reason: 'none of the 2 items changed on balance' } },
      interval: { value: null, reason: 'every resample gave the same figure, so the spread is unknown' },
    });
  });
});
