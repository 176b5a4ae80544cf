/** The judge of vitest-evals: its harness leaves the call to the user. */
import OpenAI from 'openai';
import { createJudgeHarness, FactualityJudge } from 'vitest-evals/judges';
import { type Callable, instruction, KEY, need, one, QA, reference } from './evaluator.ts';

export default [
  {
    evaluator: {
      name: 'vitest-evals-factuality',
      client: 'vitest-evals',
      licence: 'Apache-2.0',
      kind: 'reference',
      pools: QA,
      keys: { ...instruction, ...reference, ...one },
      verdict: {
        kind: 'category',
        where: 'json',
        field: 'choice',
        labels: { A: 'neutral', B: 'neutral', C: 'good', D: 'bad', E: 'good' },
      },
      replies: [
        [{ choice: 'C', rationale: 'It says the same.' }, { category: 'C' }],
        [{ choice: 'D', rationale: 'It says something else.' }, { category: 'D' }],
      ],
    },
    async ask(base, values) {
      const client = new OpenAI({ apiKey: KEY, baseURL: `${base}/v1`, maxRetries: 0 });
      const judgeHarness = createJudgeHarness({
        name: 'judge',
        run: async ({ system, prompt }) => {
          const messages = [
            ...(system === undefined ? [] : [{ role: 'system' as const, content: system }]),
            { role: 'user' as const, content: prompt },
          ];
          const reply = await client.chat.completions.create({ model: 'gpt-4o', messages });
          return reply.choices[0]?.message.content ?? '';
        },
      });
      const judge = FactualityJudge({ judgeHarness, expected: need(values, 'reference') });
      return judge.assess({ input: need(values, 'instruction'), output: values.option1 ?? '' } as never);
    },
  },
] satisfies Callable[];
