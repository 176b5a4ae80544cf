/** A generateContent request of our own; the parameters are fields of its `generationConfig`. */
import type { ComposedRequest, ModelPrompt } from '../types.ts';

export function composeGeminiRequest({ model, system, user, parameters }: ModelPrompt): ComposedRequest {
  return {
    path: `/v1beta/models/${encodeURIComponent(model)}:generateContent`,
    headers: {},
    body: JSON.stringify({
      ...(system === null ? {} : { systemInstruction: { parts: [{ text: system }] } }),
      contents: [{ role: 'user', parts: [{ text: user }] }],
      generationConfig: parameters,
    }),
  };
}
