/** Several endpoints that serve the same model (a vLLM fleet), used by weight as one. */

import { readRetryAfterMs, readSenderClock, wait } from '../http/index.ts';
import type { Clock, Fetch } from '../ports.ts';

interface FleetMember {
  /** Base URL, without the path that is asked for. */
  readonly url: string;
  /** Share of the calls, above 0. */
  readonly weight: number;
  readonly fetch: Fetch;
}

/**
 * Sends each call to the member that has least to do for its weight, the first of equals. A member that gives
 * no reply at all is passed over for that call.
 *
 * @param base the URL under which the fleet is asked; what follows it is appended to the member's own
 * @throws the last member's error, where none replies
 */
export function createFleet(base: string, members: readonly FleetMember[]): Fetch {
  if (members.length === 0) throw new RangeError('a fleet has at least one member');
  const load = members.map(() => 0);
  return async (url, init) => {
    const path = url.startsWith(base) ? url.slice(base.length) : new URL(url).pathname;
    const tried = new Set<number>();
    for (;;) {
      const chosen = leastLoaded(members, load, tried);
      const member = members[chosen];
      if (!member) throw new RangeError('no member of the fleet is left');
      tried.add(chosen);
      load[chosen] = (load[chosen] ?? 0) + 1;
      try {
        return await member.fetch(member.url + path, init);
      } catch (error) {
        if (init.signal?.aborted || tried.size === members.length) throw error;
      } finally {
        load[chosen] = (load[chosen] ?? 1) - 1;
      }
    }
  };
}

function leastLoaded(
  members: readonly FleetMember[],
  load: readonly number[],
  without: ReadonlySet<number>,
): number {
  const costs = members.map((member, index) =>
    without.has(index) ? Number.POSITIVE_INFINITY : ((load[index] ?? 0) + 1) / member.weight,
  );
  return costs.indexOf(Math.min(...costs));
}

// Keeping a provider's rate limits by what its replies say: a call waits while the endpoint has said that
// nothing is left, rather than being refused and tried again.

/** Remaining and reset, as OpenAI-compatible endpoints and as Anthropic name them. */
const LIMITS = [
  ['x-ratelimit-remaining-requests', 'x-ratelimit-reset-requests'],
  ['x-ratelimit-remaining-tokens', 'x-ratelimit-reset-tokens'],
  ['anthropic-ratelimit-requests-remaining', 'anthropic-ratelimit-requests-reset'],
  ['anthropic-ratelimit-tokens-remaining', 'anthropic-ratelimit-tokens-reset'],
] as const;

/** A longer rest than this is not taken for a pause: the call is made, and the endpoint may refuse it. */
const LONGEST_MS = 10 * 60_000;

/** A transport that rests while its endpoint has nothing left to give. One for each endpoint. */
export function paceFetch(fetch: Fetch, clock: Clock): Fetch {
  let restUntil = Number.NEGATIVE_INFINITY;
  return async (url, init) => {
    for (let now = clock.elapsed(); now < restUntil; now = clock.elapsed())
      await wait(restUntil - now, clock, init.signal);
    const response = await fetch(url, init);
    const rest = readRestMs(response, clock.now());
    if (rest > 0) restUntil = Math.max(restUntil, clock.elapsed() + Math.min(rest, LONGEST_MS));
    return response;
  };
}

/** How long nothing more should be sent after a reply, in milliseconds; 0 for not at all. */
export function readRestMs({ status, headers }: Response, now: number): number {
  if (status === 429 || status === 529 || status === 503) {
    const asked = readRetryAfterMs(headers, now);
    if (asked !== null) return asked;
  }
  const waits = LIMITS.map(([remaining, reset]) => {
    const left = headers.get(remaining)?.trim();
    return left === '0'
      ? (parseResetMs(headers.get(reset)?.trim() ?? '', readSenderClock(headers, now)) ?? 0)
      : 0;
  });
  return Math.max(0, ...waits);
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `6m0s`, `20ms` and `1.5s` (OpenAI), plain seconds, or an RFC 3339 time (Anthropic); null for anything else. */
export function parseResetMs(text: string, now: number): number | null {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  if (/^(\d{1,15}(\.\d{1,15})?(ms|s|m|h)){1,8}$/.test(text)) {
    const parts = text.matchAll(/(\d{1,15}(?:\.\d{1,15})?)(ms|s|m|h)/g);
    return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (UNITS[unit ?? ''] ?? 0), 0);
  }
  const time = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : Math.max(0, time - now);
}
