/** What a learned template reads where the orders say in words of their own what each reply stands for. */
import { expect, test } from 'vitest';
import { formFromReplies } from '../../../src/case/templates/replies/index.ts';
import { readVerdict } from '../../../src/case/verdict.ts';
import { readAfter } from './after-three.ts';

/** What is read from these replies once three requests came with them; null where the prompt is left alone. */
function verdictsAfter(orders: string, replies: readonly string[], [a, b] = ['Draft 1', 'Draft 2']) {
  const ask = ([question, first, second]: readonly string[]) =>
    `Two drafts for a customer.\n${orders}\n\n### Question\n${question}\n\n### ${a}\n${first}\n\n### ${b}\n${second}\n\n### End`;
  const came = Array.from({ length: 3 }, (_, n) => replies[n % replies.length] ?? '');
  const subject = readAfter(ask, came);
  return subject
    ? replies.map((reply) => {
        const verdict = readVerdict(reply, subject.form, subject.options);
        return verdict.kind === 'choice' ? verdict.option : verdict.kind;
      })
    : null;
}

test.each([
  ['Is Draft 1 better than Draft 2? Answer yes or no.', ['yes', 'no'], [0, 1]],
  ['Is Draft 2 better than Draft 1? Answer yes or no.', ['no', 'yes'], [0, 1]],
  [
    'Say WIN if Draft 2 beats Draft 1, LOSE if it does not, DRAW if both are equal.',
    ['LOSE', 'WIN', 'DRAW'],
    [0, 1, 'tie'],
  ],
  [
    'If Draft 1 is superior answer 0. If Draft 2 is superior answer 1. If neither is, answer 2.',
    ['0', '1', '2'],
    [0, 1, 'tie'],
  ],
  [
    'Give a number from 1 to 5, where 1 means Draft 1 is much better and 5 means Draft 2 is much better.',
    ['1', '4', '3', '2'],
    [0, 1, 'tie', 0],
  ],
  ['Scale: 5 = Draft 1 is much better, 1 = Draft 2 is much better.', ['5', '2', '3', '4'], [0, 1, 'tie', 0]],
  ['Antworte mit 1, wenn Draft 2 besser ist, sonst mit 0.', ['0', '1'], [0, 1]],
  ['Reply with 0 if Draft 1 is not better than Draft 2, and with 1 if it is.', ['1', '0'], [0, 1]],
  ['Reply with 1 if Draft 1 is at least as good as Draft 2, else 0.', ['1', '0'], [0, 1]],
  [
    'Output 1 if Draft 1 is better, -1 if Draft 2 is better, 0 for a tie.',
    ['Draft 2 has errors.\n\n1', 'Both are fine.\n\n-1', '0'],
    [0, 1, 'tie'],
  ],
  ['In round 1 Draft 2 was better, in round 2 Draft 1 was. Choose again: "1" or "2".', ['1', '2'], [0, 1]],
  [
    'Return JSON {"chosen": "…", "rejected": "…"} with the names of the drafts.',
    ['{"chosen": "Draft 1", "rejected": "Draft 2"}', '{"chosen": "Draft 2", "rejected": "Draft 1"}'],
    [0, 1],
  ],
] as const)('%s', (orders, replies, read) => {
  expect(verdictsAfter(orders, replies)).toEqual(read);
});

test('letters that stand for the option of another letter', () => {
  const orders = 'Print Y when you prefer Draft X, X when you prefer Draft Y and Z when you cannot decide.';
  expect(verdictsAfter(orders, ['Y', 'X', 'Z'], ['Draft X', 'Draft Y'])).toEqual([0, 1, 'tie']);
});

test.each([
  ['End with "Worse: Draft 1" or "Worse: Draft 2".', ['Worse: Draft 2', 'Worse: Draft 1']],
  ['Return JSON {"loser": 1 or 2}.', ['{"loser": 2}', '{"loser": 1}']],
  ['Name the draft to reject: 1 or 2.', ['2', '1']],
  ['Give the probability (0 to 1) that Draft 2 is better than Draft 1.', ['0.2', '0.75']],
])('is left alone: %s', (orders, replies) => {
  expect(verdictsAfter(orders, replies)).toBeNull();
});

test('of safe and unsafe the words tell which is the good one, whatever the field is called', () => {
  const replies = ['{"flag": "safe"}', '{"flag": "unsafe"}', '{"flag": "safe"}'];
  const form = formFromReplies(replies, [''], 'Output {"flag": "safe" or "unsafe"}.');
  expect(form).toMatchObject({ kind: 'pass', labels: ['safe', 'unsafe'] });
  expect(formFromReplies(['{"leak": "yes"}', '{"leak": "no"}', '{"leak": "no"}'], [''])).toMatchObject({
    good: false,
  });
});
