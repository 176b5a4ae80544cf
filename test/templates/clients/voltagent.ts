/** VoltAgent's scorers: an agent asked for an object. */

import {
  createAnswerCorrectnessScorer,
  createContextPrecisionScorer,
  createFactualityScorer,
  createHumorScorer,
  createPossibleScorer,
  createSummaryScorer,
  createTranslationScorer,
} from '@voltagent/scorers';
import { createOpenAI } from 'ai-sdk-openai-3';
import {
  type Callable,
  type Evaluator,
  instruction,
  KEY,
  one,
  pair,
  QA,
  QUALITY,
  reference,
  type Values,
} from './evaluator.ts';

type Told = Omit<Evaluator, 'client' | 'licence'>;
type Made = (options: Record<string, unknown>) => { scorer(context: never): unknown };

const evaluator = (
  told: Told,
  made: unknown,
  payload: (values: Values) => Record<string, unknown>,
): Callable => ({
  evaluator: { client: '@voltagent/scorers', licence: 'MIT', ...told },
  async ask(base, values) {
    const model = createOpenAI({ baseURL: `${base}/v1`, apiKey: KEY }).chat('gpt-4o-mini');
    const { scorer } = (made as Made)({ model });
    return scorer({ payload: payload(values), params: {}, results: { raw: {} } } as never);
  },
});

const choice = (
  kind: 'category' | 'pass' | 'choice',
  labels: NonNullable<Told['verdict']['labels']>,
): Pick<Told, 'verdict'> => ({ verdict: { kind, where: 'json', field: 'choice', labels } });

export default [
  evaluator(
    {
      name: 'voltagent-factuality',
      kind: 'reference',
      pools: QA,
      keys: { ...instruction, ...reference, ...one },
      ...choice('category', { A: 'good', B: 'good', C: 'good', D: 'bad', E: 'good' }),
      replies: [
        [{ choice: 'C', reason: 'They agree.' }, { category: 'C' }],
        [{ choice: 'D', reason: 'They do not.' }, { category: 'D' }],
      ],
    },
    createFactualityScorer,
    (values) => ({ input: values.instruction, expected: values.reference, output: values.option1 }),
  ),
  evaluator(
    {
      name: 'voltagent-summary',
      kind: 'pair',
      pools: ['sum', 'fr', 'sum', 'de'],
      keys: { ...instruction, ...pair('A', 'B') },
      ...choice('choice', { A: 0, B: 1 }),
      replies: [
        [{ choice: 'A', reason: 'It says more.' }, { choice: 0 }],
        [{ choice: 'B', reason: 'It says more.' }, { choice: 1 }],
      ],
    },
    createSummaryScorer,
    (values) => ({ input: values.instruction, expected: values.option1, output: values.option2 }),
  ),
  evaluator(
    {
      name: 'voltagent-humor',
      kind: 'category',
      pools: ['nway', 'essay', 'es'],
      keys: { ...one },
      ...choice('category', { YES: 'good', NO: 'bad', UNSURE: 'neutral' }),
      replies: [
        [{ choice: 'NO', reason: 'It is earnest.' }, { category: 'NO' }],
        [{ choice: 'YES', reason: 'It is funny.' }, { category: 'YES' }],
      ],
    },
    createHumorScorer,
    (values) => ({ output: values.option1 }),
  ),
  evaluator(
    {
      name: 'voltagent-possible',
      kind: 'category',
      pools: QUALITY,
      keys: { ...instruction, ...one },
      ...choice('category', { A: 'bad', B: 'good' }),
      replies: [
        [{ choice: 'B', reason: 'It says how.' }, { category: 'B' }],
        [{ choice: 'A', reason: 'It gives up.' }, { category: 'A' }],
      ],
    },
    createPossibleScorer,
    (values) => ({ input: values.instruction, output: values.option1 }),
  ),
  evaluator(
    {
      name: 'voltagent-translation',
      kind: 'reference',
      pools: ['trans'],
      keys: { ...instruction, ...reference, ...one },
      ...choice('pass', { Y: 'pass', N: 'fail' }),
      replies: [
        [{ choice: 'Y', reason: 'They agree.' }, { pass: true }],
        [{ choice: 'N', reason: 'They do not.' }, { pass: false }],
      ],
    },
    createTranslationScorer,
    (values) => ({ input: values.instruction, expected: values.reference, output: values.option1 }),
  ),
  evaluator(
    {
      name: 'voltagent-answer-correctness',
      kind: 'reference',
      pools: QA,
      keys: { ...instruction, ...one, ...reference },
      verdict: { kind: 'none', where: 'json' },
      replies: [
        [{ TP: ['It is so.'], FP: [], FN: [] }, { none: true }],
        [{ TP: [], FP: ['It is so.'], FN: ['It is not.'] }, { none: true }],
      ],
      note: 'the verdict is three lists of statements: nothing that could be compared',
    },
    createAnswerCorrectnessScorer,
    (values) => ({ input: values.instruction, output: values.option1, expected: values.reference }),
  ),
  evaluator(
    {
      name: 'voltagent-context-precision',
      kind: 'pass',
      pools: ['rag', 'en', 'sum'],
      keys: { ...instruction, context: { role: 'option' }, ...reference },
      verdict: { kind: 'pass', where: 'json', field: 'verdict', labels: { 1: 'pass', 0: 'fail' } },
      replies: [
        [{ reason: 'It says so.', verdict: 1 }, { pass: true }],
        [{ reason: 'Nothing of it.', verdict: 0 }, { pass: false }],
      ],
      note: 'the passage is judged',
    },
    createContextPrecisionScorer,
    (values) => ({
      input: values.instruction,
      output: 'It is so.',
      context: values.context,
      expected: values.reference,
    }),
  ),
] satisfies Callable[];
