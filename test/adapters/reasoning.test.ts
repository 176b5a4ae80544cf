/** Reasoning that comes in a place of its own is read from there, and the verdict is read as if there were none. */
import { describe, expect, it, test } from 'vitest';
import { anthropicMessages } from '../../adapters/anthropic-messages/index.ts';
import { gemini } from '../../adapters/gemini/index.ts';
import { openaiChat } from '../../adapters/openai-chat/index.ts';
import { openaiResponses } from '../../adapters/openai-responses/index.ts';
import type { Adapter } from '../../adapters/types.ts';
import { WHOLE } from './responses-replies.ts';

const chat = (message: object) =>
  JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }], usage: null });
const events = (...all: object[]) => all.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('');
const named = (...all: { type: string }[]) =>
  all.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`).join('');
const piece = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
});
const candidate = (parts: object[], finishReason?: string) => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...(finishReason ? { finishReason } : {}) }],
});

const SAID: readonly (readonly [what: string, Adapter, body: string, stream: boolean])[] = [
  ['DeepSeek', openaiChat, chat({ content: 'Yes', reasoning_content: 'No, wait. Longer.' }), false],
  ['vLLM', openaiChat, chat({ content: 'Yes', reasoning: 'No, wait. Longer.' }), false],
  [
    'a server in transition, with both names',
    openaiChat,
    chat({ content: 'Yes', reasoning: 'No, wait. Longer.', reasoning_content: 'No, wait. Longer.' }),
    false,
  ],
  [
    'Mistral',
    openaiChat,
    chat({
      content: [
        { type: 'thinking', thinking: [{ type: 'text', text: 'No, wait. Longer.' }] },
        { type: 'text', text: 'Yes' },
      ],
    }),
    false,
  ],
  [
    'DeepSeek, streamed',
    openaiChat,
    `${events(
      piece({ role: 'assistant', content: null, reasoning_content: 'No, wait.' }),
      piece({ reasoning_content: ' Longer.' }),
      piece({ content: 'Yes', reasoning_content: null }, 'stop'),
    )}data: [DONE]\n\n`,
    true,
  ],
  [
    'Anthropic',
    anthropicMessages,
    JSON.stringify({
      type: 'message',
      content: [
        { type: 'thinking', thinking: 'No, wait. Longer.', signature: 'EqQB' },
        { type: 'text', text: 'Yes' },
      ],
      stop_reason: 'end_turn',
    }),
    false,
  ],
  [
    'Anthropic, streamed',
    anthropicMessages,
    named(
      { type: 'message_start', message: { usage: { input_tokens: 1, output_tokens: 1 } } } as {
        type: string;
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } } as {
        type: string;
      },
      {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'thinking_delta', thinking: 'No, wait. Longer.' },
      } as { type: string },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } } as {
        type: string;
      },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Yes' } } as {
        type: string;
      },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } } as { type: string },
      { type: 'message_stop' },
    ),
    true,
  ],
  [
    'Gemini',
    gemini,
    JSON.stringify(candidate([{ text: 'No, wait. Longer.', thought: true }, { text: 'Yes' }], 'STOP')),
    false,
  ],
  [
    'Gemini, streamed',
    gemini,
    events(
      candidate([{ text: 'No, wait.', thought: true }]),
      candidate([{ text: ' Longer.', thought: true }]),
      candidate([{ text: 'Yes' }], 'STOP'),
    ),
    true,
  ],
  [
    'responses of an open model, which shows what it thought',
    openaiResponses,
    JSON.stringify({
      status: 'completed',
      output: [
        {
          type: 'reasoning',
          content: [{ type: 'reasoning_text', text: 'No, wait. Longer.' }],
          summary: [{ type: 'summary_text', text: 'short' }],
        },
        { type: 'message', content: [{ type: 'output_text', text: 'Yes' }] },
      ],
    }),
    false,
  ],
];

describe('reasoning and answer are kept apart', () => {
  it.each(SAID)('%s', (_, adapter, body, stream) => {
    expect(adapter.readReply(body, stream)).toMatchObject({
      texts: ['Yes'],
      reasoning: 'No, wait. Longer.',
      finish: expect.stringMatching(/stop|end_turn/i),
    });
  });

  test('of responses that keep their reasoning to themselves, the summary', () => {
    expect(openaiResponses.readReply(WHOLE, false).reasoning).toBe('Output (b) is tempting.');
  });
});

test.each([
  ['an object where reasoning should be', { content: 'Yes', reasoning: { effort: 'low' } }],
  ['a number where reasoning should be', { content: 'Yes', reasoning_content: 7 }],
  ['none', { content: 'Yes' }],
  ['white space', { content: 'Yes', reasoning_content: ' \n' }],
])('%s leaves the answer readable, without reasoning', (_, message) => {
  const reply = openaiChat.readReply(chat(message), false);
  expect(reply.texts).toEqual(['Yes']);
  expect('reasoning' in reply).toBe(false);
});
