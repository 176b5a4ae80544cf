/** LangChain's openevals: its prompts, with a JSON schema whose `score` is a boolean, a number or one of a list. */
import OpenAI from 'openai';
import * as openevals from 'openevals';
import {
  type Callable,
  context,
  type Evaluator,
  instruction,
  KEY,
  one,
  QA,
  QUALITY,
  reference,
  WITH_CONTEXT,
} from './evaluator.ts';

const TURNS = {
  user1: { role: 'instruction' },
  turn1: { role: 'option' },
  user2: { role: 'instruction' },
  turn2: { role: 'option' },
} as const;

type Keys = Evaluator['keys'];

interface Told {
  readonly name: string;
  readonly kind: Evaluator['kind'];
  readonly prompt: string;
  readonly pools?: readonly string[];
  readonly keys: Keys;
  /** Whether `true`, or the high score, is the bad side. */
  readonly isBad?: boolean;
  readonly options?: Record<string, unknown>;
  readonly scale?: 'continuous' | readonly number[];
}

const reasoned = (score: unknown) => ({
  reasoning: `I looked at it. Thus, the score should be: ${score}`,
  score,
});

function evaluator({ name, kind, prompt, pools = QA, keys, isBad = false, scale }: Told): Callable {
  const passes = scale === undefined;
  return {
    evaluator: {
      name: `openevals-${name}`,
      client: 'openevals',
      licence: 'MIT',
      kind,
      pools: [...pools],
      keys,
      verdict: {
        kind: passes ? 'pass' : 'score',
        where: 'json',
        field: 'score',
        ...(passes && { labels: isBad ? { true: 'fail', false: 'pass' } : { true: 'pass', false: 'fail' } }),
        ...(!passes && { scale: { min: 0, max: 1 } }),
        polarity: isBad ? 'lower' : 'higher',
      },
      replies: passes
        ? [
            [reasoned(true), { pass: !isBad }],
            [reasoned(false), { pass: isBad }],
          ]
        : [
            [reasoned(1), { score: 1 }],
            [reasoned(0.5), { score: 0.5 }],
          ],
    },
    async ask(base, values) {
      const judge = new OpenAI({ apiKey: KEY, baseURL: `${base}/v1`, maxRetries: 0 });
      const judged = openevals.createLLMAsJudge({
        prompt,
        judge,
        model: 'gpt-4o',
        ...(scale === 'continuous' && { continuous: true }),
        ...(Array.isArray(scale) && { choices: [...scale] }),
      });
      const outputs =
        'user1' in keys
          ? [
              { role: 'user', content: values.user1 },
              { role: 'assistant', content: values.turn1 },
              { role: 'user', content: values.user2 },
              { role: 'assistant', content: values.turn2 },
            ]
          : values.option1;
      return judged({
        inputs: values.instruction,
        outputs,
        ...(values.reference !== undefined && { referenceOutputs: values.reference }),
        ...(values.context !== undefined && { context: values.context }),
        ...(values.rubric !== undefined && { plan: values.rubric }),
      });
    },
  };
}

const answer = { ...instruction, ...one };

export default [
  {
    name: 'correctness',
    kind: 'reference',
    prompt: openevals.CORRECTNESS_PROMPT,
    keys: { ...answer, ...reference },
  },
  {
    name: 'conciseness',
    kind: 'score',
    prompt: openevals.CONCISENESS_PROMPT,
    pools: QUALITY,
    keys: answer,
    scale: 'continuous',
  },
  {
    name: 'hallucination',
    kind: 'reference',
    prompt: openevals.HALLUCINATION_PROMPT,
    pools: WITH_CONTEXT,
    keys: { ...answer, ...context, ...reference },
  },
  {
    name: 'answer-relevance',
    kind: 'score',
    prompt: openevals.ANSWER_RELEVANCE_PROMPT,
    keys: answer,
    scale: [0, 0.5, 1],
  },
  {
    name: 'code-correctness',
    kind: 'pass',
    prompt: openevals.CODE_CORRECTNESS_PROMPT,
    pools: ['code', 'sql'],
    keys: answer,
  },
  {
    name: 'laziness',
    kind: 'pass',
    prompt: openevals.LAZINESS_PROMPT,
    pools: QUALITY,
    keys: answer,
    isBad: true,
  },
  {
    name: 'toxicity',
    kind: 'pass',
    prompt: openevals.TOXICITY_PROMPT,
    pools: ['tox', 'en'],
    keys: answer,
    isBad: true,
  },
  {
    name: 'fairness',
    kind: 'pass',
    prompt: openevals.FAIRNESS_PROMPT,
    pools: QUALITY,
    keys: answer,
    isBad: true,
  },
  {
    name: 'rag-groundedness',
    kind: 'score',
    prompt: openevals.RAG_GROUNDEDNESS_PROMPT,
    pools: WITH_CONTEXT,
    keys: { ...one, ...context },
    scale: 'continuous',
  },
  {
    name: 'rag-helpfulness',
    kind: 'pass',
    prompt: openevals.RAG_HELPFULNESS_PROMPT,
    pools: WITH_CONTEXT,
    keys: answer,
  },
  {
    name: 'rag-retrieval-relevance',
    kind: 'pass',
    prompt: openevals.RAG_RETRIEVAL_RELEVANCE_PROMPT,
    pools: WITH_CONTEXT,
    keys: { ...instruction, context: { role: 'option' } },
  },
  {
    name: 'plan-adherence',
    kind: 'pass',
    prompt: openevals.PLAN_ADHERENCE_PROMPT,
    keys: { ...answer, rubric: { role: 'rubric' } },
  },
  {
    name: 'agent-tone',
    kind: 'conversation',
    prompt: openevals.AGENT_TONE_PROMPT,
    pools: ['chat'],
    keys: TURNS,
  },
  {
    name: 'user-satisfaction',
    kind: 'conversation',
    prompt: openevals.USER_SATISFACTION_PROMPT,
    pools: ['chat'],
    keys: TURNS,
  },
].map((told) => evaluator(told as Told));
