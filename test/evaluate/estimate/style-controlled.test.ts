/** Win rates of texts alike in style: declared ones come back from judges that length and place sway. */
import { expect, test } from 'vitest';
import { controlStyle } from '../../../src/evaluate/estimate/length-controlled.ts';
import { groupJudgments, type PastJudgment } from '../../../src/evaluate/index.ts';
import { createSeededDraw } from '../../../src/stats/seeded-draw.ts';

const MERIT = 0.3;
const PER_DEVIATION = 0.9;
const PLACE = 0.5;

/** A's answers are longer than B's, and the judge likes length and the first place; each pair is judged in both orders. */
function simulate(seed: number, items: number): PastJudgment[] {
  const draw = createSeededDraw(seed);
  const uniform = () => (draw(2 ** 30) + 0.5) / 2 ** 30;
  const pairs = Array.from({ length: items }, () => {
    const length = [Math.round(200 + 400 * uniform()), Math.round(100 + 400 * uniform())] as const;
    return { length, difference: (length[0] - length[1]) / (length[0] + length[1]) };
  });
  const middle = pairs.reduce((sum, { difference }) => sum + difference, 0) / items;
  const scale = Math.sqrt(
    pairs.reduce((sum, { difference }) => sum + (difference - middle) ** 2, 0) / (items - 1),
  );
  return pairs.flatMap(({ length, difference }, n) =>
    (['given', 'swapped'] as const).map((order) => {
      const lead = MERIT + (PER_DEVIATION * difference) / scale + (order === 'given' ? PLACE : -PLACE);
      const won = uniform() < 1 / (1 + Math.exp(-lead));
      return { item: `q${n}`, judge: 'gpt', order, choice: won ? 0 : 1, covariates: { length: [...length] } };
    }),
  );
}

test('over 300 runs the intervals hold the declared rate, the length and the place in 95 of 100', () => {
  const truth = 100 / (1 + Math.exp(-MERIT));
  const held = { rate: 0, length: 0, place: 0 };
  let flattered = 0;
  for (let run = 0; run < 300; run++) {
    const [found] = controlStyle(groupJudgments(simulate(run, 400)), { covariates: ['length'] });
    const { controlled, weights, win_rate } = found ?? {};
    const within = (one: { low: number; high: number } | null | undefined, value: number) =>
      Number(one != null && one.low <= value && value <= one.high);
    held.rate += within(controlled, truth);
    held.length += within(weights?.length, PER_DEVIATION);
    held.place += within(weights?.place, PLACE);
    flattered += (win_rate ?? 0) - truth;
  }
  for (const count of Object.values(held)) {
    expect(count / 300).toBeGreaterThan(0.92);
    expect(count / 300).toBeLessThan(0.98);
  }
  // The judge's own rate is that of the longer texts.
  expect(flattered / 300).toBeGreaterThan(5);
});

test('without both orders there is no place; verdicts without the numbers are counted', () => {
  const given = simulate(1, 200).filter(({ order }) => order === 'given');
  const { covariates: _, ...bare } = given[0] ?? { item: 'q0', judge: 'gpt' };
  const [found] = controlStyle(groupJudgments([bare, ...given.slice(1)]), { covariates: ['length'] });
  expect(found).toMatchObject({ n: 199, left_out: 1, reason: null });
  expect(Object.keys(found?.weights ?? {})).toEqual(['length']);
});

test('the other option has the rest', () => {
  const judges = groupJudgments(simulate(2, 300));
  const [first] = controlStyle(judges, { covariates: ['length'] });
  const [second] = controlStyle(judges, { covariates: ['length'], option: 1 });
  expect((first?.controlled?.value ?? 0) + (second?.controlled?.value ?? 0)).toBeCloseTo(100, 6);
  expect(second?.weights.length?.value).toBeCloseTo(first?.weights.length?.value ?? 0, 6);
});

test('where nothing can be told the reason is said', () => {
  const same = simulate(3, 50).map((one) => ({ ...one, covariates: { length: [100, 100] } }));
  expect(controlStyle(groupJudgments(same), { covariates: ['length'] })).toMatchObject([
    { controlled: null, reason: 'the two texts never differ in length' },
  ]);
  expect(() => controlStyle(groupJudgments(same), { covariates: ['length', 'bold'] })).toThrow(
    /--controlled: .* there are length/,
  );
  const two = [...simulate(4, 50), { item: 'x', judge: 'other', choice: 0 as const }];
  expect(controlStyle(groupJudgments(two), { covariates: ['length'] })[1]).toMatchObject({
    ...{ judge: 'other', n: 0, win_rate: null, reason: 'no verdict on two texts has these numbers' },
  });
});
