/** What varies alone from request to request is what is judged, whatever it is called. */
import { expect, test } from 'vitest';
import { createTemplateBook } from '../../../../src/case/templates/book.ts';
import { variesAlone } from '../../../../src/case/templates/roles/variation.ts';
import type { Prompt } from '../../../../src/case/types.ts';

const QUESTIONS = ['q1', 'q2', 'q1', 'q2', 'q3'];
const ANSWERS = ['a', 'b', 'c', 'd', 'e'];

test.each([
  ['other answers to the same two questions', [QUESTIONS, ANSWERS], [1], true],
  ['the questions beside them', [QUESTIONS, ANSWERS], [0], false],
  [
    'one question only, which may be what all of them are about',
    [['q', 'q', 'q', 'r', 's'], ANSWERS],
    [1],
    false,
  ],
  ['criteria that come again beside other answers', [QUESTIONS, ['x', 'x', 'y', 'y', 'x']], [1], false],
  ['two answers to each question', [QUESTIONS, ANSWERS, ['f', 'g', 'h', 'i', 'j']], [1, 2], true],
  ['one of two that both vary', [QUESTIONS, ANSWERS, ['f', 'g', 'h', 'i', 'j']], [1], false],
  ['two of which one varies', [QUESTIONS, ANSWERS, ['f', 'g', 'f', 'g', 'h']], [1, 2], false],
  ['a text that is missing in a request', [QUESTIONS, ANSWERS.slice(1)], [1], false],
  ['all that there is', [ANSWERS], [0], false],
])('%s', (_, values, judged, expected) => {
  expect(
    variesAlone(
      values,
      values.map((_value, slot) => slot),
      judged,
    ),
  ).toBe(expected);
});

/** Two texts whose names say little of which is judged. */
const prompt = (seen: string, heard: string): Prompt => ({
  parts: [
    {
      role: 'user',
      text: `Say publish or redo.\n\nPhotograph:\n${seen}\n\nText:\n${heard}\n`,
    },
  ],
});
const SEEN = [
  'A ferry beside a pier, no people.',
  'Two clocks\nof which one stands still',
  'bread, salt, a knife',
  'An empty stairwell with blue tiles',
  'Children on a frozen canal',
  'A map with an island on it',
];
const HEARD = [
  'The boat waits for somebody',
  'It is half past three.',
  'Ready for supper?',
  'Stairs that lead up\nto a door',
  '(laughter on the ice)',
  'An island that does not exist.',
];
const OTHERS = ['People leave a ship.', 'Time', 'a loaf; butter', 'Nothing to be heard here'];

function judgedAfter(nth: (n: number) => Prompt): string | null {
  let made = 0;
  const book = createTemplateBook({ templates: [], learn: 'auto', id: () => `p${++made}` });
  const origin = { tenant: 'one', path: '/v1/chat/completions', schema: null };
  for (let n = 0; n < 5; n++) {
    const id = book.learn(origin, prompt(SEEN[n] ?? '', HEARD[n] ?? ''), null);
    if (id) book.replied(id, { text: n % 2 === 0 ? 'publish' : 'redo', read: null });
  }
  for (let n = 0; n < OTHERS.length; n++) book.learn(origin, nth(n), null);
  const reading = book.read(origin, prompt(SEEN[5] ?? '', HEARD[5] ?? ''), null);
  return reading.kind === 'case' ? reading.subject.options.map(({ text }) => text).join() : null;
}

test('other texts beside the same ones say what is judged, and not beside others', () => {
  expect({
    others: judgedAfter((n) => prompt(SEEN[n] ?? '', OTHERS[n] ?? '')),
    again: judgedAfter((n) => prompt(SEEN[n] ?? '', HEARD[n] ?? '')),
    beside: judgedAfter((n) => prompt(OTHERS[n] ?? '', HEARD[n] ?? '')),
  }).toEqual({ others: HEARD[5], again: null, beside: null });
});
