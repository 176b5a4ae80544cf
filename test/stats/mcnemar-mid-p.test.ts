/**
 * Mid-p values against scipy 1.17.1: `2 * binom.cdf(k, n, .5) - binom.pmf(k, n, .5)` with k the smaller count and
 * n the sum, or `1 - .5 * binom.pmf(k, n, .5)` where the counts are equal. (6, 16) is a published example: .034690
 * in Fagerland, Lydersen and Laake, Statistical Analysis of Contingency Tables, 2017, chapter 8.
 */
import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { mcnemarExact, mcnemarMidP } from '../../src/stats/mcnemar.ts';

test.each([
  [13, 1, 0.0009765625000000007],
  [1, 7, 0.039062500000000014],
  [31, 5, 7.427530363202096e-6],
  [100, 138, 0.013802068646591482],
  [5, 5, 0.876953125],
  [0, 1, 0.5],
  [250, 300, 0.03307151591735791],
])('%d gained, %d lost', (gained, lost, p) => expect(mcnemarMidP(gained, lost) / p).toBeCloseTo(1, 9));

it('gives the published figure', () => expect(mcnemarMidP(6, 16)).toBeCloseTo(0.03469, 6));
it('finds nothing where nothing changed', () => expect(mcnemarMidP(0, 0)).toBe(1));
it('refuses half a pair', () => expect(() => mcnemarMidP(0.5, 1)).toThrow(RangeError));

it('is the same both ways, and never above the exact value', () => {
  fc.assert(
    fc.property(fc.nat(300), fc.nat(300), (gained, lost) => {
      const p = mcnemarMidP(gained, lost);
      expect(p).toBe(mcnemarMidP(lost, gained));
      expect(p).toBeGreaterThan(0);
      expect(p).toBeLessThanOrEqual(mcnemarExact(gained, lost));
    }),
  );
});
