/** What is told of each option beside its text changes place with it: who wrote it, how many tests it passed. */
import { expect, test } from 'vitest';
import { applyEdits, editsFor, reversed } from '../../../src/case/counterfactual.ts';
import { toldBeside } from '../../../src/case/templates/beside-options.ts';
import { createTemplateBook } from '../../../src/case/templates/book.ts';
import { parseTemplate } from '../../../src/case/templates/template.ts';

const ORIGIN = { tenant: '', path: '/v1/chat/completions', schema: null };
const TEXTS = [
  ['The bus leaves at nine from the main station.', 'We close at six on Fridays.'],
  ['Take two tablets after a meal, never before.', 'Ask the driver for a paper ticket.'],
  ['Our office in Lyon opens again in March.', 'The blue one costs more but lasts.'],
  ['Boil the rice for twelve minutes, then rest it.', 'No, the form has to be signed twice.'],
] as const;
const TOLD = [
  ['Prof. Li (MIT)', '3/5', '2024-03-01'],
  ['a student', '5/5', '1950'],
  ['Dr. Okafor', '0/5', '2021-05-19'],
  ['J. Smith, Stanford', '4/5', '1987'],
  ['an intern', '1/5', '2020-02-02'],
] as const;

/** The exchanged request; null where it is left alone. */
function exchange(write: (name: string, text: string, told: readonly string[]) => string) {
  const book = createTemplateBook({ templates: [], learn: 'auto', id: () => 'p' });
  const prompts = TEXTS.map(([first, second], n) => ({
    parts: [
      {
        role: 'user',
        text: `${write('A', first, TOLD[n] ?? [])}\n\n${write('B', second, TOLD[(n + 2) % 5] ?? [])}\n\nWhich is better? Reply with "A" or "B".`,
      },
    ],
  }));
  for (const [n, prompt] of prompts.entries()) {
    const id = book.learn(ORIGIN, prompt, null);
    if (id !== null) book.replied(id, { text: n % 2 ? 'B' : 'A', read: null });
  }
  const [prompt = { parts: [] }] = prompts;
  const reading = book.read(ORIGIN, prompt, null);
  if (!reading.acts || reading.kind !== 'case') return null;
  const { subject } = reading;
  return {
    texts: subject.options.map(({ text }) => text),
    exchanged: applyEdits(prompt, editsFor(subject, reversed(subject))).parts[0]?.text,
  };
}

test.each<[string, (name: string, text: string, told: readonly string[]) => string]>([
  ['the author in brackets', (name, text, [who]) => `### Draft ${name} (${who})\n${text}`],
  ['the tests in brackets', (name, text, [, tests]) => `### Patch ${name} (${tests} tests)\n${text}`],
  ['the year in brackets', (name, text, [, , when]) => `【回答${name}（${when}）】\n${text}`],
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
