/** What OpenAI's protocols share: errors, models named by the path, the header of the key, token counts. */
import * as z from 'zod';
import type { RequestedAnswer } from './reply-writer.ts';

export function formatOpenAiError(status: number, message: string, field: string | null): string {
  return JSON.stringify({ error: { message, type: toOpenAiErrorType(status), param: field, code: null } });
}

/** The names that OpenAI's own API uses. */
export function toOpenAiErrorType(status: number): string {
  if (status === 429) return 'rate_limit_error';
  return status >= 400 && status < 500 ? 'invalid_request_error' : 'api_error';
}

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

/** `{ usage }`, or nothing where nobody counted. */
export function createUsageField({ tokens, samples }: RequestedAnswer): object {
  if (!tokens) return {};
  const completion_tokens = tokens.output * samples;
  const total_tokens = tokens.input + completion_tokens;
  return { usage: { prompt_tokens: tokens.input, completion_tokens, total_tokens } };
}

const asked = z.looseObject({ stream_options: z.looseObject({ include_usage: z.literal(true) }) });

/** Then every chunk but the last has `usage: null`. */
export function wantsUsage({ fields }: RequestedAnswer): boolean {
  return asked.safeParse(fields).success;
}
