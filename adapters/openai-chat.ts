/**
 * OpenAI chat completions, `POST /v1/chat/completions`: the protocol most judges and judge clients speak.
 * The parts are in the folder of the same name: reading a request, reading a reply, writing a verdict into it.
 */
import { readReply } from './openai-chat/reply.ts';
import { readRequest } from './openai-chat/request.ts';
import { withText } from './openai-chat/text.ts';
import type { Adapter } from './types.ts';
import { raiseUsage } from './usage.ts';

export const openaiChat: Adapter = {
  name: 'openai-chat',
  // Also Azure's `/openai/deployments/{d}/chat/completions` and the old `/v1/engines/{e}/chat/completions`.
  speaks: (method, path) => method === 'POST' && /\/chat\/completions\/?(\?|$)/.test(path),
  readRequest,
  readReply,
  withUsage: (body, stream, added) => raiseUsage(body, stream, added, { whole: ['usage'], event: ['usage'] }),
  withText,
  credential: (key) => ['authorization', `Bearer ${key}`],
  errorBody,
  errorEvent: (status, message) => `data: ${errorBody(status, message, null)}\n\n`,
};

function errorBody(status: number, message: string, field: string | null): string {
  return JSON.stringify({ error: { message, type: errorType(status), param: field, code: null } });
}

/** The names that OpenAI's own API uses. */
function errorType(status: number): string {
  if (status === 429) return 'rate_limit_error';
  return status >= 400 && status < 500 ? 'invalid_request_error' : 'api_error';
}
