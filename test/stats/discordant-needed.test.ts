/**
 * Against a plain count in Python with scipy 1.17.1: for m = 0, 1, … the probabilities `binom.pmf(j, m, q)`, q =
 * (gained + 1) / (gained + lost + 2), of all j for which `2 * binom.cdf(min, n, .5)` of the pairs then at hand is
 * at most the level, summed; the first m where the sum reaches the power.
 */
import { expect, it, test } from 'vitest';
import { discordantNeeded } from '../../src/stats/paired-difference.ts';

test.each([
  [3, 1, 61, 122],
  [5, 2, 58, 119],
  [3, 0, 14, 31],
  [12, 5, 32, 82],
  [2, 6, 34, 77],
  [20, 14, 233, 486],
  [31, 5, 0, 0],
  [40, 30, 316, 669],
])(
  '%d gained, %d lost: %d more at .05 with power .8, %d at .01 with power .9',
  (gained, lost, more, strict) => {
    expect(discordantNeeded(gained, lost)).toEqual({ value: more });
    expect(discordantNeeded(gained, lost, { level: 0.01, power: 0.9 })).toEqual({ value: strict });
    expect(discordantNeeded(lost, gained)).toEqual({ value: more });
  },
);

test.each([
  [0, 0, /no pair changed/],
  [7, 7, /as many gained as lost/],
  [201, 200, /10000 discordant pairs would not settle it/],
])('%d gained, %d lost: says why there is no number', (gained, lost, reason) => {
  expect(discordantNeeded(gained, lost)).toMatchObject({ value: null, reason });
});

it('refuses what is no count and no level', () => {
  expect(() => discordantNeeded(1.5, 0)).toThrow(RangeError);
  expect(() => discordantNeeded(3, 1, { level: 5 })).toThrow(RangeError);
});
