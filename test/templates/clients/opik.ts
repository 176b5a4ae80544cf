/** Opik for TypeScript: its metrics over the AI SDK. */
import { createOpenAI } from 'ai-sdk-openai-3';
import { AnswerRelevance, Hallucination, Moderation, Usefulness } from 'opik';
import {
  type Callable,
  context,
  type Evaluator,
  instruction,
  KEY,
  one,
  QUALITY,
  type Values,
  WITH_CONTEXT,
} from './evaluator.ts';

Object.assign(process.env, { OPIK_TRACK_DISABLE: 'true', OPIK_LOG_LEVEL: 'ERROR', OPENAI_API_KEY: KEY });

type Metric = new (options: Record<string, unknown>) => { score(input: never): Promise<unknown> };

const evaluator = (
  name: string,
  metric: unknown,
  pools: readonly string[],
  keys: Evaluator['keys'],
  field: string,
  input: (values: Values) => Record<string, unknown>,
  isBad = false,
): Callable => ({
  evaluator: {
    name: `opik-ts-${name}`,
    client: 'opik',
    licence: 'Apache-2.0',
    kind: 'score',
    pools: [...pools],
    keys,
    verdict: {
      kind: 'score',
      where: 'json',
      field,
      scale: { min: 0, max: 1 },
      polarity: isBad ? 'lower' : 'higher',
    },
    replies: [
      [{ [field]: 1, reason: isBad ? ['I looked.'] : 'I looked.' }, { score: 1 }],
      [{ [field]: 0.25, reason: isBad ? ['I looked.'] : 'I looked.' }, { score: 0.25 }],
    ],
  },
  async ask(base, values) {
    const model = createOpenAI({ baseURL: `${base}/v1`, apiKey: KEY }).chat('gpt-4o');
    return new (metric as Metric)({ model, trackMetric: false }).score(input(values) as never);
  },
});

const answered = ({ instruction, option1 }: Values) => ({ input: instruction, output: option1 });
const inContext = (values: Values) => ({ ...answered(values), context: [values.context] });

export default [
  evaluator('usefulness', Usefulness, QUALITY, { ...instruction, ...one }, 'score', answered),
  evaluator(
    'hallucination',
    Hallucination,
    WITH_CONTEXT,
    { ...instruction, ...one, ...context },
    'score',
    inContext,
    true,
  ),
  evaluator(
    'moderation',
    Moderation,
    ['tox', 'en'],
    one,
    'score',
    ({ option1 }) => ({ output: option1 }),
    true,
  ),
  evaluator(
    'answer-relevance',
    AnswerRelevance,
    WITH_CONTEXT,
    { ...instruction, ...one, ...context },
    'answer_relevance_score',
    inContext,
  ),
];
