/** What a judge could have said in place of a number. */
import * as z from 'zod';
import type { Spread, Verdict } from '../types.ts';
import type { Alternatives } from './kind.ts';

/** Of the score, or of a pass as 1 and a fail as 0, by the judge's log-probabilities. */
export const tracedSpread = z
  .object({
    mean: z.number(),
    variance: z.number(),
    /** What is on no number that the endpoint lists, and between what it leaves the mean; null for no bound. */
    missing: z.number().optional(),
    low: z.number().nullish(),
    high: z.number().nullish(),
  })
  .optional();

/** JSON has no infinity: an end that is not there is null. */
export function toTracedSpread({ low, high, ...spread }: Spread) {
  return { ...spread, low: finiteOrNull(low), high: finiteOrNull(high) };
}

export const finiteOrNull = (bound: number) => (Number.isFinite(bound) ? bound : null);

/** @param numberOf the number that a verdict stands for; null for none */
export function spreadOf(
  { all, whole, missing, ends: [least, most] }: Alternatives,
  numberOf: (verdict: Verdict) => number | null,
): Spread {
  const values = all.flatMap(({ verdict, probability }) => {
    const value = numberOf(verdict);
    return value === null ? [] : [{ value, share: probability / whole }];
  });
  const mean = values.reduce((sum, { value, share }) => sum + share * value, 0);
  const variance = values.reduce((sum, { value, share }) => sum + share * (value - mean) ** 2, 0);
  // Nothing missing adds nothing, on a scale without an end, too.
  const beside = (end: number) => mean * (1 - missing) + (missing > 0 ? missing * end : 0);
  return { mean, variance, missing, low: beside(least), high: beside(most) };
}
