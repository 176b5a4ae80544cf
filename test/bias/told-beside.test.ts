/** Who wrote an answer, when, and with which model, told beside the answer by a template that was learned: each is seen as its bias. */
import { expect, test } from 'vitest';
import { CATALOGUE } from '../../src/bias/index.ts';
import { applyEdits, editsFor, reversed, together } from '../../src/case/counterfactual.ts';
import { createTemplateBook } from '../../src/case/templates/book.ts';

const ORIGIN = { tenant: '', path: '/v1/chat/completions', schema: null };
const TEXTS = [
  [
    'The bus leaves at nine from the main station. It is blue, and the driver sells tickets for both zones.',
    'We close at six on Fridays. On all other days the desk is open until half past eight in the evening.',
  ],
  [
    'Take two tablets after a meal, never before. Drink a glass of water with them and rest for an hour.',
    'Ask the driver for a paper ticket. Those from the machine are not valid on this line before the summer.',
  ],
  [
    'Our office in Lyon opens again in March. Until then please write to the one in Lille, which answers soon.',
    'The blue one costs more but lasts. I have had mine for six years now and never changed a single part of it',
  ],
  [
    'Boil the rice for twelve minutes, then rest it. Salt goes in first, and the lid stays on all the time, mind you',
    'No, the form has to be signed twice. Once by you and once by whoever owns the flat in which you live',
  ],
];

type Write = (name: string, text: string, told: string) => string;

function caseOf(told: readonly string[], write: Write) {
  const book = createTemplateBook({ templates: [], learn: 'auto', id: () => 'p' });
  const prompts = TEXTS.map(([first = '', second = ''], n) => {
    const options = [
      write('A', first, told[n] ?? ''),
      write('B', second, told[(n + 2) % told.length] ?? ''),
    ].join('\n\n');
    return {
      parts: [{ role: 'user', text: `${options}\n\nWhich is better? Reply with "A" or "B".` }],
    };
  });
  for (const [n, prompt] of prompts.entries()) {
    const id = book.learn(ORIGIN, prompt, null);
    if (id !== null) book.replied(id, { text: n % 2 ? 'B' : 'A', read: null });
  }
  const reading = book.read(ORIGIN, prompts[0] ?? { parts: [] }, null);
  if (!reading.acts || reading.kind !== 'case') return null;
  return reading.subject;
}

function biasesSeen(told: readonly string[], write: Write) {
  const subject = caseOf(told, write);
  if (!subject) return null;
  return CATALOGUE.flatMap((bias) => bias.spot(subject).map((cue) => cue.bias));
}

const AUTHORS = ['Prof. Li (MIT)', 'a student', 'Dr. Okafor', 'J. Smith, Stanford', 'an intern'];
const KINDS = ['a human expert', 'an AI model', 'an unknown source', 'a language model', 'a domain expert'];
const DATES = ['2024-03-01', '1950', '2021-05-19', '1987', '2020-02-02'];
const MODELS = ['gpt-4o', 'claude-3', 'gemini-1.5', 'llama-3', 'mistral-7b'];
const TESTS = ['5/5', '3/8', '4/5', '0/6', '2/7'];

test.each([
  ['author', AUTHORS],
  ['provenance', KINDS],
  ['recency', DATES],
  ['identity', MODELS],
])('%s', (bias, told) => {
  expect(biasesSeen(told, (name, text, one) => `### Draft ${name} (${one})\n${text}`)).toContain(bias);
});

const tools = { rewrite: null, signal: new AbortController().signal };

const LAYOUTS: readonly Write[] = [
  (name, text, one) => `### Draft ${name}\nFrom: ${one}\n\n${text}`,
  (name, text, one) => `From: ${one}\n[Draft ${name}]\n${text}`,
  (name, text, one) => `[Draft ${name}]\n${text}\nFrom: ${one}`,
  (name, text, one) => `<draft id="${name}" from="${one}">\n${text}\n</draft>`,
];
const SOURCES = [
  ['author', AUTHORS],
  ['provenance', KINDS],
  ['recency', DATES],
  ['identity', MODELS],
] as const;

test.each(SOURCES.flatMap(([bias, told]) => LAYOUTS.map((write) => [bias, told, write] as const)))(
  '%s, seen and taken out on both sides, in either order: %s',
  async (name, told, write) => {
    const subject = caseOf(told, write);
    const bias = CATALOGUE.find((one) => one.name === name);
    expect(subject).not.toBeNull();
    if (!subject) return;
    expect(bias?.spot(subject).map((cue) => cue.bias)).toEqual([name]);
    const [cue] = bias?.spot(subject) ?? [];
    const undone = cue && (await bias?.undo(subject, cue, tools));
    expect(undone).toBeDefined();
    expect(undone).not.toBeNull();
    if (!undone) return;
    const [first = '', second = ''] = TEXTS[0] ?? [];
    const written = (one: typeof undone) => applyEdits(subject.prompt, editsFor(subject, one)).parts[0]?.text;
    expect(written(undone)).toContain(
      `${write('A', first, 'withheld')}\n\n${write('B', second, 'withheld')}`,
    );
    expect(written(together(subject, [reversed(subject), undone]))).toContain(
      `${write('A', second, 'withheld')}\n\n${write('B', first, 'withheld')}`,
    );
  },
);

test('tests that passed say nothing of who wrote a patch', () => {
  const seen = biasesSeen(TESTS, (name, text, one) => `### Patch ${name} (${one})\n${text}`);
  expect(seen).not.toBeNull();
  for (const bias of ['author', 'provenance', 'recency', 'identity']) expect(seen).not.toContain(bias);
});
