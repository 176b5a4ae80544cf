/** How well a score puts what matters most first: the normalised discounted cumulative gain. */
import { type Figure, noFigure } from './figure.ts';
import { requireFinite, requirePaired } from './inputs.ts';

/**
 * Gains are the relevances themselves, discounted by the binary logarithm of the place (Järvelin and Kekäläinen,
 * ACM TOIS 20:422, 2002). Where scores tie, each order of the tied is as good as another and the mean over all of
 * them counts (McSherry and Najork, ECIR 2008).
 *
 * @param relevances at least 0, higher for what should come first
 * @param scores in the same order
 * @param first so many places count; default all
 * @returns in [0, 1]; no figure where nothing is relevant
 * @throws RangeError for lists of unequal length, for what is not finite, and for a relevance below 0
 */
export function ndcg(
  relevances: readonly number[],
  scores: readonly number[],
  first: number = relevances.length,
): Figure {
  requirePaired(relevances, scores);
  requireFinite('relevance', relevances);
  requireFinite('score', scores);
  if (relevances.some((one) => one < 0)) throw new RangeError('a relevance cannot be below 0');
  const ideal = discounted(relevances, relevances, first);
  if (ideal === 0) return noFigure('nothing is relevant, so no order is better than another');
  return { value: discounted(relevances, scores, first) / ideal };
}

function discounted(relevances: readonly number[], scores: readonly number[], first: number): number {
  const order = scores.map((_, at) => at).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
  let sum = 0;
  for (let from = 0; from < order.length; ) {
    let [to, gain, discount] = [from, 0, 0];
    for (; to < order.length && scores[order[to] ?? 0] === scores[order[from] ?? 0]; to++) {
      gain += relevances[order[to] ?? 0] ?? 0;
      if (to < first) discount += 1 / Math.log2(to + 2);
    }
    sum += (gain / (to - from)) * discount;
    from = to;
  }
  return sum;
}
