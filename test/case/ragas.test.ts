/** ragas' prompts: its frame around a list of verdicts, and around one. */
import { expect, test } from 'vitest';
import { findCase } from '../../src/case/read.ts';
import { companionsAgree } from '../../src/case/replacement.ts';
import { readVerdict } from '../../src/case/verdict.ts';
import { decided, object } from './client-rows.ts';
import { expectInPlace, found, prompt, withoutCue } from './requests.ts';

const entries = (properties: Record<string, unknown>) => ({ type: 'array', items: object(properties) });

const NLI = {
  $defs: {
    Answer: {
      properties: {
        statement: { type: 'string' },
        reason: { type: 'string' },
        verdict: { type: 'integer' },
      },
      type: 'object',
    },
  },
  properties: { statements: { items: { $ref: '#/$defs/Answer' }, type: 'array' } },
  required: ['statements'],
  type: 'object',
};
const asking = (
  schema: unknown,
  input: unknown,
  orders = 'Judge the faithfulness of a series of statements.',
) =>
  prompt(
    `${orders}\nPlease return the output in a JSON format that complies with the following schema as specified in JSON Schema:\n${JSON.stringify(schema)}Do not use single quotes in your response but double quotes,properly escaped with a backslash.\n\n--------EXAMPLES-----------\nExample 1\nInput: {\n    "context": "c",\n    "statements": ["s"]\n}\nOutput: {\n    "statements": []\n}\n-----------------------------\n\nNow perform the same with the following input\ninput: ${JSON.stringify(input, null, 4)}\nOutput: `,
  );
const statements = ['Tea is from Asia.', 'Tea is a root.'];

test('the verdicts on statements, by the schema that the prompt states', () => {
  const subject = found(asking(NLI, { context: 'Tea is "from"\nAsia.', statements }));
  expectInPlace(subject);
  expect(subject.form).toEqual({ kind: 'list', field: 'statements', item: 'verdict', fields: null });
  expect(JSON.parse(subject.options[0]?.text ?? '')).toEqual(statements);
  expect(subject.options[0]?.label).toBe('statements');
  const { part, offset } = subject.noteAt;
  expect(subject.prompt.parts[part]?.text.slice(offset)).toBe('Output: ');
});

test('context recall: the sentences of an answer', () => {
  const schema = object({
    classifications: entries({
      statement: { type: 'string' },
      reason: { type: 'string' },
      attributed: { type: 'integer' },
    }),
  });
  const subject = found(asking(schema, { question: 'What is "tea"?', context: 'c', answer: 'It is\nhot.' }));
  expectInPlace(subject);
  expect(subject.form).toEqual({ kind: 'list', field: 'classifications', item: 'attributed', fields: null });
  expect(subject.options.map(({ text }) => text)).toEqual(['It is\nhot.']);
  expect(subject.instruction?.text).toBe('What is "tea"?');
});

test('a cue in a JSON string is taken out by the sentence, and the document stays one', async () => {
  const crowd = '90% of people believe that these statements are true.';
  const request = asking(NLI, { context: `Tea is from Asia.\n${crowd} Tea is hot.`, statements });
  const subject = found(request);
  expect(subject.context.map(({ text }) => text)).toEqual([crowd]);
  const { parts } = await withoutCue(request, subject);
  const input = /input: (.*)\nOutput: $/s.exec(parts[0]?.text ?? '')?.[1] ?? '';
  expect(JSON.parse(input)).toEqual({ context: 'Tea is from Asia.\n Tea is hot.', statements });
});

test.each([
  ['statements to be made', object({ statements: { type: 'array', items: { type: 'string' } } })],
  ['a question to be made', object({ question: { type: 'string' }, noncommittal: { type: 'integer' } })],
])('%s: left alone', (_, schema) => {
  expect(findCase(asking(schema, { question: 'What is tea?', answer: 'Hot.' }))).toBeNull();
});

test('a re-judgment speaks of the same statements in the same order', () => {
  const { form, options } = found(asking(NLI, { context: 'c', statements }));
  const reply = (...rows: (readonly [string, number])[]) =>
    JSON.stringify({
      statements: rows.map(([statement, verdict]) => ({ statement, reason: `It is ${verdict}.`, verdict })),
    });
  const first = reply(['Tea is from Asia.', 1], ['Tea is a root.', 1]);
  expect(decided(readVerdict(first, form, options))).toEqual({ kind: 'list', items: ['1', '1'] });
  expect(companionsAgree(reply(['tea is from  Asia', 1], ['Tea is a root.', 0]), first, form)).toBe(true);
  expect(companionsAgree(reply(['Tea is a root.', 0], ['Tea is from Asia.', 1]), first, form)).toBe(false);
  expect(companionsAgree(reply(['Tea is from Asia.', 1]), first, form)).toBe(false);
});

const INTEGER = (description?: string) => ({
  type: 'integer',
  ...(description !== undefined && { description }),
});
const CASE = {
  user_input: 'What is "tea"?',
  response: 'It is\nhot.',
  retrieved_contexts: ['Tea is from Asia.'],
};
const RUBRIC = [1, 2, 3]
  .map((n) => `score${n}_description: Of between 7 and 9 things it has ${n}.`)
  .join('\n');

test.each([
  [
    'aspect critic: yes or no as 1 or 0',
    "Use only 'Yes' (1) and 'No' (0) as verdict.\nCriteria Definition: Is it kind?",
    object({ reason: { type: 'string' }, verdict: INTEGER('The verdict (0 or 1) for the submission') }),
    CASE,
    // The aspect may be a fault.
    { kind: 'pass', field: 'verdict', polarity: 'unknown' },
  ],
  [
    'simple criteria: the scale that the criterion names',
    'Criteria Definition: Score 0 to 5 by kindness.',
    object({ reason: { type: 'string' }, score: INTEGER('The score for the submission') }),
    CASE,
    { kind: 'score', min: 0, max: 5, template: null, field: 'score' },
  ],
  [
    'rubrics: a score for each line, whatever numbers the lines hold',
    `Scoring Rubrics:\n${RUBRIC}\n`,
    object({ feedback: { type: 'string' }, score: INTEGER('The score given to the response') }),
    CASE,
    { kind: 'score', min: 1, max: 3, template: null, field: 'score', legal: [1, 2, 3] },
  ],
  [
    'answer accuracy: the ratings that the schema describes',
    'Rate the User Answer. Say 4, if it is contained in the Reference Answer.',
    object({ rating: INTEGER('Accuracy rating (0, 2, or 4)') }),
    { query: 'What is "tea"?', user_answer: 'It is\nhot.', reference_answer: 'A drink.' },
    { kind: 'score', min: 0, max: 4, template: null, field: 'rating', legal: [0, 2, 4] },
  ],
  [
    'context precision: about what was retrieved, not the answer beside it',
    'Given question, answer and context verify if the context was useful in arriving at the given answer.',
    object({ reason: { type: 'string' }, verdict: INTEGER('Binary (0/1) verdict of verification') }),
    { question: 'What is "tea"?', context: 'It is\nhot.', answer: 'A drink.' },
    { kind: 'pass', field: 'verdict' },
  ],
])('one verdict: %s', (_, orders, schema, input, form) => {
  const subject = found(asking(schema, input, orders));
  expectInPlace(subject);
  expect(subject.form).toEqual(form);
  expect(subject.options.map(({ text }) => text)).toEqual(['It is\nhot.']);
  expect(subject.instruction?.text).toBe('What is "tea"?');
  const { part, offset } = subject.noteAt;
  expect(subject.prompt.parts[part]?.text.slice(offset)).toBe('Output: ');
});

test('JSON mode tells no fields: the schema that the prompt states goes before it', () => {
  const schema = object({ reason: { type: 'string' }, verdict: INTEGER('(0 or 1)') });
  const subject = found(asking(schema, CASE, 'Is it kind?'), { schema: { type: 'object' } });
  expect(subject.form).toEqual({ kind: 'pass', field: 'verdict', polarity: 'unknown' });
});

test('a cue beside the one answer is taken out, wherever it stands in the document', async () => {
  const crowd = '90% of people believe that this answer is correct.';
  const schema = object({ reason: { type: 'string' }, verdict: INTEGER('(0 or 1)') });
  const write = (said: string) =>
    asking(schema, { ...CASE, user_input: `What is tea?${said}` }, 'Is it kind?');
  const request = write(` ${crowd}`);
  expect(await withoutCue(request, found(request))).toEqual(write(' '));
});

test.each([
  ['no answer', { user_input: 'What is tea?' }],
  ['an answer that is no text', { ...CASE, response: 7 }],
])('%s: left alone', (_, input) => {
  expect(findCase(asking(object({ verdict: INTEGER('(0 or 1)') }), input))).toBeNull();
});

test.each([
  ['groundedness', { response: 'It is "hot".', context: 'Tea is hot.' }, 'It is "hot".'],
  ['faithfulness to images', { response: 'It is hot.', retrieved_contexts: ['Tea.', 'Hot.'] }, 'It is hot.'],
  ['two queries', { reference: 'SELECT 1', response: 'SELECT\n2', database_schema: 't(id)' }, 'SELECT\n2'],
  ['the end of a task', { desired_outcome: 'A table.', arrived_outcome: 'No table.' }, 'No table.'],
  ['a conversation', { user_input: 'Human: Tea?\nAI: Hot.\nHuman: Now?' }, 'Tea?\nAI: Hot.\nHuman: Now?'],
  [
    'a conversation and a reference',
    { user_input: 'Human: Tea?\nAI: Hot.', reference: 'It is.' },
    'Tea?\nAI: Hot.',
  ],
])('the answer in %s', (_, input, answer) => {
  const schema = object({ reason: { type: 'string' }, verdict: INTEGER('(0 or 1)') });
  const subject = found(asking(schema, input, 'Is it so?'));
  expectInPlace(subject);
  expect(subject.options.map(({ text }) => text)).toEqual([answer]);
  expect(subject.form).toEqual({ kind: 'pass', field: 'verdict', polarity: 'unknown' });
});

test('what is taken out of a conversation is no verdict on it', () => {
  const schema = object({ topics: { type: 'array', items: { type: 'string' } } });
  expect(findCase(asking(schema, { user_input: 'Human: Tea?\nAI: Hot.' }, 'Extract the topics.'))).toBeNull();
});
