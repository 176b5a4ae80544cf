/**
 * OpenAI responses, `POST /v1/responses`: what newer judge clients speak. `request.ts` reads requests
 * and writes our own, `reply.ts` reads replies, `write.ts` writes them.
 */

import { createOpenAiCredential, formatOpenAiError, toOpenAiErrorType } from '../openai-api.ts';
import { createOpenAiBatches } from '../openai-batches.ts';
import { raiseUsage } from '../token-usage.ts';
import type { Adapter } from '../types.ts';
import { readOpenAiResponsesReply } from './reply.ts';
import { composeOpenAiResponsesRequest, readOpenAiResponsesRequest } from './request.ts';
import { replaceOpenAiResponsesText, writeOpenAiResponsesReply } from './write.ts';

export const openaiResponses: Adapter = {
  name: 'openai-responses',
  capabilities: {
    seed: false,
    logProbabilities: (alternatives) => ({
      include: ['message.output_text.logprobs'],
      top_logprobs: alternatives,
    }),
    maxTokens: 'max_output_tokens',
    samples: null,
    batches: { headers: {}, open: createOpenAiBatches },
    keyHeaders: ['authorization', 'api-key'],
    streamComments: true,
    provider: 'openai',
  },
  // Also Azure's `/openai/responses` and `/openai/v1/responses`; not what has been stored (`/v1/responses/{id}`).
  speaks: (method, path) => method === 'POST' && /\/responses\/?(\?|$)/.test(path),
  owns: () => true,
  fits: ({ input, instructions }) => input !== undefined || typeof instructions === 'string',
  readRequest: readOpenAiResponsesRequest,
  readReply: readOpenAiResponsesReply,
  withUsage: (body, stream, added) =>
    raiseUsage(body, stream, added, { whole: ['usage'], event: ['response', 'usage'] }),
  withText: replaceOpenAiResponsesText,
  compose: composeOpenAiResponsesRequest,
  write: writeOpenAiResponsesReply,
  credential: createOpenAiCredential,
  errorBody: formatOpenAiError,
  errorEvent,
};

/**
 * https://platform.openai.com/docs/api-reference/responses-streaming/error, and beside it `error`: OpenAI's client for
 * Python (3.57) raises only what has that, and hands the rest on as one more event.
 */
function errorEvent(status: number, message: string): string {
  const type = toOpenAiErrorType(status);
  const error = { message, type, param: null, code: null };
  const event = { type: 'error', code: type, message, param: null, sequence_number: 0, error };
  return `event: error\ndata: ${JSON.stringify(event)}\n\n`;
}
