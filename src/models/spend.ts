/** What a whole run may cost in calls and tokens, and what calls cost in money. */

import * as z from 'zod';
import { BudgetError } from '../http/index.ts';
import type { Tokens } from '../ports.ts';
import { strictFields } from '../strict-fields.ts';
import { sumTokens } from './ledger.ts';

export interface Spend {
  readonly calls: number;
  readonly tokens: Tokens;
  /** @throws BudgetError where one more call may not be made */
  begin(): void;
  /** After a call. Calls whose endpoint did not count add nothing. */
  add(tokens: Tokens | null): void;
}

/** @param limits null for none; tokens are input and output together, and the call that crosses the line is the last */
export function createSpend(limits: {
  readonly calls: number | null;
  readonly tokens: number | null;
}): Spend {
  let calls = 0;
  let tokens: Tokens = { input: 0, output: 0 };
  return {
    get calls() {
      return calls;
    },
    get tokens() {
      return tokens;
    },
    begin() {
      if (limits.calls !== null && calls >= limits.calls)
        throw new BudgetError(`all ${limits.calls} calls of the budget are used up`);
      if (limits.tokens !== null && tokens.input + tokens.output >= limits.tokens)
        throw new BudgetError(`all ${limits.tokens} tokens of the budget are used up`);
      calls++;
    },
    add(more) {
      if (more) tokens = sumTokens([tokens, more]);
    },
  };
}

/** Per million tokens, by the names that the models have in the calls. The currency is the caller's. */
export const prices = z.record(
  z.string(),
  strictFields({ input: z.number().min(0), output: z.number().min(0) }),
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
