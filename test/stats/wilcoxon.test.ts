/** Wilcoxon's signed-rank test against scipy 1.17.1. `SCORES` holds the lists that equivalence is tested on, too. */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { wilcoxonSignedRank } from '../../src/stats/ranks.ts';
import { SCORES } from './scores.ts';

/**
 * `wilcoxon(d, alternative=…, method='exact').pvalue` without zeros, then `wilcoxon(d, alternative=…,
 * method='asymptotic', zero_method='wilcox', correction=False).pvalue`, and the same with correction=True. scipy's exact
 * method knows no ties: the exact p of `tied` is of `method=PermutationMethod(n_resamples=numpy.inf)`. Those of `scores` are
 * sums of `comb(30, i) * comb(8, j) / 2**38` over the i ones (rank 15.5) and j twos (rank 34.5) that may be positive.
 */
test.each([
  ['plain', 'two-sided', 0.791015625, 0.7536837177261574, 0.7836523115344085],
  ['plain', 'greater', 0.3955078125, 0.3768418588630787, 0.39182615576720425],
  ['plain', 'less', 0.63330078125, 0.6231581411369214, 0.6379591695423052],
  ['darwin', 'two-sided', 0.041259765625, 0.04088813291185591, 0.043772323763041174],
  ['darwin', 'greater', 0.0206298828125, 0.020444066455927955, 0.021886161881520587],
  ['darwin', 'less', 0.982330322265625, 0.979555933544072, 0.9809166843332187],
  ['tied', 'two-sided', 0.052734375, 0.04290120601140134, 0.04714768539685105],
  ['tied', 'greater', 0.0263671875, 0.02145060300570067, 0.023573842698425523],
  ['tied', 'less', 0.98583984375, 0.9785493969942993, 0.9805086737119748],
  ['long', 'two-sided', 0.008848884696840642, 0.009544603414181752, 0.00967934859969721],
  ['long', 'greater', 0.004424442348420321, 0.004772301707090876, 0.004839674299848605],
  ['long', 'less', 0.9957061321817466, 0.9952276982929091, 0.9952942332933531],
  ['negative', 'two-sided', 0.4375, 0.34523107177184, 0.41849223344681985],
  ['negative', 'greater', 0.84375, 0.82738446411408, 0.8596436673657522],
  ['negative', 'less', 0.21875, 0.17261553588592, 0.20924611672340993],
  ['scores', 'two-sided', 0.0014568110782420263, 0.0019843632260576768, 0.002036676571732134],
  ['scores', 'greater', 0.0007284055391210131, 0.0009921816130288384, 0.001018338285866067],
  ['scores', 'less', 0.9994703274205676, 0.9990078183869712, 0.9990333570778765],
] as const)('%s, %s', (name, alternative, exact, normal, corrected) => {
  const p = (options: object) => {
    const got = wilcoxonSignedRank(SCORES[name], { alternative, ...options });
    return got.value === null ? null : got.p;
  };
  expect(p({ method: 'exact' })).toBeCloseTo(exact, 12);
  expect(p({ method: 'normal' })).toBeCloseTo(normal, 10);
  expect(p({ method: 'normal', continuity: true })).toBeCloseTo(corrected, 10);
  expect(p({})).toBe(p({ method: 'exact' }));
});

// `.statistic` of the two-sided test and of `alternative='greater'`, and `.zstatistic` of 'asymptotic', 'greater'.
test.each([
  ['plain', 35, 43, 0.31378581622109447, 12, 0],
  ['darwin', 24, 96, 2.0446626032894333, 15, 0],
  ['tied', 13.5, 64.5, 2.0246705361964064, 12, 3],
  ['long', 369, 906, 2.591905324097625, 50, 0],
  ['negative', 4, 4, -0.9438798074485389, 5, 0],
  ['scores', 170.5, 570.5, 3.092562680266756, 38, 22],
] as const)('%s: rank sums, z and effect size', (name, value, wPlus, z, n, zeros) => {
  const wMinus = (n * (n + 1)) / 2 - wPlus;
  const got = wilcoxonSignedRank(SCORES[name], { method: 'normal' });
  expect(got).toMatchObject({ value, wPlus, wMinus, n, zeros, method: 'normal' });
  if (got.value === null) throw new Error(got.reason);
  expect(got.z).toBeCloseTo(z, 10);
  expect(got.rankBiserial).toBeCloseTo((wPlus - wMinus) / (wPlus + wMinus), 12);
});

/** Wilcoxon 1945: largest smaller rank sums that are significant at .05, two-sided, and the next, by published tables. */
test.each([
  [6, 0],
  [8, 3],
  [10, 8],
  [15, 25],
  [20, 52],
  [25, 89],
])('the table of critical values: n = %d, W = %d', (n, critical) => {
  const p = (sum: number) => {
    let left = sum;
    const differences = Array.from({ length: n }, (_, i) => n - i).map((rank) => {
      if (rank > left) return rank;
      left -= rank;
      return -rank;
    });
    const got = wilcoxonSignedRank(differences);
    return got.value === sum ? got.p : Number.NaN;
  };
  expect(p(critical)).toBeLessThanOrEqual(0.05);
  expect(p(critical + 1)).toBeGreaterThan(0.05);
});

describe('scores as they come', () => {
  it('takes equal steps on a decimal scale for ties, and a rounding error for no difference', () => {
    const steps = [0.4 - 0.3, 0.7 - 0.6, 0.9 - 0.8, 0.2 - 0.5, 0.3 - (0.1 + 0.2)];
    expect(wilcoxonSignedRank(steps)).toEqual(wilcoxonSignedRank([1, 1, 1, -3, 0]));
  });

  it.each([2, 5, 8])('%d equal steps all one way: no p below the smallest possible one', (n) => {
    const got = wilcoxonSignedRank(new Array<number>(n).fill(1));
    expect(got).toMatchObject({ p: 2 / 2 ** n, z: null, method: 'exact' });
  });

  it('says why there is no figure', () => {
    expect(wilcoxonSignedRank(new Array<number>(51).fill(1), { method: 'exact' })).toEqual({
      value: null,
      reason: 'the exact test needs at most 50 differences that are not zero, not 51',
    });
    expect(wilcoxonSignedRank([])).toEqual({ value: null, reason: 'no differences' });
    expect(wilcoxonSignedRank([0, 0])).toEqual({ value: null, reason: 'all 2 differences are zero' });
    expect(() => wilcoxonSignedRank([1, Number.NaN])).toThrow('difference 2 of 2 is NaN');
  });

  it('does not mind order or scale, and turns round with the sign', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1 }), (differences) => {
        const got = wilcoxonSignedRank(differences);
        expect(wilcoxonSignedRank(differences.toReversed())).toEqual(got);
        expect(wilcoxonSignedRank(differences.map((difference) => difference / 5))).toEqual(got);
        const back = wilcoxonSignedRank(differences.map((difference) => -difference));
        if (got.value === null || back.value === null) {
          expect(back).toEqual(got);
          return;
        }
        expect(back).toMatchObject({ value: got.value, wPlus: got.wMinus, wMinus: got.wPlus });
        expect(back.p).toBeCloseTo(got.p, 12);
        expect(back.rankBiserial).toBeCloseTo(-got.rankBiserial, 12);
        expect(got.p).toBeGreaterThan(0);
        expect(got.p).toBeLessThanOrEqual(1);
      }),
    );
  });
});
