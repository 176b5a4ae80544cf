import { expect, test } from 'vitest';
import { recogniseCase } from '../../src/case/recognise.ts';

test.each([
  [{ data: { question: 'Who?', answer_a: 'Lima is it.', answer_b: 'It is Cusco.' } }, 2],
  [{ question: 'Who?', candidates: { answer_a: 'Lima is it.', answer_b: 'It is Cusco.' } }, 2],
  [{ sample: { prompt: 'Who?', output: 'Lima is it.' } }, 1],
  [{ item: { question: 'Who?', answer: 'Lima is it.' } }, 1],
])('answers in an object within the document are read on the first request: %j', (document, count) => {
  const order = count > 1 ? 'Which answer is better? Reply with A or B.' : 'Rate the answer from 1 to 5.';
  const text = `${order}\n\n${JSON.stringify(document, null, 2)}`;
  const { subject } = recogniseCase({ parts: [{ role: 'user', text }] }, { schema: undefined });
  expect(subject?.options.map((option) => option.text)).toEqual(
    ['Lima is it.', 'It is Cusco.'].slice(0, count),
  );
});
