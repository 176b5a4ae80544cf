/** Several endpoints that serve the same model (a vLLM fleet), used by weight as one. */
import type { Fetch } from '../ports.ts';

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
