/** What is no option and no mark of one kind: the name of a third text, and counts beside a mark. */
import { expect, test } from 'vitest';
import { createTemplateBook } from '../../../src/case/templates/book.ts';

const ORIGIN = { tenant: '', path: '/v1/chat/completions', schema: null };
const TEXTS = [
  ['The parcel comes soon.', 'It left Leeds at noon.', 'Parcels take a while, as you know'],
  ['Change it somewhere', 'Open the settings, then choose Security.', 'Words matter a lot in life.'],
  ['We look into it.', 'I corrected it and sent a new one', 'Names are difficult.'],
  ['You may cancel!', 'Yes, free of charge until noon.', 'Fridays are busy here'],
  ['Update the app', 'Please update to version nine.', 'Apps do that sometimes, it happens.'],
] as const;

/** The form by which a request is read once five came with these replies; null where it is left alone. */
function formOf(ask: (texts: readonly string[]) => string, replies: readonly string[]) {
  const book = createTemplateBook({ templates: [], learn: 'auto', id: () => 'p' });
  const prompts = TEXTS.map((texts) => ({ parts: [{ role: 'user', text: ask(texts) }] }));
  for (const [n, prompt] of prompts.entries()) {
    const id = book.learn(ORIGIN, prompt, null);
    if (id !== null) book.replied(id, { text: replies[n] ?? '', read: null });
  }
  const reading = book.read(ORIGIN, prompts[0] ?? { parts: [] }, null);
  return reading.acts && reading.kind === 'case' ? reading.subject.form : null;
}

const asking =
  (name: string, orders: string) =>
  ([third, a, b]: readonly string[]) =>
    `${name}:\n${third}\n\nAnswer A:\n${a}\n\nAnswer B:\n${b}\n\n${orders}`;

test.each([
  ['Draft', 'Which is best? Reply "A", "B" or "Draft".'],
  ['Entwurf', 'Welche ist am besten? Antworte "A", "B" oder "Entwurf".'],
  ['草稿', '哪个最好？回复“A”、“B”或“草稿”。'],
])('%s is a third text and no tie', (name, orders) => {
  expect(formOf(asking(name, orders), ['A', 'B', name, 'B', 'A'])).toBeNull();
});

test.each([
  ['Draft', 'Which is better? Reply "A", "B" or "Tie".', 'Tie'],
  ['草稿', '哪个更好？回复“A”、“B”或“平”。', '平'],
])('beside %s a tie is one: %s', (name, orders, tie) => {
  expect(formOf(asking(name, orders), ['A', 'B', tie, 'B', 'A'])).toMatchObject({ kind: 'choice', tie });
});

const MARKS = (names: readonly string[], rows: readonly (readonly number[])[]) =>
  rows.map((row) => JSON.stringify(Object.fromEntries(names.map((name, n) => [name, row[n]]))));
const rating = ([source, translation]: readonly string[]) =>
  `Source:\n${source}\n\nTranslation:\n${translation}\n\nRate it in the fields, each from 1 to 5.`;

test('counts of mistakes beside a mark of a hundred are no list of marks', () => {
  const rows = [
    [0, 1, 80],
    [1, 2, 60],
    [0, 0, 90],
    [2, 1, 50],
    [0, 3, 70],
  ] as const;
  expect(formOf(rating, MARKS(['critical', 'major', 'quality'], rows))).toBeNull();
});

test('marks on one scale are a list', () => {
  const rows = [
    [4, 5, 3],
    [1, 2, 2],
    [5, 5, 4],
    [2, 1, 3],
    [3, 3, 5],
  ] as const;
  expect(formOf(rating, MARKS(['style', 'tone', 'grammar'], rows))).toMatchObject({ kind: 'list' });
});
