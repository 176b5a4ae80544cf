/** A model whose calls are counted, for one judgment. */
import { sumTokens } from '../../judge/ledger.ts';
import type { Model, ModelQuestion } from '../../judge/model.ts';
import type { Tokens } from '../../judge/types.ts';

export interface Account {
  readonly calls: number;
  readonly tokens: Tokens;
  /** The same model with its calls counted here. */
  of(model: Model): Model;
}

export function createAccount(): Account {
  let calls = 0;
  let tokens: Tokens = { input: 0, output: 0 };
  return {
    get calls() {
      return calls;
    },
    get tokens() {
      return tokens;
    },
    of: (model) => ({
      name: model.name,
      async ask(question: ModelQuestion, signal: AbortSignal) {
        calls++;
        const answer = await model.ask(question, signal);
        if (answer.tokens) tokens = sumTokens([tokens, answer.tokens]);
        return answer;
      },
    }),
  };
}
