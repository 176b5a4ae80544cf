/** Options that a template would find without the first of their row: what is exchanged would be two of three. */
import { expect, test } from 'vitest';
import { readAfter } from './after-three.ts';

const MORE = [
  'Nobody knows',
  'Ask the desk; it is open.',
  'It may take until March',
  'See page 3 of the terms',
];
const third = (question: string) => MORE[[...question].length % MORE.length] ?? '';

test('a name in brackets in front of the others, within another text', () => {
  const ask = ([question = '', first = '', second = '']: readonly string[]) =>
    `Compare the texts below. Reply with one of: 1, 2, 3.\n\n[Question]\n${question}\n\n[1]\n${first}\n[End of 1]\n\n` +
    `[2]\n${second}\n[End of 2]\n\n[3]\n${third(question)}\n[End of 3]\n\nWhich is best?`;
  expect(readAfter(ask, ['1', '3', '2'])?.options.length ?? 3).toBe(3);
});

test('a row in a sentence that goes on with "and"', () => {
  const ask = ([question = '', first = '', second = '']: readonly string[]) =>
    `Compare the texts below. Reply with one of: Red, Green, Blue.\n\nFor "${question}" we have Red ("${first}") and ` +
    `Green ("${second}") and Blue ("${third(question)}"). Which is best?`;
  expect(readAfter(ask, ['Red', 'Blue', 'Green'])?.options.length ?? 3).toBe(3);
});
