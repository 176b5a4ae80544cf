/** The grader of AgentV: freely, by rubrics and by ranges of a score. */
import { LlmGrader, resolveAndCreateProvider } from '@agentv/core';
import {
  type Callable,
  instruction,
  KEY,
  need,
  one,
  QUALITY,
  reference,
  rubric,
  type Values,
} from './evaluator.ts';

const client = '@agentv/core';

function graded(base: string, values: Values, rubrics?: readonly object[]): Promise<unknown> {
  const provider = resolveAndCreateProvider(
    {
      name: 'judge',
      provider: 'openai',
      // biome-ignore-start lint/suspicious/noTemplateCurlyInString: its own way to name a variable
      base_url: '${{ BASE }}',
      api_key: '${{ JUDGE_KEY }}',
      model: '${{ MODEL }}',
      // biome-ignore-end lint/suspicious/noTemplateCurlyInString: as above
      api_format: 'chat',
    },
    { BASE: `${base}/v1`, JUDGE_KEY: KEY, MODEL: 'gpt-4o' },
  );
  const grader = new LlmGrader({ resolveGraderProvider: async () => provider });
  const question = need(values, 'instruction');
  return grader.evaluate({
    evalCase: {
      id: 'case',
      question,
      criteria: need(values, 'rubric'),
      reference_answer: values.reference,
      input: [],
      expected_output: [],
    },
    candidate: values.option1 ?? '',
    promptInputs: { question },
    provider,
    target: { kind: 'mock', name: 'target', config: {} },
    attempt: 0,
    now: new Date(),
    evaluator: { name: 'judge', type: 'llm-grader', rubrics },
  } as never);
}

const reasoning = 'I looked.';

export default [
  {
    evaluator: {
      name: 'agentv-grader',
      client,
      licence: 'MIT',
      kind: 'reference',
      pools: ['en', 'rag', 'de', 'code', 'fr', 'zh'],
      keys: { ...rubric, ...instruction, ...reference, ...one },
      verdict: {
        kind: 'score',
        where: 'json',
        field: 'score',
        scale: { min: 0, max: 1 },
        polarity: 'higher',
      },
      replies: [
        [
          { score: 0.9, assertions: [{ text: 'It is so.', passed: true, evidence: reasoning }] },
          { score: 0.9 },
        ],
        [
          { score: 0.2, assertions: [{ text: 'It is so.', passed: false, evidence: reasoning }] },
          { score: 0.2 },
        ],
      ],
    },
    ask: (base, values) => graded(base, values),
  },
  {
    evaluator: {
      name: 'agentv-rubrics',
      client,
      licence: 'MIT',
      kind: 'rubric',
      pools: QUALITY,
      keys: {
        ...instruction,
        ...rubric,
        rubric2: { role: 'rubric' },
        statement: { role: 'rubric' },
        ...one,
      },
      verdict: {
        kind: 'list',
        where: 'json',
        field: 'checks[].satisfied',
        labels: { true: 'good', false: 'bad' },
      },
      replies: [
        [
          {
            checks: [
              { id: 'first', satisfied: true, reasoning },
              { id: 'second', satisfied: true, reasoning },
            ],
            overall_reasoning: reasoning,
          },
          { list: [true, true] },
        ],
        [
          {
            checks: [
              { id: 'first', satisfied: false, reasoning },
              { id: 'second', satisfied: true, reasoning },
            ],
            overall_reasoning: reasoning,
          },
          { list: [false, true] },
        ],
      ],
    },
    ask: (base, values) =>
      graded(base, values, [
        { id: 'first', weight: 1, required: true, outcome: need(values, 'rubric2') },
        { id: 'second', weight: 2, outcome: need(values, 'statement') },
      ]),
  },
  {
    evaluator: {
      name: 'agentv-ranges',
      client,
      licence: 'MIT',
      kind: 'rubric',
      pools: ['en', 'essay', 'es', 'fr', 'code', 'ar'],
      keys: { ...instruction, ...rubric, rubric2: { role: 'rubric' }, ...reference, ...one },
      verdict: { kind: 'scores', where: 'json', scale: { min: 0, max: 10 }, polarity: 'higher' },
      replies: [
        [{ checks: [{ id: 'first', score: 9, reasoning }], overall_reasoning: reasoning }, { scores: [9] }],
        [{ checks: [{ id: 'first', score: 3, reasoning }], overall_reasoning: reasoning }, { scores: [3] }],
      ],
    },
    ask: (base, values) =>
      graded(base, values, [
        {
          id: 'first',
          weight: 1,
          outcome: need(values, 'rubric2'),
          score_ranges: [
            { score_range: [0, 4], outcome: 'It does not.' },
            { score_range: [5, 7], outcome: 'It does in part.' },
            { score_range: [8, 10], outcome: 'It does.' },
          ],
        },
      ]),
  },
] satisfies Callable[];
