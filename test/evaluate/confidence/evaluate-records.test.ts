import { describe, expect, test } from 'vitest';
import type { VerdictDraw } from '../../../src/case/index.ts';
import {
  boundError,
  calibrateConfidence,
  calibrateRecords,
  calibrationError,
} from '../../../src/evaluate/confidence/calibrate-confidence.ts';
import { evaluateRecords } from '../../../src/evaluate/confidence/evaluate-records.ts';
import {
  groupJudgments,
  labelRecord,
  type PastJudgment,
  pastJudgment,
} from '../../../src/evaluate/confidence/past-judgment.ts';
import { areaUnderRisk, promiseRisk, riskAt } from '../../../src/evaluate/confidence/promise-risk.ts';
import { cascadeAt, describePanel, isDecided } from '../../../src/evaluate/confidence/several-judgments.ts';
import { combineDraws, creditOf } from '../../../src/loop/confidence.ts';
import { applyCurve } from '../../../src/loop/index.ts';
import { createSeededDraw } from '../../../src/stats/index.ts';
import { average } from '../../../src/stats/mean.ts';

const said = (more: Partial<PastJudgment>): PastJudgment => ({ item: 'i', judge: 'j', ...more });

describe('the verdict of several draws', () => {
  test.each([
    ['one choice', [said({ choice: 1 })], [1], 1],
    ['a majority', [0, 1, 0].map((choice) => said({ choice })), [0], 2 / 3],
    ['orders that disagree', [said({ choice: 0 }), said({ choice: 1, order: 'swapped' })], [0, 1], 0.5],
    [
      'both orders with probabilities',
      [said({ choice: 0, probability: 0.9 }), said({ choice: 1, order: 'swapped', probability: 0.6 })],
      [0],
      0.65,
    ],
    ['scores, by the lead of the mean', [said({ scores: [4, 3] }), said({ scores: [5, 3] })], [0], 1.5],
    ['scores of which one is missing', [said({ scores: [4, null] }), said({ scores: [5, 3] })], [0], 1.5],
    ['one score, by how close the draws lie', [said({ score: 3 }), said({ score: 5 })], [4], 0.5],
    ['passing', [said({ pass: true }), said({ pass: true }), said({ pass: false })], [true], 2 / 3],
  ])('%s', (_, draws, best, confidence) => {
    expect(combineDraws(draws)).toMatchObject({ best, confidence: expect.closeTo(confidence, 9) });
  });

  test('none where no draw has one', () => {
    expect(combineDraws([said({})])).toBeNull();
    expect(combineDraws([said({ scores: [1, null] })])).toBeNull();
  });

  test('shares the credit between options that it leaves open', () => {
    const open = combineDraws([said({ scores: [4, 4, 1] })]);
    expect(open && creditOf(open, 0)).toBe(0.5);
    expect(open && creditOf(open, 2)).toBe(0);
    expect(open && creditOf(open, 'tie')).toBe(1);
  });

  // A judge that always takes the first place had been right wherever people saw a tie, and half right elsewhere.
  test.each<[string, VerdictDraw['choice'][], Record<string, number>]>([
    ['two orders that contradict each other', [0, 1], { 0: 0.5, 1: 0.5, tie: 0 }],
    ['a tie in one order', [0, 'tie'], { 0: 0.5, 1: 0, tie: 0.5 }],
    ['a tie in both', ['tie', 'tie'], { 0: 0, 1: 0, tie: 1 }],
  ])('is as right as its draws are on average: %s', (_, choices, credits) => {
    const verdict = combineDraws(choices.map((choice) => ({ choice })));
    const values = [0, 1, 'tie'] as const;
    expect(Object.fromEntries(values.map((value) => [value, verdict && creditOf(verdict, value)]))).toEqual(
      credits,
    );
  });
});

describe('records', () => {
  test('are refused where one has two verdicts or no item, and where a sample comes twice', () => {
    expect(pastJudgment.safeParse({ item: 'a', judge: 'j', choice: 0, score: 1 }).success).toBe(false);
    expect(pastJudgment.safeParse({ judge: 'j', choice: 0 }).success).toBe(false);
    expect(pastJudgment.safeParse({ item: 7, judge: 'j', choice: 0 })).toMatchObject({
      data: { item: '7' },
    });
    expect(() => groupJudgments([said({ choice: 0 }), said({ choice: 1 })])).toThrow(
      /two verdicts on item i/,
    );
    expect(() => groupJudgments([said({ label: 0 }), said({ judge: 'k', label: 1 })])).toThrow(
      /labelled 0 and 1/,
    );
  });

  test('take what most people say, and nothing where they are divided', () => {
    const label = (one: number, annotator: string) => ({ item: 'i', label: one, annotator });
    const labelOf = (labels: Parameters<typeof groupJudgments>[1]) =>
      groupJudgments([said({ choice: 0 })], labels).get('j')?.[0]?.label;
    expect(labelOf([label(1, 'a'), label(1, 'b'), label(0, 'c')])).toBe(1);
    expect(labelOf([label(1, 'a'), label(0, 'b')])).toBeNull();
  });

  test.each([
    ['a label beside it that was chosen', { label: 0, random: false }, {}, true],
    ['the item chosen, without a label', { random: false }, {}, false],
    ['a label in the file that was chosen', { label: 0, random: true }, { random: false }, false],
    ['neither told', {}, {}, true],
  ])('stand for all with a label of the file of labels: %s', (_, record, label, random) => {
    const labels = [labelRecord.parse({ item: 'i', label: 1, ...label })];
    const judges = groupJudgments([said({ choice: 0, ...record })], labels);
    expect(judges.get('j')).toMatchObject([{ label: 1, random }]);
  });

  test('without a verdict or a label are told, and not counted', () => {
    const records = [
      said({ choice: 0, label: 0 }),
      said({ item: 'b', label: 0 }),
      said({ item: 'c', choice: 1 }),
    ];
    expect(evaluateRecords(groupJudgments(records)).judges.j).toMatchObject({
      n: 1,
      unread: 1,
      unlabelled: 1,
    });
  });
});

test('the area under risk of a judge that is always right is 0, and no less by rounding', () => {
  for (let n = 1; n < 200; n++)
    expect(areaUnderRisk(Array.from({ length: n }, () => ({ confidence: 1, credit: 1 })))).toBe(0);
});

test('equally sure items stand for each other: which are in is chance, in whatever order they come', () => {
  const items = [
    { confidence: 1, credit: 1 },
    { confidence: 1, credit: 0 },
    { confidence: 1, credit: 1 },
    { confidence: 0.5, credit: 0 },
  ];
  for (const order of [items, items.toReversed()]) {
    expect(riskAt(order, 0.5)).toBeCloseTo(1 / 3, 12);
    expect(riskAt(order, 1)).toBe(0.5);
    expect(areaUnderRisk(order)).toBeCloseTo((3 * (1 / 3) + 0.5) / 4, 12);
  }
  expect(riskAt([], 1)).toBeNull();
});

test('a cascade sends on the least sure, and counts both calls', () => {
  const items = [
    { group: 'a', confidence: 0.9, first: 1, second: 0 },
    { group: 'b', confidence: 0.6, first: 0, second: 1 },
    { group: 'c', confidence: 0.7, first: 1, second: 1 },
    { group: 'd', confidence: 0.95, first: 1, second: 1 },
  ];
  expect(cascadeAt(items, 0.25)).toMatchObject({ share: 0.25, accuracy: 1, calls: 1.25 });
  expect(cascadeAt(items, 0, [8, 1])).toMatchObject({ share: 0, accuracy: 0.75, calls: 8 });
});

test('judges that err together are worth one, judges that err apart as many as they are', () => {
  const together = Array.from({ length: 100 }, (_, n) => ({
    group: `${n}`,
    vote: n % 4 ? 1 : 0,
    credits: n % 4 ? [1, 1] : [0, 0],
  }));
  expect(describePanel(['a', 'b'], together)).toMatchObject({ errorCorrelation: 1, effectiveJudges: 1 });
  const apart = Array.from({ length: 100 }, (_, n) => ({
    group: `${n}`,
    vote: 1,
    credits: [n % 2, n % 4 > 1 ? 1 : 0],
  }));
  expect(describePanel(['a', 'b'], apart)?.effectiveJudges).toBeCloseTo(2, 9);
});

test('drawing ends where the rest cannot change the verdict, and not before', () => {
  const votes = (...choices: number[]) => choices.map((choice, sample) => said({ choice, sample }));
  expect(isDecided(votes(0, 0, 0), 2, null)).toBe(true);
  expect(isDecided(votes(0, 0, 0), 3, null)).toBe(false);
  const scores = [said({ scores: [10, 1] })];
  expect(isDecided(scores, 1, [1, 10])).toBe(false);
  expect(isDecided([...scores, ...scores], 1, [1, 10])).toBe(true);
  expect(isDecided(scores, 1, null)).toBe(false);
});

describe('samples', () => {
  const samplesOf = (records: readonly PastJudgment[]) => {
    const { samples, samples_drawn } = evaluateRecords(groupJudgments(records)).judges.j ?? {};
    return [samples, samples_drawn];
  };
  const draws = (item: string, choices: readonly number[], more: Partial<PastJudgment> = {}, first = 0) =>
    choices.map((choice, n) => said({ item, choice, label: 0, sample: n + first, ...more }));

  test('may be numbered from 1, or with gaps', () => {
    const from = (first: number) => ['a', 'b'].flatMap((item) => draws(item, [1, 0, 0], {}, first));
    expect(samplesOf(from(1))).toEqual(samplesOf(from(0)));
    expect(samplesOf(from(0))).toEqual([
      { '1': 0, '2': 0.5, '3': 1 },
      { '1': 1, '2': 2, '3': 3 },
    ]);
  });

  test('that an item does not have were not drawn', () => {
    expect(samplesOf([...draws('a', [0]), ...draws('b', [1, 0, 0])])).toEqual([
      { '1': 0.5, '2': 0.75, '3': 1 },
      { '1': 1, '2': 1.5, '3': 2 },
    ]);
  });

  test('are not over while the other orders of the rest could still turn the verdict', () => {
    const both = (choices: readonly number[]) =>
      (['given', 'swapped'] as const).flatMap((order) => draws('a', choices, { order }));
    expect(samplesOf(both([0, 0, 1]))[1]).toMatchObject({ '3': 2 });
    expect(samplesOf(both([0, 1, 1]))[1]).toMatchObject({ '3': 3 });
  });
});

test('items of one group that go together make no interval narrower', () => {
  const records = Array.from({ length: 40 }, (_, n) =>
    said({ item: `q${n}`, choice: Number(n % 20 < 4), label: 0, group: `g${n % 20}` }),
  );
  const width = (of: readonly PastJudgment[]) => {
    const interval = evaluateRecords(groupJudgments(of)).judges.j?.interval;
    return interval && 'low' in interval ? interval.high - interval.low : 0;
  };
  expect(width(records)).toBeGreaterThanOrEqual(width(records.slice(0, 20)));
  const risk = (of: readonly PastJudgment[], share: string) => {
    const interval = evaluateRecords(groupJudgments(of)).judges.j?.coverage_interval[share];
    return interval ? interval.high - interval.low : 0;
  };
  expect(risk(records, '1')).toBeCloseTo(width(records), 12);
  expect(risk(records, '0.4')).toBeGreaterThan(width(records));
  expect(risk(records, '0.4')).toBeGreaterThanOrEqual(risk(records.slice(0, 20), '0.4'));
});

describe('a promise', () => {
  const draw = createSeededDraw(1);
  /** Right with the probability that the confidence says. */
  const items = Array.from({ length: 2000 }, () => {
    const confidence = 0.5 + draw(1000) / 2000;
    return { confidence, credit: draw(1000) / 1000 < confidence ? 1 : 0 };
  });

  test('is the lowest threshold whose error is below the risk for sure', () => {
    const { kept } = promiseRisk(items, 0.1, 0.95);
    // The mean of all above .8 is .9.
    expect(kept?.threshold).toBeGreaterThan(0.8);
    expect(kept?.threshold).toBeLessThan(0.9);
    const { kept: less } = promiseRisk(items, 0.2, 0.95);
    expect(less?.coverage).toBeGreaterThan(kept?.coverage ?? 1);
  });

  test('is kept where items come in groups that go together, and does not rest on a handful of them', () => {
    let broken = 0;
    const runs = 60;
    for (let seed = 0; seed < runs; seed++) {
      const next = createSeededDraw(seed);
      // Eleven in a hundred groups are wrong throughout: more than the promised tenth.
      const groups = Array.from({ length: 80 }, () => Number(next(100) < 11));
      const records = groups.flatMap((choice, g) =>
        Array.from({ length: 5 }, (_, n) => said({ item: `${g}-${n}`, choice, label: 0, group: `g${g}` })),
      );
      const target = { risk: 0.1, confidence: 0.95 };
      if (calibrateRecords(groupJudgments(records), target, 1).j?.promise?.kept) broken++;
    }
    expect(broken / runs).toBeLessThanOrEqual(0.05);
  });

  test('rests on what the proxy compared: items whose records tell no confidence are left out and counted', () => {
    const records = Array.from({ length: 120 }, (_, n) =>
      said({ item: `${n}`, choice: Number(n % 4 === 0), label: 0, ...(n % 4 && { confidence: 0.9 }) }),
    );
    const target = { risk: 0.2, confidence: 0.95 };
    const { j } = calibrateRecords(groupJudgments(records), target, 1);
    expect(j).toMatchObject({ labels: 90, unscored: 30, promise: { kept: { errors: 0, coverage: 1 } } });
  });

  test('is refused with the reason where labels are too few, or the judge too often wrong', () => {
    expect(promiseRisk(items.slice(0, 20), 0.1, 0.95).refused).toMatch(/20 labels are too few.*at least 42/);
    const wrong = items.map(({ confidence }, n) => ({ confidence, credit: n % 2 }));
    expect(promiseRisk(wrong, 0.1, 0.95).refused).toMatch(/no threshold keeps the risk below 10%/);
  });

  test('what is learned does not depend on the order of the records, and equal probabilities are one bin', () => {
    const right = Array.from({ length: 200 }, (_, n) => Number((n * 7) % 10 < 7));
    const records = right.map((label, n) =>
      said({ item: `${n}`, choice: 1, probability: n < 150 ? 0.9 : 0.8, label }),
    );
    const byLabel = records.toSorted((a, b) => Number(a.label) - Number(b.label));
    const [calibrated, sorted] = [records, byLabel].map(
      (some) => calibrateRecords(groupJudgments(some), { risk: 0.4, confidence: 0.9 }, 1).j,
    );
    expect(sorted).toEqual(calibrated);
    // Two probabilities for each of the five parts that were left out.
    expect(calibrated?.calibration?.reliability.length).toBeLessThanOrEqual(10);
    expect(
      calibrationError(byLabel.map(({ label }) => ({ probability: 0.9, credit: Number(label) }))),
    ).toBeCloseTo(0.9 - 0.7, 9);
  });

  test('a calibrated confidence says how often it is right', () => {
    const learned = calibrateConfidence(items, 1);
    if (typeof learned === 'string') throw new Error(learned);
    for (const confidence of [0.6, 0.75, 0.9])
      expect(Math.abs(applyCurve(learned.curve, confidence) - confidence)).toBeLessThan(0.06);
    expect(learned.brier).toBeLessThan(learned.brier_of_base_rate);
    expect(learned.reliability).toHaveLength(10);
    expect(calibrateConfidence(items.slice(0, 10), 1)).toMatch(/too few/);
    expect(
      calibrateConfidence(
        items.slice(0, 100).map((one) => ({ ...one, credit: 1 })),
        1,
      ),
    ).toMatch(/all 100/);
  });

  test.each([
    ['an exact one', (sure: number) => sure],
    ['one that no curve fits', (sure: number) => 0.7 + 0.2 * Math.sin(10 * sure)],
  ])('the interval of the calibration error holds that of the curve: %s', (_, rightAt) => {
    const draw = createSeededDraw(5);
    const uniform = () => draw(2 ** 30) / 2 ** 30;
    const sures = Array.from({ length: 500 }, (__, n) => 0.5 + (n + 0.5) / 1000);
    const held = Array.from({ length: 40 }, (__, seed) => {
      const learned = calibrateConfidence(
        Array.from({ length: 100 }, () => {
          const confidence = 0.5 + uniform() / 2;
          return { confidence, credit: Number(uniform() < rightAt(confidence)) };
        }),
        seed,
      );
      if (typeof learned === 'string' || !('low' in learned.ece_interval)) throw new Error('no interval');
      const { low, high } = learned.ece_interval;
      expect(learned.ece).toBeGreaterThanOrEqual(low);
      expect(learned.ece).toBeLessThanOrEqual(high);
      const error = average(sures.map((sure) => Math.abs(applyCurve(learned.curve, sure) - rightAt(sure))));
      return low <= error && error <= high;
    }).filter(Boolean);
    expect(held.length).toBeGreaterThanOrEqual(36);
  });

  test('what a perfect curve may show by chance is no error that is certain, and of groups it may show more', () => {
    const told = Array.from({ length: 40 }, (_, n) => ({
      ...{ probability: n < 20 ? 0.6 : 0.8, credit: Number(n % 20 < (n < 20 ? 14 : 13)) },
    }));
    // .1 and .15 off, with a standard error of .11 and .09 each.
    expect(boundError(told, calibrationError, 1)).toMatchObject({ low: 0 });
    const many = [...told, ...told, ...told];
    const alone = boundError(many, calibrationError, 1);
    expect('low' in alone && alone.low).toBeGreaterThan(0.02);
    const grouped = many.map((one, n) => ({ ...one, group: `${n % 40}` }));
    expect(boundError(grouped, calibrationError, 1)).toMatchObject({ low: 0 });
  });
});

test('a vote, a cascade and the risk of the surest have intervals, and two items of one group count once', () => {
  const items = Array.from({ length: 40 }, (_, n) => ({
    group: `${n}`,
    vote: n % 4 ? 1 : 0,
    credits: [n % 4 ? 1 : 0, n % 2],
  }));
  const alone = describePanel(['a', 'b'], items);
  // Wilson's interval of 30 of 40.
  expect(alone?.interval?.low).toBeCloseTo(0.5981, 3);
  expect(alone?.interval?.high).toBeCloseTo(0.8581, 3);
  expect(alone).toMatchObject({ bestJudge: { name: 'a' }, gain: { value: 0 } });
  const paired = describePanel(
    ['a', 'b'],
    items.flatMap((one) => [one, one]),
  );
  expect(paired?.interval?.low).toBeCloseTo(alone?.interval?.low ?? 0, 2);

  const sent = items.map(({ group, credits: [first = 0, second = 0] }, n) => ({
    group,
    first,
    second,
    confidence: n,
  }));
  expect(cascadeAt(sent, 0).interval).toEqual(alone?.interval);
  expect(cascadeAt([], 0).interval).toBeNull();
});
