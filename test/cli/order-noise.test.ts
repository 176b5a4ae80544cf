/** What a judge's own noise is worth, by verdicts in both orders, against judges whose noise is known. */
import { expect, test } from 'vitest';
import { estimateOrderNoise, type OrderPair } from '../../src/cli/look/order-noise.ts';
import { createSeededDraw } from '../../src/stats/seeded-draw.ts';

/** @returns what is seen of so many judgments, and how many of them differ anywhere */
function simulate(errs: number, byPlace: number, cued: number) {
  const draw = createSeededDraw(7);
  const chance = (share: number) => draw(1_000_000) < share * 1_000_000;
  let differing = 0;
  const pairs = Array.from({ length: 20_000 }, (): OrderPair => {
    const right = chance(0.5) ? 0 : 1;
    const place = chance(byPlace);
    const [given, swapped, ...undone] = [0, 1, 0, 1].map((first) => {
      const decided = place ? first : right;
      return chance(errs) ? 1 - decided : decided;
    });
    const hasCue = chance(cued);
    const same = given === swapped && (!hasCue || undone.every((one) => one === given));
    if (!same) differing++;
    const favours = given === swapped ? null : given === 0 ? 'first' : 'last';
    return { pipeline: 'one', favours, hasCue };
  });
  return { found: estimateOrderNoise(pairs), differing };
}

test.each([
  ['noise alone', 0.15, 0],
  ['noise alone, a cue in every other judgment', 0.15, 0.5],
  ['little noise', 0.02, 0.5],
])('%s: all that differs is put down to it', (_, errs, cued) => {
  const { found, differing } = simulate(errs, 0, cued);
  expect(found?.p).toBeGreaterThan(0.05);
  expect((found?.by_noise ?? 0) / differing).toBeGreaterThan(0.9);
  expect((found?.by_noise ?? 0) / differing).toBeLessThan(1.1);
});

test('a judge that goes by place and never errs has no noise', () => {
  const { found } = simulate(0, 0.3, 0);
  expect(found).toMatchObject({ last: 0, by_noise: 0 });
  expect(found?.p).toBeLessThan(0.0001);
});

test('of one that does both, the place is shown and not put down to noise', () => {
  const { found, differing } = simulate(0.05, 0.3, 0);
  expect(found?.p).toBeLessThan(0.0001);
  expect((found?.by_noise ?? 0) / differing).toBeLessThan(0.3);
});

test('opposite places in two pipelines are no noise', () => {
  const pairs = (['first', 'last'] as const).flatMap((favours) =>
    Array.from({ length: 30 }, () => ({ pipeline: favours, favours, hasCue: false })),
  );
  const found = estimateOrderNoise(pairs);
  expect(found).toMatchObject({ compared: 60, first: 30, last: 30, by_noise: 0, pipelines: 2 });
  expect(found?.p).toBeLessThan(0.0001);
});

test('nothing judged in both orders: nothing is said', () => {
  expect(estimateOrderNoise([])).toBeNull();
});
