/** How far a judge's probabilities must move before it is called sensitive, and how it is named. */
import { describe, expect, it } from 'vitest';
import type { Analysis, Evidence, Sensitivity, Verdict } from '../../src/case/types.ts';
import { listSensitivities, measureSensitivity } from '../../src/detect/noise.ts';

const choice = (probability: number, missing = 0, lead = ''): Verdict => ({
  ...{ kind: 'choice', option: 0, text: 'A' },
  ...{ probability, missing, lead },
});
const score = (mean: number, variance: number): Verdict => ({
  ...{ kind: 'score', score: 8, text: '8', lead: '' },
  spread: { mean, variance, missing: 0, low: mean, high: mean },
});

describe('how far is far', () => {
  /**
   * Judges whose logits are off by 1/8 from call to call, as independent normals, and which nothing moves: how often
   * each distribution is called sensitive, of 4000 pairs of calls.
   */
  function falseAlarms(values: readonly number[], shares: readonly number[]): number {
    let state = 7;
    const uniform = () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return (state + 0.5) / 2 ** 32;
    };
    const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
    const drawn = (): Verdict => {
      const weights = shares.map((share) => share * Math.exp(normal() / 8));
      const whole = weights.reduce((sum, one) => sum + one, 0);
      const of = (power: (value: number) => number) =>
        values.reduce((sum, value, at) => sum + (power(value) * (weights[at] ?? 0)) / whole, 0);
      const mean = of((value) => value);
      return score(
        mean,
        of((value) => (value - mean) ** 2),
      );
    };
    const runs = Array.from({ length: 4000 }, () => measureSensitivity(drawn(), drawn(), true)?.shown);
    return runs.filter(Boolean).length / runs.length;
  }

  it.each([
    ['two labels, evenly', [0, 1], [0.5, 0.5]],
    ['two labels, one of them likely', [0, 1], [0.05, 0.95]],
    ['one score likely', [6, 7, 8, 9], [0.05, 0.2, 0.7, 0.05]],
    ['scores far apart', [1, 10], [0.5, 0.5]],
  ])('a judge that only rounding moves is seldom called sensitive: %s', (_, values, shares) => {
    expect(falseAlarms(values, shares)).toBeLessThan(0.05);
  });

  it.each<[string, Verdict, Verdict, boolean]>([
    ['likelier by far', choice(0.9), choice(0.6), true],
    ['likelier by little', choice(0.9), choice(0.85), false],
    ['sure, and less so', choice(0.999), choice(0.9), true],
    ['less likely', choice(0.6), choice(0.9), false],
    ['likelier unless it is what is missing', choice(0.9, 0.2), choice(0.7, 0.1), false],
    ['an expectation that moved', score(8.4, 0.24), score(7.9, 0.3), true],
    ['an expectation that hardly moved', score(8, 0.3), score(7.9, 0.3), false],
  ])('%s', (_, before, after, shown) => {
    expect(measureSensitivity(before, after, false)?.shown).toBe(shown);
  });

  it('a place pushes away from what stands in the other one, too', () => {
    expect(measureSensitivity(choice(0.6), choice(0.9), true)).toMatchObject({
      shown: true,
      by: expect.closeTo(-0.3, 9),
    });
  });

  it('after other words there is no telling', () => {
    expect(measureSensitivity(choice(0.9, 0, 'Short. '), choice(0.5, 0, 'Long. '), false)).toMatchObject({
      by: expect.closeTo(0.4, 9),
      limit: null,
      shown: false,
    });
  });

  it('what is missing on a scale without an end leaves nothing to show', () => {
    const before = score(8, 0.1);
    const open: Verdict = {
      ...{ kind: 'score', score: 8, text: '8', lead: '' },
      spread: { mean: 3, variance: 0.1, missing: 0.01, low: 2.97, high: Number.POSITIVE_INFINITY },
    };
    expect(measureSensitivity(before, open, false)).toMatchObject({
      low: Number.NEGATIVE_INFINITY,
      shown: false,
    });
  });

  it.each<[string, Verdict]>([
    ['a choice without log-probabilities', { kind: 'choice', option: 0, text: 'A' }],
    ['a tie', { kind: 'tie', text: 'C' }],
    ['none', { kind: 'none', reason: 'empty', text: '' }],
  ])('%s says nothing', (_, verdict) => {
    expect(measureSensitivity(choice(0.9), verdict, false)).toBeNull();
    expect(measureSensitivity(verdict, choice(0.9), false)).toBeNull();
  });
});

describe('what it is sensitive to', () => {
  const evidence = (biases: readonly string[], shown: boolean): Evidence => {
    const sensitivity: Sensitivity = { by: 0.3, low: 0.3, high: 0.3, limit: 0.1, shown };
    return {
      ...{ biases, undone: '', before: choice(0.9), after: choice(0.6), changed: false },
      sensitivity,
    };
  };
  const analysis = (biases: readonly string[], ...all: Evidence[]): Analysis => ({
    ...{ biased: biases.length > 0, biases, reasoning: '', evidence: all },
  });

  it('is named once, together where it was undone together, and not where it was found biased', () => {
    const all = [
      analysis(['position'], evidence(['verbosity', 'bandwagon'], true), evidence(['recency'], false)),
      analysis([], evidence(['verbosity', 'bandwagon'], true), evidence(['position'], true)),
    ];
    expect(listSensitivities(all)).toEqual(['verbosity+bandwagon']);
  });
});
