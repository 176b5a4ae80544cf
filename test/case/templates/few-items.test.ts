/** Few items under many criteria: an item comes back as often as a prompt does, and is no prompt all the same. */
import { expect, test } from 'vitest';
import { runSteps, unlimited } from '../../../src/case/checkpoint.ts';
import { createTemplateBook } from '../../../src/case/templates/book.ts';
import { recogniseByTemplates } from '../../../src/case/templates/recognition.ts';
import type { Prompt } from '../../../src/case/types.ts';
import { createSeededDraw } from '../../../src/stats/seeded-draw.ts';

const WORDS =
  'the of river town market council winter harvest teacher engine bridge window paper doctor garden school report people morning evening train coffee music water letter number yellow quiet simple heavy future system measure local public value state orange silver crowd'.split(
    ' ',
  );
const ITEMS = 3;
const CRITERIA = 24;

const FORMS: Readonly<Record<string, (text: string, criterion: string) => string>> = {
  'below a text': (text, criterion) =>
    `Judge the following.\n\nFirst part:\n${text}\n\nSecond part:\n${criterion}\n\nScore 1-5:`,
  'in front of a text': (text, criterion) =>
    `Does this hold: ${criterion}\n\nText: ${text}\n\nReply with a number from 1 to 5.`,
  'on the line of a text': (text, criterion) =>
    `Does the text "${text}" meet this: "${criterion}"? Reply with a number from 1 to 5.`,
};

test.each(Object.entries(FORMS))('a criterion %s is not taken for it', (_, write) => {
  for (const seed of [1, 2, 3]) {
    const draw = createSeededDraw(seed);
    const sentence = (length: number) =>
      Array.from({ length }, () => WORDS[draw(WORDS.length)])
        .join(' ')
        .replace(/^./, (letter) => letter.toUpperCase())
        .concat('.');
    const texts = Array.from({ length: ITEMS }, () =>
      Array.from({ length: 3 }, () => sentence(6 + draw(9))).join(' '),
    );
    const requests = Array.from({ length: CRITERIA }, () => `${sentence(9)} ${sentence(7)}`).flatMap(
      (criterion) =>
        texts.map((text): { text: string; prompt: Prompt } => ({
          text,
          prompt: { parts: [{ role: 'user', text: write(text, criterion) }] },
        })),
    );
    const shuffled = requests
      .map((request) => ({ request, at: draw(2 ** 30) }))
      .sort((a, b) => a.at - b.at)
      .map(({ request }) => request);
    for (const inOrder of [requests, shuffled]) {
      let made = 0;
      const book = createTemplateBook({ templates: [], learn: 'auto', id: () => `p${++made}` });
      for (const [n, { prompt, text }] of inOrder.entries()) {
        const { found, template, learn } = recogniseByTemplates(
          book,
          { prompt, schema: null },
          { tenant: null, path: '/v1/chat/completions' },
        );
        if (found.subject) expect(found.subject.options[0]?.text, `${seed}, request ${n}`).toBe(text);
        const id = runSteps(learn(unlimited)) ?? template;
        if (id) book.replied(id, { text: String(1 + draw(5)), read: null });
      }
    }
  }
});
