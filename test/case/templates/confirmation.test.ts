import { expect, test } from 'vitest';
import { createTemplateBook } from '../../../src/case/templates/book.ts';

const ORIGIN = { tenant: '', path: '/v1/chat/completions', schema: null };
const CASES = [
  ['When does the hall open?', 'From nine to one on Saturdays.'],
  ['Who may apply for a card', 'Residents who show a passport.'],
  ['Where do I park?', 'Behind the hall; it costs nothing'],
  ['What is the fee?', 'Twelve pounds, to be paid in advance!'],
] as const;

const stateOf = (field: string) => {
  const book = createTemplateBook({ templates: [], learn: 'auto', id: () => 'p' });
  for (const [n, [asked, answer]] of CASES.entries()) {
    const text = `Evaluate the answer below. Reply as JSON: {"${field}": true or false}\n\nQuestion: ${asked}\n\nAnswer: ${answer}`;
    const id = book.learn(ORIGIN, { parts: [{ role: 'user', text }] }, null);
    if (id !== null) book.replied(id, { text: `{"${field}": ${n % 2 === 0}}`, read: null });
  }
  return book.pipelines()[0]?.state;
};

test('a flag that says which of two is worse is no verdict on one text', () => {
  expect(stateOf('is_correct')).toBe('confirmed');
  expect(stateOf('new_is_worse')).toBe('learning');
});
