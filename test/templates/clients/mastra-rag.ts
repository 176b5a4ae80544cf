/** The agent of @mastra/rag that rates passages. */
import { MastraAgentRelevanceScorer } from '@mastra/rag';
import { createOpenAI } from 'ai-sdk-openai-3';
import { type Callable, instruction, KEY, need, WITH_CONTEXT } from './evaluator.ts';

export default [
  {
    evaluator: {
      name: 'mastra-rag-relevance',
      client: '@mastra/rag',
      licence: 'Apache-2.0',
      kind: 'score',
      pools: WITH_CONTEXT,
      keys: { ...instruction, context: { role: 'option' } },
      verdict: { kind: 'score', where: 'text', scale: { min: 0, max: 1 }, polarity: 'higher' },
      replies: [
        ['0.9', { score: 0.9 }],
        ['0.1', { score: 0.1 }],
      ],
    },
    ask: (base, values) => {
      const model = createOpenAI({ baseURL: `${base}/v1`, apiKey: KEY }).chat('gpt-4o');
      const scorer = new MastraAgentRelevanceScorer('house', model as never);
      return scorer.getRelevanceScore(need(values, 'instruction'), need(values, 'context'));
    },
  },
] satisfies Callable[];
