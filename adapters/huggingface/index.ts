/**
 * Hugging Face's text generation, as TGI and Inference Endpoints serve it: `POST /generate`, `/generate_stream`,
 * `/` and `/models/{org}/{model}`, https://huggingface.co/docs/text-generation-inference. Its chat route is chat
 * completions. `request.ts` reads requests and writes our own, `reply.ts` reads replies, `write.ts` writes them.
 */

import type { Adapter } from '../types.ts';
import { readHuggingFaceReply, restoreOwnPrompt } from './reply.ts';
import { composeHuggingFaceRequest, parseGenerationRoute, readHuggingFaceRequest } from './request.ts';
import { replaceHuggingFaceText, writeHuggingFaceReply } from './write.ts';

export const huggingface: Adapter = {
  name: 'huggingface',
  capabilities: {
    seed: true,
    logProbabilities: (alternatives) => ({ top_n_tokens: alternatives }),
    maxTokens: 'max_new_tokens',
    samples: null,
    batches: null,
    keyHeaders: ['authorization'],
    streamComments: true,
    provider: 'huggingface',
  },
  speaks: (method, path) => method === 'POST' && parseGenerationRoute(path) !== null,
  // Tasks of every kind are asked for at `/` and `/models/{model}`, other servers have a `/generate` as well.
  sharesPaths: true,
  owns: (path) => /^\/(?:generate|generate_stream|hf-inference)(?:[/?]|$)/.test(path),
  fits: ({ inputs }) => typeof inputs === 'string',
  readRequest: readHuggingFaceRequest,
  readReply: readHuggingFaceReply,
  // There is no bill in a reply: `generated_tokens` is the length of the list of tokens beside it.
  withUsage: (body) => body,
  withText: replaceHuggingFaceText,
  repeating: restoreOwnPrompt,
  compose: composeHuggingFaceRequest,
  write: writeHuggingFaceReply,
  credential: (key) => ['authorization', `Bearer ${key}`],
  errorBody,
  errorEvent: (status, message) => `data:${errorBody(status, message)}\n\n`,
};

/** The names that TGI uses (router/src/infer/mod.rs, `InferError::error_type`). */
function errorBody(status: number, message: string): string {
  const type = status === 429 ? 'overloaded' : status < 500 ? 'validation' : 'generation';
  return JSON.stringify({ error: message, error_type: type });
}
