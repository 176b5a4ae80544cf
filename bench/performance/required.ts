/** What the figures have to be. */
import type { Results } from './results.ts';
import { ratio, type Spread } from './turns.ts';

export interface Requirement {
  readonly name: string;
  readonly found: Spread;
  readonly least: number;
  readonly met: boolean;
  /** All of it in a sentence. */
  readonly words: string;
}

export function required({ targets, main }: Results): Requirement[] {
  const { portkey, plain, bypassed, probed } = targets;
  const ofGateway = ratio(main, bypassed, portkey);
  const ofPlain = ratio(main, bypassed, plain);
  const ofPassing = byCalls(ratio(main, probed, bypassed), probed.told?.calls ?? 0);
  return [
    check('passing through, of the rate of Portkey’s gateway', ofGateway, 4),
    check('passing through, of the rate of the plain Hono pass-through', ofPlain, 1),
    check('judging with one probe: upstream calls a second, of those of passing through', ofPassing, 0.5),
  ];
}

function check(name: string, found: Spread, least: number): Requirement {
  // The median: a round in which the machine was taken away from one of the two says nothing of either.
  const met = found.median >= least;
  const words = `${name}: ${written(found)}, at least ${least}`;
  return { name, found, least, met, words };
}

/** A judgment makes several calls where passing through makes one. */
export function byCalls({ median, low, high }: Spread, calls: number): Spread {
  return { median: median * calls, low: low * calls, high: high * calls };
}

export function written({ median, low, high }: Spread): string {
  return `${median.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
}
