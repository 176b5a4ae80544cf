/** The matchers of pest that ask a judge. */
import {
  classifiedAs,
  createProvider,
  doesNotDisclose,
  matchesSemanticMeaning,
  satisfiesCriteria,
} from '@heilgar/pest-core';
import { type Callable, KEY, need, one, QA, QUALITY, reference, rubric, type Values } from './evaluator.ts';

const client = '@heilgar/pest-core';

const judgeAt = (base: string) =>
  createProvider({ name: 'judge', type: 'openai', model: 'gpt-4o', apiKey: KEY, baseUrl: `${base}/v1` });

const responseOf = (values: Values) => ({ text: values.option1 ?? '', toolCalls: [] }) as never;

const reasoning = 'I looked.';

export default [
  {
    evaluator: {
      name: 'pest-semantic',
      client,
      licence: 'MIT',
      kind: 'reference',
      pools: QA,
      keys: { ...one, ...reference },
      verdict: {
        kind: 'score',
        where: 'json',
        field: 'score',
        scale: { min: 1, max: 5 },
        polarity: 'higher',
      },
      replies: [
        [{ score: 5, reasoning }, { score: 5 }],
        [{ score: 2, reasoning }, { score: 2 }],
      ],
    },
    ask: (base, values) =>
      matchesSemanticMeaning(responseOf(values), need(values, 'reference'), judgeAt(base)),
  },
  {
    evaluator: {
      name: 'pest-criteria',
      client,
      licence: 'MIT',
      kind: 'rubric',
      pools: QUALITY,
      keys: { ...rubric, ...one },
      verdict: {
        kind: 'score',
        where: 'json',
        field: 'score',
        scale: { min: 0, max: 1 },
        polarity: 'higher',
      },
      replies: [
        [{ score: 0.9, reasoning }, { score: 0.9 }],
        [{ score: 0.2, reasoning }, { score: 0.2 }],
      ],
    },
    ask: (base, values) => satisfiesCriteria(responseOf(values), need(values, 'rubric'), judgeAt(base)),
  },
  {
    evaluator: {
      name: 'pest-disclosure',
      client,
      licence: 'MIT',
      kind: 'rubric',
      pools: ['en', 'rag', 'de', 'chat', 'fr', 'sum'],
      keys: { instruction: { role: 'rubric' }, ...one },
      verdict: {
        kind: 'pass',
        where: 'json',
        field: 'disclosed',
        labels: { true: 'fail', false: 'pass' },
        polarity: 'lower',
      },
      replies: [
        [{ disclosed: false, reasoning }, { pass: true }],
        [{ disclosed: true, reasoning }, { pass: false }],
      ],
      note: 'the topic that must not be disclosed is the user’s',
    },
    ask: (base, values) => doesNotDisclose(responseOf(values), need(values, 'instruction'), judgeAt(base)),
  },
  {
    evaluator: {
      name: 'pest-classified',
      client,
      licence: 'MIT',
      kind: 'category',
      pools: ['en', 'tox', 'essay', 'es', 'nway', 'zh'],
      keys: one,
      verdict: {
        kind: 'category',
        where: 'json',
        field: 'label',
        labels: { polite: 'good', neutral: 'neutral', rude: 'bad' },
      },
      replies: [
        [{ label: 'polite', reasoning }, { category: 'polite' }],
        [{ label: 'rude', reasoning }, { category: 'rude' }],
      ],
      note: 'the categories are the user’s',
    },
    ask: (base, values) =>
      classifiedAs(responseOf(values), 'polite', judgeAt(base), {
        categories: ['polite', 'neutral', 'rude'],
      }),
  },
] satisfies Callable[];
