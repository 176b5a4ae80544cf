/**
 * One request and its reply: undici's events turned into a Response whose body is pulled at the reader's pace, and
 * given up after too long a silence.
 */
import { type Dispatcher, errors } from 'undici';
import type { FetchInit, FetchReply } from '../ports.ts';
import { joinBytes } from './body.ts';
import { listConnectionFields } from './send.ts';

/** Queued at most before the upstream is made to wait for a slow reader, in bytes. */
const QUEUED = 256 * 1024;
const BUFFER: QueuingStrategy<Uint8Array> = { highWaterMark: QUEUED, size: (chunk) => chunk.byteLength };

/**
 * From the last piece of a reply that broke off to the break, in milliseconds. A server looks at a body's beginning
 * before it sends the headers (@hono/node-server: for a timer of 1 ms; a break in that time becomes a 500 in words of
 * its own), and sends the last piece at the end of its turn. Timers run in the order in which they are due, so on a
 * busy machine, too, this one runs after that.
 */
const BREAK_LAST_MS = 5;

interface Early {
  readonly pieces: Uint8Array[];
  ended: boolean;
}

export class Exchange implements Dispatcher.DispatchHandler {
  readonly #method: string;
  readonly #signal: AbortSignal | undefined;
  readonly #silenceMs: number;
  readonly #resolve: (response: FetchReply) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #held: FetchInit['held'];
  readonly #tell: ((reason: unknown) => void) | undefined;
  #request: Dispatcher.DispatchController | null = null;
  /** What has come of a reply that is not handed out yet: see `onResponseStart`. Null before, and afterwards. */
  #early: Early | null = null;
  #body: ReadableStreamDefaultController<Uint8Array> | null = null;
  #silence: Silence | null = null;
  #broken: { readonly reason: unknown } | null = null;

  constructor(
    init: FetchInit,
    silenceMs: number,
    resolve: (response: FetchReply) => void,
    reject: (reason: unknown) => void,
  ) {
    this.#method = init.method;
    this.#signal = init.signal;
    this.#held = init.held;
    this.#tell = init.broken;
    this.#silenceMs = silenceMs;
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
    else this.#held?.(false);
  }

  onResponseStart(
    request: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
    statusText = '',
  ): void {
    // 103 Early Hints and the like come before the reply (RFC 9110 §15.2).
    if (status < 200) return;
    if (status > 599) {
      // No Response can have it (Fetch Standard §5.5).
      const odd = new Error(`it answered with the status ${status}, which HTTP does not have`);
      request.abort(odd);
      this.fail(odd);
      return;
    }
    const init = { status, statusText, headers: responseHeaders(headers) };
    if (this.#method === 'HEAD' || status === 204 || status === 205 || status === 304) {
      this.#resolve(new Response(null, init));
      return;
    }
    // Handed out when all that came in the same read has been parsed. That is mostly all of it, since a whole reply is
    // short; then it needs no stream, no timer for its silence, and one write on its way to the client.
    const early: Early = { pieces: [], ended: false };
    this.#early = early;
    queueMicrotask(() => {
      if (this.#early !== early) return;
      this.#early = null;
      if (early.ended) this.#resolve(wholeReply(early.pieces, init));
      else this.#resolve(new Response(this.#stream(request, early.pieces), init));
    });
  }

  #stream(request: Dispatcher.DispatchController, early: readonly Uint8Array[]): ReadableStream<Uint8Array> {
    const source: UnderlyingDefaultSource<Uint8Array> = {
      start: (controller) => {
        this.#body = controller;
        for (const piece of early) this.#enqueue(request, piece);
      },
      pull: () => this.#taken(request),
      cancel: (reason) => {
        this.#body = null;
        this.#release();
        request.abort(asError(reason));
      },
    };
    this.#silence = new Silence(this.#silenceMs, () => {
      // Where the upstream is made to wait, the silence is ours.
      if (request.paused) return;
      const late = new errors.BodyTimeoutError();
      request.abort(late);
      this.#breakOff(late);
    });
    return new ReadableStream(source, BUFFER);
  }

  /** The reader has taken something. */
  #taken(request: Dispatcher.DispatchController): void {
    if (this.#broken) this.#tellBreak();
    else if (request.paused) {
      request.resume();
      this.#silence?.broken();
    }
  }

  onResponseData(request: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#silence?.broken();
    if (this.#early) this.#early.pieces.push(chunk);
    else this.#enqueue(request, chunk);
  }

  #enqueue(request: Dispatcher.DispatchController, piece: Uint8Array): void {
    this.#body?.enqueue(piece);
    if (this.#body && (this.#body.desiredSize ?? 0) <= 0) request.pause();
  }

  onResponseEnd(): void {
    this.#release();
    if (this.#early) this.#early.ended = true;
    else this.#body?.close();
  }

  onResponseError(_request: Dispatcher.DispatchController, error: Error): void {
    const reason: unknown = this.#signal?.aborted ? this.#signal.reason : error;
    // What came just now is not handed out yet; it goes first.
    if (this.#early) queueMicrotask(() => this.#breakOff(reason));
    else if (this.#body) this.#breakOff(reason);
    else this.fail(reason);
  }

  /** In the middle of a reply: what came of it is handed out, and then the break. */
  #breakOff(reason: unknown): void {
    this.#release();
    this.#broken ??= { reason };
    this.#tellBreak();
  }

  #tellBreak(): void {
    const broken = this.#broken;
    if (!broken || this.#body?.desiredSize !== QUEUED) return;
    setTimeout(() => {
      if (this.#body && this.#tell) this.#tell(broken.reason);
      else this.fail(broken.reason);
    }, BREAK_LAST_MS);
  }

  /** Ends the exchange at once: without a reply, or in the middle of one. */
  fail(reason: unknown): void {
    this.#release();
    // An endpoint that cannot be reached was asked.
    if (!this.#signal?.aborted) this.#held?.(false);
    this.#early = null;
    // Whichever of the two has happened already ignores it.
    this.#reject(reason);
    this.#body?.error(reason);
    this.#body = null;
  }

  #release(): void {
    this.#silence?.end();
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }
}

function wholeReply(pieces: readonly Uint8Array[], init: ResponseInit): FetchReply {
  const whole = joinBytes(pieces);
  return Object.assign(new Response(whole as Uint8Array<ArrayBuffer>, init), { whole });
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('the request was cancelled', { cause: reason });
}

/** @param received their names in lower case, as undici gives them */
function responseHeaders(received: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const dropped = listConnectionFields(String(received.connection ?? ''));
  const headers = new Headers();
  for (const [name, value] of Object.entries(received)) {
    if (value === undefined || dropped.has(name)) continue;
    if (typeof value === 'string') headers.append(name, value);
    // A field that was sent several times stays several: `set-cookie` cannot be joined (RFC 9110 §5.3).
    else for (const one of value) headers.append(name, one);
  }
  return headers;
}

/**
 * Notices that the other side has been silent for too long. Timers come due before sockets are read, so after a long
 * piece of work of this process a timer alone proves nothing: what was sent meanwhile lies in the socket, unread.
 */
export class Silence {
  readonly #timer: NodeJS.Timeout;
  #verdict: NodeJS.Immediate | undefined;

  /**
   * @param limitMs in milliseconds, up to 2^31 - 1, which is as long as a timer can be
   * @param tooLong called once for each silence, after all that lay in the sockets has been read
   */
  constructor(limitMs: number, tooLong: () => void) {
    this.#timer = setTimeout(() => {
      // Node's event loop runs timers, then reads sockets, then runs immediates.
      this.#verdict = setImmediate(tooLong);
    }, limitMs);
    this.#timer.unref();
  }

  /** Something was heard, or may be heard again: from here on it counts anew. */
  broken(): void {
    clearImmediate(this.#verdict);
    this.#timer.refresh();
  }

  end(): void {
    clearImmediate(this.#verdict);
    clearTimeout(this.#timer);
  }
}
