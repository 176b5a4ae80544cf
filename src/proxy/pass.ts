/**
 * Passing a request through: method, target, headers and body as they came, and the reply as it comes. This
 * is the hot path; nothing is parsed.
 */
import { JudgeError } from '../judge/errors.ts';
import { send } from '../judge/send.ts';
import type { Fetch } from '../judge/types.ts';
import { joinUrl } from '../judge/url.ts';
import { forwardedHeaders, returnedHeaders, withHeaders } from './upstream.ts';

/** Up to this size, in bytes, a body is taken in one piece, which costs less than a stream. */
const SMALL_BODY = 64 * 1024;

export interface PassTo {
  readonly fetch: Fetch;
  readonly judgeUrl: string;
  /** The operator's, for a client that sends none of its own. */
  readonly credential: readonly [name: string, value: string] | null;
  /** See FetchInit. */
  readonly broken?: ((reason: unknown) => void) | undefined;
}

/**
 * @param target path and query
 * @param body where it has been read already
 * @returns the endpoint's reply, whatever its status, its body unread
 * @throws JudgeError where no reply came, or the signal's reason
 */
export async function pass(
  request: Request,
  target: string,
  to: PassTo,
  body?: Uint8Array,
): Promise<Response> {
  const headers = forwardedHeaders(request.headers, target, to.credential);
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
  try {
    return asReturned(await send(to.fetch, joinUrl(to.judgeUrl, target), init));
  } catch (error) {
    if (error instanceof JudgeError && error.response) return asReturned(error.response);
    throw error;
  } finally {
    // From here on it is the body's stream that is cancelled when the client leaves.
    request.signal.removeEventListener('abort', leave);
  }
}

/** The reply itself where nothing has to be taken off it, and nothing but its headers was looked at, which spares a copy. */
export function asReturned(response: Response): Response {
  const { ok, headers } = response;
  if (ok && !headers.has('connection') && !headers.has('transfer-encoding') && !headers.has('keep-alive'))
    return response;
  return withHeaders(response, returnedHeaders(headers));
}

async function bodyOf(request: Request): Promise<Uint8Array | ReadableStream<Uint8Array> | null> {
  if (request.method === 'GET' || request.method === 'HEAD') return null;
  const length = request.headers.get('content-length');
  // A body is announced by one of the two (RFC 9112 §6.3); HTTP/2 needs neither, so there we look.
  if (length === '0') return null;
  if (length !== null && Number(length) <= SMALL_BODY) return new Uint8Array(await request.arrayBuffer());
  return request.body;
}
