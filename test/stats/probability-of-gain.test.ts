/** The posterior against scipy 1.17.1: `beta.sf(.5, gained + 1, lost + 1)`, then with .5 for 1. */
import { expect, it, test } from 'vitest';
import { probabilityOfGain } from '../../src/stats/paired-difference.ts';

test.each([
  [0, 0, 0.5, 0.5],
  [1, 0, 0.75, 0.8183098861837906],
  [3, 1, 0.8125, 0.8395305452627101],
  [31, 5, 0.9999962862348184, 0.9999974242018727],
  [100, 138, 0.00690103432329572, 0.006801446446305126],
  [5, 9, 0.15087890625, 0.14245240811495774],
  [1000, 950, 0.8711828659858224, 0.8712438709436626],
  [0, 12, 0.0001220703125, 3.7271074814453944e-5],
])('%d gained, %d lost', (gained, lost, uniform, jeffreys) => {
  expect(probabilityOfGain(gained, lost) / uniform).toBeCloseTo(1, 9);
  expect(probabilityOfGain(gained, lost, 'jeffreys') / jeffreys).toBeCloseTo(1, 9);
  expect(probabilityOfGain(gained, lost) + probabilityOfGain(lost, gained)).toBeCloseTo(1, 12);
});

it('refuses what is no count', () => expect(() => probabilityOfGain(1, -1)).toThrow(RangeError));
