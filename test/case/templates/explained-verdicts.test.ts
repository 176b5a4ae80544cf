/** What a learned template reads where the orders say in words of their own what each reply stands for. */
import { expect, test } from 'vitest';
import { createTemplateBook } from '../../../src/case/templates/book.ts';
import { formFromReplies } from '../../../src/case/templates/replies/index.ts';
import { readVerdict } from '../../../src/case/verdict.ts';

const ORIGIN = { tenant: '', path: '/v1/chat/completions', schema: null };
const TEXTS = [
  ['Where is it?', 'In Leeds since noon.', 'Parcels take a while, as you know'],
  ['Can I change it', 'Open the settings, then choose Security.', 'Words matter a lot in life!'],
  ['It was billed twice.', 'I corrected it and sent a new one', 'Names are difficult.'],
  ['May I cancel?', 'Yes, free of charge', 'Fridays are busy here.'],
] as const;

/** What is read from these replies once three requests came with them; null where the prompt is left alone. */
function readAfter(orders: string, replies: readonly string[], [a, b] = ['Draft 1', 'Draft 2']) {
  const book = createTemplateBook({ templates: [], learn: 'auto', id: () => 'p' });
  const prompts = TEXTS.map(([question, first, second]) => ({
    parts: [
      {
        role: 'user',
        text: `Two drafts for a customer.\n${orders}\n\n### Question\n${question}\n\n### ${a}\n${first}\n\n### ${b}\n${second}\n\n### End`,
      },
    ],
  }));
  for (const [n, prompt] of prompts.slice(0, 3).entries()) {
    const id = book.learn(ORIGIN, prompt, null);
    if (id !== null) book.replied(id, { text: replies[n % replies.length] ?? '', read: null });
  }
  const reading = book.read(ORIGIN, prompts[3] ?? { parts: [] }, null);
  if (!reading.acts || reading.kind !== 'case') return null;
  const { form, options } = reading.subject;
  return replies.map((reply) => {
    const verdict = readVerdict(reply, form, options);
    return verdict.kind === 'choice' ? verdict.option : verdict.kind;
  });
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
  [
    'Return JSON {"chosen": "…", "rejected": "…"} with the names of the drafts.',
    ['{"chosen": "Draft 1", "rejected": "Draft 2"}', '{"chosen": "Draft 2", "rejected": "Draft 1"}'],
    [0, 1],
  ],
] as const)('%s', (orders, replies, read) => {
  expect(readAfter(orders, replies)).toEqual(read);
});

test('letters that stand for the option of another letter', () => {
  const orders = 'Print Y when you prefer Draft X, X when you prefer Draft Y and Z when you cannot decide.';
  expect(readAfter(orders, ['Y', 'X', 'Z'], ['Draft X', 'Draft Y'])).toEqual([0, 1, 'tie']);
});

test.each([
  ['End with "Worse: Draft 1" or "Worse: Draft 2".', ['Worse: Draft 2', 'Worse: Draft 1']],
  ['Return JSON {"loser": 1 or 2}.', ['{"loser": 2}', '{"loser": 1}']],
  ['Name the draft to reject: 1 or 2.', ['2', '1']],
  ['Give the probability (0 to 1) that Draft 2 is better than Draft 1.', ['0.2', '0.75']],
])('is left alone: %s', (orders, replies) => {
  expect(readAfter(orders, replies)).toBeNull();
});

test('of safe and unsafe the words tell which is the good one, whatever the field is called', () => {
  const replies = ['{"flag": "safe"}', '{"flag": "unsafe"}', '{"flag": "safe"}'];
  const form = formFromReplies(replies, [''], 'Output {"flag": "safe" or "unsafe"}.');
  expect(form).toMatchObject({ kind: 'pass', labels: ['safe', 'unsafe'] });
  expect(formFromReplies(['{"leak": "yes"}', '{"leak": "no"}', '{"leak": "no"}'], [''])).toMatchObject({
    good: false,
  });
});
