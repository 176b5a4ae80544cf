/**
 * How probable a given text is to a model, token by token: a completions endpoint that echoes the prompt with its
 * log-probabilities (`echo`, https://platform.openai.com/docs/api-reference/completions), or vLLM's `prompt_logprobs`,
 * which also knows the exact rank of each token.
 */

import * as z from 'zod';
import { JudgeError } from '../http/index.ts';
import { shorten } from '../shorten.ts';
import type { JsonCalls, JsonReply } from './json-calls.ts';

/** A token of the text, given all before it. */
export interface PromptToken {
  /** Of part of a letter, vLLM's is empty: the letter stands at its last part. */
  readonly text: string;
  /** What it is called in `listed`: its text, or its id. */
  readonly key: string;
  /** Natural logarithm; NaN where the endpoint gave no number. */
  readonly logprob: number;
  /** Among the whole vocabulary, from 1; null where the endpoint does not say. */
  readonly rank: number | null;
  /** What else was listed at its place, itself included: key to log-probability. */
  readonly listed: ReadonlyMap<string, number>;
}

export const PROMPT_FORMS = ['echo', 'vllm'] as const;
/** Which of the two an endpoint speaks. */
export type PromptForm = (typeof PROMPT_FORMS)[number];

interface PromptTokenOptions {
  readonly form: PromptForm;
  /** Alternatives asked for at each token. */
  readonly alternatives: number;
}

/** Reads replies to one form; made once for each endpoint, since calls are told apart by how they are read. */
export type AskTokens = (text: string, signal: AbortSignal) => Promise<readonly PromptToken[]>;

/**
 * @returns asks for a text's tokens but the first, of which nothing is known; rejects as the calls do, and with a
 *   JudgeError where the reply holds no such tokens
 */
export function createAskTokens(calls: JsonCalls, { form, alternatives }: PromptTokenOptions): AskTokens {
  const read = form === 'vllm' ? readVllm : readEcho;
  const asked =
    form === 'vllm'
      ? { prompt_logprobs: alternatives, return_token_ids: true }
      : { echo: true, logprobs: alternatives };
  return async (text, signal) => {
    // One token more is asked for: some servers take 0 for "as many as fit".
    const body = { model: calls.model, prompt: text, max_tokens: 1, temperature: 0, ...asked };
    const { tokens, counted } = await calls.ask('/v1/completions', body, read, signal);
    return form === 'vllm' ? tokens.slice(1) : ofText(tokens, text, counted).slice(1);
  };
}

interface TokenReply {
  readonly tokens: readonly PromptToken[];
  /** Tokens of the reply that are not the text's, as the endpoint counts them; null where it does not. */
  readonly counted: number | null;
}

// What is no number stays a word: it is named where it is met, and never taken for 0.
const number = z
  .union([z.number(), z.null(), z.string()])
  .transform((value) => (typeof value === 'number' ? value : Number.NaN));
const usage = z.object({ prompt_tokens: z.int(), completion_tokens: z.int().nullish() }).nullish();
const echo = z.object({
  choices: z.array(
    z.object({
      logprobs: z.object({
        tokens: z.array(z.string()),
        token_logprobs: z.array(number),
        top_logprobs: z.array(z.record(z.string(), number).nullable()).nullish(),
      }),
    }),
  ),
  usage,
});

function readEcho(reply: string): JsonReply<TokenReply> {
  const { choices, usage: spent } = parseTokens(
    echo,
    reply,
    'the endpoint echoes no log-probabilities of the prompt',
  );
  const logprobs = choices[0]?.logprobs;
  if (!logprobs) throw new JudgeError('the reply has no choice');
  const { tokens, token_logprobs: own, top_logprobs: top } = logprobs;
  if (tokens.length !== own.length)
    throw new JudgeError(`the reply has ${tokens.length} tokens and ${own.length} log-probabilities`);
  const all = tokens.map((text, at): PromptToken => {
    const listed = new Map(Object.entries(top?.[at] ?? {}));
    const logprob = own[at] ?? Number.NaN;
    if (!listed.has(text)) listed.set(text, logprob);
    return { text, key: text, logprob, rank: null, listed };
  });
  return createTokenReply(all, spent);
}

const entry = z.object({
  logprob: number,
  rank: z.int().min(1).nullish(),
  decoded_token: z.string().nullish(),
});
const vllm = z.object({
  choices: z.array(
    z.object({
      prompt_logprobs: z.array(z.record(z.string(), entry).nullable()),
      prompt_token_ids: z.array(z.int()).nullish(),
    }),
  ),
  usage,
});

function readVllm(reply: string): JsonReply<TokenReply> {
  const { choices, usage: spent } = parseTokens(vllm, reply, 'the endpoint gives no prompt_logprobs');
  const [choice] = choices;
  if (!choice) throw new JudgeError('the reply has no choice');
  const ids = choice.prompt_token_ids;
  if (!ids || ids.length !== choice.prompt_logprobs.length)
    throw new JudgeError(
      "the reply does not say which of the tokens listed is the text's (prompt_token_ids, which vLLM gives for return_token_ids)",
    );
  const all = choice.prompt_logprobs.map((place, at): PromptToken => {
    const entries = Object.entries(place ?? {});
    const key = `${ids[at]}`;
    const own = place?.[key];
    return {
      key,
      text: own?.decoded_token ?? '',
      logprob: own?.logprob ?? Number.NaN,
      rank: own?.rank ?? null,
      listed: new Map(entries.map(([id, { logprob }]) => [id, logprob])),
    };
  });
  return createTokenReply(all, spent);
}

function createTokenReply(
  tokens: readonly PromptToken[],
  spent: z.output<typeof usage>,
): JsonReply<TokenReply> {
  const counted = spent?.completion_tokens ?? null;
  return {
    value: { tokens, counted },
    tokens: spent ? { input: spent.prompt_tokens, output: counted ?? 0 } : null,
  };
}

/** Keeps the tokens that spell the text and drops what the model wrote after it. */
function ofText(
  tokens: readonly PromptToken[],
  text: string,
  counted: number | null,
): readonly PromptToken[] {
  const start = tokens[0]?.text ?? '';
  let spelled = '';
  for (const [at, token] of tokens.entries()) {
    spelled += token.text;
    // Some tokenizers put a blank before the first word; some servers (vLLM) spell the token before the text (<s>).
    if (spelled === text || spelled === ` ${text}` || spelled === `${start}${text}`)
      return tokens.slice(0, at + 1);
  }
  // Letters of several bytes come in parts that no text spells.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII ends where more than one byte begins.
  if (counted !== null && /[^\x00-\x7f]/.test(text)) return tokens.slice(0, tokens.length - counted);
  throw new JudgeError("the tokens of the reply do not spell the text: the endpoint's echo cannot be used");
}

/** Python's servers write NaN and Infinity, which JSON has not (RFC 8259 §6). An open string ends the search. */
const BARE = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"?|-?\b(?:NaN|Infinity)\b/g;

function parseTokens<T>(schema: z.ZodType<T>, reply: string, missing: string): T {
  let value: unknown;
  try {
    value = JSON.parse(reply.replace(BARE, (found) => (found.startsWith('"') ? found : `"${found}"`)));
  } catch (cause) {
    throw new JudgeError(`the reply is not valid JSON: ${shorten(reply, 120)}`, { retryable: true, cause });
  }
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  throw new JudgeError(`${missing}: ${shorten(reply, 120)}`);
}
