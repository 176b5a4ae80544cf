/** The sign test against scipy 1.17.1: `binomtest(positive, positive + negative, .5, alternative=…).pvalue`. */
import { expect, it, test } from 'vitest';
import { signTest } from '../../src/stats/ranks.ts';

test.each([
  [9, 3, 'two-sided', 0.14599609375],
  [9, 3, 'greater', 0.072998046875],
  [9, 3, 'less', 0.980712890625],
  [3, 9, 'greater', 0.980712890625],
  [60, 41, 'two-sided', 0.07275700687752425],
  [60, 41, 'greater', 0.03637850343876212],
  [60, 41, 'less', 0.9769779665353286],
  [5, 5, 'two-sided', 1],
  [5, 5, 'greater', 0.623046875],
  [0, 7, 'two-sided', 0.015625],
  [0, 7, 'greater', 1],
  [0, 7, 'less', 0.0078125],
] as const)('%d up, %d down, %s', (positive, negative, alternative, p) => {
  const got = signTest(positive, negative, alternative);
  expect(got.value).toBeCloseTo(p, 12);
  expect(got).toMatchObject({ share: positive / (positive + negative), n: positive + negative });
});

it('has nothing to say where nothing moved, and refuses what is no count', () => {
  expect(signTest(0, 0)).toEqual({ value: null, reason: 'nothing moved either way' });
  expect(() => signTest(-1, 2)).toThrow(RangeError);
});
