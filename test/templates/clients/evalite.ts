/** The scorers of evalite's coming version that judge. */
import { createOpenAI } from 'ai-sdk-openai-3';
import { contextRecall, faithfulness } from 'evalite/scorers';
import { type Callable, context, instruction, KEY, need, one, WITH_CONTEXT } from './evaluator.ts';

const modelAt = (base: string) => createOpenAI({ baseURL: `${base}/v1`, apiKey: KEY }).chat('gpt-4o');

const said = { statement: 'It is so.', reason: 'I looked.' };

export default [
  {
    evaluator: {
      name: 'evalite-faithfulness',
      client: 'evalite',
      licence: 'MIT',
      kind: 'list',
      pools: WITH_CONTEXT,
      keys: { ...context, ...one },
      verdict: {
        kind: 'list',
        where: 'json',
        field: 'statements[].verdict',
        labels: { '1': 'good', '0': 'bad' },
      },
      replies: [
        [{ statements: [{ ...said, verdict: 1 }] }, { list: [1] }],
        [{ statements: [{ ...said, verdict: 0 }] }, { list: [0] }],
      ],
      has: 'judge the faithfulness',
      besides: [['', { statements: ['{{option1}}'] }]],
    },
    ask: (base, values) =>
      faithfulness({
        question: 'What does it say?',
        answer: need(values, 'option1'),
        groundTruth: [need(values, 'context')],
        model: modelAt(base),
      }),
  },
  {
    evaluator: {
      name: 'evalite-statements',
      client: 'evalite',
      licence: 'MIT',
      kind: 'none',
      pools: WITH_CONTEXT,
      keys: { ...instruction, option1: { role: 'context' } },
      verdict: { kind: 'none', where: 'json' },
      replies: [[{ statements: ['It is so.'] }, { none: true }]],
      has: 'analyze the complexity of each sentence',
      besides: [['', { statements: [{ ...said, verdict: 1 }] }]],
      note: 'the first request of faithfulness',
    },
    ask: (base, values) =>
      faithfulness({
        question: need(values, 'instruction'),
        answer: need(values, 'option1'),
        groundTruth: ['It is so.'],
        model: modelAt(base),
      }),
  },
  {
    evaluator: {
      name: 'evalite-recall',
      client: 'evalite',
      licence: 'MIT',
      kind: 'list',
      pools: WITH_CONTEXT,
      keys: { ...instruction, ...context, ...one },
      verdict: {
        kind: 'list',
        where: 'json',
        field: 'classifications[].attributed',
        labels: { '1': 'good', '0': 'bad' },
      },
      replies: [
        [{ classifications: [{ ...said, attributed: 1 }] }, { list: [1] }],
        [{ classifications: [{ ...said, attributed: 0 }] }, { list: [0] }],
      ],
    },
    ask: (base, values) =>
      contextRecall({
        question: need(values, 'instruction'),
        answer: need(values, 'option1'),
        groundTruth: [need(values, 'context')],
        model: modelAt(base),
      }),
  },
] satisfies Callable[];
