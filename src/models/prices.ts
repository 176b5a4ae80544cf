/** What model calls cost in money, at prices that are given. */
import * as z from 'zod';
import type { Tokens } from '../ports.ts';

/** Per million tokens, by the names that the models have in the calls. The currency is the caller's. */
export const prices = z.record(
  z.string(),
  z.strictObject({ input: z.number().min(0), output: z.number().min(0) }),
);
export type Prices = z.output<typeof prices>;

/** In the currency of the prices; null where none is known of the model. */
export function computeCost(
  model: string,
  tokens: Tokens,
  known: Prices,
): { input: number; output: number } | null {
  const price = Object.hasOwn(known, model) ? known[model] : undefined;
  if (!price) return null;
  return { input: (tokens.input * price.input) / 1e6, output: (tokens.output * price.output) / 1e6 };
}
