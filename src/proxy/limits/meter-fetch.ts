/** Passing through a judging path for a key with a budget in money: the reply goes out as it comes, and is counted. */
import type { Adapter } from '../../../adapters/index.ts';
import type { Clock, Fetch, Tokens } from '../../ports.ts';
import type { CountedCall } from '../metrics.ts';
import { RefusedError } from '../refusal.ts';
import { estimateTokens } from './money.ts';
import { watchBody } from './watch-body.ts';

/** Replies longer than this, in bytes, are priced by their length. */
const LONGEST = 8 << 20;

export interface MeterOptions {
  readonly adapter: Adapter;
  /** Body of the request. */
  readonly sent: Uint8Array;
  readonly stream: boolean;
  readonly count: (tokens: Tokens) => void;
}

/** A transport whose replies are counted when they have been read, by what they say or else by their length. */
export function meterFetch(fetch: Fetch, { adapter, sent, stream, count }: MeterOptions): Fetch {
  return async (url, init) => {
    const headers = new Headers(init.headers);
    // A packed reply could not be read here.
    headers.set('accept-encoding', 'identity');
    const response = await fetch(url, { ...init, headers });
    if (!response.ok) return response;
    const pieces: Uint8Array[] = [];
    let length = 0;
    return watchBody(response, {
      piece(bytes) {
        length += bytes.length;
        if (length <= LONGEST) pieces.push(bytes);
      },
      end() {
        count((length <= LONGEST ? tokensIn(pieces) : null) ?? estimateTokens(sent.length, length));
      },
    });
  };

  function tokensIn(pieces: readonly Uint8Array[]): Tokens | null {
    const decoder = new TextDecoder();
    const text = pieces.map((piece) => decoder.decode(piece, { stream: true })).join('') + decoder.decode();
    try {
      return adapter.readReply(text, stream, new TextDecoder().decode(sent)).tokens;
    } catch {
      // Cut off, or none of this protocol's: its length has to do.
      return null;
    }
  }
}

/**
 * A transport for whole replies that tells each call when its reply has been read.
 *
 * @param called its tokens are those that the reply names, or else estimated by its length; null for a call that failed
 */
export function countFetch(
  fetch: Fetch,
  adapter: Adapter,
  clock: Clock,
  called: (call: Omit<CountedCall, 'kind'>) => void,
): Fetch {
  return async (url, init) => {
    const began = clock.elapsed();
    const end = (tokens: Tokens | null, error: string | null) =>
      called({ ms: clock.elapsed() - began, tokens, error });
    try {
      const sent = new TextEncoder().encode(String(init.body));
      const count = (tokens: Tokens) => end(tokens, null);
      const response = await meterFetch(fetch, { adapter, sent, stream: false, count })(url, init);
      if (!response.ok) end(null, `HTTP ${response.status}`);
      return response;
    } catch (error) {
      // An upstream that is left alone was refused before there was a call.
      if (!(error instanceof RefusedError)) end(null, String(error));
      throw error;
    }
  };
}
