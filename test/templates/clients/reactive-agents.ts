/** The dimensions that Reactive Agents judges an answer by. */
import { scoreAccuracy, scoreCompleteness, scoreRelevance } from '@reactive-agents/eval';
import { Effect } from 'effect';
import OpenAI from 'openai';
import { type Callable, instruction, KEY, one, QA, QUALITY, reference } from './evaluator.ts';

interface Told {
  messages: OpenAI.ChatCompletionMessageParam[];
  maxTokens: number;
}
type Score = (llm: unknown, params: Record<string, unknown>) => Effect.Effect<unknown, unknown>;

const evaluator = (name: string, score: unknown, isCompared = false): Callable => ({
  evaluator: {
    name: `reactive-agents-${name}`,
    client: '@reactive-agents/eval',
    licence: 'MIT',
    kind: isCompared ? 'reference' : 'score',
    pools: isCompared ? QA : QUALITY,
    keys: { ...instruction, ...one, ...(isCompared && reference) },
    verdict: { kind: 'score', where: 'text', scale: { min: 0, max: 1 }, polarity: 'higher' },
    replies: [
      ['0.9', { score: 0.9 }],
      ['0.2', { score: 0.2 }],
    ],
  },
  async ask(base, values) {
    const client = new OpenAI({ apiKey: KEY, baseURL: `${base}/v1`, maxRetries: 0 });
    const llm = {
      complete: ({ messages, maxTokens }: Told) =>
        Effect.promise(async () => {
          const sent = { model: 'gpt-4o', messages, max_tokens: maxTokens };
          const { choices } = await client.chat.completions.create(sent);
          return { content: choices[0]?.message.content ?? '' };
        }),
    };
    const params = {
      input: values.instruction,
      actualOutput: values.option1,
      expectedOutput: values.reference,
      caseId: '1',
    };
    return Effect.runPromise((score as Score)(llm, params));
  },
});

export default [
  evaluator('accuracy', scoreAccuracy, true),
  evaluator('relevance', scoreRelevance),
  evaluator('completeness', scoreCompleteness),
] satisfies Callable[];
