/**
 * The transport on Node: undici's connection pool, driven directly. The global `fetch` does far more for
 * each request than a proxy needs, and undoes content encodings; here the body's bytes pass as they were sent.
 */
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import type { Fetch, FetchInit } from '../ports.ts';
import { Exchange } from './exchange.ts';
import { listConnectionFields } from './send.ts';

/** How long a reply is waited for, in milliseconds. */
export interface ReplyTimeouts {
  /** Longest wait for a reply to begin. Default 10 minutes: a slow model thinks for long. */
  readonly headersTimeoutMs?: number;
  /** Longest silence within a reply. Default 10 minutes. */
  readonly bodyTimeoutMs?: number;
}

export interface PoolOptions extends ReplyTimeouts {
  /** Connections for each origin; default no limit. */
  readonly connections?: number;
}

export interface Pool {
  /** Never follows redirects. Rejects with the signal's reason, or with undici's error where no reply came. */
  readonly fetch: Fetch;
  /** The same over the same connections, with other patience. */
  withTimeouts(timeouts: ReplyTimeouts): Fetch;
  /** Lets running requests end and closes the connections. */
  close(): Promise<void>;
}

const MINUTE = 60_000;

/** With `NODE_USE_ENV_PROXY=1` requests go through HTTP_PROXY and HTTPS_PROXY, but for NO_PROXY, as those of Node's own clients. */
export function createPool(options: PoolOptions = {}): Pool {
  const agent = new (usesEnvironmentProxy() ? EnvHttpProxyAgent : Agent)({
    connectTimeout: 10_000,
    connections: options.connections ?? null,
    // One request at a time on a connection, so that an aborted one takes only its own with it.
    pipelining: 1,
    allowH2: false,
  });
  function withTimeouts(timeouts: ReplyTimeouts): Fetch {
    const placeOf = rememberingLast(placeIn);
    return (url, init) => dispatch(agent, placeOf, url, init, timeouts);
  }
  return { fetch: withTimeouts(options), withTimeouts, close: () => agent.close() };
}

/** @see https://nodejs.org/api/cli.html#node_use_env_proxy1 */
function usesEnvironmentProxy(): boolean {
  const { env, execArgv } = process;
  const flags = [...execArgv, ...(env.NODE_OPTIONS ?? '').split(' ')];
  return env.NODE_USE_ENV_PROXY === '1' || flags.includes('--use-env-proxy');
}

function dispatch(
  agent: Dispatcher,
  placeOf: typeof placeIn,
  url: string,
  init: FetchInit,
  { headersTimeoutMs: headersTimeout = 10 * MINUTE, bodyTimeoutMs: silenceMs = 10 * MINUTE }: ReplyTimeouts,
): Promise<Response> {
  return new Promise<Response>((resolve, reject) => {
    // Until a connection takes it.
    init.held?.(true);
    init.signal?.throwIfAborted();
    const exchange = new Exchange(init, silenceMs, resolve, reject);
    try {
      agent.dispatch(
        {
          ...placeOf(url),
          headersTimeout,
          // Timed here (Silence): undici's own timer cuts off a reply that came while this process was busy.
          bodyTimeout: 0,
          method: init.method,
          headers: requestHeaders(init),
          // undici takes any async iterable; its types name Node's streams only.
          body: (init.body ?? null) as Dispatcher.DispatchOptions['body'] & {},
        },
        exchange,
      );
    } catch (error) {
      exchange.fail(error);
    }
  });
}

/** Path and query as they were written: a URL parser would normalise them. Throws where it is no URL. */
function placeIn(url: string): { readonly origin: string; readonly path: string } {
  const path = /^[^:]+:\/\/[^/?#]*([^#]*)/.exec(url)?.[1] ?? '';
  return { origin: new URL(url).origin, path: path.startsWith('/') ? path : `/${path}` };
}

/** Nearly every call goes where the one before went. */
function rememberingLast<T>(of: (url: string) => T): (url: string) => T {
  let last: { readonly url: string; readonly value: T } | null = null;
  return (url) => {
    if (last?.url !== url) last = { url, value: of(url) };
    return last.value;
  };
}

function requestHeaders({ headers, body }: FetchInit): string[] {
  const dropped = listConnectionFields(headers.get('connection'));
  const sent: string[] = [];
  for (const [name, value] of headers) {
    // `host` is made from the URL. The body is sent at once, so there is no `expect` (RFC 9110 §10.1.1).
    if (dropped.has(name) || name === 'host' || name === 'expect') continue;
    // Counted anew, unless the body is a stream, whose length only the sender knows.
    if (name === 'content-length' && !(body instanceof ReadableStream)) continue;
    sent.push(name, value);
  }
  return sent;
}
