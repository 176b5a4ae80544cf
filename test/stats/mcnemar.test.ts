import { describe, expect, it } from 'vitest';
import { mcnemarExact } from '../../src/stats/paired-difference.ts';

// scipy 1.x: binomtest(min(gained, lost), gained + lost, 0.5).pvalue
const SCIPY: readonly (readonly [number, number, number])[] = [
  [13, 1, 0.0018310546875],
  [1, 13, 0.0018310546875],
  [39, 60, 0.043875293587015265],
  [60, 64, 0.7877465824023323],
  [31, 5, 1.2913485988974571e-5],
  [100, 138, 0.01628891977394727],
  [5, 5, 1],
  [0, 1, 1],
  [0, 10, 0.001953125],
  [250, 300, 0.036578745549102676],
  [1000, 1200, 2.1817026407914194e-5],
];

describe('exact McNemar', () => {
  it.each(SCIPY)('%d gained, %d lost', (gained, lost, p) => {
    expect(mcnemarExact(gained, lost) / p).toBeCloseTo(1, 11);
  });

  it('gives figures without a rounding error for few pairs', () => {
    expect(mcnemarExact(8, 0)).toBe(0.0078125);
    expect(mcnemarExact(13, 1)).toBe(0.0018310546875);
    expect(mcnemarExact(0, 10)).toBe(0.001953125);
  });

  it('finds nothing where nothing changed', () => expect(mcnemarExact(0, 0)).toBe(1));

  it.each([-1, 0.5, Number.NaN])('refuses %d as a count', (count) => {
    expect(() => mcnemarExact(count, 1)).toThrow(RangeError);
  });
});
