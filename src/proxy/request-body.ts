/** Reading a request that is to be judged: whole, up to a limit. */

import type { Context } from 'hono';
import type * as z from 'zod';
import { readJsonBody, readWhole, TooLongError } from '../http/index.ts';
import { BodyError } from './error-response.ts';

/** @throws BodyError as soon as it is known to be too large, before the rest has come in */
export async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  try {
    return await readWhole(request, limit);
  } catch (error) {
    if (error instanceof TooLongError)
      throw new BodyError(413, `the request is larger than ${limit} bytes (REMAND_BODY_LIMIT)`);
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

/**
 * @param most bytes taken at most
 * @returns the fields of a form or the JSON of a body; null where it is no JSON, or longer: told as what is missing from it
 */
export async function readPostedFields(c: Context, most: number): Promise<unknown> {
  const { raw } = c.req;
  try {
    if (c.req.header('content-type')?.startsWith('application/json')) return await readJsonBody(raw, most);
    const form = new TextDecoder().decode(await readWhole(raw, most));
    return Object.fromEntries(new URLSearchParams(form));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TooLongError) return null;
    throw error;
  }
}

/** The first thing that is wrong, by the name of its field. */
export function describeIssue({ issues: [issue] }: z.ZodError): string {
  const place = issue?.path.join('.') || (issue?.code === 'unrecognized_keys' ? '' : 'body');
  return place === '' ? String(issue?.message) : `${place}: ${issue?.message}`;
}
