import { expect, test } from 'vitest';
import { codesExplained } from '../../../src/case/form/explained.ts';
import { asksForWorse, namesLoser } from '../../../src/case/form/worse-asked.ts';

const ANSWERS = ['Answer 1', 'Answer 2'];
const RESPONSES = ['Response A', 'Response B'];

test.each([
  ['Reply with 0 if Answer 1 is better and 1 if Answer 2 is better.', ['0', '1']],
  ['0: Answer 1 wins\n1: Answer 2 wins\nReply with the number only.', ['0', '1']],
  ['1 means Answer 1, 0 means Answer 2. Reply with the digit.', ['1', '0']],
  ['Output 1 when Answer 2 is the better one, otherwise output 0.', ['0', '1']],
  ['Compare Answer 1 and Answer 2. If Answer 1 is better than Answer 2, write 0, otherwise 1.', ['0', '1']],
  ['Return {"preferred": 0 or 1} where 0 is Answer 1 and 1 is Answer 2.', ['0', '1']],
  ['Write 0 if Answer 1 is worse, 1 if Answer 2 is worse.', ['1', '0']],
  ['Output A for Answer 2 and B for Answer 1.', ['B', 'A']],
  ['Antworte mit 0, wenn Answer 1 besser ist, sonst mit 1.', ['0', '1']],
  ['Réponds par 1 si Answer 1 est meilleure, sinon par 0.', ['1', '0']],
  ['如果Answer 1更好,输出0;如果Answer 2更好,输出1。', ['0', '1']],
  ['Answer 1가 더 좋으면 0, Answer 2가 더 좋으면 1을 출력하세요.', ['0', '1']],
  ['- "0": Answer 1 is preferred\n- "1": Answer 2 is preferred\nOnly output the label.', ['0', '1']],
  ['Answer 1の方が良ければ0、Answer 2の方が良ければ1を出力してください。', ['0', '1']],
])('%s', (orders, labels) => {
  expect(codesExplained(orders, ANSWERS)).toMatchObject({ labels });
});

test('one number more is a tie', () => {
  const orders = 'Output -1 if Response A is better, 1 if Response B is better, 0 for a tie.';
  expect(codesExplained(orders, RESPONSES)).toEqual({ labels: ['-1', '1'], tie: '0', isWhole: true });
});

test.each([
  // By their own numbers, and a tie.
  'Reply 1 if Answer 1 is better, 2 if Answer 2 is better, 0 if they are equal.',
  '1. Read Answer 1.\n2. Read Answer 2.\nName the better one.',
  'Score Answer 1 and Answer 2 on a scale of 1 to 10.',
  'Which is better, Answer 1 or Answer 2?',
])('explains no other names: %s', (orders) => {
  expect(codesExplained(orders, ANSWERS)).toBeNull();
});

test.each([
  'Give the probability (0 to 1) that Answer 2 is better than Answer 1.',
  'Likert 1-7: 1 strongly prefers Answer 1, 4 neutral, 7 strongly prefers Answer 2.',
  'Say by how much Answer 1 beats Answer 2, from -1 to 1.',
])('numbers that are no names beside numbered options are not taken for them: %s', (orders) => {
  expect(codesExplained(orders, ANSWERS)).toBe('mismatch');
});

test.each([
  'End with "Worse: Answer 1" or "Worse: Answer 2".',
  'Name the answer to reject: 1 or 2.',
  'Which response should be discarded, A or B?',
  'Which one would you throw away? Output its name only.',
  'Return JSON {"loser": 1 or 2}.',
  'Return JSON {"reason": "…", "worse_answer": "A" or "B"}.',
])('asks for the one that loses: %s', (orders) => {
  expect(asksForWorse(orders)).toBe(true);
});

test.each([
  'Return JSON {"winner": "A" or "B", "loser": "A" or "B"}.',
  'Return JSON {"chosen": "…", "rejected": "…"}.',
  'Say which answer is better, and name what the loser lacks.',
  'Give the reason first. End with "Better: A" or "Better: B".',
])('asks for the better one: %s', (orders) => {
  expect(asksForWorse(orders)).toBe(false);
});

test('a name with a criterion in it is not the one that loses', () => {
  expect(['loser', 'worse_answer', 'rejected_index', 'Worse'].every(namesLoser)).toBe(true);
  expect(['new_is_worse', 'winner', 'worst_mistake', ''].some(namesLoser)).toBe(false);
});
