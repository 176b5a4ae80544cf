/** Report cards of judges with declared faults: each is found, none is invented. `npm run bench:card` has more runs. */
import { expect, test } from 'vitest';
import { type AskedVariant, applyLimits, CHECKS, measureCards } from '../../../src/evaluate/index.ts';
import { createFaultyJudge, FAULTS, listBeyond, makeCases, readCard } from './cases.ts';

/** Consequences of a fault, which a card may or may not show with so few cases. */
const FOLLOWS: Readonly<Record<string, readonly string[]>> = {
  'for the first place': ['accuracy', 'confidence'],
};

// Each with a drawing of cases of its own.
test.each(FAULTS.map((fault, n) => ({ ...fault, seed: n + 1 })))('a judge $name', async (fault) => {
  const { name, weights, beyond, seed } = fault;
  const found = listBeyond(await readCard(createFaultyJudge(name, weights), makeCases(seed, 30)));
  const may = FOLLOWS[name] ?? [];
  expect(found).toEqual(expect.arrayContaining(beyond.filter((one) => !may.includes(one))));
  expect(found.filter((one) => ![...beyond, ...may].includes(one))).toEqual([]);
});

test('a judge for the last place is swayed by the place as one for the first is', async () => {
  const found = listBeyond(
    await readCard(createFaultyJudge('for the last place', { position: -3 }), makeCases(3, 30)),
  );
  expect(found).toEqual(expect.arrayContaining(['orders', 'position']));
});

test('a fair judge has nothing beyond its limits, and what could not be measured says why', async () => {
  const card = await readCard(createFaultyJudge('fair', {}), makeCases(9, 60));
  expect(listBeyond(card)).toEqual([]);
  expect(card.kappa).toBeCloseTo(1, 9);
  expect(card.kappa_interval).toMatchObject({ low: expect.closeTo(0.874, 3), high: 1 });
  const state = new Map(card.checks.map(({ name, ...one }) => [name, one]));
  expect(state.get('orders')).toMatchObject({ n: 60, value: 0, state: 'within' });
  expect(state.get('sentiment')).toMatchObject({
    value: null,
    state: 'not measured',
    reason: expect.any(String),
  });
});

const reply = (item: string, variant: AskedVariant['variant'], right: boolean | null, more: object = {}) => ({
  ...{
    item,
    place: Number(item.slice(1)),
    judge: 'j',
    variant,
    index: 0,
    right,
    option: right === null ? null : Number(right),
  },
  ...{ score: null, unread: right === null ? 'refused' : null, tokens: null, ms: null, text: '' },
  ...more,
});

test('figures are those of the replies', () => {
  const items = Array.from({ length: 40 }, (_, n) => `q${n}`);
  const variants = items.flatMap((item, n) => [
    reply(item, 'first', n < 30),
    reply(item, 'repeat', n < 30 !== n < 4, { index: 1 }),
    reply(item, 'turned', n < 2 ? null : n < 30 !== n < 12),
    ...[0, 1].map((index) =>
      reply(item, 'rating', null, { index, score: index === 0 ? 0.8 : 0.2, unread: null }),
    ),
    ...[0, 1].map((index) =>
      reply(item, 'fine-rating', null, { index, score: (index === 0) === n < 36 ? 0.7 : 0.6, unread: null }),
    ),
    reply(item, 'suggested-high', null, { score: 6 / 9, unread: null }),
    reply(item, 'suggested-low', null, { score: 3 / 9, unread: null }),
  ]);
  const [card] = measureCards({ variants, biases: [] }, CHECKS);
  const figure = (name: string) => card?.checks.find((one) => one.name === name);
  expect(figure('accuracy')).toMatchObject({ n: 40, value: 0.75, state: 'unclear' });
  expect(figure('repeats')).toMatchObject({ n: 40, value: 0.1, state: 'unclear' });
  expect(figure('orders')).toMatchObject({ n: 38, value: 10 / 38, state: 'beyond' });
  expect(figure('unread')).toMatchObject({ value: 2 / 360 });
  expect(figure('scale')).toMatchObject({ n: 40, value: 0.1 });
  expect(figure('suggested-score')?.value).toBeCloseTo(0.5, 9);
  expect(figure('labels')).toMatchObject({ value: null, state: 'not measured' });
  expect(card?.settings).toEqual({});
});

test('replies are compared with those to the same case, where an item has several', () => {
  const variants = Array.from({ length: 40 }, (_, place) =>
    (['first', 'repeat', 'turned'] as const).map((variant) =>
      reply(`q${place % 10}`, variant, place < 20, { place }),
    ),
  ).flat();
  const [card] = measureCards({ variants, biases: [] }, CHECKS);
  const figure = (name: string) => card?.checks.find((one) => one.name === name);
  expect(figure('accuracy')).toMatchObject({ n: 40, value: 0.5 });
  expect(figure('repeats')).toMatchObject({ n: 40, value: 0 });
  expect(figure('orders')).toMatchObject({ n: 40, value: 0 });
  expect(figure('confidence')).toMatchObject({ n: 40, value: 0.5 });
});

test('a case that is always refused is one refusal, however often it was asked', () => {
  const variants = Array.from({ length: 60 }, (_, n) =>
    Array.from({ length: 8 }, (__, index) => reply(`q${n}`, 'repeat', n < 2 ? null : true, { index })),
  ).flat();
  const biases = Array.from({ length: 60 }, (_, n) => ({
    ...{ judge: 'j', bias: 'bandwagon', base: `q${n}`, id: `q${n}-bandwagon`, error: null },
    ...(n < 2
      ? { clean: null, biased: null, moved: null, toward: null }
      : { clean: true, biased: true, moved: false, toward: 0 }),
  }));
  const [card] = measureCards({ variants, biases }, CHECKS);
  // Wilson's interval of 2 of 60 ends at 11.4 %; that of 18 of 540 would end at 5.2 %.
  expect(card?.checks.find(({ name }) => name === 'unread')).toMatchObject({
    ...{ n: 540, state: 'unclear' },
    value: expect.closeTo(1 / 30, 9),
    interval: { low: expect.closeTo(0.009, 3), high: expect.closeTo(0.117, 3) },
  });
});

test('of three options and more the share that agrees is that of the one that most replies name', () => {
  const variants = Array.from({ length: 40 }, (_, n) => `q${n}`).flatMap((item) =>
    // Two of four name an option that is right, the others one each.
    ([2, 2, 0, 1] as const).map((option, index) =>
      reply(item, index === 0 ? 'first' : 'repeat', option === 2, { index, option }),
    ),
  );
  const [card] = measureCards({ variants, biases: [] }, CHECKS);
  expect(card?.checks.find(({ name }) => name === 'confidence')).toMatchObject({ n: 40, value: 0.5 });
  const wrong = variants.map((one) => ({ ...one, right: one.option === 0 }));
  const [other] = measureCards({ variants: wrong, biases: [] }, CHECKS);
  expect(other?.checks.find(({ name }) => name === 'confidence')).toMatchObject({ n: 40, value: 0.5 });
});

test('limits are given by the names of checks', () => {
  expect(applyLimits({ repeats: 0.2 }).find(({ name }) => name === 'repeats')?.limit).toBe(0.2);
  expect(() => applyLimits({ repeat: 0.2 })).toThrow(/repeat: is no check; there are accuracy/);
  expect(() => applyLimits({ repeats: 20 })).toThrow(/repeats: must be a limit from 0 to 1/);
});
