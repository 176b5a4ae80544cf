/** The judge and the reranker of AgentOS. Their user hands in the call. */
import * as reranking from '@framers/agentos/cognition/rag/reranking';
import * as evaluation from '@framers/agentos/safety/evaluation';
import OpenAI from 'openai';
import { type Callable, instruction, KEY, need, one, QA, reference, type Values } from './evaluator.ts';

const client = '@framers/agentos';

/** Its types name their files as node does not find them. */
const { LLMJudge } = evaluation as unknown as {
  LLMJudge: new (
    config: object,
  ) => {
    judge(input: string, actual: string, expected?: string, criteria?: readonly object[]): Promise<unknown>;
  };
};
const { LlmJudgeReranker } = reranking as unknown as {
  LlmJudgeReranker: new (config: {
    llmCallFn(system: string, user: string): Promise<string>;
  }) => { rerank(input: object, config: object): Promise<unknown> };
};

type Messages = OpenAI.ChatCompletionMessageParam[];

const completionAt = (base: string, messages: Messages) =>
  new OpenAI({ apiKey: KEY, baseURL: `${base}/v1`, maxRetries: 0 }).chat.completions.create({
    model: 'gpt-4o',
    messages,
  });

const judgeAt = (base: string, more: object = {}) =>
  new LLMJudge({
    llmProvider: {
      getProvider: () => ({
        generateCompletion: (_model: string, messages: Messages) => completionAt(base, messages),
      }),
    },
    modelId: 'gpt-4o',
    providerId: 'openai',
    ...more,
  });

const reranked = (base: string, values: Values, keys: readonly string[]) =>
  new LlmJudgeReranker({
    llmCallFn: async (system, user) => {
      const messages: Messages = [
        { role: 'system', content: system },
        { role: 'user', content: user },
      ];
      return (await completionAt(base, messages)).choices[0]?.message.content ?? '';
    },
  }).rerank(
    {
      query: need(values, 'instruction'),
      documents: keys.map((key, index) => ({
        id: `doc-${index + 1}`,
        content: values[key] ?? '',
        originalScore: 0.5,
      })),
    },
    { topN: 3 },
  );

const told = (overallScore: number) => ({
  criteriaScores: { house: overallScore },
  overallScore,
  reasoning: 'I looked.',
  feedback: ['It is so.'],
  confidence: 0.8,
});

const form = {
  verdict: {
    kind: 'score',
    where: 'json',
    field: 'overallScore',
    scale: { min: 0, max: 1 },
    polarity: 'higher',
  },
  replies: [
    [told(0.9), { score: 0.9 }],
    [told(0.2), { score: 0.2 }],
  ],
} satisfies Partial<Callable['evaluator']>;

const three = (first: number) =>
  Object.fromEntries(
    [1, 2, 3].map((index) => [`option${index}`, { role: 'option', label: labelOf(first, index) }] as const),
  );
const labelOf = (first: number, index: number) => (first === 0 ? `doc-${index}` : String(index));

const OPTIONS = ['option1', 'option2', 'option3'];

export default [
  {
    evaluator: {
      name: 'agentos-judge',
      client,
      licence: 'Apache-2.0',
      kind: 'reference',
      pools: QA,
      keys: { ...instruction, ...reference, ...one },
      ...form,
    },
    ask: (base, values) =>
      judgeAt(base).judge(need(values, 'instruction'), values.option1 ?? '', need(values, 'reference')),
  },
  {
    evaluator: {
      name: 'agentos-judge-criteria',
      client,
      licence: 'Apache-2.0',
      kind: 'rubric',
      pools: ['en', 'essay', 'es', 'de', 'fr', 'zh'],
      keys: {
        statement: { role: 'rubric' },
        ...instruction,
        ...one,
        rubric: { role: 'rubric' },
        rubric2: { role: 'rubric' },
      },
      ...form,
      note: 'the system prompt and the criteria are the user’s',
    },
    ask: (base, values) =>
      judgeAt(base, { systemPrompt: need(values, 'statement') }).judge(
        need(values, 'instruction'),
        values.option1 ?? '',
        undefined,
        [
          { name: 'house', description: need(values, 'rubric'), weight: 0.7 },
          { name: 'other', description: need(values, 'rubric2'), weight: 0.3 },
        ],
      ),
  },
  {
    evaluator: {
      name: 'agentos-rerank-scores',
      client,
      licence: 'Apache-2.0',
      kind: 'n-way',
      pools: ['nway', 'en', 'rag', 'de'],
      keys: { ...instruction, ...three(1) },
      verdict: { kind: 'scores', where: 'json', scale: { min: 0, max: 10 }, polarity: 'higher' },
      replies: [
        ['[9, 4, 1]', { scores: [9, 4, 1] }],
        ['[0, 3, 7]', { scores: [0, 3, 7] }],
      ],
      has: 'You are a relevance scorer',
      besides: [['', '["doc-1", "doc-2", "doc-3"]']],
    },
    ask: (base, values) => reranked(base, values, OPTIONS),
  },
  {
    evaluator: {
      name: 'agentos-rerank-order',
      client,
      licence: 'Apache-2.0',
      kind: 'ranking',
      pools: ['nway', 'en', 'fr', 'rag'],
      keys: { ...instruction, ...three(0) },
      verdict: { kind: 'ranking', where: 'json', labels: { 'doc-1': 0, 'doc-2': 1, 'doc-3': 2 } },
      replies: [
        ['["doc-2", "doc-1", "doc-3"]', { ranking: [1, 0, 2] }],
        ['["doc-3", "doc-2", "doc-1"]', { ranking: [2, 1, 0] }],
      ],
      has: 'You are a relevance ranker',
      besides: [['', '[9, 4, 1]']],
    },
    ask: (base, values) => reranked(base, values, OPTIONS),
  },
] satisfies Callable[];
