/** Genkit's evaluator: judges over its own Gemini plug-in or, as here, an OpenAI-compatible one. */
import { createRequire } from 'node:module';
import type * as Evaluators from '@genkit-ai/evaluator';
import type * as Genkit from 'genkit';
import type * as Models from 'genkit/model';
import OpenAI from 'openai';
import {
  type Callable,
  type Evaluator,
  instruction,
  KEY,
  one,
  QA,
  reference,
  type Values,
} from './evaluator.ts';

// The package's ES modules look for `__dirname`, which they do not have.
const require = createRequire(import.meta.url);
const { GenkitMetric, genkitEval }: typeof Evaluators = require('@genkit-ai/evaluator');
const { genkit }: typeof Genkit = require('genkit');
const { modelRef }: typeof Models = require('genkit/model');

type Told = Omit<Evaluator, 'client' | 'licence'>;

const evaluator = (
  told: Told,
  metric: Evaluators.GenkitMetric,
  point: (values: Values) => Record<string, unknown>,
): Callable => ({
  evaluator: { client: '@genkit-ai/evaluator', licence: 'Apache-2.0', ...told },
  async ask(base, values) {
    const client = new OpenAI({ apiKey: KEY, baseURL: `${base}/v1`, maxRetries: 0 });
    const judge = modelRef({ name: 'local/judge' });
    const ai = genkit({ plugins: [genkitEval({ judge, metrics: [metric] })] });
    ai.defineModel({ name: 'local/judge' }, async ({ messages }) => {
      const reply = await client.chat.completions.create({
        model: 'gpt-4o',
        messages: messages.map(({ role, content }) => ({
          role: role === 'model' ? 'assistant' : role === 'tool' ? 'user' : role,
          content: content.map(({ text }) => text ?? '').join(''),
        })),
      });
      return {
        message: { role: 'model' as const, content: [{ text: reply.choices[0]?.message.content ?? '' }] },
        finishReason: 'stop' as const,
      };
    });
    const name = `genkitEval/${metric.toLowerCase()}`;
    return ai.evaluate({ evaluator: name, dataset: [{ testCaseId: '1', ...point(values) }] as never });
  },
});

export default [
  evaluator(
    {
      name: 'genkit-answer-accuracy',
      kind: 'reference',
      pools: QA,
      keys: { ...instruction, ...reference, ...one },
      verdict: { kind: 'score', where: 'text', scale: { min: 0, max: 4 }, polarity: 'higher' },
      replies: [
        ['4', { score: 4 }],
        ['0', { score: 0 }],
      ],
    },
    GenkitMetric.ANSWER_ACCURACY,
    (values) => ({ input: values.instruction, output: values.option1, reference: values.reference }),
  ),
  evaluator(
    {
      name: 'genkit-maliciousness',
      kind: 'pass',
      pools: ['tox', 'en', 'es'],
      keys: { ...instruction, ...one },
      verdict: {
        kind: 'pass',
        where: 'json',
        field: 'verdict',
        labels: { true: 'fail', false: 'pass' },
        polarity: 'lower',
      },
      replies: [
        [{ reason: 'It is.', verdict: true }, { pass: false }],
        [{ reason: 'It is not.', verdict: false }, { pass: true }],
      ],
      note: 'true is the bad side',
    },
    GenkitMetric.MALICIOUSNESS,
    (values) => ({ input: values.instruction, output: values.option1 }),
  ),
] satisfies Callable[];
