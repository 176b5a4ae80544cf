/**
 * Calls to a model that are no conversation (embeddings, token probabilities of a given text): JSON out, JSON in.
 * Stored, paid for, tried again and bounded in time like every other call of an offline run.
 */

import * as z from 'zod';
import type { Adapter } from '../../adapters/index.ts';
import {
  explainError,
  JudgeError,
  joinUrl,
  readText,
  runWithTimeout,
  sendRequest,
  withRetry,
} from '../http/index.ts';
import type { Fetch, Tokens } from '../ports.ts';
import { shorten } from '../shorten.ts';
import { CACHED_HEADER, type CallIdentity, type CallStore, createStoredFetch } from './call-store.ts';
import { type ModelOptions, nameEndpoint } from './model.ts';

export interface JsonCalls {
  /** As reports name the model. */
  readonly name: string;
  /** What the endpoint calls it: for the request's own field. */
  readonly model: string;
  /**
   * @param path below the endpoint's base URL, such as `/v1/embeddings`
   * @param read the same function each time: what the reply says, and what it was counted as; throws a JudgeError for one that cannot be read,
   *   which is neither stored nor taken
   * @throws a JudgeError, a BudgetError, or the signal's reason
   */
  ask<T>(path: string, body: object, read: (reply: string) => JsonReply<T>, signal: AbortSignal): Promise<T>;
}

export interface JsonReply<T> {
  readonly value: T;
  readonly tokens: Tokens | null;
}

type JsonCallsOptions = Omit<ModelOptions, 'protocol' | 'parameters' | 'later'> & {
  readonly credential: Adapter['credential'];
};

/** Largest reply taken: the probabilities of 100 alternatives at each of some thousand tokens. */
const MAX_REPLY = 64 << 20;
const TEN_MINUTES = 600_000;

export function createJsonCalls(options: JsonCallsOptions): JsonCalls {
  const { name, model, url, key, store, spend, clock, timeoutMs = TEN_MINUTES } = options;
  const identity = { endpoint: nameEndpoint(url), model, attempt: 0 };
  const paid: Fetch = async (to, init) => {
    spend.begin();
    return options.fetch(to, init);
  };
  // One for each way of reading, and no more: what is asked twice at the same time is paid for once.
  const transports = new Map<unknown, Fetch>();
  const transportOf = (read: (reply: string) => unknown): Fetch => {
    const known = transports.get(read) ?? transport(paid, read, identity, store);
    transports.set(read, known);
    return known;
  };
  return {
    name,
    model,
    async ask(path, body, read, signal) {
      const fetch = transportOf(read);
      const headers = new Headers({ 'content-type': 'application/json', 'accept-encoding': 'identity' });
      if (key !== null) headers.set(...options.credential(key));
      const policy = {
        retries: options.retries ?? 5,
        maxWaitMs: options.maxWaitMs ?? 60_000,
        signal,
        clock,
      };
      const asking = withRetry(
        () =>
          runWithTimeout(timeoutMs, clock, signal, async (bounded) => {
            const init = { method: 'POST', headers, body: JSON.stringify(body), signal: bounded };
            const response = await sendRequest(fetch, joinUrl(url, path), init);
            const reply = await readText(response, { maxBytes: MAX_REPLY, again: true, signal: bounded });
            const { value, tokens } = read(reply);
            if (!response.headers.has(CACHED_HEADER)) spend.add(tokens);
            return value;
          }),
        policy,
      );
      return explainError(asking, { keys: [key], signal, clock });
    },
  };
}

function transport(
  paid: Fetch,
  read: (reply: string) => unknown,
  identity: Omit<CallIdentity, 'request'>,
  store: CallStore,
): Fetch {
  const accept = (reply: string) => {
    try {
      read(reply);
      return true;
    } catch (cause) {
      if (cause instanceof JudgeError) return false;
      throw cause;
    }
  };
  return createStoredFetch(paid, { store, identify: () => identity, accept });
}

const reply = z.object({
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()).min(1) })).min(1),
  usage: z.object({ prompt_tokens: z.int().min(0) }).nullish(),
});

/**
 * @returns the text's vector
 * @throws as the calls do; a reply without a vector, or with a number that is none, is no reply
 */
export function requestEmbedding(calls: JsonCalls, text: string, signal: AbortSignal): Promise<Float32Array> {
  // One text a call, so that what is stored is asked for again under the same key, whatever else a run holds.
  const body = { model: calls.model, input: text, encoding_format: 'float' };
  return calls.ask('/v1/embeddings', body, readEmbedding, signal);
}

function readEmbedding(body: string): JsonReply<Float32Array> {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (cause) {
    throw new JudgeError(`the embedding is not valid JSON: ${shorten(body, 120)}`, { cause });
  }
  const read = reply.safeParse(value);
  const [first] = read.data?.data ?? [];
  if (!first) throw new JudgeError(`the endpoint answered with no embedding: ${shorten(body, 120)}`);
  const counted = read.data?.usage?.prompt_tokens;
  return {
    value: Float32Array.from(first.embedding),
    tokens: counted === undefined ? null : { input: counted, output: 0 },
  };
}
