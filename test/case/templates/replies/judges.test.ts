/** Several judges answer one template: one that breaks the form takes nothing from the others. */
import { expect, test } from 'vitest';
import { createTemplateBook } from '../../../../src/case/templates/book.ts';

const CASES = [
  ['Where is my parcel?', 'In Leeds since noon.', 'Parcels take a while, as you know.'],
  ['Can I return opened boxes?', 'Yes, within 30 days.', 'No.'],
  ['Do you ship to Malta?', 'We do, for nine euros.', 'Malta is an island.'],
  ['My lamp flickers.', 'Turn the bulb tight, please.', 'Lamps do that now and then.'],
] as const;

const ORIGIN = { tenant: '', path: '/v1/chat/completions', schema: null };

/** A pipeline in use, and what judges reply to it; the replies tell whether it still is. */
function inUse() {
  const book = createTemplateBook({ templates: [], learn: 'auto', id: () => 'one' });
  for (const [question, first, second] of CASES) {
    const text = `Compare two replies.\n\nCustomer:\n${question}\n\nReply 1:\n${first}\n\nReply 2:\n${second}\n\nWhich reply is better? End with "Winner: 1" or "Winner: 2".`;
    book.learn(ORIGIN, { parts: [{ role: 'user', text }] }, null);
  }
  const state = () => book.pipelines()[0]?.state;
  expect(state()).toBe('confirmed');
  return {
    state,
    hear(judge: string, read: boolean, times = 1) {
      for (let n = 0; n < times; n++)
        book.replied('one', { judge, read, text: read ? `Winner: ${1 + (n % 2)}` : 'Both have merits.' });
    },
  };
}

test('a judge that never keeps to the form does not switch the template off for another', () => {
  const { hear, state } = inUse();
  hear('good', true, 3);
  for (let n = 0; n < 60; n++) {
    hear('bad', false);
    if (n % 4 === 0) hear('good', true);
    expect(state()).toBe('confirmed');
  }
});

test('a template that no judge is read by any more is switched off', () => {
  const { hear, state } = inUse();
  hear('good', true, 12);
  hear('bad', false, 60);
  expect(state()).toBe('learning');
});

test('a judge whose replies cannot be read switches the template off where there is no other', () => {
  const { hear, state } = inUse();
  hear('bad', false, 3);
  expect(state()).toBe('learning');
});

test.each([
  ['the form is told by the prompt', 'Which reply is better? End with "Winner: 1" or "Winner: 2".', 0],
  ['the form is told by the prompt, the other judge first', 'Which? End with "Winner: 1" or "Winner: 2".', 1],
  ['the form is told by the replies', 'Welche Antwort ist besser?', 0],
  ['the form is told by the replies, the other judge first', 'Welche Antwort ist besser?', 1],
])(
  'of two judges that alternate from the start the one that keeps to the form is read: %s',
  (_, orders, from) => {
    const book = createTemplateBook({ templates: [], learn: 'auto', id: () => 'one' });
    const acts = Array.from({ length: 16 }, (__, n) => {
      const [question, first, second] = CASES[n % CASES.length] ?? CASES[0];
      const text = `Compare two replies.\n\nCustomer:\n${question} (${n})\n\nReply 1:\n${first} (${n})\n\nReply 2:\n${second} (${n})\n\n${orders}`;
      const prompt = { parts: [{ role: 'user', text }] };
      const isRead = book.read(ORIGIN, prompt, null).acts;
      const id = book.learn(ORIGIN, prompt, null) ?? 'one';
      const isGood = n % 2 === from;
      const reply = isGood ? `It is clear.\nWinner: ${1 + (Math.floor(n / 2) % 2)}` : 'Both have merits.';
      book.replied(id, { judge: isGood ? 'good' : 'bad', read: isRead ? isGood : null, text: reply });
      return isRead;
    });
    expect(acts.slice(11)).toEqual(acts.slice(11).map(() => true));
  },
);

test('two judges of which each misses the form mostly switch it off', () => {
  const { hear, state } = inUse();
  for (let n = 0; n < 12; n++) {
    hear('one', n % 4 === 0);
    hear('two', n % 4 === 1);
  }
  expect(state()).toBe('learning');
});
