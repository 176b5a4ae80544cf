/** Pictures, sounds and files among the texts: where they would stay behind an option that moves, no case is found. */
import { describe, expect, test } from 'vitest';
import { runSteps, unlimited } from '../../src/case/checkpoint.ts';
import { markMedia } from '../../src/case/media.ts';
import { findCase } from '../../src/case/read.ts';
import { recogniseCase } from '../../src/case/recognise.ts';
import { createTemplateBook } from '../../src/case/templates/book.ts';
import { recogniseByTemplates } from '../../src/case/templates/recognition.ts';
import { parseTemplate } from '../../src/case/templates/template.ts';
import type { Prompt } from '../../src/case/types.ts';

const PICTURE = '<picture>';
/** One user message; `PICTURE` stands for one. */
const prompt = (text: string): Prompt => ({
  parts: markMedia(
    text
      .split(/(<picture>)/)
      .filter((piece) => piece !== '')
      .map((piece) => (piece === PICTURE ? 'media' : { role: 'user', text: piece })),
  ),
});

const ORDERS =
  'Which output is better for the instruction? Reply with "Output (a)" or "Output (b)" only.\n\n# Instruction:\nDraw a cat.';
const ASKED =
  '# Which is better, Output (a) or Output (b)? Your response should be either "Output (a)" or "Output (b)":';
const A = '# Output (a):\nA cat, drawn by hand.';
const B = '# Output (b):\nThe cat sits there.';
const START = "[The Start of Assistant A's Answer]";
const BETWEEN = "[The End of Assistant A's Answer]\n\n[The Start of Assistant B's Answer]";
const END = "[The End of Assistant B's Answer]";
const ARENA =
  'Please act as an impartial judge and evaluate the quality of the responses provided by two AI assistants to the user question displayed below. Output your final verdict by strictly following this format: "[[A]]" if assistant A is better, "[[B]]" if assistant B is better, and "[[C]]" for a tie.\n\n[User Question]\nDraw a cat.';

test.each([
  ['behind each answer', `${ORDERS}\n\n${A}${PICTURE}\n\n${B}${PICTURE}\n\n${ASKED}`],
  ['behind the first answer', `${ORDERS}\n\n${A}${PICTURE}\n\n${B}\n\n${ASKED}`],
  ['behind the second answer', `${ORDERS}\n\n${A}\n\n${B}\n${PICTURE}\n\n${ASKED}`],
  ['before the words of the first', `${ORDERS}\n\n${A.replace('\n', `\n${PICTURE}\n`)}\n\n${B}\n\n${ASKED}`],
  [
    'before the words of each',
    `${ORDERS}\n\n${A}\n\n${B}\n\n${ASKED}`.replace(/(\(.\):\n)/g, `$1${PICTURE}`),
  ],
  ['within tags', `${ARENA}\n\n${START}\nHere:${PICTURE}\n${BETWEEN}\nA cat.${PICTURE}\n${END}`],
])('none where a picture stands %s', (_where, text) => {
  expect(recogniseCase(prompt(text))).toMatchObject({ subject: null, reason: 'media-between' });
  expect(findCase(prompt(text))).toBeNull();
});

test.each([
  ['above all', `${PICTURE}${ORDERS}\n\n${A}\n\n${B}\n\n${ASKED}`],
  ['behind the question', `${ORDERS}${PICTURE}\n\n${A}\n\n${B}\n\n${ASKED}`],
  ['below all', `${ORDERS}\n\n${A}\n\n${B}\n\n${ASKED}${PICTURE}`],
  ['behind the last tag', `${ARENA}\n\n${START}\nYes.\n${BETWEEN}\nNo.\n${END}${PICTURE}`],
])('one where a picture stands %s', (_where, text) => {
  expect(recogniseCase(prompt(text))).toMatchObject({ reason: null });
});

test('one answer changes no place', () => {
  const graded = prompt(
    `Grade the answer from 1 to 5.\n\n# Question:\nDraw a cat.\n\n# Answer:\nHere it is.${PICTURE}\n\n# Score (1 to 5):`,
  );
  const declared = { options: ['Here it is.'] };
  expect(recogniseCase(graded, { declared })).toMatchObject({ reason: null });
});

test('none where the client declares the options', () => {
  const declared = { options: ['drawn by hand', 'sits there'] };
  const text = (between: string) =>
    prompt(`Who has the better cat? Ann: drawn by hand${between} Bob: sits there. Say "Ann" or "Bob".`);
  expect(recogniseCase(text(','), { declared })).toMatchObject({ reason: null });
  expect(recogniseCase(text(PICTURE), { declared })).toMatchObject({ reason: 'media-between' });
});

describe('by a template', () => {
  const drafts = (q: string, a: string, b: string, middle = '') =>
    `Welcher Entwurf ist besser? Antworte „Entwurf 1“ oder „Entwurf 2“.\n\nAnfrage:\n${q}\n\n== Entwurf 1 ==\n${a}${middle}\n\n== Entwurf 2 ==\n${b}\n\n== Ende ==`;
  const from = { tenant: null, path: '' };
  const parts = (text: string) => prompt(text).parts.map((part) => ({ role: part.role, text: part.text }));

  test("none where the operator's fits", () => {
    const names = (middle: string) => drafts('{{instruction}}', '{{option 1}}', '{{option 2}}', middle);
    const template = parseTemplate({ name: 'drafts', parts: parts(names(PICTURE)) });
    const book = createTemplateBook({ templates: [template], learn: 'off', id: () => '' });
    const text = drafts('Ein Logo.', 'Rot.', 'Blau, mit Rand.', PICTURE);
    const { found } = recogniseByTemplates(book, { prompt: prompt(text) }, from);
    expect(found).toMatchObject({ subject: null, reason: 'media-between' });
    const told = recogniseByTemplates(book, { prompt: { parts: parts(text) } }, from).found;
    expect(told).toMatchObject({ reason: null });
  });

  test('none where a learned one fits', () => {
    const book = createTemplateBook({ templates: [], learn: 'auto', id: () => 'learned' });
    const read = (...values: [string, string, string]) => {
      const text = drafts(...values, `\n\n== Bild 1 ==${PICTURE}`);
      const { found, learn } = recogniseByTemplates(book, { prompt: prompt(text) }, from);
      runSteps(learn(unlimited));
      return found.reason;
    };
    read('Was kostet ein Brief?', 'Fünfundneunzig Cent.', 'Das hängt davon ab, wohin er geht.');
    read('Wie hoch ist der Fuji?', '3.776 Meter.', 'Ungefähr 3.700 Meter, sagt man.');
    read('Wer schrieb den Faust?', 'Goethe.', 'Ein deutscher Dichter aus Weimar.');
    expect(read('Wann ist die Bücherei zu?', 'Montags.', 'Das steht an der Tür.')).toBe('media-between');
  });
});
