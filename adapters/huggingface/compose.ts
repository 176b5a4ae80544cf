/** A request for text of our own: one text, with what would be the system message before it. */
import type { ComposedRequest, ModelPrompt } from '../types.ts';

export function composeHuggingFaceRequest({
  model,
  system,
  user,
  parameters: { temperature, ...parameters },
}: ModelPrompt): ComposedRequest {
  const inputs = system === null ? user : `${system}\n\n${user}`;
  return {
    path: '/generate',
    headers: {},
    // TGI serves one model and takes no notice of its name; servers behind a router do.
    body: JSON.stringify({
      model,
      inputs,
      parameters: {
        return_full_text: false,
        details: true,
        ...parameters,
        // "`temperature` must be strictly positive"; without one TGI decodes greedily, as 0 does elsewhere.
        ...(temperature === undefined || temperature === 0 ? {} : { temperature, do_sample: true }),
      },
    }),
  };
}
