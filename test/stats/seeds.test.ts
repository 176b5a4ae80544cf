/** Seeds that follow one another, 0, 1, 2, …, are what people give: what they draw must be as unlike as any two draws. */
import { describe, expect, it, test } from 'vitest';
import { createSeededDraw, draw } from '../../src/stats/seeded-draw.ts';

const SEEDS = Array.from({ length: 10_000 }, (_, seed) => seed);
/** scipy 1.17.1, `chi2.ppf(.999, 99)`: what chance alone stays under in 999 of 1,000, with a hundred bins. */
const CHI_SQUARE = 148.2304;
/** Standard normal, two-sided .001: `norm.ppf(.9995)`; a correlation of n pairs of independent draws is 1 / √n wide. */
const Z = 3.2905;

function chiSquare(bins: readonly number[]): number {
  const counts = Array.from({ length: 100 }, () => 0);
  for (const bin of bins) counts[bin] = (counts[bin] ?? 0) + 1;
  const expected = bins.length / counts.length;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

function correlation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const off = values.map((value) => value - mean);
  const together = off.slice(1).reduce((sum, value, at) => sum + value * (off[at] ?? 0), 0);
  return together / off.reduce((sum, value) => sum + value * value, 0);
}

describe.each<[string, (seed: number) => number]>([
  ['the first number of a sequence', (seed) => createSeededDraw(seed)(2 ** 31) / 2 ** 31],
  ['what is drawn for an item', (seed) => draw(seed, 'arena/1')],
  ['what one seed draws for the items 0, 1, 2, …', (item) => draw(1, `${item}`)],
])('%s', (_, drawn) => {
  const values = SEEDS.map(drawn);

  it('is as likely to be any', () => {
    expect(chiSquare(values.map((value) => Math.floor(value * 100)))).toBeLessThan(CHI_SQUARE);
  });

  it('says nothing about the next seed’s', () => {
    expect(Math.abs(correlation(values))).toBeLessThan(Z / Math.sqrt(values.length));
    const tenths = values.map((value) => Math.floor(value * 10));
    const pairs = tenths.slice(1).map((tenth, at) => 10 * (tenths[at] ?? 0) + tenth);
    expect(chiSquare(pairs.filter((_, at) => at % 2 === 0))).toBeLessThan(CHI_SQUARE);
  });
});

it('another seed and another item never draw the same, nor order the same items alike', () => {
  const items = Array.from({ length: 5000 }, (_, item) => `${'abcd'.charAt(item % 4)}/${item}`);
  const all = [-1, 0, 1, 2, 3, 4, 5, 6, 7, 2 ** 31, 2 ** 32 - 1].flatMap((seed) =>
    items.map((item) => draw(seed, item)),
  );
  expect(new Set(all).size).toBe(all.length);
  expect(draw(0, 'a/1')).not.toBe(draw(3, 'b/1'));
  // Neither the border between seed and item nor a letter past the 16 bits of most is lost.
  expect(draw(1, '2 a')).not.toBe(draw(12, ' a'));
  expect(draw(1, '🙂')).not.toBe(draw(1, '🙃'));
});

it('a seed below nothing is not the one that a runtime cuts to the same bits', () => {
  expect(createSeededDraw(-1)(2 ** 31)).not.toBe(createSeededDraw(2 ** 32 - 1)(2 ** 31));
});

/**
 * mmh3 5.3.1 in Python: `h, l = (mmh3.hash(f'{seed} {item}'.encode('utf-16-le'), s, signed=False) for s in (0, 1))`,
 * `(h * 2**21 + (l >> 11)) / 2**53`. Another hash would silently deal every split and every dataset anew.
 */
test.each([
  [0, 'a/1', 0.366111716128403],
  [3, 'b/1', 0.3727279319355995],
  [1, '', 0.3685916409687603],
  [-1, 'odd', 0.3134629451468821],
  [2026, 'Größe 你好 🙂', 0.17269050049455192],
  [2 ** 32 - 1, 'arena/17', 0.13447042048486357],
])('%d draws for "%s" what MurmurHash3 says', (seed, item, drawn) => expect(draw(seed, item)).toBe(drawn));
