import { describe, expect, test } from 'vitest';
import { runSteps, unlimited } from '../../../src/case/checkpoint.ts';
import { createTemplateBook } from '../../../src/case/templates/book.ts';
import { recogniseByTemplates } from '../../../src/case/templates/recognition.ts';

const THINGS = ['bridge', 'lamp', 'harbour', 'violin', 'glacier', 'museum', 'cable', 'orchard'];
const DEEDS = ['carries', 'warms', 'needs', 'replaces', 'measures', 'avoids', 'divides'];
/** A sentence that no other number gives. */
const sentence = (n: number, last = '.') =>
  `The ${THINGS[n % 8]} ${DEEDS[n % 7]} ${n + 3} of ${THINGS[(n * 3 + 1) % 8]} ${n * 7}${last}`;

type Write = (question: string, answers: readonly [string, string], section: string | null) => string;

const headings: Write = (q, [a, b], s) =>
  `Which answer is better? Reply with A or B.\n\n### Question\n${q}\n\n### Answer A\n${a}\n\n### Answer B\n${b}${s === null ? '' : `\n\n### Reference\n${s}`}\n\nReply with A or B only.`;
const labels: Write = (q, [a, b], s) =>
  `Welche Antwort ist besser? Antworte mit A oder B.\n\nFrage: ${q}\n\nAntwort A: ${a}\n\nAntwort B: ${b}${s === null ? '' : `\n\nHinweis: ${s}`}`;
const brackets: Write = (q, [a, b], s) =>
  `どちらの回答が優れていますか。AまたはBで答えてください。\n\n【質問】\n${q}\n\n【回答A】\n${a}\n\n【回答B】\n${b}${s === null ? '' : `\n\n【参考】\n${s}`}`;
const unknown: Write = (q, [a, b], s) =>
  `Which answer is better? Reply with A or B.\n\n### Question\n${q}\n\n### Answer A\n${a}\n\n### Answer B\n${b}${s === null ? '' : `\n\n### Gloaming\n${s}`}\n\nReply with A or B only.`;
const json: Write = (question, [a, b], s) =>
  `Which answer is better? Reply with A or B.\n\n${JSON.stringify({ question, answer_a: a, answer_b: b, ...(s !== null && { reference: s }) })}`;

/** What becomes of requests 1 to 30: the other texts that were read, or `-` where they were left alone. */
function readAll(
  write: Write,
  sectionIn: (n: number) => boolean,
  answer = (_n: number, text: string, _place: number) => text,
) {
  let made = 0;
  const book = createTemplateBook({ templates: [], learn: 'auto', id: () => `p${++made}` });
  const wrong: number[] = [];
  const alone: number[] = [];
  const told: (string | undefined)[] = [];
  for (let n = 1; n <= 30; n++) {
    const answers = [answer(n, sentence(3 * n), 0), answer(n, sentence(3 * n + 1), 1)] as const;
    const section = sectionIn(n) ? sentence(3 * n + 2) : null;
    const prompt = { parts: [{ role: 'user', text: write(sentence(500 + n, '?'), answers, section) }] };
    const { found, template, learn } = recogniseByTemplates(
      book,
      { prompt, schema: null },
      { tenant: null, path: '/v1/chat/completions' },
    );
    const id = runSteps(learn(unlimited));
    if (id ?? template) book.replied(id ?? template ?? '', { text: n % 3 === 0 ? 'B' : 'A', read: null });
    const { subject } = found;
    if (!subject) alone.push(n);
    else if (subject.options.map(({ text }) => text).join('\n\n') !== answers.join('\n\n')) wrong.push(n);
    else if (section !== null)
      told.push(
        subject.standards?.some(({ text, of }) => of === 'reference' && text === section)
          ? 'reference'
          : subject.context.some(({ text }) => text.includes(section))
            ? 'statement'
            : undefined,
      );
  }
  return { wrong, alone, told: [...new Set(told)] };
}

const late = (n: number) => n > 4 && n % 2 === 1;

describe('a section that comes late, behind the last answer', () => {
  test.each([
    ['below a heading', headings, 'reference', 11],
    ['behind a label', labels, 'statement', 17],
    ['below a name in brackets', brackets, 'reference', 11],
    ['in a field of JSON', json, 'reference', 11],
  ] as const)('%s is no part of that answer, and is read once it is known', (_, write, told, known) => {
    const read = readAll(write, late);
    expect(read.wrong).toEqual([]);
    expect(read.alone.filter((n) => n > 4).every((n) => late(n) && n < known)).toBe(true);
    expect(read.told).toEqual([told]);
  });

  test('is left alone where its name says nothing', () => {
    const { wrong, alone } = readAll(unknown, late);
    expect(wrong).toEqual([]);
    expect(alone.filter((n) => n > 4)).toEqual(Array.from({ length: 13 }, (_, n) => 2 * n + 5));
  });
});

describe('headings in answers', () => {
  test.each([
    [
      'that both have',
      (n: number, text: string) => (n % 3 === 0 ? text : `${text}\n\n### Note\n${sentence(900 + n)}`),
    ],
    [
      'that only the last one has, several of them',
      (n: number, text: string, place: number) =>
        place === 1 && n > 4
          ? `${text}\n\n### Step 1\n${sentence(900 + n)}\n\n### Step 2\n${sentence(700 + n)}`
          : text,
    ],
    [
      'that say the same of an answer',
      (n: number, text: string, place: number) =>
        place === 1 && n % 2 === 0 ? `${text}\n\n### Summary\n${sentence(900 + n)}` : text,
    ],
    [
      'that either has now and then',
      (n: number, text: string, place: number) =>
        (n + 2 * place) % 5 === 0 ? `${text}\n\n### References\n${sentence(900 + n)}` : text,
    ],
  ] as const)('%s stay theirs', (_, answer) => {
    const { wrong, alone } = readAll(headings, () => false, answer);
    expect(wrong).toEqual([]);
    expect(alone.filter((n) => n > 6)).toEqual([]);
  });
});
