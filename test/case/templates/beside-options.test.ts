/** What is told of each option beside its text changes place with it: who wrote it, how many tests it passed. */
import { expect, test } from 'vitest';
import { applyEdits, editsFor, reversed } from '../../../src/case/counterfactual.ts';
import { toldBeside } from '../../../src/case/templates/beside-options.ts';
import { createTemplateBook } from '../../../src/case/templates/book.ts';
import { parseTemplate } from '../../../src/case/templates/template.ts';
import type { Prompt } from '../../../src/case/types.ts';

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
] as const;
const TOLD = [
  ['Prof. Li (MIT)', '3/5', '2024-03-01'],
  ['a student', '5/5', '1950'],
  ['Dr. Okafor', '0/5', '2021-05-19'],
  ['J. Smith, Stanford', '4/5', '1987'],
  ['an intern', '1/5', '2020-02-02'],
] as const;

const promptOf = (...texts: readonly string[]): Prompt => ({
  parts: texts.map((text) => ({ role: 'user', text })),
});

/** The first request as it is exchanged; null where it is left alone. */
function exchangeIn(prompts: readonly Prompt[]) {
  const book = createTemplateBook({ templates: [], learn: 'auto', id: () => 'p' });
  for (const [n, prompt] of prompts.entries()) {
    const id = book.learn(ORIGIN, prompt, null);
    if (id !== null) book.replied(id, { text: n % 2 ? 'B' : 'A', read: null });
  }
  const [prompt = { parts: [] }] = prompts;
  const reading = book.read(ORIGIN, prompt, null);
  if (!reading.acts || reading.kind !== 'case') return null;
  const { subject } = reading;
  const { parts } = applyEdits(prompt, editsFor(subject, reversed(subject)));
  return {
    texts: subject.options.map(({ text }) => text),
    exchanged: parts.map(({ text }) => text).join('\n=====\n'),
  };
}

/** The first of several requests with two answers and what is told of each, as it is exchanged. */
const exchange = (write: (name: string, text: string, told: readonly string[], n: number) => string) =>
  exchangeIn(
    TEXTS.map(([first, second], n) =>
      promptOf(
        `${write('A', first, TOLD[n] ?? [], n)}\n\n${write('B', second, TOLD[(n + 2) % 5] ?? [], n)}\n\nWhich is better? Reply with "A" or "B".`,
      ),
    ),
  );

test.each<[string, (name: string, text: string, told: readonly string[]) => string]>([
  ['the author in brackets', (name, text, [who]) => `### Draft ${name} (${who})\n${text}`],
  ['the tests in brackets', (name, text, [, tests]) => `### Patch ${name} (${tests} tests)\n${text}`],
  ['the year in brackets', (name, text, [, , when]) => `【回答${name}（${when}）】\n${text}`],
  ['a line below the name', (name, text, [who]) => `### Draft ${name}\nAuthor: ${who}\n\n${text}`],
  [
    'lines above the name',
    (name, text, [who, tests]) => `Author: ${who}\nTests: ${tests}\n[Draft ${name}]\n${text}`,
  ],
  ['a line behind the text', (name, text, [who]) => `### Draft ${name}\n${text}\nWritten by: ${who}`],
  [
    'attributes of a tag',
    (name, text, [who, , when]) => `<draft id="${name}" by="${who}" date="${when}">\n${text}\n</draft>`,
  ],
  [
    'in Japanese, with another label for each',
    (name, text, [who, tests]) => `【回答${name}】\n著者：${who}\n合格テスト数：${tests}\n\n${text}`,
  ],
  [
    'in the heading and behind the text',
    (name, text, [who, tests]) => `--- Entwurf ${name} (${who}) ---\n${text}\nTests: ${tests}`,
  ],
])('%s', (_, write) => {
  const [first, second] = TEXTS[0];
  expect(exchange(write)).toEqual({
    texts: [first, second],
    exchanged: `${write('A', second, TOLD[2])}\n\n${write('B', first, TOLD[0])}\n\nWhich is better? Reply with "A" or "B".`,
  });
});

const HINTS = [
  'Give the hour.',
  'Name the dose, and when it is taken.',
  'Name the city.',
  'Give the minutes.',
];
const hintFor = (text: string) => HINTS[TEXTS.findIndex((pair) => pair.some((one) => one === text))];

test.each<[string, (name: string, text: string, told: readonly string[]) => string]>([
  [
    'a mark in the frame',
    (n, text, [, , when]) => `--- Draft ${n} ${when} ---\n${text}\n--- end ${when} ---`,
  ],
  ['a criterion', (n, text, [who]) => `Answer ${n}: ${text}\nCriterion ${n}: ${hintFor(text)} Ask ${who}.`],
])('what stands beside an answer is never judged instead of it: %s', (_, write) => {
  expect([undefined, TEXTS[0]]).toContainEqual(exchange(write)?.texts);
});

const CITIES = ['Lyon', 'Kyiv', 'Osaka', 'Quito'];

test('in a list above the answers it leaves the request alone', () => {
  const list = (n: number, at: readonly number[]) =>
    at.map((who, place) => `Author of Draft ${'AB'.charAt(place)}: ${TOLD[(n + who) % 5]?.[0]}`).join('\n');
  const write = (n: number, [one = 0, other = 1]: readonly number[], texts: readonly string[]) =>
    `About the drafts\n${list(n, [one, other])}\n\nQuestion: What about ${CITIES[n]}?\n\n[Draft A]\n${texts[0]}\n\n[Draft B]\n${texts[1]}\n\nWhich is better? Reply with "A" or "B".`;
  const prompts = TEXTS.map((texts, n) => promptOf(write(n, [0, 2], texts)));
  expect(exchangeIn(prompts)).toBeNull();
});

test('in a message for each answer', () => {
  const messages = (
    n: number,
    told: readonly (readonly string[] | undefined)[],
    texts: readonly string[],
  ) => [
    `Question: What about ${CITIES[n]}?`,
    ...texts.map((text, at) => `Reply ${'AB'.charAt(at)}\nAuthor: ${told[at]?.[0]}\n\n${text}`),
    'Which reply is better? Reply with "A" or "B".',
  ];
  const toldIn = (n: number) => [TOLD[n], TOLD[(n + 2) % 5]];
  const prompts = TEXTS.map((texts, n) => promptOf(...messages(n, toldIn(n), texts)));
  expect(exchangeIn(prompts)?.exchanged).toBe(
    messages(0, toldIn(0).toReversed(), TEXTS[0].toReversed()).join('\n=====\n'),
  );
});

test.each<[string, (name: string, text: string, told: readonly string[], n: number) => string]>([
  [
    'a number that counts the places',
    (name, text, _, n) => `### Draft ${name} #${100 + 2 * n + Number(name === 'B')}\n${text}`,
  ],
  [
    'what names the other answer',
    (name, text, [who]) =>
      `### Draft ${name}\nNote: ${who} likes it more than Draft ${name === 'A' ? 'B' : 'A'}\n\n${text}`,
  ],
  [
    'a remark between the answers that belongs to neither',
    (name, text, [who]) =>
      `### Draft ${name}\n${text}${name === 'A' ? `\n\nBy the way: ${who} asked twice.` : ''}`,
  ],
])('left alone: %s', (_, write) => {
  const exchanged = exchange(write)?.exchanged ?? null;
  expect(exchanged).toBeNull();
});

const besideIn = (...texts: readonly string[]) => {
  const { parts } = parseTemplate({ name: 't', parts: texts.map((text) => ({ role: 'user', text })) });
  return Object.fromEntries(
    [...toldBeside(parts)].map(([label, places]) => [
      label,
      places.map(({ part, slot }) => (texts.length > 1 ? `${part}/${slot}` : slot)),
    ]),
  );
};

test('what stands in front and behind', () => {
  expect(
    besideIn(
      'Q: {{instruction}}\n[A by {{context}}]\n{{option A}}\nlikes: {{*}}\n[B by {{context}}]\n{{option B}}\nlikes: {{*}}\nDecide.',
    ),
  ).toEqual({ A: [1, 3], B: [4, 6] });
  expect(besideIn('# A ({{*}})\n{{option A}}\n# B ({{*}})\n{{option B}}\n# C ({{*}})\n{{option C}}')).toEqual(
    {
      A: [0],
      B: [2],
      C: [4],
    },
  );
});

test.each([
  ['other words', '# A ({{*}})\n{{option A}}\n# B [{{*}}]\n{{option B}}'],
  ['told of one alone', '# A\n{{option A}}\n# B ({{*}})\n{{option B}}'],
  ['a text between that is nobody’s', '# A\n{{option A}}\n# Note\n{{context}}\n# B\n{{option B}}\nDecide.'],
  ['a question each', '# A to {{instruction}}\n{{option A}}\n# B to {{instruction}}\n{{option B}}'],
  ['one answer', '# A ({{*}})\n{{option A}}'],
  ['turns', '# A\n{{option A}}\n{{*}}\n{{option A}}\n# B\n{{option B}}\n{{*}}\n{{option B}}'],
])('nothing stands beside: %s', (_, text) => {
  expect(besideIn(text)).toEqual({});
});
