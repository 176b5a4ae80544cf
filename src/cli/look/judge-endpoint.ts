/** Requests of a log sent to a judge's endpoint as they stand, each paid for once. */
import * as z from 'zod';
import { readText } from '../../http/index.ts';
import {
  CACHED_HEADER,
  type CallStore,
  createStoredFetch,
  isReply,
  nameEndpoint,
  type Spend,
} from '../../models/index.ts';
import type { Fetch } from '../../ports.ts';
import type { ModelEndpoint } from '../open-models.ts';
import type { GivenRequest } from '../read/requests.ts';

export interface PaidEndpoint {
  readonly endpoint: ModelEndpoint;
  readonly store: CallStore;
  readonly spend: Spend;
}

/** Largest reply that is read, in bytes. */
export const LARGEST_REPLY = 32 << 20;

/** The way to the endpoint: what the store holds is not asked again, and what is asked is counted. */
export function createPaidFetch({ endpoint, store, spend }: PaidEndpoint): Fetch {
  const { url: base, model, protocol } = endpoint;
  const stored = createStoredFetch(
    (url, init) => {
      spend.begin();
      return endpoint.fetch(url, init);
    },
    {
      store,
      identify: () => ({ endpoint: nameEndpoint(base), model, attempt: 0 }),
      accept: (reply) => isReply(protocol, reply),
    },
  );
  return async (url, init) => {
    const body = init.body instanceof Uint8Array ? new TextDecoder().decode(init.body) : init.body;
    const response = await stored(url, { ...init, ...(body !== undefined && { body }) });
    if (response.headers.has(CACHED_HEADER) || !response.ok) return response;
    const text = await readText(response, {
      maxBytes: LARGEST_REPLY,
      again: true,
      ...(init.signal && { signal: init.signal }),
    });
    if (isReply(protocol, text)) spend.add(protocol.readReply(text, false).tokens);
    return new Response(text, { status: response.status, headers: response.headers });
  };
}

const Body = z.record(z.string(), z.unknown());

/** A request as it is sent: whole rather than as a stream, to the judge's model, with its key. */
export function requestFor({ request, path }: GivenRequest, { model, protocol, key }: ModelEndpoint) {
  const { stream: _, stream_options: __, ...rest } = Body.parse(JSON.parse(request.body));
  const composed = protocol.compose({ model, system: null, user: '', parameters: {} });
  // A protocol that names the model in the path has none in its body.
  const named = 'model' in Body.parse(JSON.parse(composed.body));
  const headers = new Headers({ 'content-type': 'application/json', ...composed.headers });
  if (key !== null) headers.set(...protocol.credential(key));
  return {
    path: path.startsWith('/') && named ? path : composed.path,
    headers,
    body: JSON.stringify(named ? { ...rest, model } : rest),
    /** Whether it is the judge that gave the reply in the log. */
    isSame: request.model === model || request.model === '',
  };
}

/** Why a request cannot be put before the judge; null where it can. */
export function whyUnfit(given: GivenRequest, { protocol }: ModelEndpoint): string | null {
  if (given.lacksSystem) return 'the log lacks its system message';
  return given.protocol === protocol.name
    ? null
    : `${given.place} is a request of ${given.protocol}, and the judge speaks ${protocol.name}`;
}
