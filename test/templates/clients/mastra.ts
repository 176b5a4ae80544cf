/** Mastra's scorers: several requests each, always streamed, of which one is the judgment. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import type { MastraModelConfig } from '@mastra/core/llm';
import {
  createAnswerRelevancyScorer,
  createAnswerSimilarityScorer,
  createBiasScorer,
  createContextPrecisionScorer,
  createContextRecallScorer,
  createFaithfulnessScorer,
  createHallucinationScorer,
  createMultiTurnJudgeScorer,
  createNoiseSensitivityScorerLLM,
  createPromptAlignmentScorerLLM,
  createRubricScorer,
  createSummarizationScorer,
  createToxicityScorer,
} from '@mastra/evals/scorers/prebuilt';
import { createAgentTestRun, createTestMessage } from '@mastra/evals/scorers/utils';
import {
  type Callable,
  context,
  type Evaluator,
  instruction,
  KEY,
  one,
  QA,
  QUALITY,
  type Values,
  WITH_CONTEXT,
} from './evaluator.ts';

process.env.MASTRA_TELEMETRY_DISABLED = '1';

type Told = Omit<Evaluator, 'client' | 'licence'>;
interface Scorer {
  run(run: never): Promise<unknown>;
}

type Api = 'chat' | 'responses' | 'anthropic' | 'gemini';

function modelAt(base: string, api: Api): unknown {
  const options = { baseURL: `${base}/v1`, apiKey: KEY };
  switch (api) {
    case 'chat':
      return createOpenAI(options).chat('gpt-5-mini');
    case 'responses':
      return createOpenAI(options).responses('gpt-5-mini');
    case 'anthropic':
      return createAnthropic(options)('claude-sonnet-4-5');
    case 'gemini':
      return createGoogleGenerativeAI(options)('gemini-2.5-pro');
  }
}

const evaluator = (
  told: Told,
  scorerOf: (model: MastraModelConfig, values: Values) => Scorer,
  { api = 'chat', groundTruth = false }: { api?: Api; groundTruth?: boolean } = {},
): Callable => ({
  evaluator: { client: '@mastra/evals', licence: 'Apache-2.0', ...told },
  async ask(base, values) {
    const model = modelAt(base, api);
    const turns =
      values.turn1 === undefined ? [values.option1 ?? 'It is so.'] : [values.turn1, values.turn2 ?? ''];
    const run = createAgentTestRun({
      inputMessages: [
        createTestMessage({ content: values.instruction ?? 'What is it?', role: 'user', id: 'u' }),
      ],
      output: turns.map((content, i) => createTestMessage({ content, role: 'assistant', id: `a${i}` })),
    });
    const truth = groundTruth ? { groundTruth: values.reference } : {};
    return scorerOf(model as MastraModelConfig, values).run({ ...run, ...truth } as never);
  },
});

const verdicts = (...said: string[]) => ({
  verdicts: said.map((verdict) => ({
    verdict,
    reason: 'I looked.',
    statement: 'It is so.',
    context_index: 0,
  })),
});
const results = (...said: string[]) => ({ results: said.map((result) => ({ result, reason: 'I looked.' })) });

const LIST = (
  field: string,
  labels: NonNullable<Told['verdict']['labels']>,
): Pick<Told, 'kind' | 'verdict'> => ({
  kind: 'list',
  verdict: { kind: 'list', where: 'json', field, labels },
});

const YES = { yes: 'good', no: 'bad', unsure: 'neutral' } as const;
const BAD = { yes: 'bad', no: 'good' } as const;
/** Several claims stand on lines of their own, and a claim can have several lines: one is told apart from the next by nothing. */
const CLAIMED = { claims: ['{{option1}}'] };
const CLAIMS = { option1: { role: 'option' }, reference: { role: 'option' } } as const;

const faithful = (name: string, api: Api) =>
  evaluator(
    {
      name,
      pools: WITH_CONTEXT,
      keys: { ...context, ...one },
      ...LIST('verdicts[].verdict', YES),
      replies: [
        [verdicts('yes'), { list: ['yes'] }],
        [verdicts('no'), { list: ['no'] }],
      ],
      has: 'Verify each claim against the provided context',
      besides: [['', CLAIMED]],
    },
    (model, { context = '' }) => createFaithfulnessScorer({ model, options: { context: [context] } }),
    { api },
  );

const turnJudge = (name: string, api: Api) =>
  evaluator(
    {
      name,
      kind: 'conversation',
      pools: ['chat'],
      keys: { instruction: { role: 'rubric' }, turn1: { role: 'option' }, turn2: { role: 'option' } },
      verdict: {
        kind: 'pass',
        where: 'json',
        field: 'satisfied',
        labels: { true: 'pass', false: 'fail' },
        polarity: 'higher',
      },
      replies: [
        [{ satisfied: true, reasoning: 'It does.' }, { pass: true }],
        [{ satisfied: false, reasoning: 'It does not.' }, { pass: false }],
      ],
      has: 'Grade the conversation below',
    },
    (model, { instruction = '' }) => createMultiTurnJudgeScorer({ model, criterion: instruction }),
    { api },
  );

const rubricScorer = (name: string, api: Api) =>
  evaluator(
    {
      name,
      pools: QUALITY,
      keys: { ...instruction, rubric: { role: 'rubric' }, rubric2: { role: 'rubric' }, ...one },
      ...LIST('criteria[].satisfied', { true: 'good', false: 'bad' }),
      replies: [
        [
          {
            criteria: [
              { criterion: '{{rubric}}', satisfied: true, required: true, reasoning: 'It does.' },
              { criterion: '{{rubric2}}', satisfied: false, required: false, reasoning: 'It does not.' },
            ],
            overallAssessment: 'Half of it.',
          },
          { list: [true, false] },
        ],
        [
          {
            criteria: [
              { criterion: '{{rubric}}', satisfied: false, required: true, reasoning: 'It does not.' },
              { criterion: '{{rubric2}}', satisfied: false, required: false, reasoning: 'It does not.' },
            ],
            overallAssessment: 'Nothing.',
          },
          { list: [false, false] },
        ],
      ],
      has: "Grade the agent's output against the rubric",
    },
    (model, { rubric = '', rubric2 = '' }) =>
      createRubricScorer({
        model,
        criteria: [{ description: rubric }, { description: rubric2, required: false }],
      }),
    { api },
  );

export default [
  evaluator(
    {
      name: 'mastra-answer-relevancy',
      pools: QA,
      keys: { ...instruction, ...one },
      ...LIST('results[].result', YES),
      replies: [
        [results('yes'), { list: ['yes'] }],
        [results('unsure'), { list: ['unsure'] }],
      ],
      has: "Evaluate each statement's relevance",
      besides: [['', { statements: ['{{option1}}'] }]],
    },
    (model) => createAnswerRelevancyScorer({ model }),
  ),
  faithful('mastra-faithfulness', 'responses'),
  evaluator(
    {
      name: 'mastra-hallucination',
      pools: WITH_CONTEXT,
      keys: { ...context, ...one },
      ...LIST('verdicts[].verdict', BAD),
      replies: [
        [verdicts('yes'), { list: ['yes'] }],
        [verdicts('no'), { list: ['no'] }],
      ],
      has: 'Verify if the claims contain any information',
      besides: [['', CLAIMED]],
      note: 'yes is the bad side',
    },
    (model, { context = '' }) => createHallucinationScorer({ model, options: { context: [context] } }),
  ),
  evaluator(
    {
      name: 'mastra-bias',
      pools: QUALITY,
      keys: one,
      ...LIST('results[].result', BAD),
      replies: [
        [results('no'), { list: ['no'] }],
        [results('yes'), { list: ['yes'] }],
      ],
      has: 'Based on the given opinions',
      besides: [['', { opinions: ['{{option1}}'] }]],
      note: 'yes is the bad side',
    },
    (model) => createBiasScorer({ model }),
  ),
  evaluator(
    {
      name: 'mastra-toxicity',
      pools: ['tox', 'en', 'essay'],
      keys: { ...instruction, ...one },
      ...LIST('verdicts[].verdict', BAD),
      replies: [
        [verdicts('no'), { list: ['no'] }],
        [verdicts('yes'), { list: ['yes'] }],
      ],
      has: 'to indicate whether EACH opinion is toxic',
      note: 'yes is the bad side',
    },
    (model) => createToxicityScorer({ model }),
  ),
  evaluator(
    {
      name: 'mastra-context-precision',
      pools: ['rag', 'en', 'sum'],
      keys: {
        ...instruction,
        option1: { role: 'reference' },
        context: { role: 'option' },
        context2: { role: 'option' },
      },
      ...LIST('verdicts[].verdict', YES),
      replies: [
        [verdicts('yes', 'no'), { list: ['yes', 'no'] }],
        [verdicts('no', 'no'), { list: ['no', 'no'] }],
      ],
      has: 'Evaluate the relevance of each context piece',
      note: 'the passages are judged',
    },
    (model, { context = '', context2 = '' }) =>
      createContextPrecisionScorer({ model, options: { context: [context, context2] } }),
    { api: 'responses' },
  ),
  evaluator(
    {
      name: 'mastra-context-recall',
      pools: ['rag', 'en', 'sum'],
      keys: { context: { role: 'context' }, context2: { role: 'context' }, ...CLAIMS },
      ...LIST('verdicts[].verdict', YES),
      replies: [
        [verdicts('yes', 'no'), { list: ['yes', 'no'] }],
        [verdicts('no', 'no'), { list: ['no', 'no'] }],
      ],
      has: 'Determine if each claim from the ground-truth',
      besides: [['', { claims: ['{{option1}}', '{{reference}}'] }]],
    },
    (model, { context = '', context2 = '' }) =>
      createContextRecallScorer({ model, options: { context: [context, context2] } }),
    { groundTruth: true },
  ),
  evaluator(
    {
      name: 'mastra-claims',
      kind: 'none',
      pools: WITH_CONTEXT,
      keys: { option1: { role: 'context' } },
      verdict: { kind: 'none', where: 'json' },
      replies: [[{ claims: ['It is so.'] }, { none: true }]],
      has: 'xtract',
      note: 'the first request of createFaithfulnessScorer',
    },
    (model) => createFaithfulnessScorer({ model, options: { context: ['It is so.'] } }),
  ),
  turnJudge('mastra-multi-turn-judge', 'chat'),
  evaluator(
    {
      name: 'mastra-noise-sensitivity',
      kind: 'score',
      pools: ['en', 'rag', 'fr'],
      keys: { ...instruction, reference: { role: 'reference' }, statement: { role: 'context' }, ...one },
      verdict: {
        kind: 'score',
        where: 'json',
        field: 'robustnessScore',
        scale: { min: 0, max: 1 },
        polarity: 'higher',
      },
      replies: [
        [
          { dimensions: [], overallAssessment: 'Steady.', majorIssues: [], robustnessScore: 0.9 },
          { score: 0.9 },
        ],
        [
          { dimensions: [], overallAssessment: 'Lost.', majorIssues: [], robustnessScore: 0.2 },
          { score: 0.2 },
        ],
      ],
      has: 'Analyze how the added noise affected',
    },
    (model, { reference = '', statement = '' }) =>
      createNoiseSensitivityScorerLLM({
        model,
        options: { baselineResponse: reference, noisyQuery: statement, noiseType: 'misinformation' },
      }),
  ),
  evaluator(
    {
      name: 'mastra-prompt-alignment',
      kind: 'score',
      pools: QUALITY,
      keys: { ...instruction, ...one },
      verdict: {
        kind: 'score',
        where: 'json',
        field: 'intentAlignment.score',
        scale: { min: 0, max: 1 },
        polarity: 'higher',
      },
      replies: [
        [
          {
            intentAlignment: {
              score: 0.9,
              primaryIntent: 'To know.',
              isAddressed: true,
              reasoning: 'It is.',
            },
          },
          { score: 0.9 },
        ],
        [
          {
            intentAlignment: { score: 0.1, primaryIntent: 'To know.', isAddressed: false, reasoning: 'No.' },
          },
          { score: 0.1 },
        ],
      ],
      has: 'Analyze how well the agent',
      note: 'several scores in one object, of which this is the first',
    },
    (model) => createPromptAlignmentScorerLLM({ model, options: { evaluationMode: 'user' } }),
  ),
  rubricScorer('mastra-rubric', 'responses'),
  evaluator(
    {
      name: 'mastra-summarization',
      pools: ['sum', 'de', 'sum', 'fr'],
      keys: { ...instruction, ...one },
      ...LIST('alignment[].supported', { true: 'good', false: 'bad' }),
      replies: [
        [
          {
            alignment: [{ claim: 'It is so.', supported: true, reason: 'It says so.' }],
            questions: ['Is it so?'],
          },
          { list: [true] },
        ],
        [
          {
            alignment: [{ claim: 'It is so.', supported: false, reason: 'Nothing of it.' }],
            questions: ['Is it so?'],
          },
          { list: [false] },
        ],
      ],
      has: 'Part 1 (alignment)',
      besides: [
        [
          'Decide whether each question',
          { coverage: [{ question: 'Is it so?', answered: true, reason: 'Yes.' }] },
        ],
      ],
    },
    (model) => createSummarizationScorer({ model }),
  ),
  evaluator(
    {
      name: 'mastra-answer-similarity',
      kind: 'list',
      pools: QA,
      keys: { option1: { role: 'option' }, reference: { role: 'reference' } },
      verdict: {
        kind: 'list',
        where: 'json',
        field: 'matches[].matchType',
        labels: { exact: 'good', semantic: 'good', partial: 'neutral', missing: 'bad' },
      },
      replies: [
        [
          {
            matches: [
              {
                groundTruthUnit: '{{reference}}',
                outputUnit: '{{option1}}',
                matchType: 'exact',
                explanation: 'Equal.',
              },
            ],
            extraInOutput: [],
            contradictions: [],
          },
          { list: ['exact'] },
        ],
        [
          {
            matches: [
              {
                groundTruthUnit: '{{reference}}',
                outputUnit: null,
                matchType: 'missing',
                explanation: 'None.',
              },
            ],
            extraInOutput: [],
            contradictions: [],
          },
          { list: ['missing'] },
        ],
      ],
      has: 'Compare the semantic units',
      besides: [['', { outputUnits: ['{{option1}}'], groundTruthUnits: ['{{reference}}'] }]],
    },
    (model) => createAnswerSimilarityScorer({ model }),
    { groundTruth: true },
  ),
  rubricScorer('mastra-rubric.anthropic', 'anthropic'),
  faithful('mastra-faithfulness.gemini', 'gemini'),
  turnJudge('mastra-multi-turn-judge.anthropic', 'anthropic'),
] satisfies Callable[];
