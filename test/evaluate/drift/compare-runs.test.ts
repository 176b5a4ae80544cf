/** Runs of one judge that differ in how often it was asked, and a judge that errs more and shifts nothing. */
import { expect, test } from 'vitest';
import { compareRuns, groupJudgments } from '../../../src/evaluate/index.ts';
import { createSeededDraw } from '../../../src/stats/seeded-draw.ts';

const judged = (records: Parameters<typeof groupJudgments>[0]) => groupJudgments(records).get('j') ?? [];

test('one judge, asked five times in one run and once in the other, is one judge', () => {
  let alarms = 0;
  for (let seed = 0; seed < 40; seed++) {
    const draw = createSeededDraw(seed);
    const bell = () => Array.from({ length: 12 }, () => draw(1e6) / 1e6).reduce((sum, one) => sum + one, -6);
    const worth = Array.from({ length: 100 }, () => 6 + 1.5 * bell());
    const run = (times: number) =>
      judged(
        worth.flatMap((one, n) =>
          Array.from({ length: times }, (_, sample) => ({
            ...{ item: `q${n}`, judge: 'j', sample, label: Math.round(one) },
            score: Math.min(10, Math.max(1, Math.round(one + 1.2 * bell()))),
          })),
        ),
      );
    const { alarm, marks } = compareRuns(run(5), run(1), { marks: [8] });
    if (alarm) alarms++;
    // A mark is still what it was, give or take the noise of a hundred items.
    expect(Math.abs((marks[0]?.after ?? 0) - 8)).toBeLessThan(1);
  }
  expect(alarms).toBeLessThanOrEqual(5);
});

test('a judge that agrees less with the labels is another, though nothing shifted and it was asked once', () => {
  const run = (wrong: (n: number) => boolean) =>
    judged(
      Array.from({ length: 200 }, (_, n) => {
        const label = Math.floor(n / 2) % 2;
        return { item: `q${n}`, judge: 'j', choice: wrong(n) ? 1 - label : label, label };
      }),
    );
  const report = compareRuns(
    run(() => false),
    run((n) => n % 10 < 4),
  );
  expect(report.shift?.value).toBeCloseTo(0, 1);
  expect(report).toMatchObject({ alarm: true, fit: { measure: 'agreement', before: 1, after: 0.6 } });
  expect(report.tests.find(({ name }) => name === 'fit')?.adjusted).toBeLessThan(1e-6);
  expect(report.tests.find(({ name }) => name === 'shift')?.adjusted).toBeGreaterThan(0.05);
});

test('verdicts turned round are seen whether items have no group, one group, or three', () => {
  const run = (isTurned: boolean, groups: number | null) =>
    judged(
      Array.from({ length: 200 }, (_, n) => n).flatMap((n) =>
        [0, 1].map((sample) => ({
          ...{ item: `q${n}`, judge: 'j', sample, label: n % 2 === 1 },
          pass: (n % 2 === 1) !== (isTurned && n % 4 < 2),
          ...(groups !== null && { group: `g${n % groups}` }),
        })),
      ),
    );
  const [alone, ...grouped] = [null, 1, 3].map((groups) =>
    compareRuns(run(false, groups), run(true, groups)),
  );
  expect(alone).toMatchObject({
    alarm: true,
    tests: [{ name: 'shift' }, { name: 'flips' }, { name: 'fit' }],
  });
  for (const { alarm, tests, fit } of grouped) {
    expect({ alarm, tests, fit }).toEqual({ alarm: true, tests: alone?.tests, fit: alone?.fit });
  }
});

test('a test that cannot be made is named with its reason', () => {
  const run = () =>
    judged(
      Array.from({ length: 9 }, (_, n) => n).flatMap((n) =>
        [0, 1].map((sample) => ({ item: `q${n}`, judge: 'j', sample, score: n, label: n })),
      ),
    );
  const { notes } = compareRuns(run(), run());
  expect(notes).toEqual([
    'spread could not be tested: spreads are compared from 10 pairs on, not 9',
    'flips could not be tested: too few items were judged more than once',
    'fit could not be tested: 9 items with a label are too few: at least 10 are needed',
  ]);
});

test('what a sum of decimals leaves is no drift', () => {
  const run = (scores: readonly (readonly number[])[]) =>
    judged(
      scores.flatMap((own, n) => own.map((score, sample) => ({ item: `q${n}`, judge: 'j', sample, score }))),
    );
  const before = [0.1, 0.2, 0.3].map((score) => [score]);
  const moved = compareRuns(
    run(before),
    run(before.map(([score = 0]) => [Number((score + 0.1).toFixed(1))])),
  );
  expect(moved).toMatchObject({ alarm: false, tests: [{ name: 'shift', p: 0.25 }] });
  // Three equal shifts leave open what so many could have missed.
  expect(moved.shift?.low).toBeLessThan(0);
  // .1 + .2 + .3 is another sum than .3 + .2 + .1.
  const same = compareRuns(
    run(Array.from({ length: 12 }, () => [0.1, 0.2, 0.3])),
    run(Array.from({ length: 12 }, () => [0.3, 0.2, 0.1])),
  );
  expect(same).toMatchObject({ alarm: false, shift: { value: 0 } });
  expect(same.tests.find(({ name }) => name === 'shift')?.p).toBe(1);
});
