/**
 * A model as an offline run asks it: a prompt in, its words out. Every call goes through the call store, counts
 * against the run's budget only where it is really made, and is tried again where that can help.
 */

import { ADAPTERS, type Adapter, type ComposedRequest, DEFAULT_ADAPTER } from '../../adapters/index.ts';
import type { SampledToken } from '../case/index.ts';
import { InputError } from '../errors.ts';
import {
  explainError,
  JudgeError,
  joinUrl,
  readText,
  runWithTimeout,
  sendRequest,
  withRetry,
} from '../http/index.ts';
import type { Clock, Fetch, Tokens } from '../ports.ts';
import { isPlain, NOT_PLAIN } from '../records/index.ts';
import { shorten } from '../shorten.ts';
import {
  CACHED_HEADER,
  type CallIdentity,
  type CallStore,
  callKey,
  createStoredFetch,
} from './call-store.ts';
import type { Spend } from './ledger.ts';

export interface ModelQuestion {
  /** Null for none. */
  readonly system: string | null;
  readonly user: string;
  /** Of several samples of one question, which; default 0. */
  readonly attempt?: number;
}

export interface ModelAnswer {
  readonly text: string;
  /** What the model thought, where the endpoint returns that beside the text; null where it stands in it, or nowhere. */
  readonly reasoning: string | null;
  /** The protocol's finish reason; null where it gave none. */
  readonly finish: string | null;
  readonly tokens: Tokens | null;
  /** Its text as it was sampled, token by token; missing where no log-probabilities came with it. */
  readonly sampled?: readonly SampledToken[];
  /** From the call store: nothing was paid. */
  readonly cached: boolean;
}

export interface Model {
  /** As datasets and reports name it. */
  readonly name: string;
  /** Rejects with a JudgeError, a BudgetError, or the signal's reason. */
  ask(question: ModelQuestion, signal: AbortSignal): Promise<ModelAnswer>;
}

export interface ModelOptions {
  readonly name: string;
  /** What the endpoint calls it. */
  readonly model: string;
  readonly protocol: Adapter;
  /** Base URL, with or without `/v1`. */
  readonly url: string;
  /** Null for an endpoint that wants none. */
  readonly key: string | null;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly fetch: Fetch;
  readonly store: CallStore;
  readonly spend: Spend;
  readonly clock: Clock;
  /** How often a call that failed in passing is made again; default 5. */
  readonly retries?: number;
  /** Longest single wait before that, in milliseconds; default 60,000. */
  readonly maxWaitMs?: number;
  /** For one call, its reply read to the end, in milliseconds; default 10 minutes. */
  readonly timeoutMs?: number;
  /** Where calls are not made but handed over, to be made later; budget and endpoint are its business then. */
  readonly later?: DeferCall;
}

/** Takes a call that the store does not hold. Throws a WaitingError, or a JudgeError for one that failed for good. */
export type DeferCall = (call: CallIdentity & { readonly key: string }) => never;

/** Largest reply taken, in bytes. */
const MAX_REPLY = 32 << 20;
const TEN_MINUTES = 600_000;
/**
 * Calls in a row that failed after all their retries: from then on the endpoint is taken for dead and each call is
 * tried once, until one is answered. A long run past a dead endpoint would take days otherwise.
 */
const GIVEN_UP = 16;

export function createModel(options: ModelOptions): Model {
  const { name, model, protocol, parameters, clock } = options;
  // One for each attempt, and no more: what is asked twice at the same time is paid for once.
  const transports = new Map<number, Fetch>();
  const transportOf = (attempt: number) => {
    const known = transports.get(attempt) ?? transport(options, attempt);
    transports.set(attempt, known);
    return known;
  };
  let inVain = 0;
  return {
    name,
    async ask({ system, user, attempt = 0 }, signal) {
      const composed = protocol.compose({ model, system, user, parameters });
      const fetch = transportOf(attempt);
      const retries = inVain < GIVEN_UP ? (options.retries ?? 5) : 0;
      const policy = { retries, maxWaitMs: options.maxWaitMs ?? 60_000, signal, clock };
      try {
        const asking = withRetry(() => exchange(options, composed, fetch, signal), policy);
        const answer = await explainError(asking, { keys: [options.key], signal, clock });
        if (!answer.cached) inVain = 0;
        return answer;
      } catch (cause) {
        if (cause instanceof JudgeError && cause.retryable) inVain++;
        throw cause;
      }
    },
  };
}

/** Store before budget: what is stored costs nothing. */
function transport(options: ModelOptions, attempt: number): Fetch {
  const { protocol, model, url, spend, store, later } = options;
  const identity = { endpoint: nameEndpoint(url), model, attempt };
  const paid: Fetch = async (to, init) => {
    if (later && typeof init.body === 'string') {
      const call = { ...identity, request: init.body };
      return later({ ...call, key: await callKey(call) });
    }
    spend.begin();
    return options.fetch(to, init);
  };
  return createStoredFetch(paid, {
    store,
    identify: () => identity,
    accept: (reply) => isReply(protocol, reply),
  });
}

async function exchange(
  options: ModelOptions,
  composed: ComposedRequest,
  fetch: Fetch,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  const { protocol, key, clock, timeoutMs = TEN_MINUTES, spend } = options;
  const headers = new Headers({
    'content-type': 'application/json',
    'accept-encoding': 'identity',
    ...composed.headers,
  });
  if (key !== null) headers.set(...protocol.credential(key));
  return runWithTimeout(timeoutMs, clock, signal, async (bounded) => {
    const url = joinUrl(options.url, composed.path);
    const response = await sendRequest(fetch, url, {
      method: 'POST',
      headers,
      body: composed.body,
      signal: bounded,
    });
    const cached = response.headers.has(CACHED_HEADER);
    const body = await readText(response, { maxBytes: MAX_REPLY, again: true, signal: bounded });
    const { texts, reasoning = null, finish, tokens, sampled: all } = readWholeReply(protocol, body);
    if (!cached) spend.add(tokens);
    const sampled = all?.[0];
    return { text: texts[0] ?? '', reasoning, finish, tokens, cached, ...(sampled ? { sampled } : {}) };
  });
}

/** @throws JudgeError, retryable: a reply that was cut off, or is none of the protocol's, may be whole the next time */
function readWholeReply(protocol: Adapter, body: string) {
  try {
    const reply = protocol.readReply(body, false);
    if (reply.texts.length > 0) return reply;
  } catch (cause) {
    if (!(cause instanceof JudgeError)) throw cause;
    throw new JudgeError(cause.message, { retryable: true, cause });
  }
  throw new JudgeError(`the endpoint answered with something that is no reply: ${shorten(body, 120)}`, {
    retryable: true,
  });
}

/** Whether a body is a whole reply of the protocol, error bodies excluded. */
export function isReply(protocol: Adapter, body: string): boolean {
  try {
    return protocol.readReply(body, false).texts.length > 0;
  } catch (cause) {
    if (cause instanceof JudgeError) return false;
    throw cause;
  }
}

/** What the call store calls an endpoint. A query may hold a key. */
export function nameEndpoint(url: string): string {
  return url.replace(/[?#].*$/s, '').replace(/(?<!\/)\/+$/, '');
}

/** A model as people name it for an offline run. */
export interface ModelName {
  /** As reports name it; the model's own name where none is given. */
  readonly name: string;
  readonly model: string;
  readonly protocol: Adapter;
}

/**
 * @param text `[name=][protocol:]model`
 * @param field named in errors
 * @throws InputError for a text that names no model, or holds control characters
 */
export function readModelName(text: string, field: string): ModelName {
  if (!isPlain(text)) throw new InputError(field, NOT_PLAIN);
  const [, name, before, rest] = /^(?:([^=@]+)=)?(?:([a-z-]+):)?(.+)$/.exec(text) ?? [];
  if (rest === undefined) throw new InputError(field, `"${text}" is no judge: [name=][protocol:]model`);
  const known = ADAPTERS.find((one) => one.name === before);
  // A model's own name may have a colon: `llama3:70b`.
  const model = known || before === undefined ? rest : `${before}:${rest}`;
  return { name: name ?? model, model, protocol: known ?? DEFAULT_ADAPTER };
}
