/**
 * OpenAI responses, `POST /v1/responses`: what newer judge clients speak. The parts are in the folder of the
 * same name: reading a request, reading a reply, writing a verdict into it.
 */
import { openaiErrorBody, openaiErrorType } from './openai-error.ts';
import { openaiCredential } from './openai-path.ts';
import { compose } from './openai-responses/compose.ts';
import { readReply } from './openai-responses/reply.ts';
import { readRequest } from './openai-responses/request.ts';
import { withText } from './openai-responses/text.ts';
import type { Adapter } from './types.ts';
import { raiseUsage } from './usage.ts';

export const openaiResponses: Adapter = {
  name: 'openai-responses',
  // Also Azure's `/openai/responses` and `/openai/v1/responses`; not what has been stored (`/v1/responses/{id}`).
  speaks: (method, path) => method === 'POST' && /\/responses\/?(\?|$)/.test(path),
  owns: () => true,
  fits: ({ input, instructions }) => input !== undefined || typeof instructions === 'string',
  readRequest,
  readReply,
  withUsage: (body, stream, added) =>
    raiseUsage(body, stream, added, { whole: ['usage'], event: ['response', 'usage'] }),
  withText,
  compose,
  credential: openaiCredential,
  errorBody: openaiErrorBody,
  errorEvent,
};

/** https://platform.openai.com/docs/api-reference/responses-streaming/error */
function errorEvent(status: number, message: string): string {
  const event = { type: 'error', code: openaiErrorType(status), message, param: null, sequence_number: 0 };
  return `event: error\ndata: ${JSON.stringify(event)}\n\n`;
}
