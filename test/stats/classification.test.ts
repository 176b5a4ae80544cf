import { describe, expect, test } from 'vitest';
import { classification } from '../../src/stats/predictions.ts';

const outcomes = (truth: string, predicted: string) =>
  [...truth].map((label, i) => ({ truth: label === '1', predicted: predicted[i] === '1' }));

/**
 * scikit-learn 1.9.1: accuracy_score, precision_score, recall_score and f1_score of the two strings read as
 * lists of 0 and 1, which were drawn with random.seed(7).
 */
const SKLEARN: [truth: string, predicted: string, figures: [number, number, number, number]][] = [
  ['11010110111110110001', '01011110111111110111', [0.75, 0.75, 0.9230769230769231, 0.8275862068965517]],
  [
    '00000000000100101000000000000010000000101110100010',
    '00001010011110111010000001000011101111111111100111',
    [0.64, 0.35714285714285715, 1, 0.5263157894736842],
  ],
];

describe('classification', () => {
  test.each(SKLEARN)(
    'agrees with scikit-learn on %s',
    (truth, predicted, [accuracy, precision, recall, f1]) => {
      const got = classification(outcomes(truth, predicted));
      expect(got.n).toBe(truth.length);
      expect(got.accuracy).toBeCloseTo(accuracy, 14);
      expect(got.precision).toBeCloseTo(precision, 14);
      expect(got.recall).toBeCloseTo(recall, 14);
      expect(got.f1).toBeCloseTo(f1, 14);
    },
  );

  // scikit-learn 1.9.1 with zero_division=nan, nan written as null; where none is true, it calls precision and F1 0.
  const nothing = 'no outcome is true, so there is nothing to find';
  const none = { precision: null, recall: null, f1: null };
  const noneTrue = { precision: nothing, recall: nothing, f1: nothing };
  test.each([
    ['000', '000', { accuracy: 1, ...none, reasons: noneTrue }],
    ['00', '11', { accuracy: 0, ...none, reasons: noneTrue }],
    ['110', '000', { precision: null, recall: 0, f1: 0, reasons: { precision: 'none was predicted true' } }],
    ['11', '11', { precision: 1, recall: 1, f1: 1, reasons: {} }],
    ['', '', { n: 0, accuracy: null, ...none, reasons: { accuracy: 'no outcome', f1: 'no outcome' } }],
  ])('what is undefined is null, and says why: truth %j, predicted %j', (truth, predicted, figures) => {
    expect(classification(outcomes(truth, predicted))).toMatchObject(figures);
  });
});
