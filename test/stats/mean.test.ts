import { expect, it } from 'vitest';
import { mean } from '../../src/stats/mean.ts';

const momentsOf = (all: readonly number[]) => ({
  n: all.length,
  sum: all.reduce((sum, one) => sum + one, 0),
  squares: all.reduce((sum, one) => sum + one ** 2, 0),
});

it("has Student's interval", () => {
  // t(.975, 4) = 2.7764451 and s = sqrt(2.5): 3 ± 2.7764451 · sqrt(2.5 / 5), as in any table of t.
  expect(mean(momentsOf([1, 2, 3, 4, 5]))).toEqual({
    value: 3,
    n: 5,
    interval: { low: expect.closeTo(1.0367568, 6), high: expect.closeTo(4.9632432, 6) },
  });
  // t(.95, 1) = 6.3137515 and s / sqrt(2) = 0.5.
  expect(mean(momentsOf([1, 2]), 0.9)).toMatchObject({
    value: 1.5,
    interval: { low: expect.closeTo(-1.6568758, 6), high: expect.closeTo(4.6568758, 6) },
  });
});

it('of equal numbers is that number, with nothing around it', () => {
  expect(mean(momentsOf([2, 2, 2]))).toMatchObject({ value: 2, interval: { low: 2, high: 2 } });
});

it('of one number says nothing about the spread, of none is no figure', () => {
  expect(mean(momentsOf([7]))).toEqual({ value: 7, n: 1, interval: null });
  expect(mean(momentsOf([]))).toEqual({ value: null, reason: 'no numbers' });
});
