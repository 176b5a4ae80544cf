/** McNemar's test for paired right-or-wrong outcomes. */

import { binomialCdf } from './distributions.ts';
import { requireCounts } from './inputs.ts';

/**
 * Exact two-sided p-value: under the null hypothesis each of the discordant pairs is as likely to fall on one
 * side as on the other, so the smaller count follows a binomial distribution with p = 1/2
 * (Fagerland, Lydersen and Laake, BMC Med Res Methodol 13:91, 2013).
 *
 * @param gained pairs that were wrong before and right after, a whole number
 * @param lost pairs that were right before and wrong after, a whole number
 * @returns p in (0, 1]; 1 where no pair changed
 * @throws RangeError for a count that is negative or not whole
 */
export function mcnemarExact(gained: number, lost: number): number {
  requireCounts('pairs', gained, lost);
  const discordant = gained + lost;
  return discordant === 0 ? 1 : Math.min(1, 2 * binomialCdf(Math.min(gained, lost), discordant, 0.5));
}
