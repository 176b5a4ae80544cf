/** Several targets under load in turn, round by round, so that a busy machine is unfair to all alike. */
import { load, type Pressure, type Rate, type Target } from './load.ts';

/** By target, one for each round. */
export type Rates = ReadonlyMap<Target, readonly Rate[]>;

export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** Every other round goes backwards: who is behind whom makes no difference then, nor does a machine that gets slower. */
export async function inTurns(
  targets: readonly Target[],
  rounds: number,
  pressure: Pressure,
  progress: (target: Target, round: number) => void,
): Promise<Rates> {
  const rates = new Map<Target, Rate[]>(targets.map((target) => [target, []]));
  for (let round = 0; round < rounds; round++)
    for (const target of round % 2 === 0 ? targets : targets.toReversed()) {
      progress(target, round);
      rates.get(target)?.push(await load(target, pressure));
    }
  return rates;
}

/** Of the rounds' own ratios: the two were measured seconds apart. */
export function ratio(rates: Rates, above: Target, below: Target): Spread {
  const [a = [], b = []] = [rates.get(above), rates.get(below)];
  return spread(a.map(({ perSecond }, round) => perSecond / (b[round]?.perSecond ?? Number.NaN)));
}

export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const [low = Number.NaN] = sorted;
  const middle = sorted.length / 2;
  const median = ((sorted[Math.ceil(middle) - 1] ?? low) + (sorted[Math.floor(middle)] ?? low)) / 2;
  return { median, low, high: sorted.at(-1) ?? low };
}
