/** A completions request of our own: one text, with what would be the system message before it. */
import type { ComposedRequest, ModelPrompt } from '../types.ts';

export function composeOpenAiCompletionRequest({
  model,
  system,
  user,
  parameters,
}: ModelPrompt): ComposedRequest {
  const prompt = system === null ? user : `${system}\n\n${user}`;
  return {
    path: '/v1/completions',
    headers: {},
    body: JSON.stringify({ model, prompt, ...parameters, stream: false }),
  };
}
