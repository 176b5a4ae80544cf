/**
 * A circuit breaker for each upstream: where nearly every call fails, the next ones are refused at once for a while,
 * rather than each client waiting for its own failure; then one call finds out whether the upstream is back. At the
 * edge each isolate finds out for itself.
 */
import { BrokenCircuitError, CountBreaker, circuitBreaker, handleAll, type IPolicy } from 'cockatiel';
import { JudgeError } from '../../judge/errors.ts';
import type { Fetch } from '../../judge/types.ts';
import { RefusedError } from '../refusal.ts';

/** Of the last calls, at least so many are needed to tell. */
const WINDOW = { size: 40, minimumNumberOfCalls: 20, threshold: 0.8 };

/**
 * Statuses that say of the upstream itself that it is not there. Not 429, which is one key's rate limit; not 500, which one
 * client's requests can cause, who would close the upstream to all others.
 */
const DOWN = new Set([502, 503, 504, 529]);

/** A call that was given up by whoever had asked: no sign of anything. */
interface GivenUp {
  readonly givenUp: unknown;
}

/** @param restMs how long an upstream is left alone, in milliseconds */
export function withBreakers(fetch: Fetch, restMs: number): Fetch {
  // By origin: the operator's upstreams and detectors, no more.
  const breakers = new Map<string, IPolicy>();
  return async (url, init) => {
    const upstream = originOf(url);
    const breaker = breakers.get(upstream) ?? createBreaker(restMs);
    breakers.set(upstream, breaker);
    let result: Response | GivenUp;
    try {
      result = await breaker.execute(async (): Promise<Response | GivenUp> => {
        try {
          return await fetch(url, init);
        } catch (error) {
          // A call of ours that was too late is aborted with a JudgeError; a client that leaves, or a judgment that
          // is over, with something else.
          if (init.signal?.aborted && !(init.signal.reason instanceof JudgeError)) return { givenUp: error };
          throw error;
        }
      });
    } catch (error) {
      if (!(error instanceof BrokenCircuitError)) throw error;
      throw new RefusedError(
        503,
        'upstream-down',
        `${upstream} has failed again and again and is left alone`,
        {
          againMs: restMs,
        },
      );
    }
    if ('givenUp' in result) throw result.givenUp;
    return result;
  };
}

function createBreaker(restMs: number): IPolicy {
  return circuitBreaker(
    handleAll.orWhenResult((result) => result instanceof Response && DOWN.has(result.status)),
    { breaker: new CountBreaker(WINDOW), halfOpenAfter: restMs },
  );
}

function originOf(url: string): string {
  return /^[^:]+:\/\/[^/?#]*/.exec(url)?.[0] ?? url;
}
