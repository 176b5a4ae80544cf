/** The paired test over items and the interval of rare shares, against scipy: see reference.py. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { signFlipTest } from '../../../src/stats/clustered-pairs.ts';
import { binomialCdf, normalCdf } from '../../../src/stats/distributions.ts';
import type { Interval } from '../../../src/stats/figure.ts';
import { mcnemarExact } from '../../../src/stats/paired-difference.ts';
import { midPInterval, wilson } from '../../../src/stats/share-interval.ts';

interface Balanced {
  readonly balances: readonly number[];
  readonly p: number;
}
const reference: {
  readonly few: readonly Balanced[];
  readonly many: readonly Balanced[];
  readonly shares: readonly (readonly [number, number, number, number, number])[];
} = JSON.parse(readFileSync(join(import.meta.dirname, 'reference.json'), 'utf8'));

describe('the sign-flip test over items', () => {
  it('is scipy`s permutation test where all sign patterns can be gone through', () => {
    expect(reference.few.length).toBe(60);
    for (const { balances, p } of reference.few) expect(signFlipTest(balances).value).toBeCloseTo(p, 12);
  });

  it('goes over into the clustered McNemar test of Durkalski where items are many', () => {
    expect(reference.many.length).toBe(15);
    for (const { balances, p } of reference.many)
      expect(Math.abs((signFlipTest(balances).value ?? 9) - p)).toBeLessThan(0.04);
  });

  it('is the exact McNemar test where each item was judged once', () => {
    fc.assert(
      fc.property(fc.nat(80), fc.nat(80), fc.nat(5), (gained, lost, same) => {
        fc.pre(gained + lost > 0);
        const balances = [...Array(gained).fill(1), ...Array(lost).fill(-1), ...Array(same).fill(0)];
        const test = signFlipTest(balances);
        expect(test.value).toBeCloseTo(mcnemarExact(gained, lost), 10);
        expect(test).toMatchObject({ moved: gained + lost, up: gained });
      }),
    );
  });

  it('is not fooled by judgments of one item that always change together, as McNemar is', () => {
    // Six items, each judged twice, both judgments turned right: twelve gained and none lost.
    expect(mcnemarExact(12, 0)).toBeCloseTo(0.000488, 6);
    expect(signFlipTest([2, 2, 2, 2, 2, 2]).value).toBe(2 ** -5);
  });

  it('says how small a p so few items can give, and gives none where none moved', () => {
    expect(signFlipTest([2, 2, 0, 1])).toEqual({ value: 0.25, moved: 3, up: 3, least: 0.25 });
    expect(signFlipTest([0, 0])).toEqual({
      value: null,
      reason: 'none of the 2 items changed on balance',
    });
    expect(signFlipTest([])).toEqual({ value: null, reason: 'no items' });
    expect(() => signFlipTest([0.5])).toThrow(RangeError);
  });

  it('answers at once for a hundred thousand items, as exactly as the numbers allow', () => {
    const once = Array.from({ length: 100_000 }, (_, n) => (n % 2 === 0 || n % 1000 === 1 ? 1 : -1));
    expect(signFlipTest(once).value).toBe(mcnemarExact(50_100, 49_900));
    expect(signFlipTest(once.map((balance) => 3 * balance)).value).toBe(mcnemarExact(50_100, 49_900));
    expect(signFlipTest(Array(100_000).fill(1)).value).toBeGreaterThan(0);
    // Σ d² = 50,000 · (1 + 4), and the sum is 1,000: 2 Φ(-999 / √250000).
    const twice = Array.from({ length: 100_000 }, (_, n) => (n % 2 === 0 ? 1 : 2) * (n % 4 < 2 ? 1 : -1));
    for (let n = 0; n < 1000; n += 2) twice[4 * Math.floor(n / 2) + 2] = 1;
    expect(signFlipTest(twice).value).toBeCloseTo(2 * normalCdf(-999 / Math.sqrt(250_000)), 12);
  });

  it('the normal form is what counting comes to, where both can be had', () => {
    // Just below the limit: 24,000 items, counted.
    const balances = Array.from({ length: 24_000 }, (_, n) => ((n * 7919) % 5) - 2 + Number(n % 60 === 0));
    const squares = balances.reduce((sum, balance) => sum + balance ** 2, 0);
    const sum = balances.reduce((total, balance) => total + balance, 0);
    const normal = 2 * normalCdf((1 - sum) / Math.sqrt(squares));
    expect(Math.abs((signFlipTest(balances).value ?? 9) - normal)).toBeLessThan(1e-4);
  });

  it('says so where the ways are too many to count and a few items decide', () => {
    expect(signFlipTest([3e9, 1e9]).value).toBe(0.5);
    expect(signFlipTest([1e9, 2e9, 3])).toEqual({
      value: null,
      reason: 'the sums of these 3 balances are too many to count, and a few balances decide them',
    });
  });

  it('holds its level for items whose two judgments hang together, where McNemar for single judgments does not', () => {
    // Under the null hypothesis each of 40 items moves both its judgments up or down: all there is to know is the binomial.
    const p = Array.from({ length: 41 }, (_, up) => ({
      ...{ items: signFlipTest([...Array(up).fill(2), ...Array(40 - up).fill(-2)]).value ?? 9, up },
      judgments: mcnemarExact(2 * up, 80 - 2 * up),
    }));
    const chance = (up: number) => binomialCdf(up, 40, 0.5) - (up === 0 ? 0 : binomialCdf(up - 1, 40, 0.5));
    const level = (which: 'items' | 'judgments') =>
      p.reduce((sum, one) => sum + (one[which] < 0.05 ? chance(one.up) : 0), 0);
    expect(level('items')).toBeLessThanOrEqual(0.05);
    expect(level('judgments')).toBeGreaterThan(0.1);
  });
});

describe('the mid-p interval', () => {
  test.each(reference.shares)('%d of %d at %d', (count, of, confidence, low, high) => {
    const interval = midPInterval(count, of, confidence) as Interval;
    expect(interval.low).toBeCloseTo(low, 10);
    expect(interval.high).toBeCloseTo(high, 10);
  });

  it('covers a rare share about as often as it says, where Wilson covers it too seldom', () => {
    const coverage = (truth: number, of: (count: number, n: number) => unknown) => {
      let sum = 0;
      for (let count = 0; count <= 50; count++) {
        const { low, high } = of(count, 50) as Interval;
        const chance = binomialCdf(count, 50, truth) - (count === 0 ? 0 : binomialCdf(count - 1, 50, truth));
        if (low <= truth && truth <= high) sum += chance;
      }
      return sum;
    };
    const rare = [0.003, 0.0035, 0.02, 0.0199, 0.07];
    expect(Math.min(...rare.map((truth) => coverage(truth, midPInterval)))).toBeGreaterThan(0.94);
    expect(Math.min(...rare.map((truth) => coverage(truth, wilson)))).toBeLessThan(0.85);
  });

  it('has none of nothing, and refuses what is no count', () => {
    expect(midPInterval(0, 0)).toEqual({ value: null, reason: 'there is nothing to count' });
    expect(() => midPInterval(3, 2)).toThrow(RangeError);
    expect(() => midPInterval(0.5, 2)).toThrow(RangeError);
  });
});
