/**
 * Sends what is told to others, so that it costs clients nothing: after the answer, bounded in time and in number. Where
 * the other side is down or slow, what is too much is dropped and counted; a judgment is never told twice.
 */

import { describeError } from '../../errors.ts';
import { sendRequest } from '../../http/index.ts';
import type { Clock, Fetch } from '../../ports.ts';

/** Sends JSON. Never rejects. */
export type Post = (url: string, headers: Headers, body: Uint8Array | string) => Promise<void>;

export interface PostOptions {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Posts under way at once; what comes beyond is dropped. */
  readonly most: number;
  /** `why` in words, without keys. */
  readonly dropped: (why: string) => void;
}

export function createPost({ fetch, clock, timeoutMs, most, dropped }: PostOptions): Post {
  let underWay = 0;
  return async function post(url, given, body) {
    if (underWay >= most) {
      dropped(`${most} are under way already`);
      return;
    }
    underWay++;
    const headers = new Headers(given);
    headers.set('content-type', 'application/json');
    try {
      const response = await sendRequest(fetch, url, {
        method: 'POST',
        headers,
        body,
        signal: clock.after(timeoutMs),
      });
      await response.body?.cancel();
    } catch (error) {
      dropped(describeError(error));
    } finally {
      underWay--;
    }
  };
}
