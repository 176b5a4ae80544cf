/** Requests and replies of every wire protocol, and a check of a reply's form that owes nothing to the adapters. */
import * as z from 'zod';
import { anthropicMessages } from '../../adapters/anthropic-messages/index.ts';
import { gemini } from '../../adapters/gemini/index.ts';
import { huggingface } from '../../adapters/huggingface/index.ts';
import { openaiChat } from '../../adapters/openai-chat/index.ts';
import { openaiCompletions } from '../../adapters/openai-completions/index.ts';
import { openaiResponses } from '../../adapters/openai-responses/index.ts';
import type { Adapter } from '../../adapters/types.ts';

export interface Protocol {
  readonly adapter: Adapter;
  readonly path: (stream: boolean) => string;
  readonly request: (system: string, user: string, stream: boolean) => Record<string, unknown>;
  readonly whole: (text: string) => unknown;
  /** Server-sent events, each with its blank line. */
  readonly events: (text: string) => string[];
  readonly reply: z.ZodType;
  readonly event: z.ZodType;
  readonly error: z.ZodType;
  /** An error as an event of a stream, where that has another form. */
  readonly errorEvent?: z.ZodType;
}

const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const named = (value: { type: string }) => `event: ${value.type}\n${data(value)}`;
const halves = (text: string) => [text.slice(0, text.length >> 1), text.slice(text.length >> 1)];

const openaiError = z.object({
  error: z.looseObject({ message: z.string(), type: z.string() }),
});

const chatChunk = (delta: object, finish: string | null = null) => ({
  id: 'c1',
  object: 'chat.completion.chunk',
  model: 'judge',
  choices: [{ index: 0, delta, finish_reason: finish }],
});

const chat: Protocol = {
  adapter: openaiChat,
  path: () => '/v1/chat/completions',
  request: (system, user, stream) => ({
    model: 'judge',
    temperature: 0.2,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
    ...(stream && { stream, stream_options: { include_usage: true } }),
  }),
  whole: (content) => ({
    id: 'c1',
    object: 'chat.completion',
    model: 'judge',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage,
  }),
  events: (text) => [
    data(chatChunk({ role: 'assistant', content: '' })),
    ...halves(text).map((content) => data(chatChunk({ content }))),
    data(chatChunk({}, 'stop')),
    data({ id: 'c1', object: 'chat.completion.chunk', choices: [], usage }),
    'data: [DONE]\n\n',
  ],
  reply: z.looseObject({
    choices: z.array(z.looseObject({ message: z.looseObject({ content: z.string().nullish() }) })).min(1),
  }),
  event: z.looseObject({ choices: z.array(z.unknown()).nullish() }),
  error: openaiError,
};

const response = (text: string) => ({
  id: 'r1',
  object: 'response',
  status: 'completed',
  error: null,
  output: [
    {
      type: 'message',
      id: 'm1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text, annotations: [] }],
    },
  ],
  usage: { input_tokens: 10, output_tokens: 2, total_tokens: 12 },
});

const responses: Protocol = {
  adapter: openaiResponses,
  path: () => '/v1/responses',
  request: (system, user, stream) => ({
    model: 'judge',
    instructions: system,
    input: [{ role: 'user', content: [{ type: 'input_text', text: user }] }],
    ...(stream && { stream }),
  }),
  whole: response,
  events: (text) => [
    named({ type: 'response.created', response: { ...response(''), status: 'in_progress', output: [] } } as {
      type: string;
    }),
    named({ type: 'response.output_item.added', output_index: 0, item: { type: 'message' } } as {
      type: string;
    }),
    ...halves(text).map((delta) =>
      named({ type: 'response.output_text.delta', output_index: 0, content_index: 0, delta } as {
        type: string;
      }),
    ),
    named({ type: 'response.completed', response: response(text) } as { type: string }),
  ],
  reply: z.looseObject({ output: z.array(z.looseObject({ type: z.string() })) }),
  event: z.looseObject({ type: z.string() }),
  error: openaiError,
  errorEvent: z.looseObject({ type: z.literal('error') }),
};

const completions: Protocol = {
  adapter: openaiCompletions,
  path: () => '/v1/completions',
  request: (system, user, stream) => ({
    model: 'judge',
    prompt: `${system}\n\n${user}`,
    max_tokens: 20,
    ...(stream && { stream }),
  }),
  whole: (text) => ({
    id: 'c1',
    object: 'text_completion',
    choices: [{ index: 0, text, finish_reason: 'stop', logprobs: null }],
    usage,
  }),
  events: (text) => [
    ...halves(text).map((one) => data({ id: 'c1', choices: [{ index: 0, text: one, finish_reason: null }] })),
    data({ id: 'c1', choices: [{ index: 0, text: '', finish_reason: 'stop' }] }),
    'data: [DONE]\n\n',
  ],
  reply: z.looseObject({ choices: z.array(z.looseObject({ text: z.string() })).min(1) }),
  event: z.looseObject({ choices: z.array(z.unknown()) }),
  error: openaiError,
};

const messages: Protocol = {
  adapter: anthropicMessages,
  path: () => '/v1/messages',
  request: (system, user, stream) => ({
    model: 'judge',
    max_tokens: 100,
    system,
    messages: [{ role: 'user', content: [{ type: 'text', text: user }] }],
    ...(stream && { stream }),
  }),
  whole: (text) => ({
    id: 'm1',
    type: 'message',
    role: 'assistant',
    model: 'judge',
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 2 },
  }),
  events: (text) =>
    [
      {
        type: 'message_start',
        message: {
          id: 'm1',
          type: 'message',
          role: 'assistant',
          content: [],
          stop_reason: null,
          usage: { input_tokens: 10, output_tokens: 1 },
        },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      ...halves(text).map((one) => ({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'text_delta', text: one },
      })),
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
      { type: 'message_stop' },
    ].map(named),
  reply: z.looseObject({ content: z.array(z.looseObject({ type: z.string() })) }),
  event: z.looseObject({ type: z.string() }),
  error: z.object({ type: z.literal('error'), error: z.object({ type: z.string(), message: z.string() }) }),
};

const candidate = (text: string, finishReason?: string) => ({
  candidates: [
    { content: { role: 'model', parts: [{ text }] }, index: 0, ...(finishReason && { finishReason }) },
  ],
  usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 2, totalTokenCount: 12 },
});

const geminiProtocol: Protocol = {
  adapter: gemini,
  path: (stream) =>
    `/v1beta/models/judge:${stream ? 'streamGenerateContent?alt=sse&' : 'generateContent?'}key=`,
  request: (system, user) => ({
    systemInstruction: { parts: [{ text: system }] },
    contents: [{ role: 'user', parts: [{ text: user }] }],
    generationConfig: { temperature: 0.2 },
  }),
  whole: (text) => candidate(text, 'STOP'),
  events: (text) => {
    const [first = '', second = ''] = halves(text);
    return [data(candidate(first)), data(candidate(second, 'STOP'))];
  },
  reply: z.looseObject({ candidates: z.array(z.unknown()).min(1) }),
  event: z.looseObject({ candidates: z.array(z.unknown()) }),
  error: z.object({ error: z.looseObject({ code: z.number(), message: z.string(), status: z.string() }) }),
};

const generation: Protocol = {
  adapter: huggingface,
  path: (stream) => (stream ? '/generate_stream' : '/generate'),
  request: (system, user) => ({
    inputs: `${system}\n\n${user}`,
    parameters: { max_new_tokens: 20, details: true, return_full_text: false },
  }),
  whole: (text) => ({ generated_text: text }),
  events: (text) => [
    ...halves(text)
      .slice(0, 1)
      .map(
        (one) =>
          `data:${JSON.stringify({ index: 1, token: { id: 1, text: one, logprob: -0.1, special: false }, generated_text: null, details: null })}\n\n`,
      ),
    `data:${JSON.stringify({ index: 2, token: { id: 2, text: halves(text)[1], logprob: -0.1, special: false }, generated_text: text, details: { finish_reason: 'eos_token', generated_tokens: 2 } })}\n\n`,
  ],
  reply: z.union([
    z.looseObject({ generated_text: z.string() }),
    z.array(z.looseObject({ generated_text: z.string() })).min(1),
  ]),
  event: z.looseObject({ token: z.unknown() }),
  error: z.looseObject({ error: z.string() }),
};

export const PROTOCOLS: readonly Protocol[] = [
  chat,
  responses,
  completions,
  messages,
  geminiProtocol,
  generation,
];
