/**
 * Calls to a model that are no conversation (embeddings, token probabilities of a given text): JSON out, JSON in.
 * Stored, paid for, tried again and bounded in time like every other call of an offline run.
 */
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
        ...{ retries: options.retries ?? 5, maxWaitMs: options.maxWaitMs ?? 60_000, signal, clock },
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
