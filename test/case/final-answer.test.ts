import { expect, it } from 'vitest';
import { finalAnswer, finalNumber } from '../../src/case/final-answer.ts';

it.each([
  ['9', '9'],
  ['He eats 3*2=<<3*2=6>>6 eggs.\n#### 6', '6'],
  ['**Question:** how many?\n\n**Answer:** 8', '8'],
  ['We find that x = 4, so the final answer is: $12.50.', '$12.50'],
  ['so \\boxed{42}', '42'],
  ['Answer: 3\nWait, no.\nAnswer: 5', '5'],
  ['Mike pays 30. Therefore he has some left over, which is nice to know.', null],
  ['', null],
])('%j ends in %j', (text, answer) => expect(finalAnswer(text)).toBe(answer));

it.each([
  ['so 2 + 3 = <<2+3=5>>5 in all.\n\n#### 1,200', '1200'],
  ['17*20 is 340 and 17*3 is 51. The answer is 391.', '391'],
  ['**Answer:** 8', '8'],
  ['391', '391'],
  ['It costs $1,050.50.', '1050.50'],
  ['#### -7', '-7'],
  ['There are 3 cows and -4 sheep', '-4'],
  ['none at all', null],
])('the final number of %j', (text, number) => expect(finalNumber(text)).toBe(number));
