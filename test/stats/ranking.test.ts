/** ROC, NDCG and exact intervals against scikit-learn and scipy; ranking/reference.py made the figures. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { auc, ndcg, roc } from '../../src/stats/predictions.ts';
import { exactShare } from '../../src/stats/share-interval.ts';

interface Sample {
  readonly truths: readonly number[];
  readonly ratings: readonly number[];
  readonly relevance: readonly number[];
  readonly auc: number;
  readonly fpr: readonly number[];
  readonly tpr: readonly number[];
  readonly ndcg: number;
  readonly ndcg_5: number;
  readonly hits: number;
  readonly trials: number;
  readonly exact: readonly [number, number];
}
const samples: readonly Sample[] = JSON.parse(
  readFileSync(new URL('ranking/reference.json', import.meta.url), 'utf8'),
);

describe('200 random samples with ties', () => {
  it('are all there', () => expect(samples).toHaveLength(200));

  it.each(samples.map((sample, number) => ({ number, ...sample })))('sample $number', (sample) => {
    const truths = sample.truths.map((one) => one === 1);
    const curve = roc(sample.ratings, truths);
    if (curve.value === null) throw new Error(curve.reason);
    expect(Math.abs(curve.value - sample.auc)).toBeLessThan(1e-9);
    expect(Math.abs((auc(sample.ratings, truths).value ?? 0) - sample.auc)).toBeLessThan(1e-9);
    expect(curve.points).toHaveLength(sample.fpr.length);
    for (const [at, { fpr, tpr }] of curve.points.entries()) {
      expect(Math.abs(fpr - (sample.fpr[at] ?? -1))).toBeLessThan(1e-9);
      expect(Math.abs(tpr - (sample.tpr[at] ?? -1))).toBeLessThan(1e-9);
    }
    expect(Math.abs((ndcg(sample.relevance, sample.ratings).value ?? 0) - sample.ndcg)).toBeLessThan(1e-9);
    expect(Math.abs((ndcg(sample.relevance, sample.ratings, 5).value ?? 0) - sample.ndcg_5)).toBeLessThan(
      1e-9,
    );
    const interval = exactShare(sample.hits, sample.trials);
    if (!('low' in interval)) throw new Error(interval.reason);
    expect(Math.abs(interval.low - sample.exact[0])).toBeLessThan(1e-9);
    expect(Math.abs(interval.high - sample.exact[1])).toBeLessThan(1e-9);
  });
});

it('says what is missing', () => {
  expect(roc([1, 2], [true, true])).toMatchObject({ value: null, reason: /every case is true/ });
  expect(roc([1, 2], [false, false])).toMatchObject({ value: null, reason: /no case is true/ });
  expect(ndcg([0, 0], [1, 2])).toMatchObject({ value: null, reason: /nothing is relevant/ });
  expect(exactShare(0, 0)).toEqual({ value: null, reason: 'there is nothing to count' });
  expect(() => ndcg([-1], [1])).toThrow(RangeError);
  expect(() => roc([Number.NaN, 1], [true, false])).toThrow(RangeError);
});
