/** What a whole run may cost, in calls and in tokens: counted before it is spent. */
import { BudgetError } from '../http/index.ts';
import type { Tokens } from '../ports.ts';
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
