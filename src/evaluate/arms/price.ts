/** What judgments cost in money, at prices that are given. */

import { computeCost, type Prices } from '../../models/index.ts';
import type { Figure } from '../../stats/index.ts';
import type { ModelSpending } from './arm.ts';

/** @param judgments that all of it was spent on */
export function computePricePerThousand(
  spent: readonly ModelSpending[],
  judgments: number,
  known: Prices | null,
): Figure {
  if (known === null) return { value: null, reason: 'no prices were given' };
  if (judgments === 0) return { value: null, reason: 'no judgments' };
  let sum = 0;
  for (const { model, calls, uncounted, input, output } of spent) {
    const cost = computeCost(model, { input, output }, known);
    if (!cost) return { value: null, reason: `no price is known of ${model}` };
    if (uncounted > 0)
      return { value: null, reason: `${model} did not count the tokens of ${uncounted} of ${calls} calls` };
    sum += cost.input + cost.output;
  }
  return { value: (sum / judgments) * 1000 };
}
