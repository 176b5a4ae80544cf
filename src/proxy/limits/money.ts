/** What calls cost a key with a budget in money, in millionths of the price table's currency. */

import type { Adapter } from '../../../adapters/index.ts';
import { computeCost, type Payer, type Prices } from '../../models/index.ts';
import type { Clock, Fetch, FetchReply, Tokens } from '../../ports.ts';
import type { CountedCall } from '../metrics.ts';
import { RefusedError } from '../refusal.ts';
import type { Lease } from './account-book.ts';

export interface PriceTable {
  /** @throws RefusedError where the model has no price: a budget in money could not be held */
  check(model: string | null): void;
  /** Whole millionths, rounded up; 0 for a model without a price: a detector of one's own, say. */
  cost(model: string, tokens: Tokens): number;
}

export function createPriceTable(prices: Prices): PriceTable {
  return {
    check(model) {
      if (model !== null && Object.hasOwn(prices, model)) return;
      throw new RefusedError(
        403,
        'no-price',
        'the budget of this key is in money, and what this request would cost is not known (REMAND_PRICES)',
      );
    },
    cost(model, tokens) {
      const cost = computeCost(model, tokens, prices);
      // Less what floating point adds: 0.1 + 0.02 is a little more than 0.12.
      return cost === null ? 0 : Math.ceil((cost.input + cost.output) * 1e6 - 1e-6);
    },
  };
}

/** Bytes of UTF-8 for a token where an endpoint does not count: few, so that a guess is seldom too low. */
const BYTES_A_TOKEN = 3;

function estimateTokens(sent: number, received: number): Tokens {
  return { input: Math.ceil(sent / BYTES_A_TOKEN), output: Math.ceil(received / BYTES_A_TOKEN) };
}

/** A lease as the ledger of a judgment pays from it. */
export function createPayer(lease: Lease, prices: PriceTable): Payer {
  return {
    begin: lease.begin,
    giveBack: lease.giveBack,
    left: lease.left,
    paid({ to, tokens, bytes }) {
      if (!lease.money) return;
      const { sent, received } = tokens ? { sent: 0, received: 0 } : bytes();
      lease.pay(prices.cost(to, tokens ?? estimateTokens(sent, received)));
    },
  };
}

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
 * A transport that tells each call: with an adapter, for whole replies, when its reply has been read; without one when it begins.
 *
 * @param called its tokens are those that the reply names, or else estimated by its length; null for a call that failed, and
 *   without an adapter
 */
export function countFetch(
  fetch: Fetch,
  adapter: Adapter | null,
  clock: Clock,
  called: (call: Omit<CountedCall, 'kind'>) => void,
): Fetch {
  return async (url, init) => {
    const began = clock.elapsed();
    const end = (tokens: Tokens | null, error: string | null) =>
      called({ ms: clock.elapsed() - began, tokens, error });
    try {
      const count = (tokens: Tokens) => end(tokens, null);
      const sent = adapter && new TextEncoder().encode(String(init.body));
      const through = sent ? meterFetch(fetch, { adapter, sent, stream: false, count }) : fetch;
      const response = await through(url, init);
      if (!response.ok) end(null, `HTTP ${response.status}`);
      else if (!adapter) end(null, null);
      return response;
    } catch (error) {
      // An upstream that is left alone was refused before there was a call.
      if (!(error instanceof RefusedError)) end(null, String(error));
      throw error;
    }
  };
}

export interface BodyWatcher {
  /** Each piece as it passes. */
  readonly piece?: (bytes: Uint8Array) => void;
  /** Once: the body has ended, broken off, or been cancelled. */
  readonly end: () => void;
  /** Where it is cancelled. */
  readonly cancelled?: (reason: unknown) => void;
}

export function watchBody(response: FetchReply, { piece, end, cancelled }: BodyWatcher): Response {
  if (response.whole) {
    // Nothing of it is still to come.
    piece?.(response.whole);
    end();
    return response;
  }
  if (!response.body) {
    end();
    return response;
  }
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  // A read that is under way when the client leaves ends after it.
  let hasEnded = false;
  const endOnce = () => {
    if (!hasEnded) end();
    hasEnded = true;
  };
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          endOnce();
          controller.close();
          return;
        }
        piece?.(value);
        controller.enqueue(value);
      } catch (error) {
        endOnce();
        controller.error(error);
      }
    },
    async cancel(reason) {
      endOnce();
      cancelled?.(reason);
      await reader.cancel(reason);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}
