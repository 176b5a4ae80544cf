/** What judgments cost in money, at prices that are given. */

import * as z from 'zod';
import type { Figure } from '../../stats/figure.ts';
import type { Spent } from './arm.ts';

/** Per million tokens, by the names that the models have in the run. The currency is the caller's. */
export const prices = z.record(
  z.string(),
  z.strictObject({ input: z.number().min(0), output: z.number().min(0) }),
);
export type Prices = z.output<typeof prices>;

/** @param judgments that all of it was spent on */
export function pricePerThousand(spent: readonly Spent[], judgments: number, known: Prices | null): Figure {
  if (known === null) return { value: null, reason: 'no prices were given' };
  if (judgments === 0) return { value: null, reason: 'no judgments' };
  let sum = 0;
  for (const { model, calls, uncounted, input, output } of spent) {
    const price = known[model];
    if (!price) return { value: null, reason: `no price is known of ${model}` };
    if (uncounted > 0)
      return { value: null, reason: `${model} did not count the tokens of ${uncounted} of ${calls} calls` };
    sum += input * price.input + output * price.output;
  }
  return { value: (sum / 1e6 / judgments) * 1000 };
}
