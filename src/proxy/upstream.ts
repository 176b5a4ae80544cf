/** Where a request goes at the judge's endpoint, and which of its headers go with it. */

import { KEY_HEADERS } from '../../adapters/index.ts';
import { listConnectionFields } from '../http/index.ts';
import { findOwnKey, OWN_KEY_HEADER } from './access/key.ts';
import { OPTION_HEADERS } from './options.ts';
import { WHO_HEADERS } from './telemetry/who.ts';

/** Headers that are meant for us and go no further; `expect` has been answered by our own server (RFC 9110 §10.1.1). */
const OURS: ReadonlySet<string> = new Set([
  'host',
  'expect',
  OWN_KEY_HEADER,
  ...OPTION_HEADERS,
  ...WHO_HEADERS,
]);

/** `/v1/models?limit=2` of a URL, as it is written there; of a path and query, themselves. */
export function readTarget(url: string): string {
  if (url.startsWith('/')) return url;
  const start = url.indexOf('/', url.indexOf('://') + 3);
  if (start < 0) return '/';
  const hash = url.indexOf('#', start);
  return hash < 0 ? url.slice(start) : url.slice(start, hash);
}

/** A target's path, without the query: a query may hold a key. */
export function readPath(target: string): string {
  const query = target.indexOf('?');
  return query < 0 ? target : target.slice(0, query);
}

/** Each is one more server on the way that might decode a path once more. */
const MOST_DECODINGS = 4;

/**
 * Whether a path has a segment `.` or `..` (RFC 3986 §5.2.4) for some server on the way: as it is, percent-encoded (also
 * more than once), behind a backslash, or with parameters (`..;a=b`). Such a path could leave an upstream's base path.
 */
export function hasDotSegment(target: string): boolean {
  let path = readPath(target);
  for (let i = 0; /%[0-7][0-9a-f]/i.test(path); i++) {
    const decoded = path.replace(/%([0-7][0-9a-f])/gi, (_all, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (decoded === path || i === MOST_DECODINGS) return true;
    path = decoded;
  }
  return path.split(/[/\\]/).some((segment) => /^\.\.?(?:$|[;?#\0\s])/.test(segment));
}

/**
 * The client's headers as they go to the judge: less the hop-by-hop ones, `host`, and our own.
 *
 * @param credential the operator's key, used only where the client sent none, neither as a header nor (as Gemini's clients do) in the query
 */
export function forwardHeaders(
  from: Headers,
  target: string,
  credential: readonly [name: string, value: string] | null,
): Headers {
  const dropped = listConnectionFields(from.get('connection'));
  const headers = new Headers();
  for (const [name, value] of from) {
    if (dropped.has(name) || OURS.has(name)) continue;
    // A key of ours is nobody else's business.
    if (KEY_HEADERS.includes(name) && findOwnKey(value) !== null) continue;
    headers.append(name, value);
  }
  if (credential && !sendsOwnKey(headers, target)) headers.set(credential[0], credential[1]);
  return headers;
}

/** Whether a client brings a key of the judge's, as a header or (as Gemini's clients do) in the query; one of ours is none. */
export function sendsOwnKey(headers: Headers, target: string): boolean {
  const named = KEY_HEADERS.some((name) => {
    const value = headers.get(name);
    return value !== null && findOwnKey(value) === null;
  });
  return named || /[?&]key=/.test(target);
}

/**
 * The same for a request whose body is ours to send: it has another length than the client's, and its reply
 * is read here, so it comes unpacked.
 */
export function forwardJudgmentHeaders(...from: Parameters<typeof forwardHeaders>): Headers {
  const headers = forwardHeaders(...from);
  headers.delete('content-length');
  headers.set('accept-encoding', 'identity');
  return headers;
}

/** An idempotency key would get an added call the first one's reply; a digest or signature is of the client's body. */
const FIRST_CALL_ONLY = [
  'idempotency-key',
  'x-idempotency-key',
  'content-md5',
  'content-digest',
  'digest',
  'signature',
];

/** Headers for a call that Remand adds: the judgment's own where nothing has to be taken off them. */
export function forwardAddedCallHeaders(judgment: Headers): Headers {
  if (!FIRST_CALL_ONLY.some((name) => judgment.has(name))) return judgment;
  const headers = new Headers(judgment);
  for (const name of FIRST_CALL_ONLY) headers.delete(name);
  return headers;
}

/**
 * A reply with other headers, made anew: its own may be immutable (a fetched reply's are, at the edge), and of a Response
 * that nobody has looked into @hono/node-server sends the headers at once, without waiting for the body's beginning.
 */
export function withHeaders({ body, status, statusText }: Response, headers: Headers): Response {
  return new Response(body, { status, statusText, headers });
}
