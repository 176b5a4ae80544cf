import { describe, expect, it } from 'vitest';
import { finalAnswer, finalAnswers, finalNumber } from '../../src/case/final-answer.ts';

it.each([
  ['9', '9'],
  ['He eats 3*2=<<3*2=6>>6 eggs.\n#### 6', '6'],
  ['**Question:** how many?\n\n**Answer:** 8', '8'],
  ['We find that x = 4, so the final answer is: $12.50.', '$12.50'],
  ['so \\boxed{42}', '42'],
  ['So the answer is 5.\n#### 5', '5'],
  ['The final answer is: $\\boxed{42}$.', '42'],
  ['Mike pays 30. Therefore he has some left over, which is nice to know.', null],
  ['', null],
  [`The answer is that ${'the committee decides and '.repeat(4)}nobody else.`, null],
])('%j ends in %j', (text, answer) => expect(finalAnswer(text)).toBe(answer));

it.each([
  ['two parts', 'Task 1\nAnswer: 12\n\nTask 2\nAnswer: 30'],
  ['an answer taken back for another', 'Answer: 3\nWait, no.\nAnswer: 5'],
  ['an answer taken back', 'So the answer is 381.\nWait, 17*3 is 51. The correct result is 391.'],
  ["somebody else's answer", 'Many say the answer is 381\nThat is wrong: 17*3 = 51, and so it is 391.'],
  ['an answer with more behind it', 'It is \\boxed{42} or more, as the second part shows.'],
])('no final answer: %s', (_what, text) => expect(finalAnswer(text)).toBeNull());

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

describe('several final answers', () => {
  it.each([
    ['numbers', '17*20 is 340.\n#### 391', 'Answer: 381'],
    ['with a sign and a unit', 'The answer is: $12.50.', 'Answer: 13 dollars'],
    ['a sign in front', 'Answer: -5', 'Answer: 5'],
    ['fractions', 'Answer: 3/4', '\\boxed{1/4}'],
    ['names', 'Answer: New York City', 'Answer: Paris'],
    ['labels', 'Answer: (B) Paris', 'Answer: (C) Rome'],
    ['times', 'Answer: 10:30', 'Answer: 9:30'],
    ['Chinese', 'Answer: 北京', 'Answer: 上海市'],
    ['terms', 'Answer: x+1', 'Answer: x-1'],
    ['an opposite', 'Answer: -x', 'Answer: x'],
    ['bounds', 'Answer: x > 2', 'Answer: x < 2'],
    ['units', 'Answer: 10 km', 'Answer: 10 m'],
    ['a unit by another', 'Answer: 10 km/h', 'Answer: 10 km'],
    ['a bound and a number', 'Answer: > 5', 'Answer: 5'],
    ['a denial', 'Answer: not guilty', 'Answer: guilty'],
    ['a denial in Chinese', 'Answer: 不是', 'Answer: 是'],
    ['a denial in Japanese', 'Answer: 正しくない', 'Answer: 正しく'],
    ['places in a country', 'Answer: Paris, France', 'Answer: London, United Kingdom'],
  ])('are compared by them alone: %s', (_what, one, other) => {
    expect(finalAnswers([one, other])).toEqual([finalAnswer(one), finalAnswer(other)]);
  });

  it.each([
    ['one gives reasons, with the same number', 'Answer: 391', 'Answer: 391, since 17 times 20 is 340'],
    ['one gives reasons', 'Answer: 381', 'Answer: 391, as shown'],
    ['in a bracket', 'Answer: 381', 'Answer: 391 (17*20 + 17*3)'],
    ['in a sentence', 'Answer: 381', 'Answer: 391. This is certain'],
    ['behind a dash', 'Answer: 381', 'Answer: 391 – no doubt'],
    ['behind a word alone', 'Answer: 381', 'Answer: 391 because 17 times 20 is 340'],
    ['in Chinese', 'Answer: 381', 'Answer: 391，因为这样'],
    ['in signs alone', 'Answer: 381', 'Answer: 391=340+51+0'],
    ['one begins with the other', 'Answer: Paris', 'Answer: Paris obviously'],
    ['one ends with the other', 'Answer: Paris', 'Answer: Certainly Paris'],
    ['they are one number', 'Answer: 391', 'Answer: x = 391'],
    ['of one unit', 'Answer: 10 km', 'Answer: 10.0 km'],
    ['one says a place in full', 'Answer: Paris', 'Answer: Paris, France'],
    ['one gives a short reason', 'Answer: 381', 'Answer: 391, as in France'],
    ['that is written otherwise', 'Answer: $1,200', 'Answer: 1200.00 dollars'],
    ['one is long', 'Answer: Paris', `Answer: ${'Paris and '.repeat(9)}Rome`],
    ['one says none', 'Answer: Paris', 'It may be Rome, or Milan, or so.'],
  ])('are not all that counts: %s', (_what, one, other) => {
    expect(finalAnswers([one, other])).toBeNull();
    expect(finalAnswers([other, one])).toBeNull();
  });
});
