/** Effects of biases: what a judge was made to follow is found, what it was not is not, however often. */
import { expect, test } from 'vitest';
import { type BiasedVerdicts, measureBiasEffects } from '../../src/audit/bias-effects.ts';
import { createSeededDraw } from '../../src/stats/seeded-draw.ts';

const BIASES = ['bandwagon', 'authority', 'recency', 'identity', 'reflection', 'provenance'];

/** A judge that is right of 7 in 10, wavers in 1 of 20, and follows one bias in so many of 100. */
function simulate(seed: number, follows: number): BiasedVerdicts[] {
  const draw = createSeededDraw(seed);
  return Array.from({ length: 60 }, (_, item) => {
    const isGood = draw(100) < 70;
    const decide = () => (draw(20) === 0 ? !isGood : isGood);
    return BIASES.flatMap((bias) =>
      [false, true].map((twin): BiasedVerdicts => {
        const clean = decide();
        const biased = bias === 'bandwagon' && draw(100) < follows ? twin : decide();
        const toward = (Number(biased) - Number(clean)) * (twin ? 1 : -1);
        return { judge: 'j', bias, base: `${item}`, clean, biased, moved: clean !== biased, toward };
      }),
    );
  }).flat();
}

test('in 100 runs the one bias is found each time, and others no more often than declared', () => {
  let found = 0;
  let invented = 0;
  for (let seed = 0; seed < 100; seed++) {
    const sure = measureBiasEffects(simulate(seed, 40)).filter(({ p }) => p !== null && p <= 0.05);
    if (sure.some(({ bias }) => bias === 'bandwagon')) found++;
    if (sure.some(({ bias }) => bias !== 'bandwagon')) invented++;
  }
  expect(found).toBeGreaterThanOrEqual(99);
  expect(invented).toBeLessThanOrEqual(12);
  let alarms = 0;
  for (let seed = 0; seed < 200; seed++)
    if (measureBiasEffects(simulate(1000 + seed, 0)).some(({ p }) => p !== null && p <= 0.05)) alarms++;
  expect(alarms).toBeLessThanOrEqual(200 * 0.05 + 3.1 * Math.sqrt(200 * 0.05 * 0.95));
});

test('the largest effect first, by judge; what cannot be told has a reason', () => {
  const none = { clean: null, biased: null, moved: null, toward: null };
  const effects = measureBiasEffects([
    ...simulate(1, 80),
    { judge: 'j', bias: 'tone', base: '1', ...none },
    { judge: 'k', bias: 'tone', base: '1', clean: true, biased: true, moved: false, toward: 0 },
  ]);
  expect(effects[0]).toMatchObject({ judge: 'j', bias: 'bandwagon', n: 120, unread: 0 });
  expect(effects.find(({ judge, bias }) => judge === 'j' && bias === 'tone')).toMatchObject({
    ...{ n: 0, unread: 1, p: null, moved_interval: null },
    effect: { value: null, reason: 'no verdict could be read' },
  });
  expect(effects.at(-1)).toMatchObject({ judge: 'k', n: 1, p: null, effect: { value: null } });
});

test('rows of one item are no independent rows: said twice, a verdict that moved makes no interval narrower', () => {
  const rows = Array.from({ length: 30 }, (_, n): BiasedVerdicts => {
    const common = { judge: 'j', bias: 'position', base: `${n}`, clean: true };
    return { ...common, biased: n % 3 !== 0, moved: n % 3 === 0, toward: n % 3 === 0 ? 0.5 : 0 };
  });
  const [once] = measureBiasEffects(rows);
  const [twice] = measureBiasEffects(rows.flatMap((row) => [row, row]));
  expect(twice).toMatchObject({ n: 60, moved: 20 });
  const width = (one = once) => (one?.moved_interval?.high ?? 0) - (one?.moved_interval?.low ?? 0);
  expect(width(twice)).toBeGreaterThanOrEqual(width());
});

test('an order decides half of the verdicts at most, and so does the end of its interval', () => {
  const effects = ['position', 'bandwagon'].map((bias) => {
    const rows = [0.5, 0.5, 0].map((toward, base): BiasedVerdicts => {
      const verdicts = { clean: true, biased: false, moved: true };
      return { judge: 'j', bias, base: `${base}`, toward, ...verdicts };
    });
    return measureBiasEffects(rows)[0]?.effect;
  });
  // Student's interval of these three: .333 ± 4.303 × .167, cut where no effect can be.
  expect(effects).toMatchObject([{ interval: { high: 0.5 } }, { interval: { high: 1 } }]);
});

test('items that moved alike by a third leave open what so many could have missed', () => {
  const rows = ['a', 'b', 'c', 'd'].flatMap((base) =>
    [0.5, 0, 0].map((toward): BiasedVerdicts => {
      const verdicts = { clean: true, biased: false, moved: toward > 0 };
      return { judge: 'j', bias: 'bandwagon', base, toward, ...verdicts };
    }),
  );
  const effect = measureBiasEffects(rows)[0]?.effect;
  // Clopper and Pearson's limit for none of four is .6024.
  expect(effect).toMatchObject({
    value: expect.closeTo(1 / 6, 9),
    interval: { low: expect.closeTo(1 / 6 - 0.6024, 4), high: expect.closeTo(1 / 6 + 0.6024, 4) },
  });
});
