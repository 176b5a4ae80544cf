/** Braintrust's autoevals: classifiers with a forced function, and its RAG metrics. */
import {
  AnswerCorrectness,
  Battle,
  ClosedQA,
  ContextPrecision,
  ContextRecall,
  Factuality,
  Faithfulness,
  Humor,
  Possible,
  Security,
  Sql,
  Summary,
  Translation,
} from 'autoevals';
import {
  type Callable,
  context,
  type Evaluator,
  instruction,
  KEY,
  one,
  pair,
  QA,
  QUALITY,
  reference,
  rubric,
  type Values,
  WITH_CONTEXT,
} from './evaluator.ts';

type Told = Omit<Evaluator, 'client' | 'licence'>;
type Scorer = (args: never) => unknown;

const evaluator = (
  told: Told,
  scorer: Scorer,
  args: (values: Values) => Record<string, unknown>,
  model = 'gpt-4o',
): Callable => ({
  evaluator: { client: 'autoevals', licence: 'MIT', ...told },
  ask: async (base, values) =>
    scorer({ openAiApiKey: KEY, openAiBaseUrl: `${base}/v1`, model, ...args(values) } as never),
});

const choose = (labels: NonNullable<Told['verdict']['labels']>, kind: 'choice' | 'pass' | 'category') =>
  ({
    verdict: { kind, where: 'tool', field: 'choice', labels },
  }) as const;

const YES_NO = {
  ...choose({ Y: 'pass', N: 'fail' }, 'pass'),
  replies: [
    [{ choice: 'Y' }, { pass: true }],
    [{ choice: 'N' }, { pass: false }],
  ] as Told['replies'],
};

export default [
  evaluator(
    {
      name: 'autoevals-battle',
      kind: 'pair',
      pools: ['en', 'code', 'fr', 'essay', 'zh', 'sum'],
      keys: { ...instruction, ...pair('1', '2') },
      ...choose({ Yes: 0, No: 1 }, 'choice'),
      replies: [
        [{ choice: 'Yes' }, { choice: 0 }],
        [{ choice: 'No' }, { choice: 1 }],
      ],
    },
    Battle as Scorer,
    (values) => ({ instructions: values.instruction, output: values.option1, expected: values.option2 }),
  ),
  evaluator(
    {
      name: 'autoevals-battle-cot',
      kind: 'pair',
      pools: ['en', 'de', 'essay', 'ja'],
      keys: { ...instruction, ...pair('1', '2') },
      ...choose({ Yes: 0, No: 1 }, 'choice'),
      replies: [
        [{ reasons: '1. The first is right.', choice: 'Yes' }, { choice: 0 }],
        [{ reasons: '1. The second is right.', choice: 'No' }, { choice: 1 }],
      ],
    },
    Battle as Scorer,
    (values) => ({
      instructions: values.instruction,
      output: values.option1,
      expected: values.option2,
      useCoT: true,
    }),
    'gpt-5-mini',
  ),
  evaluator(
    {
      name: 'autoevals-closedqa',
      kind: 'pass',
      pools: QA,
      keys: { ...instruction, ...one, ...rubric },
      ...YES_NO,
    },
    ClosedQA as Scorer,
    (values) => ({ input: values.instruction, output: values.option1, criteria: values.rubric }),
  ),
  evaluator(
    {
      name: 'autoevals-factuality',
      kind: 'reference',
      pools: QA,
      keys: { ...instruction, ...reference, ...one },
      ...choose({ A: 'good', B: 'good', C: 'good', D: 'bad', E: 'good' }, 'category'),
      replies: [
        [{ reasons: '1. They agree.', choice: 'C' }, { category: 'C' }],
        [{ reasons: '1. They do not agree.', choice: 'D' }, { category: 'D' }],
      ],
    },
    Factuality as Scorer,
    (values) => ({
      input: values.instruction,
      output: values.option1,
      expected: values.reference,
      useCoT: true,
    }),
  ),
  evaluator(
    {
      name: 'autoevals-humor',
      kind: 'category',
      pools: ['nway', 'essay', 'chat', 'es'].filter((pool) => pool !== 'chat'),
      keys: { ...one },
      ...choose({ Yes: 'good', No: 'bad', Unsure: 'neutral' }, 'category'),
      replies: [
        [{ choice: 'No' }, { category: 'No' }],
        [{ choice: 'Unsure' }, { category: 'Unsure' }],
      ],
    },
    Humor as Scorer,
    (values) => ({ output: values.option1 }),
  ),
  evaluator(
    {
      name: 'autoevals-possible',
      kind: 'category',
      pools: QUALITY,
      keys: { ...instruction, ...one },
      ...choose({ A: 'bad', B: 'good' }, 'category'),
      replies: [
        [{ choice: 'B' }, { category: 'B' }],
        [{ choice: 'A' }, { category: 'A' }],
      ],
      note: 'A and B say what the one answer is: they are no options',
    },
    Possible as Scorer,
    (values) => ({ input: values.instruction, output: values.option1 }),
  ),
  evaluator(
    {
      name: 'autoevals-security',
      kind: 'category',
      pools: ['tox', 'code', 'en'],
      keys: { ...one },
      ...choose({ Yes: 'bad', No: 'good', Unsure: 'neutral' }, 'category'),
      replies: [
        [{ choice: 'No' }, { category: 'No' }],
        [{ choice: 'Yes' }, { category: 'Yes' }],
      ],
      note: 'Yes is the bad side',
    },
    Security as Scorer,
    (values) => ({ output: values.option1 }),
  ),
  evaluator(
    {
      name: 'autoevals-sql',
      kind: 'reference',
      pools: ['sql'],
      keys: { ...instruction, ...reference, ...one },
      ...choose({ Correct: 'pass', Incorrect: 'fail' }, 'pass'),
      replies: [
        [{ choice: 'Correct' }, { pass: true }],
        [{ choice: 'Incorrect' }, { pass: false }],
      ],
    },
    Sql as Scorer,
    (values) => ({ input: values.instruction, output: values.option1, expected: values.reference }),
  ),
  evaluator(
    {
      name: 'autoevals-summary',
      kind: 'pair',
      pools: ['sum', 'de', 'sum', 'es'],
      keys: { ...instruction, ...pair('A', 'B') },
      ...choose({ A: 0, B: 1 }, 'choice'),
      replies: [
        [{ choice: 'A' }, { choice: 0 }],
        [{ choice: 'B' }, { choice: 1 }],
      ],
    },
    Summary as Scorer,
    (values) => ({ input: values.instruction, output: values.option2, expected: values.option1 }),
    'gpt-5-mini',
  ),
  evaluator(
    {
      name: 'autoevals-translation',
      kind: 'reference',
      pools: ['trans'],
      keys: { ...instruction, ...reference, ...one },
      ...YES_NO,
    },
    Translation as Scorer,
    (values) => ({
      language: 'the source language',
      input: values.instruction,
      output: values.option1,
      expected: values.reference,
    }),
  ),
  evaluator(
    {
      name: 'autoevals-context-precision',
      kind: 'pass',
      pools: WITH_CONTEXT,
      keys: { ...instruction, context: { role: 'option' }, ...reference },
      verdict: {
        kind: 'pass',
        where: 'tool',
        field: 'verdict',
        labels: { 1: 'pass', 0: 'fail' },
        polarity: 'higher',
      },
      replies: [
        [{ reason: 'It says so.', verdict: 1 }, { pass: true }],
        [{ reason: 'It says nothing of it.', verdict: 0 }, { pass: false }],
      ],
      note: 'the passage is judged',
    },
    ContextPrecision as Scorer,
    (values) => ({
      input: values.instruction,
      output: 'It is so.',
      expected: values.reference,
      context: values.context,
    }),
  ),
  evaluator(
    {
      name: 'autoevals-context-recall',
      kind: 'list',
      pools: WITH_CONTEXT,
      keys: { ...instruction, ...context, reference: { role: 'option' } },
      verdict: {
        kind: 'list',
        where: 'tool',
        field: 'statements[].attributed',
        labels: { 1: 'good', 0: 'bad' },
      },
      replies: [
        [{ statements: [{ statement: 'It is so.', attributed: 1, reason: 'It says so.' }] }, { list: [1] }],
        [
          {
            statements: [
              { statement: 'It is so.', attributed: 0, reason: 'Nothing of it.' },
              { statement: 'It is not.', attributed: 1, reason: 'It says so.' },
            ],
          },
          { list: [0, 1] },
        ],
      ],
    },
    ContextRecall as Scorer,
    (values) => ({
      input: values.instruction,
      output: 'It is so.',
      expected: values.reference,
      context: values.context,
    }),
  ),
  evaluator(
    {
      name: 'autoevals-faithfulness',
      kind: 'list',
      pools: ['rag', 'en', 'ja', 'de'],
      keys: { ...context, option1: { role: 'option' }, instruction: { role: 'instruction' } },
      verdict: {
        kind: 'list',
        where: 'tool',
        field: 'faithfulness[].verdict',
        labels: { 1: 'good', 0: 'bad' },
      },
      replies: [
        [{ faithfulness: [{ statement: '{{option1}}', verdict: 1, reason: 'It says so.' }] }, { list: [1] }],
        [{ faithfulness: [{ statement: '{{option1}}', verdict: 0, reason: 'Not at all.' }] }, { list: [0] }],
      ],
      has: 'judge the faithfulness of a series of statements',
      besides: [['Create one or more statements', { statements: ['{{option1}}'] }]],
    },
    Faithfulness as Scorer,
    (values) => ({ input: values.instruction, output: values.option1, context: values.context }),
  ),
  evaluator(
    {
      name: 'autoevals-statements',
      kind: 'none',
      pools: ['rag', 'en', 'ja', 'de'],
      keys: { option1: { role: 'context' }, instruction: { role: 'instruction' } },
      verdict: { kind: 'none', where: 'tool' },
      replies: [[{ statements: ['It is so.'] }, { none: true }]],
      has: 'Create one or more statements',
      note: 'the first request of Faithfulness',
    },
    Faithfulness as Scorer,
    (values) => ({ input: values.instruction, output: values.option1, context: 'It is so.' }),
  ),
  evaluator(
    {
      name: 'autoevals-answer-correctness',
      kind: 'reference',
      pools: QA,
      keys: { ...instruction, ...one, ...reference },
      verdict: { kind: 'none', where: 'tool' },
      replies: [
        [{ TP: ['It is so.'], FP: [], FN: [] }, { none: true }],
        [{ TP: [], FP: ['It is so.'], FN: ['It is not.'] }, { none: true }],
      ],
      note: 'the verdict is three lists of statements: nothing that could be compared',
    },
    AnswerCorrectness as Scorer,
    (values) => ({ input: values.instruction, output: values.option1, expected: values.reference }),
  ),
] satisfies Callable[];
