import { expect, it } from 'vitest';
import { finalAnswer } from '../../src/case/final-answer.ts';

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
