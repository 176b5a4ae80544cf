/**
 * Passing a request through: method, target, headers and body as they came, and the reply as it comes. This
 * is the hot path; nothing is parsed.
 */

import type { Context } from 'hono';
import {
  CROWDED_RETRIES,
  describeCause,
  isCrowded,
  JudgeError,
  joinUrl,
  readWhole,
  retryFailed,
  sendRequest,
} from '../http/index.ts';
import type { Fetch } from '../ports.ts';
import type { OutboundFilter } from './outbound-filter.ts';
import type { Ports } from './proxy-ports.ts';
import { forwardHeaders, readPath, sendsOwnKey } from './upstream.ts';

/** Up to this size, in bytes, a body is taken in one piece, which costs less than a stream. */
const SMALL_BODY = 64 * 1024;
/** Where an upstream asks for a longer wait, its refusal is handed on. */
const LONGEST_WAIT_MS = 8_000;

export interface PassTo {
  readonly fetch: Fetch;
  readonly judgeUrl: string;
  readonly outgoing: OutboundFilter;
  /** The operator's, for a client that sends none of its own. */
  readonly credential: readonly [name: string, value: string] | null;
  /** See FetchInit. */
  readonly broken?: ((reason: unknown) => void) | undefined;
}

/**
 * @param target path and query
 * @param body where it has been read already
 * @returns the endpoint's reply, whatever its status, its body unread
 * @throws JudgeError where no reply came, or none that is handed on; the signal's reason
 */
export async function passRequest(
  request: Request,
  target: string,
  to: PassTo,
  body?: Uint8Array,
): Promise<Response> {
  const headers = forwardHeaders(request.headers, target, to.credential);
  const keyed = to.credential !== null && !sendsOwnKey(request.headers, target);
  // A packed reply could quote the operator's key unseen.
  if (keyed) headers.set('accept-encoding', 'identity');
  const sent = body ?? (await bodyOf(request));
  const waiting = new AbortController();
  const leave = () => waiting.abort(request.signal.reason);
  request.signal.addEventListener('abort', leave, { once: true });
  const { broken } = to;
  const init = {
    method: request.method,
    headers,
    body: sent,
    signal: waiting.signal,
    ...(broken && { broken }),
  };
  // Its client tries it again by itself, unless calls of ours were in its way.
  const policy = {
    retries: CROWDED_RETRIES,
    maxWaitMs: LONGEST_WAIT_MS,
    signal: waiting.signal,
    when: isCrowded,
  };
  try {
    const send = () => sendRequest(to.fetch, joinUrl(to.judgeUrl, target), init);
    const sending = send();
    const reply = await (sent instanceof ReadableStream ? sending : retryFailed(sending, send, policy));
    return to.outgoing.reply(reply, keyed);
  } catch (error) {
    if (error instanceof JudgeError && error.response) return to.outgoing.reply(error.response, keyed);
    throw error;
  } finally {
    // From here on it is the body's stream that is cancelled when the client leaves.
    request.signal.removeEventListener('abort', leave);
  }
}

async function bodyOf(request: Request): Promise<Uint8Array | ReadableStream<Uint8Array> | null> {
  if (request.method === 'GET' || request.method === 'HEAD') return null;
  const length = request.headers.get('content-length');
  // A body is announced by one of the two (RFC 9112 §6.3); HTTP/2 needs neither, so there we look.
  if (length === '0') return null;
  if (length !== null && Number(length) <= SMALL_BODY) return readWhole(request, SMALL_BODY);
  return request.body;
}

/**
 * Handles a judge's reply that breaks off half-way: closes the client's connection (a chunked reply that merely ended would
 * look complete) and logs one line.
 *
 * @returns a callback that closes the connection, or undefined if the runtime cannot close one
 */
export function createReplyBreakHandler(
  { cutOff, log }: Ports,
  c: Context,
  target: string,
): ((reason: unknown) => void) | undefined {
  if (!cutOff) return undefined;
  return (reason) => {
    const message = `the judge's reply broke off: ${describeCause(reason)}`;
    log({ level: 'warn', event: 'broken-off', method: c.req.raw.method, path: readPath(target), message });
    cutOff(c);
  };
}
