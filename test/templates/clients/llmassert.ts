/** The matchers of @llmassert/playwright. */
import { expect } from '@llmassert/playwright';
import {
  type Callable,
  context,
  KEY,
  need,
  one,
  QA,
  QUALITY,
  reference,
  rubric,
  type Values,
  WITH_CONTEXT,
} from './evaluator.ts';

const client = '@llmassert/playwright';

interface Options {
  readonly threshold: number;
  readonly config: Record<string, unknown>;
}

interface Matchers {
  toBeGroundedIn(context: string, options: Options): Promise<void>;
  toBeFreeOfPII(options: Options): Promise<void>;
  toMatchTone(descriptor: string, options: Options): Promise<void>;
  toBeFormatCompliant(schema: string, options: Options): Promise<void>;
  toSemanticMatch(expected: string, options: Options): Promise<void>;
}

/** Its client reads its judge's address from the environment. */
function asked(
  base: string,
  values: Values,
  work: (matchers: Matchers, options: Options) => Promise<void>,
): Promise<void> {
  process.env.OPENAI_BASE_URL = `${base}/v1`;
  const config = { openaiApiKey: KEY, primaryModel: 'gpt-4o' };
  return work(expect(values.option1 ?? '') as unknown as Matchers, { threshold: 0, config });
}

const form = {
  verdict: { kind: 'score', where: 'json', field: 'score', scale: { min: 0, max: 1 }, polarity: 'higher' },
  replies: [
    [{ score: 0.95, reasoning: 'I looked.' }, { score: 0.95 }],
    [{ score: 0.1, reasoning: 'I looked.' }, { score: 0.1 }],
  ],
} satisfies Partial<Callable['evaluator']>;

export default [
  {
    evaluator: {
      name: 'llmassert-grounded',
      client,
      licence: 'MIT',
      kind: 'score',
      pools: WITH_CONTEXT,
      keys: { ...context, ...one },
      ...form,
    },
    ask: (base, values) =>
      asked(base, values, (matchers, options) => matchers.toBeGroundedIn(need(values, 'context'), options)),
  },
  {
    evaluator: {
      name: 'llmassert-personal-data',
      client,
      licence: 'MIT',
      kind: 'score',
      pools: ['en', 'essay', 'sum', 'de', 'es', 'ja'],
      keys: one,
      ...form,
    },
    ask: (base, values) => asked(base, values, (matchers, options) => matchers.toBeFreeOfPII(options)),
  },
  {
    evaluator: {
      name: 'llmassert-tone',
      client,
      licence: 'MIT',
      kind: 'rubric',
      pools: QUALITY,
      keys: { ...rubric, ...one },
      ...form,
    },
    ask: (base, values) =>
      asked(base, values, (matchers, options) => matchers.toMatchTone(need(values, 'rubric'), options)),
  },
  {
    evaluator: {
      name: 'llmassert-format',
      client,
      licence: 'MIT',
      kind: 'rubric',
      pools: ['code', 'essay', 'sql', 'nway', 'sum', 'trans'],
      keys: { ...rubric, ...one },
      ...form,
    },
    ask: (base, values) =>
      asked(base, values, (matchers, options) =>
        matchers.toBeFormatCompliant(need(values, 'rubric'), options),
      ),
  },
  {
    evaluator: {
      name: 'llmassert-semantic',
      client,
      licence: 'MIT',
      kind: 'reference',
      pools: QA,
      keys: { ...reference, ...one },
      ...form,
    },
    ask: (base, values) =>
      asked(base, values, (matchers, options) =>
        matchers.toSemanticMatch(need(values, 'reference'), options),
      ),
  },
] satisfies Callable[];
