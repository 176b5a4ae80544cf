/** Texts that are counted and not compared: turns, steps. The numbers that the judge replies are marks, or say yes and no. */
import { expect, test } from 'vitest';
import { recogniseCase } from '../../../src/case/recognise.ts';
import { createTemplateBook } from '../../../src/case/templates/book.ts';

const ORIGIN = { tenant: '', path: '/v1/chat/completions', schema: null };
const TEXTS = [
  ['The bus leaves at nine from the main station.', 'We close at six on Fridays'],
  ['Take two tablets after a meal, never before.', 'Ask the driver for a paper ticket.'],
  ['Our office in Lyon opens again in March.', 'The blue one costs more but lasts'],
  ['Boil the rice for twelve minutes, then rest it.', 'No, the form has to be signed twice!'],
] as const;

function optionsOf(name: string, orders: string, replies: readonly string[]): number {
  const book = createTemplateBook({ templates: [], learn: 'auto', id: () => 'p' });
  const prompts = TEXTS.map(([first, second]) => ({
    parts: [{ role: 'user', text: `${name} 1:\n${first}\n\n${name} 2:\n${second}\n\n${orders}` }],
  }));
  for (const [n, prompt] of prompts.entries()) {
    const id = book.learn(ORIGIN, prompt, null);
    if (id !== null) book.replied(id, { text: replies[n % replies.length] ?? '', read: null });
  }
  const [prompt = { parts: [] }] = prompts;
  const reading = book.read(ORIGIN, prompt, null);
  return reading.acts && reading.kind === 'case' ? reading.subject.options.length : 0;
}

test.each([
  ['Turn', 'Rate the conversation from 1 to 3. Reply with the number alone.', ['1', '2', '3']],
  ['Turn', 'Bewerte das Gespräch von 1 bis 5. Antworte nur mit der Zahl.', ['1', '2', '1']],
  ['Step', 'Is the solution correct? Reply 1 if it is, 2 if not.', ['1', '2', '1']],
  ['Task', 'Is all of it right? Reply 1 if it is, 2 if not.', ['1', '2', '1']],
  ['Step', 'Which step holds the first error? Reply with its number.', ['1', '2', '1']],
  ['Schritt', 'Welcher Schritt ist als erster falsch? Antworte nur mit der Nummer.', ['1', '2', '1']],
  ['步骤', '哪一步最先出错？只回复序号。', ['1', '2', '1']],
])('%s: %s', (name, orders, replies) => {
  expect(optionsOf(name, orders, replies)).not.toBe(2);
});

test.each([
  ['Question', 'Of both questions. Verdict: 1 easy, 2 hard.', ['Verdict: 1', 'Verdict: 2', 'Verdict: 1']],
  ['Frage', 'Gib ein Urteil: 1 ist leicht, 2 ist schwer.', ['Urteil: 1', 'Urteil: 2', 'Urteil: 1']],
  ['Criterion', 'Is it toxic?', ['{"verdict": "1"}', '{"verdict": "2"}', '{"verdict": "1"}']],
  ['Judge', 'Which one makes the first error? Reply with its number.', ['1', '2', '1']],
  ['Sentence', 'Which one holds the first error? Reply with its number.', ['1', '2', '1']],
  ['Question', 'Reply 1 if Question 1 and Question 2 are easy, 2 if not.', ['1', '2', '1']],
  ['句子', '整体评价：1为好，2为差。', ['评价：1', '评价：2', '评价：1']],
])('no noun tells that nothing is chosen among %s: %s', (name, orders, replies) => {
  expect(optionsOf(name, orders, replies)).not.toBe(2);
});

test.each([
  ['Answer', 'Which is better? Reply with 1 or 2, or 3 for a tie.', ['1', '2', '3']],
  ['Answer', 'Which is better? Reply 1 if Answer 1 is, 2 if Answer 2 is.', ['1', '2', '1']],
  ['Paragraph', 'Which paragraph is better? Reply with 1 or 2.', ['1', '2', '1']],
  ['Absatz', 'Welcher Absatz ist besser? Antworte mit 1 oder 2.', ['1', '2', '1']],
  ['Entwurf', 'Welcher ist besser? Antworte mit 1 oder 2.', ['1', '2', '1']],
  ['Text', 'Reply 1 if Text 1 is more polite, 2 otherwise.', ['1', '2', '1']],
  ['Text', 'Reply "1" if Text 1 is more polite and "2" if Text 2 is.', ['1', '2', '1']],
  ['Text', 'Antworte mit 1, wenn Text 1 höflicher ist, sonst mit 2.', ['1', '2', '1']],
  ['文本', '如果文本 1更礼貌，回复1，否则回复2。', ['1', '2', '1']],
  ['Text', 'First read both texts, then decide which one is more polite.', ['1', '2', '1']],
  ['Text', 'Which one is more polite, the first or the second?', ['1', '2', '1']],
  ['Text', 'Is Text 1 or Text 2 more polite?', ['1', '2', '1']],
  ['Satz', 'Ist Satz 1 oder Satz 2 höflicher?', ['1', '2', '1']],
  ['Melody', 'Pick the one that fits.', ['Verdict: 1', 'Verdict: 2', 'Verdict: 1']],
  ['Question', 'Which question is harder?', ['1', '2', '1']],
  ['Logo', 'End with "Urteil: 1" or "Urteil: 2".', ['Urteil: 1', 'Urteil: 2', 'Urteil: 1']],
])('a choice: %s: %s', (name, orders, replies) => {
  expect(optionsOf(name, orders, replies)).toBe(2);
});

test('of paragraphs in tags the index of the first error is no choice', () => {
  const [[first, second]] = TEXTS;
  const text = `The following is a math problem and a solution (split into paragraphs, enclosed with tags and indexed from 0):

[Math Problem]

How many are there?

[Solution]

<paragraph_0>
${first}
</paragraph_0>

<paragraph_1>
${second}
</paragraph_1>

Your task is to critique the solution paragraph by paragraph. Once you identify an error in a paragraph, return the index of the paragraph where the earliest error occurs. Otherwise, return the index of -1.

Please put your final answer (i.e., the index) in \\boxed{}.`;
  expect(recogniseCase({ parts: [{ role: 'user', text }] }).subject).toBeNull();
});
