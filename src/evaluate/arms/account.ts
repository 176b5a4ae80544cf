/** What one judgment costs: the calls of its models, counted as they are made. */
import { BudgetError } from '../../http/index.ts';
import { type Model, type ModelQuestion, sumTokens } from '../../models/index.ts';
import type { Tokens } from '../../ports.ts';
import type { Bill, ModelSpending, Stopwatch } from './arm.ts';

interface Account {
  /** The same model with its calls counted here. */
  of(model: Model): Model;
  bill(): Bill;
  /**
   * For what goes on where a call fails, as the loop does: a row whose calls were not all answered is no measurement.
   *
   * @throws what the first call that failed threw; a used-up budget before all others
   */
  requireAnswers(): void;
}

export function createAccount(watch: Stopwatch): Account {
  const spent = new Map<string, ModelSpending>();
  const failures: unknown[] = [];
  let ms: number | null = 0;

  const enter = (name: string, tokens: Tokens | null, took: number | null) => {
    const so = spent.get(name) ?? { model: name, calls: 0, uncounted: 0, input: 0, output: 0 };
    spent.set(name, {
      ...{ model: name, calls: so.calls + 1, uncounted: so.uncounted + (tokens ? 0 : 1) },
      ...sumTokens(tokens ? [so, tokens] : [so]),
    });
    ms = ms === null || took === null ? null : ms + took;
  };

  return {
    of: (model) => ({
      name: model.name,
      async ask(question: ModelQuestion, signal: AbortSignal) {
        try {
          const { answer, ms: took } = await watch.time(model, question, signal);
          enter(model.name, answer.tokens, took);
          return answer;
        } catch (cause) {
          // Given up because the judgment was over: nobody misses the answer.
          if (!signal.aborted) failures.push(cause);
          throw cause;
        }
      },
    }),
    bill() {
      // By name, so that it does not depend on which of two calls side by side was answered first.
      const all = [...spent.values()].sort((a, b) => (a.model < b.model ? -1 : 1));
      return {
        calls: all.reduce((sum, { calls }) => sum + calls, 0),
        tokens: sumTokens(all),
        spent: all,
        ms,
      };
    },
    requireAnswers() {
      if (failures.length === 0) return;
      throw failures.find((one) => one instanceof BudgetError) ?? failures[0];
    },
  };
}
