/** What the path of a request in one of OpenAI's protocols says, where servers differ from OpenAI's own. */

/** Old engines, Azure's deployments, and the models of Hugging Face's router, whose names have a slash. */
const MODEL =
  /\/(?:(?:engines|deployments)\/([^/?]{1,300})|models\/([^?]{1,300}?)\/v1)\/(?:chat\/)?completions/;

/** The model that a path names, for a request whose body names none; empty where it names none either. */
export function readModelInPath(target: string): string {
  const [, deployed, hosted] = MODEL.exec(target) ?? [];
  const name = deployed ?? hosted ?? '';
  try {
    return decodeURIComponent(name);
  } catch (error) {
    // The path is the endpoint's to judge; here the name is only told.
    if (error instanceof URIError) return name;
    throw error;
  }
}

/**
 * The header for the operator's key. Azure takes a key in `api-key` only; its newer `/openai/v1` takes both, and
 * others (Groq) have a path like that.
 */
export function createOpenAiCredential(key: string, target = ''): readonly [name: string, value: string] {
  const azure = /^\/openai\/(?:deployments\/|responses)/.test(target);
  return azure ? ['api-key', key] : ['authorization', `Bearer ${key}`];
}
