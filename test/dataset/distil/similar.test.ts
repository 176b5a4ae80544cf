/** What is nearly the same is found, as exactly as comparing everything with everything would. */
import { expect, test } from 'vitest';
import {
  chooseBandRows,
  computeResemblance,
  computeSignature,
  createSimilarityIndex,
  cutShingles,
  openNotes,
} from '../../../src/dataset/distil/similar.ts';
import { draw } from '../../../src/stats/seeded-draw.ts';

const WORDS = 'apple river stone lamp window garden paper engine yellow quiet seven marble'.split(' ');
const textOf = (seed: number, length: number) =>
  Array.from({ length }, (_, i) => WORDS[Math.floor(draw(seed, `word ${i}`) * WORDS.length)]).join(' ');

test('resemblance is the shared part of all shingles', () => {
  // abcde, bcdef against bcdef, cdefg: one of three.
  expect(computeResemblance(cutShingles('abcdef'), cutShingles('BCDEFG'))).toBeCloseTo(1 / 3, 12);
  expect(computeResemblance(cutShingles('A  b\nc'), cutShingles('a b c'))).toBe(1);
  expect(computeResemblance(cutShingles(''), cutShingles('a'))).toBe(0);
});

test('signatures agree as often as the sets resemble each other', () => {
  const pairs = Array.from({ length: 20 }, (_, i) => {
    const text = textOf(i, 120);
    return [cutShingles(text), cutShingles(`${text.slice(0, 500)} ${textOf(1000 + i, 30)}`)] as const;
  });
  const off = pairs.map(([one, other]) => {
    const [a, b] = [computeSignature(one), computeSignature(other)];
    return [...a].filter((value, i) => value === b[i]).length / a.length - computeResemblance(one, other);
  });
  // The mean of 20 estimates of standard error .044 at most.
  expect(Math.abs(off.reduce((sum, one) => sum + one, 0) / off.length)).toBeLessThan(0.04);
});

test('bands are as wide as they can be with .99 of the pairs found', () => {
  // Missed at .9: .57^16 + 16 * .43 * .57^15 = .0016 with bands of eight, .53 with bands of sixteen.
  expect([0.9, 0.7, 0.5, 1, 0.1].map(chooseBandRows)).toEqual([8, 4, 2, 16, 1]);
});

test('finds the pairs that comparing all with all finds', () => {
  const texts = Array.from({ length: 300 }, (_, i) => {
    const of = textOf(Math.floor(i / 3), 80).split(' ');
    // Of three, one as it is, one with a word changed, one with every eighth.
    if (i % 3 === 1) of[40] = 'changed';
    if (i % 3 === 2) for (let at = 0; at < of.length; at += 8) of[at] = 'changed';
    return of.join(' ');
  });
  const sets = texts.map(cutShingles);
  using notes = openNotes();
  const similar = createSimilarityIndex(notes, 0.9);
  const found = texts.flatMap((text, i) => {
    const { text: id, like } = similar.add(text);
    expect(id).toBe(i + 1);
    return like.map((other) => `${other - 1} ${i}`);
  });
  const expected = sets.flatMap((set, i) =>
    sets.slice(0, i).flatMap((other, j) => (computeResemblance(set, other) >= 0.9 ? [`${j} ${i}`] : [])),
  );
  expect(expected.length).toBeGreaterThan(80);
  expect(found.toSorted()).toEqual(expected.toSorted());
});

test('a text that comes again has its number, and what is like it, again', () => {
  using notes = openNotes();
  const similar = createSimilarityIndex(notes, 0.9);
  const text = textOf(1, 80);
  expect(similar.add(text)).toEqual({ text: 1, like: [] });
  expect(similar.add(`${text} end`)).toEqual({ text: 2, like: [1] });
  expect(similar.add(text.toUpperCase())).toEqual({ text: 1, like: [2] });
});
