/** Names of models beside an option and in it. */
import { expect, test } from 'vitest';
import { identity, namesItself } from '../../src/bias/identity.ts';
import { applyEdits, editsFor, reversed, together } from '../../src/case/index.ts';
import { createTemplateBook } from '../../src/case/templates/book.ts';
import { readTemplateFile } from '../../src/case/templates/recognition.ts';

const TEXT =
  'Which is better?\n\n{{instruction}}\n\nSummary 1 ({{context}}\'s summary):\n{{option 1}}\n\nSummary 2 ({{context}}\'s summary):\n{{option 2}}\n\nReply with "1" or "2".';

function read(prompt: string) {
  const templates = readTemplateFile(
    {
      name: 'sources',
      parts: [{ role: 'user', text: TEXT }],
      verdict: { kind: 'choice', labels: ['1', '2'] },
    },
    'template',
  );
  const book = createTemplateBook({ templates, learn: 'off', id: () => 'none' });
  const reading = book.read(
    { tenant: '', path: '/', schema: null },
    { parts: [{ role: 'user', text: prompt }] },
    null,
  );
  if (reading.kind !== 'case') throw new Error(`no case is read: ${reading.kind}`);
  return reading.subject;
}

const fill = (first: string, second: string, options = ['It rained.', 'It snowed.']) =>
  [first, second]
    .reduce((text, name) => text.replace('{{context}}', name), TEXT)
    .replace('{{instruction}}', 'The weather.')
    .replace('{{option 1}}', options[0] ?? '')
    .replace('{{option 2}}', options[1] ?? '');

test('names beside the options are all put into the same word, and nothing else changes', async () => {
  const subject = read(fill('gpt4', 'human'));
  const [cue] = identity.spot(subject);
  expect(cue).toMatchObject({ favours: 'any', seen: expect.stringContaining('"gpt4" and 1 more') });
  const undone =
    cue && (await identity.undo(subject, cue, { rewrite: null, signal: AbortSignal.timeout(1000) }));
  if (!undone) throw new Error('not undone');
  const [part] = applyEdits(subject.prompt, editsFor(subject, undone)).parts;
  expect(part?.text).toBe(fill('withheld', 'withheld'));
});

test('a name beside an option that moves is put into the same word in the other order, too', async () => {
  const subject = read(fill('gpt4', 'somebody'));
  const [cue] = identity.spot(subject);
  const undone =
    cue && (await identity.undo(subject, cue, { rewrite: null, signal: AbortSignal.timeout(1000) }));
  const other = together(subject, [reversed(subject), undone ?? reversed(subject)]);
  expect(applyEdits(subject.prompt, editsFor(subject, other)).parts[0]?.text).toBe(
    fill('withheld', 'withheld', ['It snowed.', 'It rained.']),
  );
});

test.each([
  ['gpt-4o-2024-08-06', 'gpt4', true],
  ['claude-opus-4-5', 'Claude', true],
  ['o3-mini', 'GPT-4', true],
  ['gemini-2.5-flash', 'gpt4', false],
  ['deepseek-r1-distill-llama-70b', 'llama-3', false],
  ['our-judge', 'gpt4', false],
])('a judge %s and a writer %s: %s', (judge, writer, own) => {
  const [cue] = identity.spot(read(fill(writer, 'human')), judge);
  expect(cue?.seen.includes(`"${writer}" is of the judge's own family (self-preference)`)).toBe(own);
});

test.each([
  ['I am GPT-4, and the sum is 391.', true],
  ["I'm Claude, an AI assistant created by Anthropic. The sum is 391.", true],
  ['As ChatGPT, I would say 391.', true],
  ['Claude Monet painted it in 1872.', false],
  ['I am a Gemini, born in June.', false],
  ['GPT-4 was released in 2023 by OpenAI.', false],
  ['The llama is a domesticated animal.', false],
  ['As a human, I like it.', false],
])('%s: %s', (text, names) => {
  expect(namesItself(text)).toBe(names);
});

test('other statements and writers that are no models are left', () => {
  expect(identity.spot(read(fill('Anna', 'the editor of the paper')))).toEqual([]);
});
