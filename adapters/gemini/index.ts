/**
 * Google's Gemini, `POST /v1beta/models/{model}:generateContent` and `:streamGenerateContent`, the same on
 * Vertex AI: https://ai.google.dev/api/generate-content
 * `request.ts` reads requests and writes our own, `reply.ts` reads replies, `write.ts` writes them.
 */

import { separateAnswers } from '../reply-json.ts';
import type { Adapter } from '../types.ts';
import { readGeminiReply } from './reply.ts';
import { composeGeminiRequest, parseGeminiMethod, readGeminiRequest } from './request.ts';
import { addGeminiUsage, findCandidateCount, replaceGeminiText, writeGeminiReply } from './write.ts';

export const gemini: Adapter = {
  name: 'gemini',
  capabilities: {
    seed: true,
    logProbabilities: (alternatives) => ({ responseLogprobs: true, logprobs: alternatives }),
    maxTokens: 'maxOutputTokens',
    samples: {
      field: 'generationConfig.candidateCount',
      read: findCandidateCount,
      separate: (reply) => separateAnswers(reply, 'candidates'),
    },
    batches: null,
    keyHeaders: ['x-goog-api-key', 'authorization'],
    // Google's clients for Python (google-genai 3.6) and Go take a line that is not `data:` for a chunk.
    streamComments: false,
    provider: 'gcp.gemini',
  },
  speaks: (method, path) => method === 'POST' && parseGeminiMethod(path) !== null,
  owns: (path) => path.startsWith('/v1beta'),
  fits: ({ contents }) => contents !== undefined,
  readRequest: readGeminiRequest,
  // Whether a reply is JSON, a JSON array or a stream of events is told by its first character.
  readReply: (body) => readGeminiReply(body),
  withUsage: (body, _stream, added) => addGeminiUsage(body, added),
  withText: (body, _stream, text) => replaceGeminiText(body, text),
  compose: composeGeminiRequest,
  write: writeGeminiReply,
  credential: (key) => ['x-goog-api-key', key],
  errorBody,
  errorEvent: (status, message) => `data: ${errorBody(status, message, null)}\n\n`,
};

/** https://cloud.google.com/apis/design/errors */
function errorBody(status: number, message: string, field: string | null): string {
  const badRequest = {
    '@type': 'type.googleapis.com/google.rpc.BadRequest',
    fieldViolations: [{ field, description: message }],
  };
  const details = field === null ? {} : { details: [badRequest] };
  return JSON.stringify({ error: { code: status, message, status: statusName(status), ...details } });
}

const STATUS_NAMES: ReadonlyMap<number, string> = new Map([
  [401, 'UNAUTHENTICATED'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [409, 'ABORTED'],
  [429, 'RESOURCE_EXHAUSTED'],
  [499, 'CANCELLED'],
  [502, 'UNAVAILABLE'],
  [503, 'UNAVAILABLE'],
  [504, 'DEADLINE_EXCEEDED'],
]);

function statusName(status: number): string {
  return STATUS_NAMES.get(status) ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL');
}
