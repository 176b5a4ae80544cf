/** A model that answers a detector's prompt: a chat completion read as its reply, and what goes wrong on the way. */
import * as z from 'zod';
import { sumTokenCounts } from '../../../adapters/token-usage.ts';
import { describeError } from '../../errors.ts';
import {
  explainError,
  httpUrl,
  JudgeError,
  type RetryPolicy,
  readText,
  sendRequest,
  withRetry,
} from '../../http/index.ts';
import type { Ledger } from '../../models/index.ts';
import { type Fetch, systemClock, type Tokens } from '../../ports.ts';
import { readWritten } from '../../strict-fields.ts';

/** One answer to one prompt. Rejects with a JudgeError (status, endpoint and what to do in the message) or the signal's reason. */
type Complete = (prompt: string, signal: AbortSignal) => Promise<DetectorReply>;

export interface DetectorModel {
  readonly name: string;
  /** Retries are the model's own business. */
  readonly complete: Complete;
  /** How a model makes failed calls again that does so: for whoever has to know of each of them. */
  readonly attempts?: Attempts;
}

export interface Attempts {
  /** One call over the network. */
  readonly once: Complete;
  readonly policy: Pick<RetryPolicy, 'retries' | 'maxWaitMs'>;
  /** That are sent: taken out of what an endpoint says where it refuses a call. */
  readonly keys?: readonly (string | null)[];
}

export interface DetectorReply {
  /** Reasoning the endpoint returned in a field of its own; null where it stands in `content` or nowhere. */
  readonly reasoning: string | null;
  readonly content: string;
  /** The endpoint's finish reason (`stop`, `length`, …); null where it gave none. */
  readonly finish: string | null;
  readonly tokens: Tokens | null;
}

/**
 * A model that makes a call that failed in passing again.
 *
 * @example retryDetectorModel('rbd-8b', attempts)
 */
export function retryDetectorModel(name: string, attempts: Attempts): DetectorModel {
  const { once, policy, keys = [] } = attempts;
  return {
    name,
    complete: (prompt, signal) =>
      explainError(
        withRetry(() => once(prompt, signal), { ...policy, signal }),
        { keys, signal, clock: systemClock },
      ),
    attempts,
  };
}

/**
 * The same model with every call over the network, a failed one that is made again included, entered in the account of one
 * judgment, and refused when that is used up.
 *
 * @example createRbdDetector(meterDetectorModel(model, createLedger({ clock: systemClock, extraCalls: 8 })))
 */
export function meterDetectorModel(model: DetectorModel, ledger: Ledger): DetectorModel {
  const { name, attempts } = model;
  const once: Complete = (prompt, signal) =>
    ledger.run({ to: name, kind: 'detect' }, async () => {
      const reply = await (attempts ? attempts.once(prompt, signal) : model.complete(prompt, signal));
      return { value: reply, tokens: reply.tokens, cached: false };
    });
  return attempts ? retryDetectorModel(name, { ...attempts, once }) : { name, complete: once };
}

/** Largest reply of a detector that is taken, in bytes: a hundred times the longest reasoning of the published data. */
const MAX_REPLY = 8 << 20;

const text = z.string().nullish();
const completion = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({ content: text, reasoning_content: text, reasoning: text }),
        finish_reason: text,
      }),
    )
    .min(1),
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }).nullish().catch(null),
});

/**
 * The reasoning stands inline in `content`, or in a field of its own: `reasoning_content` (DeepSeek, SGLang,
 * older vLLM) or `reasoning` (vLLM, OpenRouter).
 *
 * @param body the reply's parsed JSON
 * @throws JudgeError where it is no chat completion
 */
function readCompletion(body: unknown, from: string): DetectorReply {
  const read = completion.safeParse(body);
  const choice = read.data?.choices[0];
  if (!read.success || !choice)
    throw new JudgeError(
      `${from} answered with something that is no chat completion: ${read.error?.issues[0]?.path.join('.')}`,
    );
  const { content, reasoning_content, reasoning } = choice.message;
  const { usage } = read.data;
  return {
    reasoning: reasoning_content ?? reasoning ?? null,
    content: content ?? '',
    finish: choice.finish_reason ?? null,
    tokens: usage ? sumTokenCounts([usage.prompt_tokens], [usage.completion_tokens]) : null,
  };
}

/**
 * A `fetch` to hand to a client library: an error status is thrown as a JudgeError, its response unread, before
 * the library can wrap, retry or shorten it. So `retry-after` survives, and there is one owner of retries.
 */
function createStrictFetch(fetch: Fetch, signal: AbortSignal): typeof globalThis.fetch {
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const body = init?.body;
    if (body !== undefined && body !== null && typeof body !== 'string')
      throw new JudgeError('a chat completion is asked for with a JSON text');
    const response = await sendRequest(fetch, url, {
      method: init?.method ?? 'GET',
      headers: new Headers(init?.headers),
      body: body ?? null,
      signal,
    });
    // A library reads without a limit.
    const text = await readText(response, { maxBytes: MAX_REPLY, again: true, signal });
    const type = response.headers.get('content-type') ?? 'application/json';
    return new Response(text, { status: response.status, headers: { 'content-type': type } });
  };
}

/**
 * Sends JSON and reads JSON.
 *
 * @throws JudgeError for an error status, a reply that is too long, or one that is no JSON
 */
async function postJson(
  fetch: Fetch,
  url: string,
  sent: { readonly headers: Readonly<Record<string, string>>; readonly body: unknown },
  signal: AbortSignal,
): Promise<unknown> {
  const headers = { 'content-type': 'application/json', accept: 'application/json', ...sent.headers };
  const response = await sendRequest(fetch, url, {
    method: 'POST',
    headers: new Headers(headers),
    body: JSON.stringify(sent.body),
    signal,
  });
  const text = await readText(response, { maxBytes: MAX_REPLY, again: true, signal });
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new JudgeError(`the reply is not JSON: ${describeError(cause)}`, { status: response.status });
  }
}

/**
 * What a client library threw, as ours. The library's own error is not kept as the cause: some carry the
 * request with its Authorization header.
 *
 * @throws the signal's reason where it was aborted, else a JudgeError
 */
function rethrow(error: unknown, from: string, signal: AbortSignal): never {
  signal.throwIfAborted();
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof JudgeError) throw at;
  throw new JudgeError(`${from}: ${describeError(error)}`);
}

/* A detector model behind an OpenAI-compatible endpoint: vLLM, TGI, SGLang, llama.cpp, a provider. */

export interface OpenAiDetectorOptions {
  /** With or without `/v1`, as for the judge. */
  readonly baseURL: string;
  readonly model: string;
  /** Null for an endpoint that wants none. */
  readonly apiKey: string | null;
  readonly fetch: Fetch;
  /**
   * Further fields of the request. Default: temperature 0, so that a verdict is examined the same way twice.
   * A model that refuses a temperature is given `{}`.
   */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** How often a call that failed in passing is made again; default 2. */
  readonly retries?: number;
  /** Longest single wait before that, in milliseconds; default 8000. */
  readonly maxWaitMs?: number;
}

/**
 * @throws InputError for a `baseURL` that is none
 *
 * @example createOpenAiDetectorModel({ baseURL: 'http://localhost:8000', model: 'rbd-8b', apiKey: null, fetch })
 */
export function createOpenAiDetectorModel(options: OpenAiDetectorOptions): DetectorModel {
  const { model, fetch, parameters = { temperature: 0 }, retries = 2, maxWaitMs = 8000 } = options;
  const url = `${withVersion(readWritten(httpUrl, options.baseURL, 'baseURL'))}/chat/completions`;
  const from = `the detector model ${model}`;
  return retryDetectorModel(model, {
    policy: { retries, maxWaitMs },
    keys: [options.apiKey],
    async once(prompt, signal) {
      try {
        const reply = await postJson(
          fetch,
          url,
          {
            headers: options.apiKey === null ? {} : { authorization: `Bearer ${options.apiKey}` },
            body: { ...parameters, model, messages: [{ role: 'user', content: prompt }], stream: false },
          },
          signal,
        );
        return readCompletion(reply, from);
      } catch (error) {
        return rethrow(error, from, signal);
      }
    },
  });
}

/** `http://localhost:8000` means `http://localhost:8000/v1`; a base with a path of its own is kept. */
function withVersion(baseURL: string): string {
  return new URL(baseURL).pathname === '/' ? `${baseURL}/v1` : baseURL;
}

/* A detector model on Hugging Face: a provider's, or a dedicated Inference Endpoint. */

export interface HuggingFaceDetectorOptions {
  /** Model id on the hub, `owner/model`. */
  readonly model: string;
  /** `HF_TOKEN`. */
  readonly token: string;
  /** Chat-completion URL of a dedicated Inference Endpoint; without it, the hub's providers are asked. */
  readonly endpointUrl?: string;
  readonly fetch: Fetch;
  /** Further fields of the request. Default: temperature 0 and 8192 tokens (some providers stop at a few hundred). */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** How often a call that failed in passing is made again; default 2. */
  readonly retries?: number;
  /** Longest single wait before that, in milliseconds; default 8000. */
  readonly maxWaitMs?: number;
}

/** @example createHuggingFaceDetectorModel({ model: 'joyfine/RBD-8B', token: 'hf_0123', fetch }) */
export function createHuggingFaceDetectorModel(options: HuggingFaceDetectorOptions): DetectorModel {
  const { model, fetch, endpointUrl, retries = 2, maxWaitMs = 8000 } = options;
  const { parameters = { temperature: 0, max_tokens: 8192 } } = options;
  const from = `the detector model ${model}`;
  return retryDetectorModel(model, {
    policy: { retries, maxWaitMs },
    keys: [options.token],
    async once(prompt, signal) {
      // Loaded with the first call: a server without a detector model saves its memory.
      const { InferenceClient } = await import('@huggingface/inference');
      const client = new InferenceClient(options.token);
      try {
        const reply: unknown = await client.chatCompletion(
          {
            ...parameters,
            model,
            messages: [{ role: 'user', content: prompt }],
            ...(endpointUrl === undefined ? {} : { endpointUrl }),
          },
          // The client would send a 503 again without delay or limit.
          { fetch: createStrictFetch(fetch, signal), signal, retry_on_error: false },
        );
        return readCompletion(reply, from);
      } catch (error) {
        return rethrow(error, from, signal);
      }
    },
  });
}
