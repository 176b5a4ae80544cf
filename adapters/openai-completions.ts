/**
 * OpenAI completions, `POST /v1/completions`: a prompt as one text, still what judges that are fine-tuned base
 * models (JudgeLM, PandaLM) and their scripts speak. The parts are in the folder of the same name.
 */
import { compose } from './openai-completions/compose.ts';
import { readReply } from './openai-completions/reply.ts';
import { readRequest } from './openai-completions/request.ts';
import { withText } from './openai-completions/text.ts';
import { openaiErrorBody } from './openai-error.ts';
import { openaiCredential } from './openai-path.ts';
import type { Adapter } from './types.ts';
import { raiseUsage } from './usage.ts';

export const openaiCompletions: Adapter = {
  name: 'openai-completions',
  // Also the old `/v1/engines/{e}/completions` and Azure's `/openai/deployments/{d}/completions`.
  speaks: (method, path) => method === 'POST' && /(?<!\/chat)\/completions\/?(\?|$)/.test(path),
  owns: () => true,
  fits: ({ prompt }) => typeof prompt === 'string' || Array.isArray(prompt),
  readRequest,
  readReply,
  withUsage: (body, stream, added) => raiseUsage(body, stream, added, { whole: ['usage'], event: ['usage'] }),
  withText,
  compose,
  credential: openaiCredential,
  errorBody: openaiErrorBody,
  errorEvent: (status, message) => `data: ${openaiErrorBody(status, message, null)}\n\n`,
};
