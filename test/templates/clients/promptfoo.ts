/** promptfoo's assertions that ask a model. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Callable,
  context,
  type Evaluator,
  instruction,
  KEY,
  need,
  one,
  pair,
  QA,
  QUALITY,
  reference,
  rubric,
  type Values,
  WITH_CONTEXT,
} from './evaluator.ts';

// It reads its settings as it is loaded, and writes them down.
Object.assign(process.env, {
  LOG_LEVEL: 'error',
  PROMPTFOO_CONFIG_DIR: mkdtempSync(join(tmpdir(), 'promptfoo-')),
  PROMPTFOO_DISABLE_TELEMETRY: '1',
  PROMPTFOO_DISABLE_UPDATE: '1',
  PROMPTFOO_DISABLE_REMOTE_GENERATION: '1',
});
const { default: promptfoo } = await import('promptfoo');

interface Test {
  readonly type: string;
  readonly value?: string;
  readonly outputs: readonly string[];
  readonly prompt: string;
  readonly vars?: Record<string, string>;
  readonly rest?: Record<string, unknown>;
  /** The grader; OpenAI's chat if nothing is said. */
  readonly provider?: 'anthropic';
}

async function assess(base: string, { type, value, outputs, prompt, vars = {}, rest = {}, provider }: Test) {
  const config = { apiBaseUrl: `${base}/v1`, apiKey: KEY, maxRetries: 0 };
  const grader =
    provider === 'anthropic'
      ? { id: 'anthropic:messages:claude-sonnet-4-5', config: { apiBaseUrl: base, apiKey: KEY } }
      : { id: 'openai:chat:gpt-4o-mini', config };
  const embedding = { id: 'openai:embedding:text-embedding-3-small', config };
  const graded = await promptfoo.evaluate(
    {
      prompts: [prompt],
      providers: outputs.map((output) => async () => ({ output })),
      tests: [
        {
          vars,
          options: { provider: { text: grader, embedding } },
          assert: [{ type, ...(value !== undefined && { value }), ...rest }],
        },
      ],
      writeLatestResults: false,
      sharing: false,
    } as Parameters<typeof promptfoo.evaluate>[0],
    { cache: false, maxConcurrency: 1, showProgressBar: false },
  );
  return graded.toEvaluateSummary();
}

type Told = Omit<Evaluator, 'client' | 'licence'>;

const evaluator = (told: Told, test: (values: Values) => Test): Callable => ({
  evaluator: { client: 'promptfoo', licence: 'MIT', ...told },
  ask: (base, values) => assess(base, test(values)),
});

const Graded = [
  [{ reason: 'It does.', pass: true, score: 1 }, { pass: true }],
  [{ reason: 'It does not.', pass: false, score: 0 }, { pass: false }],
] satisfies Told['replies'];

const PASS = { kind: 'pass', where: 'json', field: 'pass', polarity: 'higher' } as const;

export default [
  evaluator(
    {
      name: 'promptfoo-llm-rubric',
      kind: 'rubric',
      pools: QUALITY,
      keys: { ...one, ...rubric },
      verdict: PASS,
      replies: Graded,
    },
    (values) => ({
      type: 'llm-rubric',
      value: need(values, 'rubric'),
      outputs: [need(values, 'option1')],
      prompt: 'Answer the question.',
    }),
  ),
  evaluator(
    {
      name: 'promptfoo-select-best',
      kind: 'n-way',
      pools: ['nway', 'en', 'code', 'essay'],
      keys: {
        ...instruction,
        ...rubric,
        option1: { role: 'option', label: '0' },
        option2: { role: 'option', label: '1' },
        option3: { role: 'option', label: '2' },
      },
      verdict: { kind: 'choice', where: 'text', labels: { 0: 0, 1: 1, 2: 2 } },
      replies: [
        ['0', { choice: 0 }],
        ['2', { choice: 2 }],
      ],
    },
    (values) => ({
      type: 'select-best',
      value: need(values, 'rubric'),
      outputs: ['option1', 'option2', 'option3'].map((key) => need(values, key)),
      prompt: '{{question}}',
      vars: { question: need(values, 'instruction') },
    }),
  ),
  evaluator(
    {
      name: 'promptfoo-factuality',
      kind: 'reference',
      pools: QA,
      keys: { ...instruction, ...reference, ...one },
      verdict: {
        kind: 'category',
        where: 'json',
        field: 'category',
        labels: { A: 'good', B: 'good', C: 'good', D: 'bad', E: 'good' },
      },
      replies: [
        [{ category: 'C', reason: 'They say the same.' }, { category: 'C' }],
        [{ category: 'D', reason: 'They disagree.' }, { category: 'D' }],
      ],
    },
    (values) => ({
      type: 'factuality',
      value: need(values, 'reference'),
      outputs: [need(values, 'option1')],
      prompt: '{{question}}',
      vars: { question: need(values, 'instruction') },
    }),
  ),
  evaluator(
    {
      name: 'promptfoo-closedqa',
      kind: 'pass',
      pools: QA,
      keys: { ...instruction, ...rubric, ...one },
      verdict: { kind: 'pass', where: 'text', labels: { Y: 'pass', N: 'fail' } },
      replies: [
        ['It meets it.\nY', { pass: true }],
        ['It does not.\nN', { pass: false }],
      ],
    },
    (values) => ({
      type: 'model-graded-closedqa',
      value: need(values, 'rubric'),
      outputs: [need(values, 'option1')],
      prompt: '{{question}}',
      vars: { question: need(values, 'instruction') },
    }),
  ),
  evaluator(
    {
      name: 'promptfoo-g-eval',
      kind: 'score',
      pools: QUALITY,
      keys: { ...instruction, ...rubric, ...one },
      verdict: {
        kind: 'score',
        where: 'json',
        field: 'score',
        scale: { min: 0, max: 10 },
        polarity: 'higher',
      },
      replies: [
        [{ score: 8, reason: 'Good.' }, { score: 8 }],
        [{ score: 2, reason: 'Poor.' }, { score: 2 }],
      ],
      besides: [
        [
          'concise evaluation steps applicable',
          { steps: ['Read the source.', 'Compare the reply with it.'] },
        ],
      ],
    },
    (values) => ({
      type: 'g-eval',
      value: need(values, 'rubric'),
      outputs: [need(values, 'option1')],
      prompt: '{{question}}',
      vars: { question: need(values, 'instruction') },
    }),
  ),
  evaluator(
    {
      name: 'promptfoo-context-faithfulness',
      kind: 'list',
      pools: WITH_CONTEXT,
      keys: { ...context, ...one },
      verdict: { kind: 'list', where: 'text', labels: { Yes: 'good', No: 'bad' } },
      replies: [
        [
          '1. It follows from the context. Verdict: Yes.\n\nFinal verdict for each statement in order: Yes. No.',
          { list: [true, false] },
        ],
        [
          '1. It does not follow. Verdict: No.\n\nFinal verdict for each statement in order: No. No.',
          { list: [false, false] },
        ],
      ],
      note: 'the statements are what the judge found in the answer before',
      has: 'Consider the given context',
      besides: [['create one or more statements', '{{option1}}']],
    },
    (values) => ({
      type: 'context-faithfulness',
      outputs: [need(values, 'option1')],
      prompt: 'Answer: {{query}}',
      vars: { query: 'Say what the passage says.', context: need(values, 'context') },
      rest: { threshold: 0.5 },
    }),
  ),
  evaluator(
    {
      name: 'promptfoo-context-recall',
      kind: 'list',
      pools: WITH_CONTEXT,
      keys: { ...context, option1: { role: 'option' } },
      verdict: { kind: 'list', where: 'text', labels: { Attributed: 'good', 'Not Attributed': 'bad' } },
      replies: [
        ['1. It says so. [Attributed]\n2. It says nothing of it. [Not Attributed]', { list: [true, false] }],
        ['1. Nothing of it. [Not Attributed]', { list: [false] }],
      ],
    },
    (values) => ({
      type: 'context-recall',
      value: need(values, 'option1'),
      outputs: ['It is so.'],
      prompt: 'Answer.',
      vars: { context: need(values, 'context') },
      rest: { threshold: 0.5 },
    }),
  ),
  evaluator(
    {
      name: 'promptfoo-context-relevance',
      kind: 'none',
      pools: WITH_CONTEXT,
      keys: { ...context, ...instruction },
      verdict: { kind: 'none', where: 'text' },
      replies: [['It is so.', { none: true }]],
      note: 'asks for the sentences of the context that matter',
    },
    (values) => ({
      type: 'context-relevance',
      outputs: ['It is so.'],
      prompt: 'Answer: {{query}}',
      vars: { query: need(values, 'instruction'), context: need(values, 'context') },
      rest: { threshold: 0.5 },
    }),
  ),
  evaluator(
    {
      name: 'promptfoo-answer-relevance',
      kind: 'none',
      pools: QA,
      keys: { option1: { role: 'context' } },
      verdict: { kind: 'none', where: 'text' },
      replies: [['What is it?', { none: true }]],
      note: 'asks for a question that the answer would answer',
    },
    (values) => ({
      type: 'answer-relevance',
      outputs: [need(values, 'option1')],
      prompt: 'Answer.',
      rest: { threshold: 0.5 },
    }),
  ),
  evaluator(
    {
      name: 'promptfoo-compare-two',
      kind: 'pair',
      pools: ['sum', 'essay', 'de', 'code'],
      keys: { ...instruction, ...rubric, ...pair('0', '1') },
      verdict: { kind: 'choice', where: 'text', labels: { 0: 0, 1: 1 } },
      replies: [
        ['0', { choice: 0 }],
        ['1', { choice: 1 }],
      ],
    },
    (values) => ({
      type: 'select-best',
      value: need(values, 'rubric'),
      outputs: ['option1', 'option2'].map((key) => need(values, key)),
      prompt: 'You work for a newspaper. {{question}}',
      vars: { question: need(values, 'instruction') },
    }),
  ),
  evaluator(
    {
      name: 'promptfoo-factuality.anthropic',
      kind: 'reference',
      pools: QUALITY,
      keys: { ...instruction, ...reference, ...one },
      verdict: {
        kind: 'category',
        where: 'json',
        field: 'category',
        labels: { A: 'good', B: 'good', C: 'good', D: 'bad', E: 'good' },
      },
      replies: [
        [{ category: 'C', reason: 'They say the same.' }, { category: 'C' }],
        [{ category: 'D', reason: 'They disagree.' }, { category: 'D' }],
      ],
    },
    (values) => ({
      type: 'factuality',
      value: need(values, 'reference'),
      outputs: [need(values, 'option1')],
      provider: 'anthropic',
      prompt: '{{question}}',
      vars: { question: need(values, 'instruction') },
    }),
  ),
  evaluator(
    {
      name: 'promptfoo-compare-two.anthropic',
      kind: 'pair',
      pools: ['en', 'fr', 'zh', 'essay'],
      keys: { ...instruction, ...rubric, ...pair('0', '1') },
      verdict: { kind: 'choice', where: 'text', labels: { 0: 0, 1: 1 } },
      replies: [
        ['0', { choice: 0 }],
        ['1', { choice: 1 }],
      ],
    },
    (values) => ({
      type: 'select-best',
      value: need(values, 'rubric'),
      outputs: ['option1', 'option2'].map((key) => need(values, key)),
      provider: 'anthropic',
      prompt: 'You work for a newspaper. {{question}}',
      vars: { question: need(values, 'instruction') },
    }),
  ),
] satisfies Callable[];
