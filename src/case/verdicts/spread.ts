/** What a judge could have said in place of a number, in a trace. */
import * as z from 'zod';
import type { Spread } from '../types.ts';

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
