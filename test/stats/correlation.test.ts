/** Rank correlations against scipy 1.17.1: `spearmanr(a, b)` and `kendalltau(a, b, method='asymptotic')`. */
import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { kendallTauB, spearman } from '../../src/stats/correlation.ts';
import { SCORES } from './scores.ts';

const digits = (text: string) => [...text].map(Number);
const OTHER = [1.143, -0.122, 0.219, -0.506, -0.173, -1.569, 2.314, 0.175, 1.341, -0.917, 1.231, 2.787];

test.each([
  [
    'ratings with ties',
    digits('4544552254521432151544525151112251434525'),
    digits('4552452344521221241532325152221251334334'),
    [0.8310362985086204, 3.19261859511741e-11, 0.7286896026935814, 2.356961174053119e-8],
  ],
  [
    'measures without ties',
    SCORES.plain,
    OTHER,
    [0.6433566433566434, 0.024003191200713647, 0.4848484848484848, 0.02821230197459869],
  ],
  [
    'opposed',
    [1, 2, 3, 4, 5, 6],
    [6, 4, 5, 3, 2, 1],
    [-0.942857142857143, 0.004804664723032055, -0.8666666666666666, 0.014595034919316668],
  ],
  ['the same order', [1, 2, 3, 4], [10, 20, 30, 40], [1, 0, 1, 0.04154006700988516]],
  ['three items', [1, 2, 2], [3, 1, 1], [-1, 0, -1, 0.15729920705028516]],
] as const)('%s', (_, first, second, [rho, rhoP, tau, tauP]) => {
  const byRank = spearman(first, second);
  const byPair = kendallTauB(first, second);
  if (byRank.value === null || byPair.value === null) throw new Error('no figure');
  expect(byRank.value).toBeCloseTo(rho, 12);
  expect(byRank.p - rhoP).toBeCloseTo(0, 12);
  expect(byPair.value).toBeCloseTo(tau, 12);
  expect(byPair.p - tauP).toBeCloseTo(0, 12);
});

test.each([spearman, kendallTauB])('%o says why there is none', (correlation) => {
  expect(correlation([1, 2], [2, 1])).toMatchObject({ value: null, reason: /at least three items, not 2/ });
  expect(correlation([1, 2, 3], [4, 4, 4])).toMatchObject({ value: null, reason: /all 3 values .* are 4/ });
  expect(() => correlation([1, 2, 3], [1, 2])).toThrow('3 values cannot be paired with 2');
  expect(() => correlation([1, 2, Infinity], [1, 2, 3])).toThrow(RangeError);
});

it('sees order only: a list, its cubes and both reversed are alike; the negative turns the sign', () => {
  const item = fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 }));
  fc.assert(
    fc.property(
      fc.array(item, { minLength: 3 }),
      fc.constantFrom(spearman, kendallTauB),
      (items, correlation) => {
        const first = items.map(([a]) => a);
        const second = items.map(([, b]) => b);
        const got = correlation(first, second);
        if (got.value === null) return;
        const cubes = correlation(
          first.map((a) => a ** 3),
          second,
        );
        const turned = correlation(
          first.map((a) => -a),
          second,
        );
        expect(cubes.value).toBeCloseTo(got.value, 12);
        expect(correlation(second.toReversed(), first.toReversed()).value).toBeCloseTo(got.value, 12);
        expect(turned.value).toBeCloseTo(-got.value, 12);
        expect(got.p).toBeGreaterThanOrEqual(0);
        expect(got.p).toBeLessThanOrEqual(1);
      },
    ),
  );
});
