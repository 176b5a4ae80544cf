/** What a path of text generation says: whether it streams by itself, and the model. */

export interface GenerationRoute {
  /** `path`: always; `body`: where the body has `stream: true`; `never`. */
  readonly streams: 'path' | 'body' | 'never';
  /** Empty where the server has one model only. */
  readonly model: string;
}

/** `/invocations` is SageMaker's name for TGI's root; the router puts `/hf-inference` in front of a model. */
const ROUTE =
  /^(?:\/(generate|generate_stream|invocations)?|(?:\/hf-inference)?\/models\/([^/?]+(?:\/[^/?]+)?))\/?(?:\?|$)/;

/** @returns null where the path is none of the protocol's */
export function parseGenerationRoute(target: string): GenerationRoute | null {
  const found = ROUTE.exec(target);
  if (!found) return null;
  const [, name, model = ''] = found;
  const streams = name === 'generate_stream' ? 'path' : name === 'generate' ? 'never' : 'body';
  return { streams, model: decoded(model) };
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch (cause) {
    if (cause instanceof URIError) return name;
    throw cause;
  }
}
