/** Wilson's interval of cases in groups, against statsmodels (share.py made the table), and how often it holds the truth. */
import { expect, it, test } from 'vitest';
import type { Interval } from '../../../src/stats/figure.ts';
import { createSeededDraw } from '../../../src/stats/seeded-draw.ts';
import { clusteredShare, wilson } from '../../../src/stats/share-interval.ts';

test.each([
  ['1100', 'aabb', 0.95, 0.0053561248, 0.9946438752],
  ['1100', 'aabb', 0.9, 0.0162853322, 0.9837146678],
  ['111100110000', 'aabbccddeeff', 0.95, 0.150012258, 0.849987742],
  ['111100110000', 'aabbccddeeff', 0.9, 0.1899944689, 0.8100055311],
  ['1110100110100100', 'aaaabbbbccccdddd', 0.95, 0.1500389892, 0.8499610108],
  ['1110100110100100', 'aaaabbbbccccdddd', 0.9, 0.1824001633, 0.8175998367],
  ['11111111110', 'aabbccddeef', 0.95, 0.5090809246, 0.9897364762],
  ['11111111110', 'aabbccddeef', 0.9, 0.5773819052, 0.9865221101],
  ['110010110100101101', 'aabbccddeeffgghhii', 0.95, 0.3043776752, 0.7812259058],
  ['110010110100101101', 'aabbccddeeffgghhii', 0.9, 0.3428868302, 0.7496493271],
  ['1h0h1100', 'aabbccdd', 0.95, 0.126113893, 0.873886107],
  ['1h0h1100', 'aabbccdd', 0.9, 0.1713151777, 0.8286848223],
  ['10110', 'abcde', 0.95, 0.2307242813, 0.8823792258],
  ['10110', 'abcde', 0.9, 0.2724831719, 0.857293528],
])('%s of groups %s at %f', (text, groups, confidence, low, high) => {
  const cases = [...text].map((one, n) => ({
    value: one === 'h' ? 0.5 : Number(one),
    group: groups[n] ?? '',
  }));
  const interval = clusteredShare(cases, confidence) as Interval;
  expect(interval.low).toBeCloseTo(low, 9);
  expect(interval.high).toBeCloseTo(high, 9);
});

const of = (values: readonly number[], size: number) =>
  values.map((value, n) => ({ value, group: String(Math.floor(n / size)) }));

it("is Wilson's where each case is a group, and where all are alike each group is a case", () => {
  expect(clusteredShare(of([1, 1, 1, 0, 0, 1, 0], 1))).toEqual(wilson(4, 7));
  expect(clusteredShare(of([1, 1, 1, 1, 1, 1], 2))).toEqual(wilson(3, 3));
  expect(clusteredShare(of([0, 0, 0, 0, 0, 0], 3))).toEqual(wilson(0, 2));
  expect(clusteredShare(of([1, 0, 1, 0], 4))).toEqual(clusteredShare([{ value: 0.5, group: 'a' }]));
});

it('has none of nothing, and refuses what is no share', () => {
  expect(clusteredShare([])).toEqual({ value: null, reason: 'there is nothing to count' });
  expect(() => clusteredShare([{ value: 1.1, group: 'a' }])).toThrow(RangeError);
  expect(() => clusteredShare([{ value: Number.NaN, group: 'a' }])).toThrow(RangeError);
});

test.each([0.05, 0.3, 0.5])(
  'a share of %f in 40 groups of 5 is held in 93 of 100 samples or more',
  (share) => {
    const draw = createSeededDraw(7);
    const happens = (chance: number) => draw(1e6) < chance * 1e6;
    let [held, plain] = [0, 0];
    for (let run = 0; run < 1000; run++) {
      // Four of five groups go together.
      const values = Array.from({ length: 40 }, () => {
        const whole = happens(share);
        const isAlike = happens(0.8);
        return Array.from({ length: 5 }, () => Number(isAlike ? whole : happens(share)));
      }).flat();
      const holds = (one: object) =>
        'low' in one && (one as Interval).low <= share && share <= (one as Interval).high;
      if (holds(clusteredShare(of(values, 5)))) held++;
      if (
        holds(
          wilson(
            values.reduce((sum, one) => sum + one, 0),
            values.length,
          ),
        )
      )
        plain++;
    }
    expect(held).toBeGreaterThan(930);
    expect(plain).toBeLessThan(800);
  },
);
