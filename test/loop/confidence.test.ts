import { expect, test } from 'vitest';
import type { Verdict } from '../../src/case/index.ts';
import { measureConfidence } from '../../src/loop/confidence.ts';
import { applyCurve, createTrust } from '../../src/loop/trust.ts';

const choice = (option: number, probability?: number): Verdict => ({
  kind: 'choice',
  option,
  text: String(option),
  ...(probability !== undefined && { probability }),
});
const from = (kind: 'other-order' | 'cue-undone' | 'earlier', verdict: Verdict) => ({ from: kind, verdict });

test('one verdict without a probability tells nothing', () => {
  expect(measureConfidence(choice(0), [])).toBeNull();
  expect(measureConfidence({ kind: 'score', score: 4, text: '4' }, [])).toBeNull();
  expect(
    measureConfidence({ kind: 'none', reason: 'no-label', text: '' }, [from('cue-undone', choice(0))]),
  ).toBeNull();
});

test.each([
  ['orders that agree', choice(0), [from('other-order', choice(0))], 1],
  ['orders that do not', choice(0), [from('other-order', choice(1))], 0.5],
  ['probabilities of both orders', choice(0, 0.9), [from('other-order', choice(1, 0.6))], 0.65],
  [
    'a verdict that was sent back',
    choice(1),
    [from('earlier', choice(0)), from('other-order', choice(1))],
    2 / 3,
  ],
  [
    'a final verdict that few share',
    choice(1),
    [from('earlier', choice(0)), from('cue-undone', choice(0))],
    1 / 3,
  ],
  [
    'categories, compared as wholes',
    { kind: 'category', category: 'a', text: 'a' } as const,
    [
      from('cue-undone', { kind: 'category', category: 'a', text: 'a' }),
      from('cue-undone', { kind: 'category', category: 'b', text: 'b' }),
    ],
    2 / 3,
  ],
  ['the lead of the best score', { kind: 'scores', scores: [8, 5], text: '' } as const, [], 3],
])('%s', (_, final, others, score) => {
  const measured = measureConfidence(final, others);
  expect(measured?.score).toBeCloseTo(score, 9);
  expect(measured?.grounds).toHaveLength(others.length + 1);
  expect(measured?.grounds[0]).toMatchObject({ from: 'verdict', agrees: true });
});

test('a curve makes a probability, and a threshold says what is unsure', () => {
  const file = {
    judges: {
      known: {
        calibration: {
          curve: {
            method: 'isotonic' as const,
            knots: [
              [0.5, 0.6],
              [1, 0.9],
            ] as const,
          },
        },
        promise: { kept: { threshold: 0.75 } },
      },
      bare: { calibration: null },
    },
  };
  const told = (score: number) => ({ score, probability: null, grounds: [] });
  const trust = createTrust(file, 'known', { abstention: 'flag' });
  expect(trust.probabilityOf(0.75)).toBeCloseTo(0.75, 9);
  expect(trust.probabilityOf(0)).toBe(0.6);
  expect(trust.probabilityOf(2)).toBe(0.9);
  expect([0.7, 0.75].map((score) => trust.isUnsure(told(score)))).toEqual([true, false]);
  // By hand it is the confidence as it is told.
  const byHand = createTrust(file, 'known', { abstention: 'flag', below: 0.8 });
  expect([0.8, 0.9].map((score) => byHand.isUnsure(told(score)))).toEqual([true, false]);
  expect(createTrust(file, 'known', {}).isUnsure(told(0))).toBe(false);
  expect(createTrust(file, 'bare', { abstention: 'tie' }).isUnsure(told(0))).toBe(false);
  expect(createTrust(file, '__proto__', { abstention: 'tie' }).probabilityOf(1)).toBeNull();
  expect(applyCurve({ method: 'logistic-of-log-odds', intercept: 0, slope: 1 }, 0.8)).toBeCloseTo(0.8, 9);
});

test('what an operator sets is compared with the confidence as it is told, in hundredths', () => {
  const trust = createTrust(undefined, 'any', { abstention: 'flag', below: 0.67 });
  expect(trust.isUnsure({ score: 2 / 3, probability: null, grounds: [] })).toBe(false);
  expect(trust.isUnsure({ score: 0.66, probability: null, grounds: [] })).toBe(true);
});

test('scores that lead to another option together are no lead of the verdict that goes out', () => {
  const scores = (...each: number[]): Verdict => ({ kind: 'scores', scores: each, text: each.join(' ') });
  const told = (final: Verdict, other: Verdict) =>
    measureConfidence(final, [from('other-order', other)])?.score;
  expect(told(scores(8, 7), scores(8, 7))).toBe(1);
  expect(told(scores(8, 7), scores(3, 9))).toBe(0);
  expect(told(scores(8, 8), scores(3, 9))).toBe(0);
  expect(told(scores(8, 3), scores(7, 8))).toBe(2);
});
