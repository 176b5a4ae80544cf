/** A quiz is no judgment, also once its template is known. */
import { expect, it } from 'vitest';
import { createJudge } from '../../src/embed/judge.ts';

const QUESTIONS: readonly [string, string, string, string][] = [
  ['Which of these are prime?', '2', '9', '3'],
  ['Which is a mammal?', 'the whale', 'the trout', 'the bat'],
  ['Which statement about Rome holds?', 'it is in Italy', 'it is in Spain', 'it is on the Tiber'],
  ['Which are metals?', 'iron', 'wood', 'copper'],
  ['Which are colours?', 'red', 'loud', 'green'],
  ['Which animals fly?', 'the eagle', 'the pig', 'the bee'],
  ['Which cities lie in France?', 'Lyon', 'Leeds', 'Nantes'],
];

/** @param lasts the fourth choice of each question, in turn */
async function statusesOf(orders: string, lasts: readonly string[]): Promise<string[]> {
  const judge = createJudge({ ask: () => 'D' });
  const statuses: string[] = [];
  for (const [n, [question, a, b, c]] of QUESTIONS.entries()) {
    const last = lasts[n % lasts.length];
    const prompt = `${orders}\n\n${question}\n\nA) ${a}\nB) ${b}\nC) ${c}\nD) ${last}\n\nAnswer:`;
    statuses.push((await judge.verdict(prompt)).status);
  }
  return [...new Set(statuses)];
}

const CHOOSE = 'Choose the best option. Answer with its letter.';
const PLAIN = ['the stone', 'I cannot say', 'a boat', 'nothing of that'];

it('with a choice that is about the others', async () => {
  const lasts = ['Both A and C', 'all of the above', 'None of these is true.', 'A, B and C'];
  expect(await statusesOf(CHOOSE, lasts)).toEqual(['no-verdict']);
});

it.each([
  'Answer the multiple choice question with the letter of the best option.',
  'Answer the following question. Reply with a single letter.',
  'Select the correct answer and reply with its letter.',
])('where the orders say so: %s', async (orders) => {
  expect(await statusesOf(orders, PLAIN)).toEqual(['no-verdict']);
});

it.each([
  'Do not answer the question. Choose the better option and reply with its letter.',
  'Which of these texts does answer the question best? Reply with its letter.',
  'Four models answer the following question. Choose one and reply with its letter.',
  'You are given a question and four replies. Select the correct option and give its letter.',
])('orders of a judgment are none of a quiz: %s', async (orders) => {
  expect(await statusesOf(orders, PLAIN)).toContain('insisted');
});

it('what may be judged is examined', async () => {
  expect(await statusesOf(CHOOSE, PLAIN)).toContain('insisted');
});
