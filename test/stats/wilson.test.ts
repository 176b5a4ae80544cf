/** Wilson's interval, against scipy 1.17.1: `binomtest(k, n).proportion_ci(c, method='wilson')`. */
import { expect, it, test } from 'vitest';
import type { Interval } from '../../src/stats/figure.ts';
import { wilson } from '../../src/stats/share-interval.ts';

test.each([
  [0, 10, 0.95, 0.0, 0.2775327999],
  [0, 10, 0.99, 0.0, 0.3988540933],
  [10, 100, 0.95, 0.0552291371, 0.1743656615],
  [10, 100, 0.99, 0.0460258117, 0.2037507385],
  [1, 3, 0.95, 0.0614919447, 0.7923403992],
  [1, 3, 0.99, 0.0404266293, 0.855783985],
  [50, 50, 0.95, 0.9286524009, 1.0],
  [50, 50, 0.99, 0.8828479083, 1.0],
  [27, 58, 0.95, 0.3433202233, 0.5919982496],
  [27, 58, 0.99, 0.3092024926, 0.6289114333],
  [313, 1000, 0.95, 0.285020939, 0.3424102687],
  [313, 1000, 0.99, 0.2765652682, 0.3518998275],
])('%i of %i at %f', (count, of, confidence, low, high) => {
  const interval = wilson(count, of, confidence) as Interval;
  expect(interval.low).toBeCloseTo(low, 9);
  expect(interval.high).toBeCloseTo(high, 9);
});

it('has none of nothing, and refuses what is no count', () => {
  expect(wilson(0, 0)).toEqual({ value: null, reason: 'there is nothing to count' });
  expect(() => wilson(3, 2)).toThrow(RangeError);
  expect(() => wilson(0.5, 2)).toThrow(RangeError);
  expect(() => wilson(3, 10, 95)).toThrow('confidence must be between 0 and 1');
});
