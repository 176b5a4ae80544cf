/** A messages request of our own. */
import type { ComposedRequest, ModelPrompt } from '../types.ts';

/** The one field that the API demands beside model and messages; long enough for a verdict with its reasons. */
const MAX_TOKENS = 4096;

/** https://docs.anthropic.com/en/api/versioning */
export const ANTHROPIC_VERSION = { 'anthropic-version': '2023-06-01' } as const;

export function composeAnthropicRequest({ model, system, user, parameters }: ModelPrompt): ComposedRequest {
  const messages = [{ role: 'user', content: user }];
  return {
    path: '/v1/messages',
    headers: ANTHROPIC_VERSION,
    body: JSON.stringify({
      model,
      max_tokens: MAX_TOKENS,
      ...(system === null ? {} : { system }),
      messages,
      ...parameters,
      stream: false,
    }),
  };
}
