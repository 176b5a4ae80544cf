/** Who wrote an answer, when, and with which model, told beside the answer by a template that was learned: each is seen as its bias. */
import { expect, test } from 'vitest';
import { CATALOGUE } from '../../src/bias/index.ts';
import { createTemplateBook } from '../../src/case/templates/book.ts';

const ORIGIN = { tenant: '', path: '/v1/chat/completions', schema: null };
const TEXTS = [
  ['The bus leaves at nine from the main station.', 'We close at six on Fridays.'],
  ['Take two tablets after a meal, never before.', 'Ask the driver for a paper ticket.'],
  ['Our office in Lyon opens again in March.', 'The blue one costs more but lasts.'],
  ['Boil the rice for twelve minutes, then rest it.', 'No, the form has to be signed twice.'],
];

function biasesSeen(told: readonly string[], write: (name: string, text: string, told: string) => string) {
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
  const { subject } = reading;
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

test('tests that passed say nothing of who wrote a patch', () => {
  const seen = biasesSeen(TESTS, (name, text, one) => `### Patch ${name} (${one})\n${text}`);
  expect(seen).not.toBeNull();
  for (const bias of ['author', 'provenance', 'recency', 'identity']) expect(seen).not.toContain(bias);
});
