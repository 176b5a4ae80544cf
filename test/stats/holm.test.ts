/** Holm's correction against statsmodels 0.15.0: `multipletests(p, method='holm')[1]`. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { holm } from '../../src/stats/figure.ts';

it('agrees with statsmodels, in the order given', () => {
  const adjusted = holm([0.01, 0.04, 0.03, 0.005, 0.2, 0.04, 0.9, 0.0001]);
  [0.06, 0.16, 0.15, 0.035, 0.4, 0.16, 0.9, 0.0008].forEach((p, i) => {
    expect(adjusted[i]).toBeCloseTo(p, 12);
  });
});

it('leaves one test as it is, and none', () => {
  expect(holm([0.03])).toEqual([0.03]);
  expect(holm([])).toEqual([]);
});

it('refuses what is no p-value', () => {
  expect(() => holm([0.1, 1.2])).toThrow(RangeError);
  expect(() => holm([Number.NaN])).toThrow(RangeError);
});

it('never lowers a p-value, never swaps two, and stays within Bonferroni', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1 }), (ps) => {
      const adjusted = holm(ps);
      const both = ps.map((p, i) => [p, adjusted[i] ?? Number.NaN] as const).sort(([a], [b]) => a - b);
      both.forEach(([p, q], i) => {
        expect(q).toBeGreaterThanOrEqual(p);
        expect(q).toBeLessThanOrEqual(Math.min(1, p * ps.length));
        expect(q).toBeGreaterThanOrEqual(both[i - 1]?.[1] ?? 0);
      });
    }),
  );
});
