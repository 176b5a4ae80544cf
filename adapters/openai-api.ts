/** What OpenAI's protocols share: errors, models named by the path, the header of the key, token counts. */
import * as z from 'zod';
import type { LikelyToken, SampledToken } from '../src/case/index.ts';
import { decodeSegment } from './json-request.ts';
import type { RequestedAnswer } from './reply-writer.ts';
import type { JudgeReply } from './types.ts';

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
  return decodeSegment(deployed ?? hosted ?? '');
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

// Log-probabilities as OpenAI's protocols have them, in the form of the core. What is not in the expected form
// is left out: a reply is read without its log-probabilities rather than not at all.

const likely = z.object({ token: z.string(), logprob: z.number() });
const sampled = z.array(likely.extend({ top_logprobs: z.array(z.unknown()).nullish().catch(null) }));

/**
 * A list of tokens, each with `token`, `logprob` and `top_logprobs`: a chat choice's `logprobs.content`, a
 * response part's `logprobs`.
 * @returns none where any of them is not such a token, for the others would not be where they seem to be
 */
export function readSampledTokens(listed: unknown): SampledToken[] {
  if (listed === undefined || listed === null) return [];
  return (
    sampled.safeParse(listed).data?.map(({ top_logprobs: top, ...one }) => ({
      ...createLikelyToken(one.token, one.logprob),
      likeliest: (top ?? []).flatMap((other) => {
        const { data } = likely.safeParse(other);
        return data ? [createLikelyToken(data.token, data.logprob)] : [];
      }),
    })) ?? []
  );
}

const columns = z.looseObject({
  tokens: z.array(z.string()),
  // The first token of an echoed prompt has none.
  token_logprobs: z.array(z.number().nullable()).nullish().catch(null),
  top_logprobs: z.array(z.record(z.string(), z.number()).nullable()).nullish().catch(null),
});

/** Completions' older form: one list of tokens, one of log-probabilities, one of the likeliest by token. */
export function readColumnTokens(logprobs: unknown): SampledToken[] {
  const { data } = columns.safeParse(logprobs);
  if (!data) return [];
  return data.tokens.map((token, at) => ({
    ...createLikelyToken(token, data.token_logprobs?.[at] ?? Number.NEGATIVE_INFINITY),
    likeliest: Object.entries(data.top_logprobs?.[at] ?? {}).map(([text, logprob]) =>
      createLikelyToken(text, logprob),
    ),
  }));
}

/** The tokens of each text of a reply, as a part of it; nothing where none of them came with log-probabilities. */
export function toSampledPart(all: readonly (readonly SampledToken[])[]): Pick<JudgeReply, 'sampled'> {
  if (all.every((tokens) => tokens.length === 0)) return {};
  return { sampled: all.map((tokens) => (tokens.length > 0 ? tokens : null)) };
}

/** @param logprob natural logarithm; rounding puts some a little above 0 */
export function createLikelyToken(text: string, logprob: number): LikelyToken {
  return { text, probability: Math.min(1, Math.exp(logprob)) };
}
