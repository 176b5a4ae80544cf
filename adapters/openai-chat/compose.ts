/** A chat-completions request of our own. */
import type { ComposedRequest, ModelPrompt } from '../types.ts';

export function composeOpenAiChatRequest({ model, system, user, parameters }: ModelPrompt): ComposedRequest {
  const messages = [
    ...(system === null ? [] : [{ role: 'system', content: system }]),
    { role: 'user', content: user },
  ];
  return {
    path: '/v1/chat/completions',
    headers: {},
    body: JSON.stringify({ model, messages, ...parameters, stream: false }),
  };
}
