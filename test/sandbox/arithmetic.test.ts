import { expect, test } from 'vitest';
import { computeArithmetic, isRight } from '../../src/sandbox/preference.ts';

test.each([
  ['What is 17*23?', 391],
  ['What is 17 × 23?', 391],
  ['what is 17 x 23', 391],
  ['Calculate (2 + 3) * 4 - 6 / 3.', 18],
  ['2 - 3 - 4', -5],
  ['2^3^2 =', 512],
  ['-2^2 + 8', 4],
  ['What is 8 divided by -2?', -4],
  ['Please compute 1,234 plus 1 times 2', 1236],
  ['What’s 0.1 + 0.2?', 0.1 + 0.2],
  ['What is 1/0?', null],
  ['What is 5?', null],
  ['What is (2 + 3?', null],
  ['What is 2 + * 3?', null],
  ['What is 2+3, and what is 4+5?', null],
  ['John ate 3/4 of the 12 cookies. How many are left?', null],
  ['Write about the years 1914-1918', null],
  ['What is your name?', null],
  ['', null],
  [`What is ${'('.repeat(100_000)}1+1`, null],
])('%s = %s', (text, value) => {
  expect(computeArithmetic(text)).toBe(value);
});

test('a rounded answer is right to the decimals it gives', () => {
  expect(isRight(1 / 3, 'About 0.33')).toBe(true);
  expect(isRight(1 / 3, 'About 0.34')).toBe(false);
  expect(isRight(391, '391.0')).toBe(true);
  expect(isRight(391, '390')).toBe(false);
  expect(isRight(391, 'I do not know')).toBeNull();
});
