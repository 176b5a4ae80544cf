/** The judges of EVA. Their client reads its judge's address from the environment when it is loaded. */
import crypto from 'node:crypto';
import {
  type Callable,
  type Evaluator,
  instruction,
  KEY,
  need,
  one,
  QUALITY,
  rubric,
  type Values,
} from './evaluator.ts';

const client = '@eva-llm/eva-judge';

/** It writes a number that it draws into its prompt. */
async function asked(
  base: string,
  values: Values,
  work: (judge: typeof import('@eva-llm/eva-judge')) => Promise<unknown>,
): Promise<unknown> {
  process.env.OPENAI_BASE_URL = `${base}/v1`;
  process.env.OPENAI_API_KEY = KEY;
  const judge = await import('@eva-llm/eva-judge');
  judge.default.disableStepsCache();
  const { randomBytes } = crypto;
  crypto.randomBytes = ((size: number) =>
    size === 16 ? { toString: () => need(values, 'drawn') } : randomBytes(size)) as typeof randomBytes;
  try {
    return await work(judge);
  } finally {
    crypto.randomBytes = randomBytes;
  }
}

const drawn = { drawn: { role: 'ignored' } } as const;
const note = 'a nonce stands in the place of the number that is drawn';
const steps = { steps: ['Read the reply.', 'Compare it with the criteria.'] };

const score = (max: number, high: number, low: number): Pick<Evaluator, 'verdict' | 'replies'> => ({
  verdict: { kind: 'score', where: 'json', field: 'score', scale: { min: 0, max }, polarity: 'higher' },
  replies: [
    [{ reason: 'I looked.', score: high }, { score: high }],
    [{ reason: 'I looked.', score: low }, { score: low }],
  ],
});

export default [
  {
    evaluator: {
      name: 'eva-judge-rubric',
      client,
      licence: 'MIT',
      kind: 'rubric',
      pools: QUALITY,
      keys: { ...drawn, ...one, ...rubric },
      verdict: {
        kind: 'pass',
        where: 'json',
        field: 'pass',
        labels: { true: 'pass', false: 'fail' },
        polarity: 'higher',
      },
      replies: [
        [{ reason: 'I looked.', pass: true, score: 1 }, { pass: true }],
        [{ reason: 'I looked.', pass: false, score: 0 }, { pass: false }],
      ],
      note: `${note}; its system prompt follows that of promptfoo`,
    },
    ask: (base, values) =>
      asked(base, values, (judge) =>
        judge.llmRubric(values.option1 ?? '', need(values, 'rubric'), 'openai', 'gpt-4o'),
      ),
  },
  {
    evaluator: {
      name: 'eva-judge-geval',
      client,
      licence: 'MIT',
      kind: 'rubric',
      pools: ['en', 'rag', 'de', 'nway', 'fr', 'zh'],
      keys: { ...drawn, ...rubric, ...instruction, ...one },
      ...score(10, 9, 2),
      has: 'Your task is to rate the Reply',
      besides: [['', steps]],
      note,
    },
    ask: (base, values) =>
      asked(base, values, (judge) =>
        judge.gEval(
          { query: need(values, 'instruction'), answer: values.option1 ?? '' },
          need(values, 'rubric'),
          'openai',
          'gpt-4o',
        ),
      ),
  },
  {
    evaluator: {
      name: 'eva-judge-beval',
      client,
      licence: 'MIT',
      kind: 'rubric',
      pools: ['essay', 'es', 'en', 'trans', 'sum', 'ar'],
      keys: { ...drawn, ...rubric, ...one },
      ...score(1, 1, 0),
      has: 'Your task is to rate the Reply',
      besides: [['', steps]],
      note,
    },
    ask: (base, values) =>
      asked(base, values, (judge) =>
        judge.bEval(values.option1 ?? '', need(values, 'rubric'), 'openai', 'gpt-4o'),
      ),
  },
] satisfies Callable[];
