/**
 * OpenAI completions, `POST /v1/completions`: a prompt as one text, still what judges that are fine-tuned base
 * models (JudgeLM, PandaLM) and their scripts speak. `request.ts` reads requests and writes our own, `../openai-choices.ts` reads
 * replies.
 */

import { createOpenAiCredential, createUsageField, formatOpenAiError, wantsUsage } from '../openai-api.ts';
import { createOpenAiBatches } from '../openai-batches.ts';
import { readOpenAiCompletionReply, replaceChoiceText } from '../openai-choices.ts';
import { separateAnswers } from '../reply-json.ts';
import {
  formatEvent,
  mapSamples,
  type RequestedAnswer,
  splitWords,
  type WireReply,
} from '../reply-writer.ts';
import { raiseUsage } from '../token-usage.ts';
import type { Adapter } from '../types.ts';
import { composeOpenAiCompletionRequest, readOpenAiCompletionRequest } from './request.ts';

export const openaiCompletions: Adapter = {
  name: 'openai-completions',
  capabilities: {
    seed: true,
    logProbabilities: (alternatives) => ({ logprobs: alternatives }),
    maxTokens: 'max_tokens',
    samples: { field: 'n', read: ({ n }) => n, separate: (reply) => separateAnswers(reply, 'choices') },
    batches: { headers: {}, open: createOpenAiBatches },
    keyHeaders: ['authorization', 'api-key'],
    streamComments: true,
    provider: 'openai',
  },
  // Also the old `/v1/engines/{e}/completions` and Azure's `/openai/deployments/{d}/completions`.
  speaks: (method, path) => method === 'POST' && /(?<!\/chat)\/completions\/?(\?|$)/.test(path),
  owns: () => true,
  fits: ({ prompt }) => typeof prompt === 'string' || Array.isArray(prompt),
  readRequest: readOpenAiCompletionRequest,
  readReply: readOpenAiCompletionReply,
  withUsage: (body, stream, added) => raiseUsage(body, stream, added, { whole: ['usage'], event: ['usage'] }),
  withText: replaceChoiceText,
  compose: composeOpenAiCompletionRequest,
  write: writeOpenAiCompletionReply,
  credential: createOpenAiCredential,
  errorBody: formatOpenAiError,
  errorEvent: (status, message) => `data: ${formatOpenAiError(status, message, null)}\n\n`,
};

function writeOpenAiCompletionReply(said: RequestedAnswer): WireReply {
  return said.stream ? { events: events(said) } : { json: JSON.stringify(whole(said)) };
}

function whole(said: RequestedAnswer): unknown {
  return {
    ...head(said),
    choices: mapSamples(said, (index) => choice(index, said.text, 'stop')),
    ...createUsageField(said),
  };
}

function events(said: RequestedAnswer): string[] {
  const counted = wantsUsage(said);
  const chunk = (choices: unknown, rest = {}) => formatEvent({ ...head(said), choices, ...rest });
  const chunks = mapSamples(said, (index) => [
    ...splitWords(said.text).map((text) => choice(index, text, null)),
    choice(index, '', 'stop'),
  ]).flat();
  return [
    ...chunks.map((one) => chunk([one], counted ? { usage: null } : {})),
    ...(counted && said.tokens ? [chunk([], createUsageField(said))] : []),
    'data: [DONE]\n\n',
  ];
}

function head({ hash, model, fingerprint: system_fingerprint }: RequestedAnswer) {
  return { id: `cmpl-${hash}`, object: 'text_completion', created: 0, model, system_fingerprint };
}

function choice(index: number, text: string, finish_reason: string | null) {
  return { text, index, logprobs: null, finish_reason };
}
