/**
 * The call store: every finished model call, kept under a hash of what was asked. A run that was killed asks
 * the store first and pays for nothing twice; the same store replays as a judge.
 */

import * as z from 'zod';
import { hashUtf8, toHex } from '../bytes.ts';
import { readText } from '../http/index.ts';
import type { Fetch, FetchInit } from '../ports.ts';

/** Largest reply kept, in bytes. */
const MAX_REPLY = 32 << 20;

/** A finished call: what was sent, and the reply as it came. So is a line of a recording in JSONL. */
export const storedCall = z.object({
  /** The endpoint's own name: its URL less query, or the name of a fleet of endpoints that are alike. */
  endpoint: z.string(),
  model: z.string(),
  /** The request's body, byte for byte. */
  request: z.string(),
  reply: z.string(),
});
export type StoredCall = Readonly<z.output<typeof storedCall>>;

export interface CallStore {
  get(key: string): Promise<StoredCall | null>;
  /** Resolves when the call would survive the process being killed. */
  put(key: string, call: StoredCall): Promise<void>;
}

/** What a call is known by. */
export interface CallIdentity {
  readonly endpoint: string;
  readonly model: string;
  readonly request: string;
  /** Of several samples of one request, which; 0 where there is one. */
  readonly attempt: number;
}

/** @returns SHA-256 of (endpoint, model, request, attempt), in hexadecimal */
export async function callKey({ endpoint, model, request, attempt }: CallIdentity): Promise<string> {
  return toHex(await hashUtf8(JSON.stringify([endpoint, model, request, attempt])));
}

/** A reply from a store says so, so that it is neither counted nor paid for. */
export const CACHED_HEADER = 'x-remand-cached';

/**
 * A transport that answers from the store what it holds, and keeps what it does not once that is whole. Two
 * calls for the same thing at the same time share one.
 *
 * @param options.accept whether a 2xx reply is worth keeping: one that cannot be read is asked for again
 */
export function createStoredFetch(
  fetch: Fetch,
  options: {
    readonly store: CallStore;
    readonly identify: (url: string, request: string) => Omit<CallIdentity, 'request'>;
    readonly accept: (reply: string) => boolean;
  },
): Fetch {
  const underWay = new Map<string, Promise<string | Response>>();
  return async (url, init) => {
    const { body } = init;
    if (init.method !== 'POST' || typeof body !== 'string') return fetch(url, init);
    const identity = { ...options.identify(url, body), request: body };
    const key = await callKey(identity);
    const known = await options.store.get(key);
    if (known) return replay(known.reply);
    // Where the other one fails, this one asks for itself. Where there is none, nothing is awaited before this one is put down.
    const other = underWay.get(key);
    const shared = other && (await other.catch(() => null));
    if (typeof shared === 'string') return replay(shared);
    const asking = ask(fetch, url, init, async (reply) => {
      if (options.accept(reply)) await options.store.put(key, { ...identity, reply });
    });
    underWay.set(key, asking);
    try {
      const asked = await asking;
      return typeof asked === 'string' ? new Response(asked, { headers: JSON_TYPE }) : asked;
    } finally {
      underWay.delete(key);
    }
  };
}

/** @returns a 2xx reply's text; any other response unread, for whoever asked to deal with */
async function ask(
  fetch: Fetch,
  url: string,
  init: FetchInit,
  keep: (reply: string) => Promise<void>,
): Promise<string | Response> {
  const response = await fetch(url, init);
  if (!response.ok) return response;
  const reply = await readText(response, {
    maxBytes: MAX_REPLY,
    again: true,
    ...(init.signal ? { signal: init.signal } : {}),
  });
  await keep(reply);
  return reply;
}

const JSON_TYPE = { 'content-type': 'application/json' };

function replay(reply: string): Response {
  return new Response(reply, { headers: { ...JSON_TYPE, [CACHED_HEADER]: '1' } });
}

/** A store that lasts as long as it is held. */
export function createMemoryCalls(): CallStore {
  const calls = new Map<string, StoredCall>();
  return {
    async get(key) {
      return calls.get(key) ?? null;
    },
    async put(key, call) {
      calls.set(key, call);
    },
  };
}

/**
 * @param calls told apart by their request alone, so that a recording serves wherever it was made; of several
 *   replies to one request the first counts
 * @returns a transport that answers 404 to what was never recorded
 */
export function createReplay(calls: Iterable<StoredCall>): Fetch {
  const replies = new Map<string, string>();
  for (const { request, reply } of calls) if (!replies.has(request)) replies.set(request, reply);
  return async (_url, { body }) => {
    const reply = typeof body === 'string' ? replies.get(body) : undefined;
    if (reply !== undefined) return new Response(reply, { headers: JSON_TYPE });
    const error = { message: 'the recording holds no such call', type: 'not_found_error' };
    return Response.json({ error }, { status: 404 });
  };
}
