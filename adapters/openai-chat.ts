/**
 * OpenAI chat completions, `POST /v1/chat/completions`: the protocol most judges and judge clients speak.
 * The parts are in the folder of the same name: reading a request, reading a reply, writing a verdict into it.
 */
import { compose } from './openai-chat/compose.ts';
import { readReply } from './openai-chat/reply.ts';
import { readRequest } from './openai-chat/request.ts';
import { withText } from './openai-chat/text.ts';
import { openaiErrorBody } from './openai-error.ts';
import { openaiCredential } from './openai-path.ts';
import type { Adapter } from './types.ts';
import { raiseUsage } from './usage.ts';

export const openaiChat: Adapter = {
  name: 'openai-chat',
  // Also Azure's `/openai/deployments/{d}/chat/completions`, the old `/v1/engines/{e}/chat/completions`, and the
  // paths of Hugging Face's router: `/{provider}/v1/chat/completions`, `/hf-inference/models/{m}/v1/chat/completions`.
  speaks: (method, path) => method === 'POST' && /\/chat\/completions\/?(\?|$)/.test(path),
  owns: () => true,
  fits: ({ messages }) => Array.isArray(messages),
  readRequest,
  readReply,
  withUsage: (body, stream, added) => raiseUsage(body, stream, added, { whole: ['usage'], event: ['usage'] }),
  withText,
  compose,
  credential: openaiCredential,
  errorBody: openaiErrorBody,
  errorEvent: (status, message) => `data: ${openaiErrorBody(status, message, null)}\n\n`,
};
