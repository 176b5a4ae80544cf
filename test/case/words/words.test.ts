/** Words of one meaning in many languages, and the expression that finds them. */
import { expect, test } from 'vitest';
import { joinLists, matchWords, wordsByMeaning } from '../../../src/case/index.ts';
import WORDS from '../../../src/case/words/words.json' with { type: 'json' };

const { bad, good } = wordsByMeaning({
  any: { bad: '#/10' },
  en: { bad: 'worse|fail*|^minus', good: "isn't bad" },
  ru: { bad: 'худш*' },
  hi: { bad: 'हारा' },
  ja: { bad: '劣|!優劣|どちら*悪' },
  zh: { bad: '差|!差异|!相差的|WHO' },
});

test.each([
  ['This is worse.', 'worse'],
  ['It FAILED', 'FAILED'],
  ['最worse的', 'worse'],
  ['Well, minus one', 'minus'],
  ['I give 3/10', '3/10'],
  ['Это худшая.', 'худшая'],
  ['вот हारा।', 'हारा'],
  ['AはBに劣る', '劣'],
  ['どちらの回答が悪いですか', 'どちらの回答が悪'],
  ['质量差', '差'],
  ['per WHO', 'WHO'],
])('%j has %j', (text, word) => {
  expect(matchWords(bad).exec(text)?.[0]).toBe(word);
});

test.each(['worsen', 'Köworse', 'one minus one', 'наихудшая', 'व्यवहारा', '優劣', '有差异', '相差的', 'who'])(
  '%j has none',
  (text) => {
    expect(text).not.toMatch(matchWords(bad));
  },
);

test('an apostrophe is found as it is typed, one language alone, and several meanings in one', () => {
  expect('It isn’t bad').toMatch(matchWords(good));
  expect('худшая').not.toMatch(matchWords(bad, 'iu', 'en'));
  expect('3/10').toMatch(matchWords(bad, 'iu', 'en'));
  expect('Isn’t bad? Worse!'.match(matchWords(joinLists(good, bad), 'giu'))).toEqual(['Isn’t bad', 'Worse']);
});

test('no part of an expression changes how letter case counts, which V8 forgets once much code of expressions has run', () => {
  expect(matchWords(bad).source).not.toMatch(/\(\?[ims-]+:/);
});

test('no word is listed twice', () => {
  const lists = Object.values(WORDS).flatMap((meanings) => Object.values<string>(meanings));
  for (const words of lists.map((list) => list.split('|')))
    expect(words).toEqual([...new Set(words.map((word) => word.trim()))]);
});
