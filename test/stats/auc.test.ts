/** Areas against scikit-learn 1.9.1: `roc_auc_score(truths, ratings)`. */
import { expect, it, test } from 'vitest';
import { auc } from '../../src/stats/predictions.ts';

const truths = (text: string) => [...text].map((label) => label === '1');
const ratings = (text: string) => [...text].map(Number);

test.each([
  ['1011001010', '5432211354', 0.58],
  ['0001', '1234', 1],
  ['10010110', '33333333', 0.5],
  ['111000101', '123456789', 0.35],
])('truths %s rated %s', (labels, rated, area) => {
  expect(auc(ratings(rated), truths(labels)).value).toBeCloseTo(area, 12);
});

it('says which kind is missing', () => {
  expect(auc([1, 2], [false, false])).toMatchObject({ value: null, reason: /no case is true/ });
  expect(auc([1, 2], [true, true])).toMatchObject({ value: null, reason: /every case is true/ });
  expect(() => auc([1], [])).toThrow(RangeError);
});
