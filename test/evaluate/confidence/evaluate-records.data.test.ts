/** Recorded judges against figures that were computed independently (the sets' `expected.json`). */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { RISKS, shuffleItems, splitMany } from '../../../bench/promises.ts';
import {
  calibrateConfidence,
  calibrationError,
  scoreItems,
} from '../../../src/evaluate/confidence/calibrate-confidence.ts';
import { evaluateRecords } from '../../../src/evaluate/confidence/evaluate-records.ts';
import { groupJudgments, type PastJudgment } from '../../../src/evaluate/confidence/past-judgment.ts';
import { applyCurve } from '../../../src/loop/index.ts';
import { hasSharedData, SHARED } from '../../shared-data.ts';
import { arenaRecords, autoJRecords, composoRecords } from './records.ts';

const expectedOf = (set: string) =>
  JSON.parse(readFileSync(fileURLToPath(new URL(`${set}/expected.json`, SHARED)), 'utf8'));
const evaluate = (records: readonly PastJudgment[]) => evaluateRecords(groupJudgments(records));

describe.skipIf(!hasSharedData)('recorded judges (skipped without the recorded verdicts)', () => {
  test('composo: accuracy with 1, 3 and 8 samples, and of the surest', () => {
    const expected = expectedOf('composo');
    const names = ['mini/base', 'full/base', 'full/criteria', 'haiku-4.5/base'];
    const { judges } = evaluate(composoRecords(names));
    for (const name of names) {
      for (const k of [1, 3, 8])
        expect(judges[name]?.samples[k]).toBeCloseTo(expected[`${name}/k${k}`].accuracy_ties_shared, 3);
      const { surest_80, surest_60, surest_40, n } = expected[`${name}/k8`];
      expect(judges[name]?.n).toBe(n);
      expect(1 - (judges[name]?.coverage['0.8'] ?? 0)).toBeCloseTo(surest_80, 3);
      expect(1 - (judges[name]?.coverage['0.6'] ?? 0)).toBeCloseTo(surest_60, 3);
      expect(1 - (judges[name]?.coverage['0.4'] ?? 0)).toBeCloseTo(surest_40, 3);
    }
  });

  test('composo: with three samples, the least sure 30 % to the larger judge', () => {
    const three = composoRecords(['mini/base', 'full/base']).filter(({ sample = 0 }) => sample < 3);
    const point = evaluate(three).cascades['mini/base>full/base']?.find(({ share }) => share === 0.3);
    expect(point?.accuracy).toBeCloseTo(0.823, 2);
  });

  test('arena500: three judges with probabilities, their cascades and their vote', () => {
    const expected = expectedOf('arena500');
    const { judges, cascades, panel } = evaluate(arenaRecords());
    for (const name of ['gpt-4-turbo', 'gpt-3.5-turbo', 'mistral-7b-instruct']) {
      expect(judges[name]?.accuracy).toBeCloseTo(expected[name].accuracy, 4);
      expect(judges[name]?.interval).toMatchObject({
        low: expect.closeTo(expected[name].ci95[0], 3),
        high: expect.closeTo(expected[name].ci95[1], 3),
      });
      for (const share of [80, 60, 40])
        expect(1 - (judges[name]?.coverage[String(share / 100)] ?? 0)).toBeCloseTo(
          expected[name][`surest_${share}`],
          4,
        );
    }
    for (const first of ['gpt-3.5-turbo', 'mistral-7b-instruct'])
      for (const share of [20, 30, 40, 50]) {
        const point = cascades[`${first}>gpt-4-turbo`]?.find((one) => one.share === share / 100);
        expect(point?.accuracy).toBeCloseTo(
          expected[`escalate ${first}->gpt-4-turbo`][`least_sure_${share}`],
          4,
        );
      }
    expect(panel?.accuracy).toBeCloseTo(expected.majority_of_three, 4);
    expect(panel?.bestJudge.name).toBe('gpt-4-turbo');
    expect(panel?.effectiveJudges).toBeLessThan(2);
  });

  test('auto-j: how often both orders agree, and how right it is where they do', () => {
    const expected = expectedOf('auto-j');
    const records = autoJRecords();
    const { judges } = evaluate(records);
    expect(judges['auto-j']?.agreement).toBeCloseTo(expected.orders_agree, 4);
    const given = evaluate(records.filter(({ order }) => order === 'given'));
    expect(given.judges['auto-j']?.accuracy).toBeCloseTo(expected.accuracy, 4);
    const agreeing = scoreItems(groupJudgments(records).get('auto-j') ?? []).filter(
      ({ confidence }) => confidence === 1,
    );
    const right = agreeing.reduce((sum, { credit }) => sum + credit, 0);
    expect(right / agreeing.length).toBeCloseTo(expected.accuracy_where_they_agree, 4);
  });

  const sets: readonly [string, string, () => readonly PastJudgment[]][] = [
    ['composo', 'full/base', () => composoRecords(['full/base'])],
    [
      'composo, one sample',
      'mini/base',
      () => composoRecords(['mini/base']).filter(({ sample }) => sample === 0),
    ],
    ['arena500', 'gpt-4-turbo', arenaRecords],
  ];

  test.each(sets)(
    '%s: of 1,000 splits the promised risk is exceeded in no more than was said',
    (_, judge, read) => {
      const items = scoreItems(groupJudgments(read()).get(judge) ?? []);
      for (const [n, { broken }] of splitMany(items, RISKS, 0.9, 1000).entries())
        expect(broken, `risk ${RISKS[n]}`).toBeLessThanOrEqual(0.1 + 0.02);
    },
  );

  test('composo: a confidence calibrated on 200 labels is off by less than five points on the rest', () => {
    const items = scoreItems(groupJudgments(composoRecords(['full/base'])).get('full/base') ?? []);
    const errors = Array.from({ length: 20 }, (__, seed) => {
      const order = shuffleItems(items, seed);
      const learned = calibrateConfidence(order.slice(0, 200), seed);
      if (typeof learned === 'string') throw new Error(learned);
      const rest = order.slice(200).map(({ confidence, credit }) => ({
        probability: applyCurve(learned.curve, confidence),
        credit,
      }));
      return calibrationError(rest);
    });
    expect(errors.reduce((sum, one) => sum + one, 0) / errors.length).toBeLessThan(0.05);
  });
});
