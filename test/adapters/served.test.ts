/** Which model answered, as each protocol tells it, whole and streamed. */
import { expect, test } from 'vitest';
import { ADAPTERS } from '../../adapters/index.ts';

const events = (...data: readonly unknown[]) =>
  data.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('');
const chat = { model: 'gpt-4o-2024-08-06', system_fingerprint: 'fp_1' };
const named = { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'A' }] };

test.each([
  [
    'openai-chat',
    false,
    JSON.stringify({ ...chat, choices: [{ message: { content: 'A' } }] }),
    'gpt-4o-2024-08-06 fp_1',
  ],
  [
    'openai-chat',
    true,
    events({ ...chat, choices: [{ index: 0, delta: { content: 'A' }, finish_reason: 'stop' }] }),
    'gpt-4o-2024-08-06 fp_1',
  ],
  ['openai-chat', false, JSON.stringify({ model: 5, choices: [{ message: { content: 'A' } }] }), undefined],
  [
    'openai-chat',
    false,
    JSON.stringify({ model: 'x'.repeat(900), choices: [{ message: { content: 'A' } }] }),
    'x'.repeat(200),
  ],
  [
    'openai-completions',
    false,
    JSON.stringify({ model: 'judgelm-7b', choices: [{ text: 'A' }] }),
    'judgelm-7b',
  ],
  [
    'openai-completions',
    true,
    events({ model: 'judgelm-7b', choices: [{ text: 'A', finish_reason: 'stop' }] }),
    'judgelm-7b',
  ],
  [
    'openai-responses',
    true,
    events({
      type: 'response.completed',
      response: {
        model: 'gpt-5',
        status: 'completed',
        output: [{ ...named, content: [{ type: 'output_text', text: 'A' }] }],
      },
    }),
    'gpt-5',
  ],
  [
    'anthropic-messages',
    false,
    JSON.stringify({ ...named, model: 'claude-a', stop_reason: 'end_turn' }),
    'claude-a',
  ],
  [
    'anthropic-messages',
    true,
    events(
      { type: 'message_start', message: { model: 'claude-a', usage: {} } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'A' } },
      { type: 'message_stop' },
    ),
    'claude-a',
  ],
  [
    'gemini',
    false,
    JSON.stringify({
      modelVersion: 'gemini-a',
      candidates: [{ content: { parts: [{ text: 'A' }] }, finishReason: 'STOP' }],
    }),
    'gemini-a',
  ],
])('%s, streamed %s', (protocol, stream, body, served) => {
  const adapter = ADAPTERS.find(({ name }) => name === protocol);
  const reply = adapter?.readReply(body, stream);
  expect(reply?.texts).toEqual(['A']);
  expect(reply?.served).toBe(served);
});
