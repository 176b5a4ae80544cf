/** What the figures have to be. */
import type { Results } from './results.ts';
import { ratio, type Spread, spread } from './turns.ts';

/** Judgments under way at once while memory is looked at. */
export const MEMORY_AT_ONCE = 32;

export interface Requirement {
  readonly name: string;
  readonly found: Spread;
  /** What it has to be at least, or at most. */
  readonly bound: string;
  readonly met: boolean;
  /** All of it in a sentence. */
  readonly words: string;
}

export function required({ targets, passing, cpu: [short, long], memory }: Results): Requirement[] {
  const { portkey, plain, bypassed } = targets;
  const [idle, ...busy] = memory.map(({ mib }) => mib);
  return [
    atLeast('passing through, of the rate of Portkey’s gateway', ratio(passing, bypassed, portkey), 4),
    atLeast(
      'passing through, of the rate of the plain Hono pass-through',
      ratio(passing, bypassed, plain),
      1,
    ),
    atMost(
      `CPU of a judgment of ${short.bytes >> 10} KB, less model calls and HTTP, in ms`,
      spread([short.ms]),
      2,
    ),
    atMost(
      `the same for ${long.bytes >> 10} KB, as a multiple`,
      spread([long.ms / short.ms]),
      long.bytes / short.bytes,
    ),
    atMost('resident at the start, in MiB', spread([idle ?? Number.NaN]), 90),
    atMost(
      'resident under judgments that are all under way at once, in MiB',
      spread([Math.max(...busy)]),
      220,
    ),
  ];
}

// The median: a round in which the machine was taken away from one of the two says nothing of either.
const atLeast = (name: string, found: Spread, bound: number) =>
  requirement(name, found, `at least ${bound}`, found.median >= bound);
const atMost = (name: string, found: Spread, bound: number) =>
  requirement(name, found, `at most ${bound}`, found.median <= bound);

const requirement = (name: string, found: Spread, bound: string, met: boolean): Requirement => ({
  name,
  found,
  bound,
  met,
  words: `${name}: ${written(found)}, ${bound}`,
});

/** A judgment makes several calls where passing through makes one. */
export function byCalls({ median, low, high }: Spread, calls: number): Spread {
  return { median: median * calls, low: low * calls, high: high * calls };
}

export function written({ median, low, high }: Spread): string {
  const all = [median, low, high].map((value) => value.toFixed(value < 20 ? 2 : 0));
  return low === high ? String(all[0]) : `${all[0]} (${all[1]} to ${all[2]})`;
}
