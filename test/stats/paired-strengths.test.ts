/** Strengths with ties and places: declared ones come back, with intervals that hold them as often as they say. */
import { describe, expect, test } from 'vitest';
import { type PairVerdict, pairedStrengths } from '../../src/stats/paired-strengths.ts';
import { createSeededDraw } from '../../src/stats/seeded-draw.ts';

const DECLARED = [1.2, 0.7, 0.4, 0.1, -0.2, -0.5, -0.7, -1];
const PLACE = 0.4;
const NU = 0.5;

/** Each item is judged in both orders, by a judge that leans to the same side twice. */
function simulate(seed: number, items: number): PairVerdict[] {
  const draw = createSeededDraw(seed);
  const uniform = () => (draw(2 ** 30) + 0.5) / 2 ** 30;
  return Array.from({ length: items }, (_, n) => {
    const a = draw(DECLARED.length);
    const b = (a + 1 + draw(DECLARED.length - 1)) % DECLARED.length;
    const [first, second] = [`m${a}`, `m${b}`];
    const lead = (DECLARED[a] ?? 0) - (DECLARED[b] ?? 0) + PLACE;
    const [up, down] = [Math.exp(lead / 2), Math.exp(-lead / 2)];
    const at = uniform() * (up + down + NU);
    const better = at < up ? 'first' : at < up + down ? 'second' : 'tie';
    return { first, second, better, item: `q${n}` } as const;
  });
}

test('over 500 runs the intervals hold declared strengths and the place in 95 of 100', () => {
  let [held, all, place] = [0, 0, 0];
  for (let run = 0; run < 500; run++) {
    const found = pairedStrengths(simulate(run, 600));
    if (!('strengths' in found)) throw new Error(found.reason);
    for (const { name, interval } of found.strengths) {
      const declared = DECLARED[Number(name.slice(1))] ?? 0;
      all++;
      if (interval.low <= declared && declared <= interval.high) held++;
    }
    if (found.place && found.place.interval.low <= PLACE && PLACE <= found.place.interval.high) place++;
  }
  expect(all).toBe(4000);
  expect(held / all).toBeGreaterThan(0.94);
  expect(held / all).toBeLessThan(0.965);
  expect(place / 500).toBeGreaterThan(0.925);
  expect(place / 500).toBeLessThan(0.975);
});

test('the same verdict told ten times of an item makes nothing surer', () => {
  const once = simulate(1, 400);
  const often = once.flatMap((one) => Array.from({ length: 10 }, () => one));
  const [a, b] = [pairedStrengths(once), pairedStrengths(often)];
  if (!('strengths' in a) || !('strengths' in b)) throw new Error('no strengths');
  for (const [n, { value, standardError }] of a.strengths.entries()) {
    expect(b.strengths[n]?.value).toBeCloseTo(value, 6);
    expect(b.strengths[n]?.standardError).toBeCloseTo(standardError, 6);
  }
});

describe('against known figures', () => {
  test('two contestants without ties: the log odds, and their error', () => {
    const verdicts = Array.from(
      { length: 100 },
      (_, n): PairVerdict => ({ first: 'a', second: 'b', better: n < 70 ? 'first' : 'second', item: `${n}` }),
    );
    const found = pairedStrengths(verdicts, { place: false });
    if (!('strengths' in found)) throw new Error(found.reason);
    const [a, b] = found.strengths;
    expect((a?.value ?? 0) - (b?.value ?? 0)).toBeCloseTo(Math.log(70 / 30), 8);
  });

  test('a place that decides everything else being equal', () => {
    const verdicts = Array.from(
      { length: 200 },
      (_, n): PairVerdict => ({
        ...{ first: n % 2 ? 'a' : 'b', second: n % 2 ? 'b' : 'a', item: `${n}` },
        better: n % 10 < 8 ? 'first' : 'second',
      }),
    );
    const found = pairedStrengths(verdicts);
    if (!('strengths' in found)) throw new Error(found.reason);
    expect(found.place?.value).toBeCloseTo(Math.log(4), 6);
    expect(found.strengths[0]?.value).toBeCloseTo(0, 6);
  });
});

test('a place without an exception cancels out where each two met in both orders, and hinders a ranking where not', () => {
  const worth: Record<string, number> = { a: 2, b: 1, c: 0 };
  const verdicts = [
    ['a', 'b'],
    ['b', 'c'],
    ['a', 'c'],
    ['c', 'b'],
    ['c', 'a'],
    ['b', 'a'],
  ].map(([first = '', second = ''], n): PairVerdict => {
    const lead = (worth[first] ?? 0) - (worth[second] ?? 0) + 1.5;
    return { first, second, better: lead > 0 ? 'first' : 'second', item: `${n % 3}` };
  });
  const found = pairedStrengths(verdicts);
  if (!('strengths' in found)) throw new Error(found.reason);
  expect(found).toMatchObject({ place: null, placeCancels: true });
  expect(found.strengths.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  expect(pairedStrengths(verdicts.slice(0, 5))).toMatchObject({ value: null });
});

test('a judge that goes by the place alone, or one item, has no strengths that are sure to the last digit', () => {
  const items = (count: number, fair: number) =>
    Array.from({ length: count }, (_, n): PairVerdict[] => [
      { first: 'a', second: 'b', better: 'first', item: `${n}` },
      { first: 'b', second: 'a', better: n < fair ? 'second' : 'first', item: `${n}` },
    ]).flat();
  for (const count of [2, 30])
    expect(pairedStrengths(items(count, 0))).toMatchObject({
      value: null,
      reason: expect.stringContaining('place'),
    });
  expect(pairedStrengths(items(1, 0))).toMatchObject({
    value: null,
    reason: expect.stringContaining('one item'),
  });
  const found = pairedStrengths(items(30, 1));
  if (!('strengths' in found)) throw new Error(found.reason);
  expect(found.strengths[0]?.standardError).toBeGreaterThan(0.01);
});

test('who won all, or met nobody, has no strength, and is named', () => {
  const pair = (first: string, second: string, better: PairVerdict['better'], item: string): PairVerdict => ({
    first,
    second,
    better,
    item,
  });
  const mixed = [pair('a', 'b', 'first', '1'), pair('a', 'b', 'second', '2')];
  expect(pairedStrengths([...mixed, pair('c', 'a', 'first', '3')])).toMatchObject({
    value: null,
    reason: /for c:/,
  });
  expect(pairedStrengths([...mixed, pair('x', 'y', 'tie', '3')])).toMatchObject({ value: null });
  expect(pairedStrengths([])).toMatchObject({ value: null });
});
