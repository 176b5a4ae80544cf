/** What a form of our own pages, or a program in its place, sends. */
import type { Context } from 'hono';
import type * as z from 'zod';
import { readJsonBody, readWhole, TooLongError } from '../http/index.ts';

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
