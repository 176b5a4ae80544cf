/** How probable it is, after the pairs seen, that a change helps more often than it harms. */

import { betaCdf } from './distributions.ts';
import { requireCounts } from './inputs.ts';

/**
 * The posterior probability that more than half of all changed verdicts are gains. The share of gains among
 * discordant pairs has a Beta prior; after the counts it follows Beta(gained + a, lost + a), and the mass above
 * one half is an incomplete beta function (Gelman et al., Bayesian Data Analysis, 2013).
 *
 * @param gained pairs that were wrong before and right after, a whole number
 * @param lost pairs that were right before and wrong after, a whole number
 * @param prior `uniform`: a = 1; `jeffreys`: a = 1/2
 * @returns in [0, 1]; .5, the prior's own, where no pair changed
 * @throws RangeError for a count that is negative or not whole
 */
export function probabilityOfGain(
  gained: number,
  lost: number,
  prior: 'uniform' | 'jeffreys' = 'uniform',
): number {
  requireCounts('pairs', gained, lost);
  const added = prior === 'uniform' ? 1 : 0.5;
  return betaCdf(0.5, lost + added, gained + added);
}
