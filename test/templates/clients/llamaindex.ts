/** LlamaIndex for TypeScript: a score on a line of its own, or YES and NO. */
import { OpenAI, OpenAIEmbedding } from '@llamaindex/openai';
import { Settings } from 'llamaindex';
import { CorrectnessEvaluator, FaithfulnessEvaluator, RelevancyEvaluator } from 'llamaindex/evaluation';
import {
  type Callable,
  context,
  type Evaluator,
  instruction,
  KEY,
  one,
  QA,
  reference,
  type Values,
  WITH_CONTEXT,
} from './evaluator.ts';

type Told = Omit<Evaluator, 'client' | 'licence'>;

const evaluator = (told: Told, ask: (values: Values) => Promise<unknown>): Callable => ({
  evaluator: { client: 'llamaindex', licence: 'MIT', ...told },
  async ask(base, values) {
    Settings.llm = new OpenAI({ model: 'gpt-4o', apiKey: KEY, baseURL: `${base}/v1`, maxRetries: 0 });
    Settings.embedModel = new OpenAIEmbedding({ apiKey: KEY, baseURL: `${base}/v1` });
    return ask(values);
  },
});

const YES_NO = {
  kind: 'pass',
  verdict: { kind: 'pass', where: 'text', labels: { YES: 'pass', NO: 'fail' } },
  replies: [
    ['YES', { pass: true }],
    ['NO', { pass: false }],
  ],
} satisfies Partial<Told>;

export default [
  evaluator(
    {
      name: 'llamaindex-ts-correctness',
      kind: 'reference',
      pools: QA,
      keys: { ...instruction, ...reference, ...one },
      verdict: { kind: 'score', where: 'text', scale: { min: 1, max: 5 }, polarity: 'higher' },
      replies: [
        ['4.0\nIt is right.', { score: 4 }],
        ['1.5\nIt is not.', { score: 1.5 }],
      ],
    },
    ({ instruction = '', option1 = '', reference = '' }) =>
      new CorrectnessEvaluator().evaluate({ query: instruction, response: option1, reference }),
  ),
  evaluator(
    { name: 'llamaindex-ts-faithfulness', pools: WITH_CONTEXT, keys: { ...one, ...context }, ...YES_NO },
    ({ option1 = '', context = '' }) =>
      new FaithfulnessEvaluator().evaluate({ query: '', response: option1, contexts: [context] }),
  ),
  evaluator(
    {
      name: 'llamaindex-ts-relevancy',
      pools: WITH_CONTEXT,
      keys: { ...instruction, ...one, ...context },
      ...YES_NO,
    },
    ({ instruction = '', option1 = '', context = '' }) =>
      new RelevancyEvaluator().evaluate({ query: instruction, response: option1, contexts: [context] }),
  ),
] satisfies Callable[];
