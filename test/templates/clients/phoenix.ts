/** Arize Phoenix: classifiers over the AI SDK, one label of two. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import {
  createConcisenessEvaluator,
  createCorrectnessEvaluator,
  createDocumentRelevanceEvaluator,
  createFaithfulnessEvaluator,
  createHallucinationEvaluator,
  createRefusalEvaluator,
} from '@arizeai/phoenix-evals';
import {
  type Callable,
  context,
  type Evaluator,
  instruction,
  KEY,
  one,
  QA,
  QUALITY,
  type Values,
  WITH_CONTEXT,
} from './evaluator.ts';

type Made = (args: { model: never }) => { evaluate(record: never): Promise<unknown> };

interface Told {
  readonly name: string;
  readonly made: unknown;
  readonly pools: readonly string[];
  readonly keys: Evaluator['keys'];
  readonly good: string;
  readonly bad: string;
  readonly record: (values: Values) => Record<string, unknown>;
  readonly api?: Api;
}

type Api = 'chat' | 'responses' | 'anthropic' | 'gemini';

function modelAt(base: string, api: Api): unknown {
  const options = { baseURL: `${base}/v1`, apiKey: KEY };
  switch (api) {
    case 'chat':
      return createOpenAI(options).chat('gpt-4o');
    case 'responses':
      return createOpenAI(options).responses('gpt-5-mini');
    case 'anthropic':
      return createAnthropic(options)('claude-sonnet-4-5');
    case 'gemini':
      return createGoogleGenerativeAI(options)('gemini-2.5-pro');
  }
}

const evaluator = ({ name, made, pools, keys, good, bad, record, api = 'chat' }: Told): Callable => ({
  evaluator: {
    name: `phoenix-js-${name}`,
    client: '@arizeai/phoenix-evals',
    licence: 'Apache-2.0',
    kind: 'category',
    pools: [...pools],
    keys,
    verdict: { kind: 'category', where: 'json', field: 'label', labels: { [good]: 'good', [bad]: 'bad' } },
    replies: [
      [{ explanation: 'I looked.', label: good }, { category: good }],
      [{ explanation: 'I looked.', label: bad }, { category: bad }],
    ],
  },
  async ask(base, values) {
    const model = modelAt(base, api) as never;
    return (made as Made)({ model }).evaluate(record(values) as never);
  },
});

const answer = { ...instruction, ...one };
const answered = ({ instruction, option1 }: Values) => ({ input: instruction, output: option1 });

export default [
  evaluator({
    name: 'correctness',
    made: createCorrectnessEvaluator,
    pools: QA,
    keys: answer,
    good: 'correct',
    bad: 'incorrect',
    record: answered,
  }),
  evaluator({
    name: 'conciseness',
    made: createConcisenessEvaluator,
    pools: QUALITY,
    keys: answer,
    good: 'concise',
    bad: 'verbose',
    record: answered,
    api: 'responses',
  }),
  evaluator({
    name: 'refusal',
    made: createRefusalEvaluator,
    pools: QUALITY,
    keys: answer,
    good: 'answered',
    bad: 'refused',
    record: answered,
  }),
  evaluator({
    name: 'hallucination',
    made: createHallucinationEvaluator,
    pools: ['sum', 'rag', 'de'],
    keys: answer,
    good: 'grounded',
    bad: 'hallucinated',
    record: answered,
  }),
  evaluator({
    name: 'faithfulness',
    made: createFaithfulnessEvaluator,
    pools: WITH_CONTEXT,
    keys: { ...answer, ...context },
    good: 'faithful',
    bad: 'unfaithful',
    record: (values) => ({ ...answered(values), context: values.context }),
    api: 'responses',
  }),
  evaluator({
    name: 'document-relevance',
    made: createDocumentRelevanceEvaluator,
    pools: WITH_CONTEXT,
    keys: { ...instruction, context: { role: 'option' } },
    good: 'relevant',
    bad: 'unrelated',
    record: ({ instruction, context }) => ({ input: instruction, documentText: context }),
  }),
  evaluator({
    name: 'correctness.gemini',
    made: createCorrectnessEvaluator,
    pools: QUALITY,
    keys: answer,
    good: 'correct',
    bad: 'incorrect',
    record: answered,
    api: 'gemini',
  }),
  evaluator({
    name: 'refusal.anthropic',
    made: createRefusalEvaluator,
    pools: QA,
    keys: answer,
    good: 'answered',
    bad: 'refused',
    record: answered,
    api: 'anthropic',
  }),
  evaluator({
    name: 'faithfulness.anthropic',
    made: createFaithfulnessEvaluator,
    pools: WITH_CONTEXT,
    keys: { ...answer, ...context },
    good: 'faithful',
    bad: 'unfaithful',
    record: (values) => ({ ...answered(values), context: values.context }),
    api: 'anthropic',
  }),
  evaluator({
    name: 'document-relevance.gemini',
    made: createDocumentRelevanceEvaluator,
    pools: WITH_CONTEXT,
    keys: { ...instruction, context: { role: 'option' } },
    good: 'relevant',
    bad: 'unrelated',
    record: ({ instruction, context }) => ({ input: instruction, documentText: context }),
    api: 'gemini',
  }),
];
