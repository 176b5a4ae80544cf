/**
 * The transport on Node: undici's connection pool, driven directly. The global `fetch` does far more for
 * each request than a proxy needs, and undoes content encodings; here the body's bytes pass as they were sent.
 */
import { Agent, type Dispatcher } from 'undici';
import { connectionFields } from './headers.ts';
import type { Fetch, FetchInit } from './types.ts';

export interface PoolOptions {
  /** Default 10 s. */
  readonly connectTimeoutMs?: number;
  /** Longest wait for a reply to begin. Default 10 minutes: a slow model thinks for long. */
  readonly headersTimeoutMs?: number;
  /** Longest silence within a reply. Default 10 minutes. */
  readonly bodyTimeoutMs?: number;
  /** Connections for each origin; default no limit. */
  readonly connections?: number;
}

export interface Pool {
  /** Never follows redirects. Rejects with the signal's reason, or with undici's error where no reply came. */
  readonly fetch: Fetch;
  /** Lets running requests end and closes the connections. */
  close(): Promise<void>;
}

const MINUTE = 60_000;

export function createPool(options: PoolOptions = {}): Pool {
  const agent = new Agent({
    connect: { timeout: options.connectTimeoutMs ?? 10_000 },
    headersTimeout: options.headersTimeoutMs ?? 10 * MINUTE,
    bodyTimeout: options.bodyTimeoutMs ?? 10 * MINUTE,
    connections: options.connections ?? null,
    // One request at a time on a connection, so that an aborted one takes only its own with it.
    pipelining: 1,
    allowH2: false,
  });
  return {
    fetch: (url, init) => dispatch(agent, url, init),
    close: () => agent.close(),
  };
}

async function dispatch(agent: Agent, url: string, init: FetchInit): Promise<Response> {
  init.signal?.throwIfAborted();
  return new Promise<Response>((resolve, reject) => {
    const exchange = new Exchange(init, resolve, reject);
    try {
      agent.dispatch(
        {
          origin: new URL(url).origin,
          path: targetOf(url),
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

/** Path and query as they were written: a URL parser would normalise them. */
function targetOf(url: string): string {
  const path = /^[^:]+:\/\/[^/?#]*([^#]*)/.exec(url)?.[1] ?? '';
  return path.startsWith('/') ? path : `/${path}`;
}

function requestHeaders({ headers, body }: FetchInit): string[] {
  const dropped = connectionFields(headers.get('connection'));
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

function responseHeaders(received: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const dropped = connectionFields([received.connection ?? ''].flat().join());
  const headers = new Headers();
  for (const [name, value] of Object.entries(received)) {
    if (value === undefined || dropped.has(name.toLowerCase())) continue;
    // A field that was sent several times stays several: `set-cookie` cannot be joined (RFC 9110 §5.3).
    for (const one of typeof value === 'string' ? [value] : value) headers.append(name, one);
  }
  return headers;
}

/** Queued at most before the upstream is made to wait for a slow reader. */
const BUFFER: QueuingStrategy<Uint8Array> = { highWaterMark: 256 * 1024, size: (chunk) => chunk.byteLength };

/** Longer than a server takes from a Response to its headers on the wire, in milliseconds. */
const HEADERS_FIRST_MS = 50;

/** One request and its reply: undici's events turned into a Response whose body is pulled at the reader's pace. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #method: string;
  readonly #signal: AbortSignal | undefined;
  readonly #resolve: (response: Response) => void;
  readonly #reject: (reason: unknown) => void;
  #request: Dispatcher.DispatchController | null = null;
  #body: ReadableStreamDefaultController<Uint8Array> | null = null;

  constructor(init: FetchInit, resolve: (response: Response) => void, reject: (reason: unknown) => void) {
    this.#method = init.method;
    this.#signal = init.signal;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  readonly #onAbort = (): void => {
    const reason: unknown = this.#signal?.reason;
    // Ends the connection, and with it the upstream's work; where none is open yet, onRequestStart does.
    this.#request?.abort(asError(reason));
    this.fail(reason);
  };

  onRequestStart(request: Dispatcher.DispatchController): void {
    this.#request = request;
    if (this.#signal?.aborted) request.abort(asError(this.#signal.reason));
  }

  onResponseStart(
    request: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
    statusText = '',
  ): void {
    // 103 Early Hints and the like come before the reply (RFC 9110 §15.2).
    if (status < 200) return;
    const init = { status, statusText, headers: responseHeaders(headers) };
    if (this.#method === 'HEAD' || status === 204 || status === 205 || status === 304) {
      this.#resolve(new Response(null, init));
      return;
    }
    const source: UnderlyingDefaultSource<Uint8Array> = {
      start: (controller) => {
        this.#body = controller;
      },
      pull: () => request.resume(),
      cancel: (reason) => {
        this.#body = null;
        this.#release();
        request.abort(asError(reason));
      },
    };
    const body = new ReadableStream(source, BUFFER);
    this.#resolve(new Response(body, init));
  }

  onResponseData(request: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#body?.enqueue(chunk);
    if (this.#body && (this.#body.desiredSize ?? 0) <= 0) request.pause();
  }

  onResponseEnd(): void {
    this.#release();
    this.#body?.close();
  }

  onResponseError(_request: Dispatcher.DispatchController, error: Error): void {
    const reason: unknown = this.#signal?.aborted ? this.#signal.reason : error;
    // A body that breaks before a server has sent the headers on becomes an answer of that server's own
    // (@hono/node-server: 500 and the error's text); after them it breaks the connection, which is the truth.
    if (this.#body) setTimeout(() => this.fail(reason), HEADERS_FIRST_MS);
    else this.fail(reason);
  }

  /** Ends the exchange: without a reply, or in the middle of one. */
  fail(reason: unknown): void {
    this.#release();
    // Whichever of the two has happened already ignores it.
    this.#reject(reason);
    this.#body?.error(reason);
    this.#body = null;
  }

  #release(): void {
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('the request was cancelled', { cause: reason });
}
