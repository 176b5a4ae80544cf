/**
 * Anthropic's messages, `POST /v1/messages`: https://docs.anthropic.com/en/api/messages
 * `request.ts` reads requests and writes our own, `reply.ts` reads replies, `write.ts` writes them.
 */

import type { Adapter } from '../types.ts';
import { createAnthropicBatches } from './batches.ts';
import { readAnthropicReply } from './reply.ts';
import { ANTHROPIC_VERSION, composeAnthropicRequest, readAnthropicRequest } from './request.ts';
import { addAnthropicUsage, replaceAnthropicText, writeAnthropicReply } from './write.ts';

export const anthropicMessages: Adapter = {
  name: 'anthropic-messages',
  capabilities: {
    seed: false,
    logProbabilities: null,
    maxTokens: 'max_tokens',
    samples: null,
    batches: { headers: ANTHROPIC_VERSION, open: createAnthropicBatches },
    keyHeaders: ['x-api-key', 'authorization'],
    streamComments: true,
    provider: 'anthropic',
  },
  // Neither `/v1/messages/count_tokens` and `/v1/messages/batches`, nor OpenAI's `/v1/threads/{id}/messages`.
  speaks: (method, path) => method === 'POST' && /^\/v1\/messages\/?(\?|$)/.test(path),
  owns: (path) => path.startsWith('/v1/messages'),
  fits: isForMessages,
  readRequest: readAnthropicRequest,
  readReply: readAnthropicReply,
  withUsage: addAnthropicUsage,
  withText: replaceAnthropicText,
  compose: composeAnthropicRequest,
  write: writeAnthropicReply,
  credential: (key) => ['x-api-key', key],
  errorBody,
  // The event's name counts: Anthropic's clients skip events that have none.
  errorEvent: (status, message) => `event: error\ndata: ${errorBody(status, message)}\n\n`,
};

/** What tells it from OpenAI's form, whose messages are a list as well. */
function isForMessages(body: Readonly<Record<string, unknown>>): boolean {
  const { messages, system, anthropic_version: version, model } = body;
  return (
    Array.isArray(messages) &&
    (system !== undefined || version !== undefined || (typeof model === 'string' && /^claude/.test(model))) &&
    !messages.some((message: unknown) => Reflect.get(Object(message), 'role') === 'system')
  );
}

function errorBody(status: number, message: string): string {
  return JSON.stringify({ type: 'error', error: { type: errorType(status), message } });
}

/** https://docs.anthropic.com/en/api/errors */
const ERROR_TYPES: ReadonlyMap<number, string> = new Map([
  [401, 'authentication_error'],
  [402, 'billing_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [504, 'timeout_error'],
  [529, 'overloaded_error'],
]);

function errorType(status: number): string {
  return ERROR_TYPES.get(status) ?? (status < 500 ? 'invalid_request_error' : 'api_error');
}
