/** What a Gemini path says: the model and the method, which is where a stream is asked for. */

export interface GeminiMethod {
  /** Without the `models/` before it, decoded. */
  readonly model: string;
  readonly streams: boolean;
}

/** Vertex AI has more in front (`/v1/projects/{p}/…/publishers/google`), and endpoints of tuned models. */
const METHOD =
  /^[^?]*\/(?:models|tunedModels|endpoints)\/([^/?]+?)(?::|%3[Aa])(generateContent|streamGenerateContent)\/?(?:\?|$)/;

/** @returns null where the path is none of the protocol's judgments */
export function parseGeminiMethod(target: string): GeminiMethod | null {
  const [, model, method] = METHOD.exec(target) ?? [];
  return model === undefined ? null : { model: decoded(model), streams: method === 'streamGenerateContent' };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    if (cause instanceof URIError) return segment;
    throw cause;
  }
}
