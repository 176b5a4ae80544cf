/** How many more changed verdicts would settle whether a change helps or harms. */

import { binomialCdf } from './distributions.ts';
import { type Figure, noFigure } from './figure.ts';
import { requireCounts, requireShare } from './inputs.ts';
import { mcnemarExact } from './mcnemar.ts';

export interface SettleOptions {
  /** p that counts as settled, in (0, 1), default .05. */
  readonly level?: number;
  /** Wanted probability of settling, in (0, 1), default .8. */
  readonly power?: number;
  /** Where to stop looking, in discordant pairs, default 10,000. */
  readonly limit?: number;
}

/**
 * The smallest number of further discordant pairs after which the exact McNemar test of all pairs, old and new,
 * has at least the probability `power` of p ≤ `level`, where each new pair gains with the probability
 * (gained + 1) / (gained + lost + 2). That is conditional power under the trend so far (Lachin, Statistics in
 * Medicine 24:2747, 2005), with Laplace's rule for the trend, so that three gains of three are not taken for
 * certainty. It is a plan and no test: whoever tests again after each batch errs more often than `level`.
 * In labelled cases it is this number divided by the share of cases whose verdict changes.
 *
 * @returns 0 where the pairs at hand already settle it; no figure where no pair changed, as many gained as lost,
 * or `limit` pairs are not enough
 * @throws RangeError for a count that is negative or not whole, a level or power not within (0, 1)
 */
export function discordantNeeded(gained: number, lost: number, options: SettleOptions = {}): Figure {
  const { level = 0.05, power = 0.8, limit = 10_000 } = options;
  requireCounts('pairs', gained, lost, limit);
  requireShare('level', level);
  requireShare('power', power);
  const had = gained + lost;
  if (had === 0) return noFigure('no pair changed, so there is no trend to go by');
  if (mcnemarExact(gained, lost) <= level) return { value: 0 };
  if (gained === lost) return noFigure(`as many gained as lost (${gained}), so there is no trend to go by`);

  const trend = (gained + 1) / (had + 2);
  let critical = -1;
  for (let more = 0; had + more <= limit; more++) {
    // The largest smaller count that is significant; it grows by at most one with each pair.
    while (2 * binomialCdf(critical + 1, had + more, 0.5) <= level) critical++;
    const settled = atMost(critical - lost, more, 1 - trend) + atMost(critical - gained, more, trend);
    if (settled >= power) return { value: more };
  }
  return noFigure(
    `${limit} discordant pairs would not settle it: ${gained} gained and ${lost} lost is too even`,
  );
}

function atMost(count: number, of: number, share: number): number {
  return count < 0 ? 0 : binomialCdf(count, of, share);
}
