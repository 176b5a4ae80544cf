import { expect, it } from 'vitest';
import { splitSentences } from '../../../src/case/words/sentences.ts';

it('a sentence does not end within a number or an abbreviation', () => {
  expect(
    splitSentences('It is 3.14, e.g. in the U.S.A. for all. "Is it?" she asked (Yes!) Then: no.'),
  ).toEqual(['It is 3.14, e.g. in the U.S.A. for all. ', '"Is it?" ', 'she asked (Yes!) ', 'Then: no.']);
});

it('blank sentences are left out', () => {
  expect(splitSentences(' \n\nOne.\n \nTwo.\n')).toEqual(['One.\n', 'Two.\n']);
});
