/** What a key may spend and do at once. Whatever is not set is not limited. */
import * as z from 'zod';
import { strictFields } from '../../strict-fields.ts';
import { createWholeNumber } from '../options.ts';

const calls = createWholeNumber(0, 1_000_000_000);
/** In the currency of the price table. */
const money = z.number().min(0).max(1e9);

export const keyLimits = strictFields({
  /** Model calls in one day or month, UTC. A judgment makes several: `x-remand-calls`. */
  callsPerDay: calls.optional(),
  callsPerMonth: calls.optional(),
  moneyPerDay: money.optional(),
  moneyPerMonth: money.optional(),
  /** Requests under way at once. */
  concurrency: createWholeNumber(1, 100_000).optional(),
  /** Requests that may wait for one of those to end; default none. */
  queue: createWholeNumber(0, 100_000).optional(),
});
export type KeyLimits = z.output<typeof keyLimits>;

/** Whether anything is limited at all. */
export function isLimited(limits: KeyLimits): boolean {
  return Object.values(limits).some((limit) => limit !== undefined);
}

export function hasBudget({ callsPerDay, callsPerMonth, moneyPerDay, moneyPerMonth }: KeyLimits): boolean {
  return [callsPerDay, callsPerMonth, moneyPerDay, moneyPerMonth].some((limit) => limit !== undefined);
}

export function hasMoneyBudget({ moneyPerDay, moneyPerMonth }: KeyLimits): boolean {
  return moneyPerDay !== undefined || moneyPerMonth !== undefined;
}
