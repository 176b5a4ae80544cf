/** A model that answers a detector's prompt: a chat completion read as its reply, and what goes wrong on the way. */

import * as z from 'zod';
import { sumTokenCounts } from '../../../adapters/token-usage.ts';
import { describeError } from '../../errors.ts';
import {
  explainError,
  JudgeError,
  type RetryPolicy,
  readText,
  sendRequest,
  withRetry,
} from '../../http/index.ts';
import type { Ledger } from '../../models/index.ts';
import { type Fetch, systemClock, type Tokens } from '../../ports.ts';

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
export function readCompletion(body: unknown, from: string): DetectorReply {
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
export function createStrictFetch(fetch: Fetch, signal: AbortSignal): typeof globalThis.fetch {
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
export async function postJson(
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
export function rethrow(error: unknown, from: string, signal: AbortSignal): never {
  signal.throwIfAborted();
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof JudgeError) throw at;
  throw new JudgeError(`${from}: ${describeError(error)}`);
}
