/** Recorded calls as an endpoint: what was asked before is answered as before, and nothing else is. */
import * as z from 'zod';
import type { Fetch } from '../ports.ts';
import type { StoredCall } from './call-store.ts';

/** A line of a recording in JSONL. */
export const storedCall = z.object({
  endpoint: z.string(),
  model: z.string(),
  request: z.string(),
  reply: z.string(),
});

/**
 * @param calls told apart by their request alone, so that a recording serves wherever it was made; of several
 *   replies to one request the first counts
 * @returns a transport that answers 404 to what was never recorded
 */
export function createReplay(calls: Iterable<StoredCall>): Fetch {
  const replies = new Map<string, string>();
  for (const { request, reply } of calls) if (!replies.has(request)) replies.set(request, reply);
  return async (_url, { body }) => {
    const reply = typeof body === 'string' ? replies.get(body) : undefined;
    if (reply !== undefined) return new Response(reply, { headers: { 'content-type': 'application/json' } });
    const error = { message: 'the recording holds no such call', type: 'not_found_error' };
    return Response.json({ error }, { status: 404 });
  };
}
