/** LangChain's evaluators: text, of which the last lines are read. */
import { loadEvaluator, QAEvalChain } from '@langchain/classic/evaluation';
import { ChatOpenAI } from '@langchain/openai';
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
  rubric,
  type Values,
} from './evaluator.ts';

type Told = Omit<Evaluator, 'client' | 'licence'>;

const chat = (base: string, rest: Record<string, unknown> = {}) =>
  new ChatOpenAI({
    apiKey: KEY,
    model: 'gpt-4o',
    configuration: { baseURL: `${base}/v1` },
    maxRetries: 0,
    ...rest,
  });

const evaluator = (told: Told, ask: (llm: ChatOpenAI, values: Values) => Promise<unknown>): Callable => ({
  evaluator: { client: '@langchain/classic', licence: 'MIT', ...told },
  ask: (base, values) => ask(chat(base), values),
});

const PAIR = {
  kind: 'pair',
  verdict: {
    kind: 'choice',
    where: 'text',
    labels: { '[[A]]': 0, '[[B]]': 1, '[[C]]': 'tie' },
  },
  replies: [
    ['The first comes first.\n[[A]]', { choice: 0 }],
    ['The second is right.\n[[B]]', { choice: 1 }],
    ['Both are.\n[[C]]', { choice: 'tie' }],
  ],
} satisfies Partial<Told>;

const CRITERIA = {
  verdict: { kind: 'pass', where: 'text', labels: { Y: 'pass', N: 'fail' } },
  replies: [
    ['It meets it.\n\nY', { pass: true }],
    ['It does not.\n\nN', { pass: false }],
  ],
} satisfies Partial<Told>;

export default [
  evaluator(
    {
      name: 'langchain-js-pairwise',
      pools: ['en', 'essay', 'zh', 'code'],
      keys: { ...instruction, ...pair('A', 'B') },
      ...PAIR,
    },
    async (llm, { instruction = '', option1 = '', option2 = '' }) => {
      const judge = await loadEvaluator('pairwise_string', { llm });
      return judge.evaluateStringPairs({ input: instruction, prediction: option1, predictionB: option2 });
    },
  ),
  evaluator(
    {
      name: 'langchain-js-labeled-pairwise',
      pools: ['en', 'sum', 'fr', 'trans'],
      keys: { ...instruction, ...reference, ...pair('A', 'B') },
      ...PAIR,
    },
    async (llm, { instruction = '', option1 = '', option2 = '', reference = '' }) => {
      const judge = await loadEvaluator('labeled_pairwise_string', { llm });
      return judge.evaluateStringPairs({
        input: instruction,
        prediction: option1,
        predictionB: option2,
        reference,
      });
    },
  ),
  evaluator(
    {
      name: 'langchain-js-criteria',
      kind: 'rubric',
      pools: QUALITY,
      keys: { ...instruction, ...one, ...rubric },
      ...CRITERIA,
    },
    async (llm, { instruction = '', option1 = '', rubric = '' }) => {
      const judge = await loadEvaluator('criteria', { llm, criteria: { quality: rubric } });
      return judge.evaluateStrings({ input: instruction, prediction: option1 });
    },
  ),
  evaluator(
    {
      name: 'langchain-js-labeled-criteria',
      kind: 'reference',
      pools: QA,
      keys: { ...instruction, ...one, ...reference },
      ...CRITERIA,
    },
    async (llm, { instruction = '', option1 = '', reference = '' }) => {
      const judge = await loadEvaluator('labeled_criteria', { llm, criteria: 'correctness' });
      return judge.evaluateStrings({ input: instruction, prediction: option1, reference });
    },
  ),
  evaluator(
    {
      name: 'langchain-js-qa-eval-chain',
      kind: 'reference',
      pools: QA,
      keys: { ...instruction, ...one, ...reference },
      verdict: { kind: 'pass', where: 'text', labels: { CORRECT: 'pass', INCORRECT: 'fail' } },
      replies: [
        ['CORRECT', { pass: true }],
        ['INCORRECT', { pass: false }],
      ],
    },
    async (llm, { instruction = '', option1 = '', reference = '' }) =>
      QAEvalChain.fromLlm(llm).evaluate([{ query: instruction, answer: reference }], [{ result: option1 }]),
  ),
  evaluator(
    {
      name: 'langchain-js-trajectory',
      kind: 'score',
      pools: ['rag', 'en', 'de'],
      keys: { ...instruction, context: { role: 'context' }, ...one },
      verdict: { kind: 'score', where: 'text', scale: { min: 1, max: 5 }, polarity: 'higher' },
      replies: [
        ['It looked it up.\n\nScore: 5', { score: 5 }],
        ['It used no tool that helps.\n\nScore: 2', { score: 2 }],
      ],
      note: 'an example of a judgment stands before it as messages',
    },
    async (llm, { instruction = '', option1 = '', context = '' }) => {
      const judge = await loadEvaluator('trajectory', { llm });
      return judge.evaluateAgentTrajectory({
        prediction: option1,
        input: instruction,
        agentTrajectory: [
          { action: { tool: 'search', toolInput: 'handbook', log: '' }, observation: context },
        ],
      });
    },
  ),
] satisfies Callable[];
