/**
 * OpenAI chat completions, `POST /v1/chat/completions`: the protocol most judges and judge clients speak.
 * `request.ts` reads requests and writes our own, `write.ts` writes replies, `../openai-choices.ts` reads them.
 */

import { createOpenAiCredential, formatOpenAiError } from '../openai-api.ts';
import { createOpenAiBatches } from '../openai-batches.ts';
import { readOpenAiChatReply, replaceChoiceText } from '../openai-choices.ts';
import { separateAnswers } from '../reply-json.ts';
import { raiseUsage } from '../token-usage.ts';
import type { Adapter } from '../types.ts';
import { composeOpenAiChatRequest, readOpenAiChatRequest } from './request.ts';
import { writeOpenAiChatReply } from './write.ts';

export const openaiChat: Adapter = {
  name: 'openai-chat',
  capabilities: {
    seed: true,
    logProbabilities: (alternatives) => ({ logprobs: true, top_logprobs: alternatives }),
    maxTokens: 'max_tokens',
    samples: { field: 'n', read: ({ n }) => n, separate: (reply) => separateAnswers(reply, 'choices') },
    batches: { headers: {}, open: createOpenAiBatches },
    keyHeaders: ['authorization', 'api-key'],
    streamComments: true,
    provider: 'openai',
  },
  // Also Azure's `/openai/deployments/{d}/chat/completions`, the old `/v1/engines/{e}/chat/completions`, and the
  // paths of Hugging Face's router: `/{provider}/v1/chat/completions`, `/hf-inference/models/{m}/v1/chat/completions`.
  speaks: (method, path) => method === 'POST' && /\/chat\/completions\/?(\?|$)/.test(path),
  owns: () => true,
  fits: ({ messages }) => Array.isArray(messages),
  readRequest: readOpenAiChatRequest,
  readReply: readOpenAiChatReply,
  withUsage: (body, stream, added) => raiseUsage(body, stream, added, { whole: ['usage'], event: ['usage'] }),
  withText: replaceChoiceText,
  compose: composeOpenAiChatRequest,
  write: writeOpenAiChatReply,
  credential: createOpenAiCredential,
  errorBody: formatOpenAiError,
  errorEvent: (status, message) => `data: ${formatOpenAiError(status, message, null)}\n\n`,
};
