/** What a whole run may cost, in calls and in tokens: counted before it is spent. */
import { BudgetError } from './errors.ts';
import type { Tokens } from './types.ts';

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
  let input = 0;
  let output = 0;
  return {
    get calls() {
      return calls;
    },
    get tokens() {
      return { input, output };
    },
    begin() {
      if (limits.calls !== null && calls >= limits.calls)
        throw new BudgetError(`all ${limits.calls} calls of the budget are used up`);
      if (limits.tokens !== null && input + output >= limits.tokens)
        throw new BudgetError(`all ${limits.tokens} tokens of the budget are used up`);
      calls++;
    },
    add(tokens) {
      input += tokens?.input ?? 0;
      output += tokens?.output ?? 0;
    },
  };
}
