/** The judge of @gleanwork/mcp-server-tester. Its clients read their judge's address from the environment. */
import { BUILT_IN_RUBRICS, createJudge } from '@gleanwork/mcp-server-tester';
import {
  type Callable,
  KEY,
  need,
  one,
  QA,
  reference,
  rubric,
  type Values,
  WITH_CONTEXT,
} from './evaluator.ts';

const client = '@gleanwork/mcp-server-tester';

function judged(
  base: string,
  values: Values,
  provider: 'openai' | 'anthropic',
  rule: string,
  against: string,
) {
  process.env.OPENAI_BASE_URL = `${base}/v1`;
  process.env.ANTHROPIC_BASE_URL = base;
  process.env.JUDGE_KEY = KEY;
  return createJudge({ provider, apiKeyEnvVar: 'JUDGE_KEY' }).evaluate(values.option1 ?? '', against, rule);
}

const form = {
  verdict: { kind: 'score', where: 'json', field: 'score', scale: { min: 0, max: 1 }, polarity: 'higher' },
  replies: [
    [{ pass: true, score: 0.9, reasoning: 'I looked.' }, { score: 0.9 }],
    [{ pass: false, score: 0.2, reasoning: 'I looked.' }, { score: 0.2 }],
  ],
} satisfies Partial<Callable['evaluator']>;

export default [
  {
    evaluator: {
      name: 'mcp-server-tester-rubric',
      client,
      licence: 'MIT',
      kind: 'rubric',
      pools: QA,
      keys: { ...rubric, ...one, ...reference },
      ...form,
    },
    ask: (base, values) => judged(base, values, 'openai', need(values, 'rubric'), need(values, 'reference')),
  },
  {
    evaluator: {
      name: 'mcp-server-tester-grounded',
      client,
      licence: 'MIT',
      kind: 'reference',
      pools: WITH_CONTEXT,
      keys: { ...one, context: { role: 'reference' } },
      ...form,
    },
    ask: (base, values) =>
      judged(base, values, 'anthropic', BUILT_IN_RUBRICS.groundedness, need(values, 'context')),
  },
] satisfies Callable[];
