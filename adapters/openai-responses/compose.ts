/** A responses request of our own. Nothing of it is kept with the endpoint. */
import type { ComposedRequest, ModelPrompt } from '../types.ts';

export function composeOpenAiResponsesRequest({
  model,
  system,
  user,
  parameters,
}: ModelPrompt): ComposedRequest {
  const instructions = system === null ? {} : { instructions: system };
  return {
    path: '/v1/responses',
    headers: {},
    body: JSON.stringify({ model, ...instructions, input: user, store: false, ...parameters, stream: false }),
  };
}
