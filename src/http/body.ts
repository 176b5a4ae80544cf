/**
 * Reading bodies: whole ones up to a limit, and lines of which each has one. Nothing else in Remand reads a body, so that
 * nobody who answers or asks can fill the memory (test/security/bodies.test.ts looks for it).
 */
import { RemandError } from '../errors.ts';

/** What of a Request or a Response is read. */
type ReadableBody = Pick<Response, 'body' | 'headers' | 'arrayBuffer'> & {
  readonly whole?: Uint8Array;
};

/** A body is longer than is taken. */
export class TooLongError extends RemandError {
  override name = 'TooLongError';
  /** The limit, in bytes. */
  readonly most: number;

  constructor(most: number) {
    super(`the body is longer than ${most} bytes`);
    this.most = most;
  }
}

/**
 * A body as bytes. A length that is announced is believed only as far as the limit goes.
 *
 * @param most bytes taken at most
 * @throws TooLongError as soon as it is known, the rest unread and cancelled; what the body broke off with
 */
export async function readWhole(from: ReadableBody, most: number): Promise<Uint8Array> {
  if (from.whole) return within(from.whole, most);
  const announced = from.headers.get('content-length');
  if (announced !== null && Number(announced) > most) {
    await from.body?.cancel();
    throw new TooLongError(most);
  }
  // In one piece, which costs less than a stream: HTTP lets a body be no longer than its announced length.
  if (announced !== null && !from.headers.has('content-encoding'))
    return within(new Uint8Array(await from.arrayBuffer()), most);
  return readStream(from.body, most);
}

function within(bytes: Uint8Array, most: number): Uint8Array {
  if (bytes.byteLength > most) throw new TooLongError(most);
  return bytes;
}

/** Told of each piece as it comes, for words about where a body broke off. */
type OnBytes = (bytes: number) => void;

/**
 * @param most bytes taken at most
 * @param progress told how many bytes have come
 * @throws TooLongError, the stream cancelled; what the stream failed with
 */
export async function readStream(
  stream: ReadableStream<Uint8Array> | null,
  most: number,
  progress?: OnBytes,
): Promise<Uint8Array> {
  if (!stream) return new Uint8Array();
  const reader = stream.getReader();
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return joinBytes(pieces);
    pieces.push(value);
    size += value.byteLength;
    progress?.(size);
    if (size > most) {
      await reader.cancel();
      throw new TooLongError(most);
    }
  }
}

const UTF_8 = new TextDecoder();

/** @throws as `readWhole` does, and SyntaxError for what is no JSON */
export async function readJsonBody(from: ReadableBody, most: number): Promise<unknown> {
  return JSON.parse(UTF_8.decode(await readWhole(from, most)));
}

/**
 * A reply that has been read, for client libraries, which read without a limit.
 *
 * @throws as `readWhole` does
 */
async function bufferReply(response: Response, most: number): Promise<Response> {
  const { status, statusText, headers } = response;
  const bytes = await readWhole(response, most);
  const none = status === 204 || status === 205 || status === 304;
  return new Response(none ? null : (bytes as Uint8Array<ArrayBuffer>), { status, statusText, headers });
}

/** A `fetch` for client libraries whose replies are read within a limit before the library sees them. */
export function createBoundedFetch(fetch: typeof globalThis.fetch, most: number): typeof globalThis.fetch {
  return async (input, init) => bufferReply(await fetch(input, init), most);
}

/**
 * A `fetch` for client libraries that read streams: each reply goes through as it comes, and breaks off at the limit.
 *
 * @param most bytes of one reply, as the runtime has unpacked it
 */
export function limitedFetch(fetch: typeof globalThis.fetch, most: number): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!response.body) return response;
    let size = 0;
    const limit = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.byteLength;
        if (size > most) controller.error(new TooLongError(most));
        else controller.enqueue(chunk);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(limit), { status, statusText, headers });
  };
}

/**
 * The lines of a body that may be longer than memory; empty ones are left out.
 *
 * @param most characters of one line
 * @throws TooLongError for a longer line; what the stream failed with
 */
export async function* readLines(stream: ReadableStream<Uint8Array>, most: number): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let begun: string[] = [];
  let length = 0;
  for await (const chunk of stream) {
    const [first = '', ...rest] = decoder.decode(chunk, { stream: true }).split('\n');
    for (const [i, piece] of [first, ...rest].entries()) {
      if (i > 0) {
        const line = begun.join('');
        if (line.trim() !== '') yield line;
        begun = [];
        length = 0;
      }
      begun.push(piece);
      length += piece.length;
      if (length > most) throw new TooLongError(most);
    }
  }
  const last = begun.join('') + decoder.decode();
  if (last.trim() !== '') yield last;
}

/** The pieces of a body as one; a single piece is taken as it is, without a copy. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  if (only && pieces.length === 1) return only;
  const all = new Uint8Array(pieces.reduce((size, piece) => size + piece.byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.byteLength;
  }
  return all;
}
