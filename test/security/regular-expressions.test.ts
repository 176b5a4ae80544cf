/**
 * What a stranger sends is read with regular expressions: none may take more than linear time. recheck tells, with a
 * list of what it said before (`npm run check:expressions` makes the list anew).
 */
import { expect, test } from 'vitest';
import { WORDS as CUES } from '../../src/bias/meanings.ts';
import { matchWords, type WordLists } from '../../src/case/index.ts';
import { valuesInWords } from '../../src/case/verdicts/score.ts';
import { MEANINGS } from '../../src/case/words/vocabulary.ts';
import { type Checked, checkExpression, keyOf, loadChecked, repeatsWithoutEnd } from './expressions/check.ts';
import { extractExpressions } from './expressions/extract.ts';

const places = extractExpressions();
const known = loadChecked();

/** An expression that is not on the list is checked here and now, so the list cannot hide one. */
async function checked(): Promise<readonly (Checked & { readonly at: string })[]> {
  const all: (Checked & { at: string })[] = [];
  for (const place of places) {
    const found = known.get(keyOf(place)) ?? (await checkExpression(place.source, place.flags));
    known.set(keyOf(place), found);
    all.push({ ...found, at: place.at });
  }
  return all;
}

test('every regular expression of the product is found', () => {
  expect(places.length).toBeGreaterThan(600);
  const made = places.filter(({ at }) => at.startsWith('src/case/verdicts/score.ts'));
  expect(made.map(({ source }) => source).join('\n'), 'parts in constants are put in').toMatch(
    /\\s\{0,9\}.*\\d\{1,9\}.*\\s\{0,9\}/,
  );
});

test('none asks the engine to pass over letter case in a part of it', () => {
  // V8 misses matches of `(?i:…)` once code has run for a while; `inAnyCase` of src/case/words/matches.ts does not rest on it.
  expect(places.filter(({ source }) => /\(\?[ms]*i[ms]*[:-]/.test(source))).toEqual([]);
});

test('each takes linear time', { timeout: 600_000 }, async () => {
  const bad = (await checked()).filter(({ growth }) => growth !== 'linear' && growth !== 'bounded');
  expect(bad).toEqual([]);
});

test('so does what is made of listed words, for nothing in it repeats without an end', () => {
  const made = [CUES, MEANINGS]
    .flatMap((lists) => Object.values<WordLists>(lists))
    .map((one) => matchWords(one));
  expect(made.length).toBeGreaterThan(100);
  expect(made.filter(({ source }) => repeatsWithoutEnd(source))).toEqual([]);
});

test('the list tells what recheck says', { timeout: 120_000 }, async () => {
  const quick = [...known.values()].filter(({ source }) => source.length < 40 && !/[{(]/.test(source));
  const samples = quick.filter((_, index) => index % 29 === 0);
  for (const { source, flags, growth } of samples)
    expect(await checkExpression(source, flags)).toEqual({ source, flags, growth });
});

test.each([
  ['a+b', true],
  ['[a+]b', false],
  ['a\\+b', false],
  ['a{2,}', true],
  ['a{2,9}', false],
  ['(a)\\1', true],
])('/%s/ repeats without an end: %s', (source, repeats) => {
  expect(repeatsWithoutEnd(source)).toBe(repeats);
});

test('a description that a schema may hold is read at once', () => {
  expect(valuesInWords(`(0/000${',or\t\t000'.repeat(30)}`)).toBeNull();
});
