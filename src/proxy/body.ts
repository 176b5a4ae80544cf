/** Reading a request that is to be judged: whole, up to a limit. */
import { joined } from '../judge/joined.ts';
import { BodyTooLargeError } from './errors.ts';

/** @throws BodyTooLargeError as soon as it is known to be too large, before the rest has come in */
export async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  const announced = request.headers.get('content-length');
  if (announced !== null) {
    if (Number(announced) > limit) throw tooLarge(limit);
    return new Uint8Array(await request.arrayBuffer());
  }
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body as ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return joined(chunks);
}

/** Whether a body says of itself that it is JSON within the limit, so that it can be read and sent on all the same. */
export function isShortJson({ headers }: Request, limit: number): boolean {
  const length = headers.get('content-length');
  return (
    length !== null &&
    Number(length) <= limit &&
    /^application\/json\b/i.test(headers.get('content-type') ?? '')
  );
}

function tooLarge(limit: number): BodyTooLargeError {
  return new BodyTooLargeError(`the request is larger than ${limit} bytes (REMAND_BODY_LIMIT)`);
}
