/** Reading a request that is to be judged: whole, up to a limit. */
import { readWhole, TooLongError } from '../http/index.ts';
import { BodyTooLargeError } from './error-response.ts';

/** @throws BodyTooLargeError as soon as it is known to be too large, before the rest has come in */
export async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  try {
    return await readWhole(request, limit);
  } catch (error) {
    if (error instanceof TooLongError) throw tooLarge(limit);
    throw error;
  }
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
