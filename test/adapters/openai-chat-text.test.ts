/** Putting another text where a reply has its verdict, and moving nothing else. */
import { expect, test } from 'vitest';
import { openaiChat } from '../../adapters/openai-chat/index.ts';

const sse = (...chunks: unknown[]) =>
  `${chunks.map((c) => `data: ${JSON.stringify(c)}\n\n`).join('')}data: [DONE]\n\n`;
const delta = (index: number, said: unknown) => ({
  id: 'x',
  choices: [{ index, delta: said, finish_reason: null }],
});

test.each([
  [
    'the content of every choice',
    '{"id": "x",  "choices": [{"message": {"content": "A"}, "logprobs": null}, {"message": {"content": "B"}}], "n": 1.0}',
    '{"id": "x",  "choices": [{"message": {"content": "\\"C\\""}, "logprobs": null}, {"message": {"content": "\\"C\\""}}], "n": 1.0}',
  ],
  [
    'content in parts',
    '{"choices": [{"message": {"content": [{"type": "text", "text": "A"}]}}]}',
    '{"choices": [{"message": {"content": "\\"C\\""}}]}',
  ],
  [
    'the arguments of a call, where there is no content',
    '{"choices": [{"message": {"content": null, "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": "{}"}}]}}]}',
    '{"choices": [{"message": {"content": null, "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": "\\"C\\""}}]}}]}',
  ],
  [
    'log-probabilities of words that are gone go, too',
    '{"choices": [{"message": {"content": "A"}, "logprobs": {"content": [{"token": "A"}]}}]}',
    '{"choices": [{"message": {"content": "\\"C\\""}, "logprobs": null}]}',
  ],
])('%s', (_name, body, expected) => {
  expect(openaiChat.withText(body, false, '"C"')).toBe(expected);
});

test('in a stream the first piece says all, the later ones nothing', () => {
  const role = delta(0, { role: 'assistant', content: '' });
  const body = sse(
    role,
    delta(0, { content: 'Out' }),
    delta(1, { content: 'x' }),
    delta(0, { content: 'put (a)' }),
  );
  const said = openaiChat.withText(body, true, 'Output (b)');
  expect(said).toBe(
    sse(
      delta(0, { role: 'assistant', content: 'Output (b)' }),
      delta(0, { content: '' }),
      delta(1, { content: 'Output (b)' }),
      delta(0, { content: '' }),
    ),
  );
  expect(openaiChat.readReply(said, true).texts).toEqual(['Output (b)', 'Output (b)']);
});

test('in a stream of a function call it is the arguments', () => {
  const call = (rest: unknown) => delta(0, { tool_calls: [{ index: 0, function: rest }] });
  const body = sse(
    delta(0, { role: 'assistant', content: null }),
    call({ name: 'f', arguments: '' }),
    call({ arguments: '{"a":' }),
    call({ arguments: '1}' }),
  );
  expect(openaiChat.readReply(openaiChat.withText(body, true, '{"a":2}'), true).texts).toEqual(['{"a":2}']);
});
