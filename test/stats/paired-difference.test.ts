/**
 * Newcombe's method 10. The first row is published: contingencytables for R prints -0.0621 (-0.1186 to -0.0046)
 * for the table 59, 6, 16, 80 of Cavo et al. (2012). The others: the paper's formula in Python with Wilson's limits
 * from statsmodels 0.15.0, `proportion_confint(k, n, .05, 'wilson')`.
 */
import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { pairedDifference } from '../../src/stats/paired-difference.ts';

test.each([
  [59, 6, 16, 80, -0.0621, -0.1186, -0.0046, 4],
  [36, 12, 2, 0, 0.2, 0.05692958400323869, 0.3404276029749407, 9],
  [20, 12, 2, 16, 0.2, 0.056156424841748265, 0.3292069954001405, 9],
  [1, 1, 7, 12, -0.2857142857142857, -0.506920226686141, -0.02555912416485978, 9],
  [43, 0, 0, 7, 0, -0.06376407110523082, 0.06376407110523082, 9],
  [53, 16, 8, 9, 0.09302325581395343, -0.020104076887636144, 0.2039158352504531, 9],
  [700, 31, 5, 102, 0.031026252983293534, 0.017020582072009294, 0.045828862745542306, 9],
  [0, 50, 0, 0, 1, 0.8990992576628453, 1, 9],
  [10, 0, 0, 0, 0, -0.27753279986288926, 0.27753279986288926, 9],
  // Ties count half on either side: 17 of 30 pairs.
  [17.5, 4, 4.5, 4, -0.016666666666666607, -0.21216689440961253, 0.18039133800985924, 9],
])('%d both, %d gained, %d lost, %d neither', (both, gained, lost, neither, value, low, high, places) => {
  const got = pairedDifference({ both, gained, lost, neither });
  if (got.value === null) throw new Error(got.reason);
  expect(got.value).toBeCloseTo(value, places);
  expect(got.interval.low).toBeCloseTo(low, places);
  expect(got.interval.high).toBeCloseTo(high, places);
});

it('has nothing to say about no pairs, and refuses what is no count', () => {
  const none = { both: 0, gained: 0, lost: 0, neither: 0 };
  expect(pairedDifference(none)).toEqual({ value: null, reason: 'no pairs' });
  expect(() => pairedDifference({ ...none, lost: -1 })).toThrow(RangeError);
  expect(() => pairedDifference({ ...none, lost: 0.3 })).toThrow(RangeError);
});

it('lies within [-1, 1] around the difference, and turns round with the pairs', () => {
  fc.assert(
    fc.property(fc.nat(60), fc.nat(60), fc.nat(60), fc.nat(60), (both, gained, lost, neither) => {
      fc.pre(both + gained + lost + neither > 0);
      const got = pairedDifference({ both, gained, lost, neither });
      const back = pairedDifference({ both, gained: lost, lost: gained, neither });
      if (got.value === null || back.value === null) throw new Error('no figure');
      expect(back.interval.low).toBeCloseTo(-got.interval.high, 10);
      expect(got.interval.low).toBeGreaterThanOrEqual(-1 - 1e-12);
      expect(got.interval.high).toBeLessThanOrEqual(1 + 1e-12);
      expect(got.interval.low).toBeLessThanOrEqual(got.value);
      expect(got.interval.high).toBeGreaterThanOrEqual(got.value);
    }),
  );
});
