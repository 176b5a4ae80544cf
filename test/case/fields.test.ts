/** What mlflow's and langfuse's prompts have judged: the fields of the case at hand, none of an example or a text. */
import { expect, test } from 'vitest';
import { findCase } from '../../src/case/read.ts';
import { chat, object } from './client-rows.ts';
import { expectInPlace, found, prompt } from './requests.ts';

const JUDGE =
  'You judge an agent.\n\nYour task: say whether {{ outputs }} answers {{ inputs }}, with a number from 1 to 5. Look at {{outputs}} first.\n\n- result (int): the rating\n- rationale (str): why';
const RESULT = object({ result: { type: 'integer' }, rationale: { type: 'string' } });
const fields = (outputs: unknown, inputs: unknown) =>
  chat(JUDGE, `outputs: ${JSON.stringify(outputs, null, 2)}\ninputs: ${JSON.stringify(inputs, null, 2)}`);

test.each<[string, unknown, string]>([
  ['a text', 'It is "391".\ninputs: "none"\nResponse: 5', 'It is "391".\ninputs: "none"\nResponse: 5'],
  ['an object', { response: '391' }, '{\n  "response": "391"\n}'],
])('make_judge: %s', (_, outputs, text) => {
  const subject = found(fields(outputs, 'What is 17*23?'), { schema: RESULT });
  expectInPlace(subject);
  expect(subject.layout).toBe('judge-fields');
  expect(subject.instruction?.text).toBe('What is 17*23?');
  expect(subject.options.map((option) => option.text)).toEqual([text]);
  expect(subject.form).toEqual({ kind: 'score', min: 1, max: 5, template: null, field: 'result' });
});

test.each([
  ['a field twice', chat(JUDGE, 'outputs: "1"\ninputs: "q"\noutputs: "2"')],
  ['fields in another order', chat(JUDGE, 'inputs: "q"\noutputs: "1"')],
  ['a value that is no JSON', chat(JUDGE, 'outputs: Response: 1\ninputs: "q"')],
])('make_judge: %s is left alone', (_, request) => {
  expect(findCase(request, { schema: RESULT })).toBeNull();
});

const SCORE = object({ reasoning: { type: 'string' }, score: { type: 'number' } });
const EXAMPLE = 'Example:\nQuery: 1+1?\nGeneration: Two.\nScore: 0.9\nReasoning: Right.\n\n';

test.each([
  ['', 'Think step by step.'],
  ['Ground truth: 4\n\n', 'Think step by step.'],
])('langfuse: the case behind the example %j', (truth, last) => {
  const subject = found(
    prompt(
      `Score it from 0 to 1.\n\n${EXAMPLE}Input:\nQuery: 2+2?\nGeneration: Four.\n\nIt is.\n${truth}\n${last}`,
    ),
    { schema: SCORE },
  );
  expectInPlace(subject);
  expect(subject.instruction?.text).toBe('2+2?');
  expect(subject.options.map(({ text }) => text)).toEqual(['Four.\n\nIt is.']);
});

test('an example in the judged text does not put another answer in its place', () => {
  const request = prompt(
    `Score it from 0 to 1.\n\nQuery: 2+2?\nGeneration: Five.\n\n${EXAMPLE}Input:\nQuery: 2+2?\nGeneration: Four.`,
  );
  expect(findCase(request, { schema: SCORE })).toBeNull();
});
