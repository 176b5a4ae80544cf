/** Judges for the proxy's tests: what they say is a function of the prompt, so the truth is known. */
import { findRemand } from '../../prompts/remand-note.ts';
import { findRewrite, writeRewrite } from '../../prompts/rewrite.ts';
import type { Received, Reply } from './servers.ts';

export const RIGHT = '391';
export const WRONG = 'The answer, as anyone can see, is 381.';

/** A request in the layout of the detector paper. */
export function pairwise(first: string, second: string, rest: Record<string, unknown> = {}): string {
  const content = [
    '# Instruction:',
    'What is 17*23?',
    '',
    '# Output (a):',
    first,
    '',
    '# Output (b):',
    second,
    '',
    '# Which is better, Output (a) or Output (b)? Answer with either "Output (a)" or "Output (b)":',
  ].join('\n');
  return JSON.stringify({ model: 'test-judge', messages: [{ role: 'user', content }], ...rest });
}

export interface Prompt {
  readonly text: string;
  readonly first: string;
  readonly second: string;
  /** Whether a note came with it. */
  readonly sentBack: boolean;
  readonly received: Received;
}

/** Says `Output (a)` whatever stands there, until it is sent back: then the right one. */
export function firstPlaceLover({ first, sentBack }: Prompt): string {
  return sentBack && !first.includes(RIGHT) ? 'Output (b)' : 'Output (a)';
}

/** Says `Output (a)` whatever stands there, and stays with it. */
export function stubborn(): string {
  return 'Output (a)';
}

export function fair({ first }: Prompt): string {
  return first.includes(RIGHT) ? 'Output (a)' : 'Output (b)';
}

export function promptIn(received: Received): Prompt {
  const { messages } = JSON.parse(received.body.toString()) as { messages: { content: string }[] };
  const text = messages.map(({ content }) => content).join('\n');
  const section = (label: string) =>
    new RegExp(`# Output \\(${label}\\):\\n([\\s\\S]*?)\\n\\n(?:#|---)`).exec(text)?.[1] ?? '';
  return { text, first: section('a'), second: section('b'), sentBack: findRemand(text) !== null, received };
}

/** Whole replies in OpenAI's form; the white space is there to be kept. */
export function whole(say: (prompt: Prompt) => string): Reply {
  return (received, response) => {
    if (received.method !== 'POST') return void response.end('{}');
    response.setHeader('content-type', 'application/json');
    response.setHeader('x-request-id', 'req_1');
    response.end(replyBody(textFor(received, say)));
  };
}

export function replyBody(content: string): string {
  return `{"id": "chatcmpl-1",  "object": "chat.completion", "model": "test-judge-0613",
 "choices": [{"index": 0, "message": {"role": "assistant", "content": ${JSON.stringify(content)}}, "finish_reason": "stop"}],
 "usage": {"prompt_tokens": 100, "completion_tokens": 4, "total_tokens": 104, "prompt_tokens_details": {"cached_tokens": 10}}}`;
}

/** Streamed replies, piece by piece. */
export function streamed(say: (prompt: Prompt) => string): Reply {
  return (received, response) => {
    response.setHeader('content-type', 'text/event-stream');
    for (const piece of streamChunks(textFor(received, say))) response.write(piece);
    response.end();
  };
}

export function streamChunks(content: string): string[] {
  const chunk = (choices: unknown, usage: unknown = null) =>
    `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', model: 'test-judge-0613', choices, usage })}\n\n`;
  return [
    chunk([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }]),
    ...content
      .split(/(?<= )/)
      .map((piece) => chunk([{ index: 0, delta: { content: piece }, finish_reason: null }])),
    chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]),
    chunk([], { prompt_tokens: 100, completion_tokens: 4, total_tokens: 104 }),
    'data: [DONE]\n\n',
  ];
}

/** Rewording is answered with a short text: the tests are about the calls, not the words. */
export function textFor(received: Received, say: (prompt: Prompt) => string): string {
  const { messages } = JSON.parse(received.body.toString()) as { messages: { content: string }[] };
  const [system, user] = messages;
  const reworded = system && user && findRewrite(system.content, user.content);
  return reworded
    ? writeRewrite(
        reworded.texts.map((text) => text.slice(0, 20)),
        reworded.series,
      )
    : say(promptIn(received));
}
