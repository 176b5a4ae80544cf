/** A short prompt on one line: two requests share too little to be one pipeline, and three tell its labels. */
import { expect, test } from 'vitest';
import { createTemplateBook } from '../../../src/case/templates/book.ts';
import type { Prompt } from '../../../src/case/types.ts';

const ORIGIN = { tenant: '', path: '/', schema: null };

function learnt(texts: readonly string[]) {
  let made = 0;
  const book = createTemplateBook({ templates: [], learn: 'auto', id: () => `p${made++}` });
  for (const [n, text] of texts.entries()) {
    const prompt: Prompt = { parts: [{ role: 'user', text }] };
    const id = book.learn(ORIGIN, prompt, null);
    if (id !== null) book.replied(id, { text: `${n}`, read: null });
  }
  return book.pipelines();
}

const RECORDS = [
  'Frage: Wann fährt der letzte Bus? A1: Um 23 Uhr. A2: Gar nicht mehr; der Fahrplan gilt erst ab Mai. Besser (1 oder 2):',
  'Frage: Ist Glas flüssig? A1: Nein, ein fester Körper ohne Kristalle A2: Ja: alte Scheiben sind unten dicker. Besser (1 oder 2):',
  'Frage: Wer schrieb „Momo“? A1: Michael Ende, 1973. A2: Erich Kästner Besser (1 oder 2):',
];

test('three requests that stand alone are one pipeline, with the replies to all of them', () => {
  expect(learnt(RECORDS.slice(0, 2))).toHaveLength(2);
  const [pipeline, ...others] = learnt(RECORDS);
  expect(others).toEqual([]);
  expect(pipeline?.template?.parts[0]?.literals.slice(0, 3)).toEqual(['Frage: ', '? A1: ', ' A2: ']);
  expect(pipeline?.requests).toBe(3);
  expect(pipeline?.answers?.toSorted()).toEqual(['0', '1', '2']);
});

test('three requests that share nothing stay alone', () => {
  const chats = [
    'Plan a trip to Oslo for two, please.',
    'Warum ist der Himmel blau?',
    'Fix this: SELECT nmae FROM users;',
  ];
  expect(learnt(chats)).toHaveLength(3);
});

test('a fourth prompt among them stays alone', () => {
  const pipelines = learnt(['Warum ist der Himmel blau?', ...RECORDS]);
  expect(pipelines.map(({ samples }) => samples.length).toSorted()).toEqual([1, 3]);
});
