/** Mastra's scorers: an agent asks the judge, always streamed, in several steps of which one is the judgment. */
import { createOpenAI } from '@ai-sdk/openai';
import { createScorer } from '@mastra/core/evals';
import type { MastraModelConfig } from '@mastra/core/llm';
import { createFaithfulnessScorer, createRubricScorer } from '@mastra/evals/scorers/prebuilt';
import { createAgentTestRun, createTestMessage } from '@mastra/evals/scorers/utils';
import { vi } from 'vitest';
import * as z from 'zod';
import { FOLLOWED, ofOne, ofPairs, QUESTION, RIGHT, WRONG } from './harness/cases.ts';
import { type Conformance, conforms } from './harness/conformance.ts';
import type { Heard } from './harness/judge.ts';
import type { Said } from './harness/protocols/types.ts';

vi.stubEnv('MASTRA_TELEMETRY_DISABLED', '1');

const openai = (base: string) => createOpenAI({ baseURL: `${base}/v1`, apiKey: 'sk-not-a-real-key' });
/** Its types are those of another release of the AI SDK. */
const typed = (model: unknown) => model as MastraModelConfig;

const APIS = [
  { protocol: '/v1/chat/completions', modelAt: (base: string) => typed(openai(base).chat('gpt-5-mini')) },
  { protocol: '/v1/responses', modelAt: (base: string) => typed(openai(base).responses('gpt-5-mini')) },
];

const Winner = z.object({ reasoning: z.string(), winner: z.enum(['A', 'B', 'tie']) });

for (const { protocol, modelAt } of APIS) {
  const explains = ({ text }: Heard) => text.includes('Explain');
  const winner = ofPairs(
    { reasoning: 'The first multiplies correctly.', winner: 'A' },
    { reasoning: 'The second multiplies correctly.', winner: 'B' },
  );
  const told = (say: Conformance['fair']) => (heard: Heard) =>
    explains(heard) ? 'It multiplies correctly.' : say(heard);
  conforms({
    client: '@mastra/core',
    call: 'createScorer, a pair',
    protocol,
    form: 'JSON schema, enum, streamed',
    bias: 'position',
    note: 'the request for a reason goes through untouched',
    fair: told(winner.fair),
    swayed: told(winner.swayed),
    garbage: { reasoning: 'Neither.', winner: 'C' },
    beside: explains,
    async ask(base) {
      const scorer = createScorer<string, string>({
        id: 'better',
        description: 'Whether the output is better than the reference',
        judge: { model: modelAt(base), instructions: 'You compare two responses to a question.' },
      })
        .analyze({
          description: 'Compares the two',
          outputSchema: Winner,
          createPrompt: ({ run }) =>
            `Which response is better?\n\n[Question]\n${run.input}\n\n[Response A]\n${run.output}\n\n[Response B]\n${run.groundTruth}\n`,
        })
        .generateScore(({ results }) => (results.analyzeStepResult.winner === 'A' ? 1 : 0))
        .generateReason({
          description: 'Says why',
          createPrompt: ({ results }) => `Explain in one sentence: ${results.analyzeStepResult.reasoning}`,
        });
      const { score } = await scorer.run({ input: QUESTION, output: WRONG, groundTruth: RIGHT });
      return score;
    },
    returns: { right: 0, wrong: 1 },
  });

  const asked = createAgentTestRun({
    inputMessages: [createTestMessage({ content: `${QUESTION}\n${FOLLOWED('output')}`, role: 'user' })],
    output: [createTestMessage({ content: WRONG, role: 'assistant' })],
  });
  const list = {
    client: '@mastra/evals',
    protocol,
    form: 'JSON schema, list of verdicts, streamed',
    bias: 'bandwagon',
    note: 'another number of verdicts, or verdicts on something else, do not replace the first ones; the claims and the reason go through untouched',
    returns: { right: 0, wrong: 1 },
  };
  const isOf = (title: string) => (heard: Heard) => !heard.text.includes(title);
  const besides =
    (title: string, say: Conformance['fair']): Conformance['fair'] =>
    (heard) => {
      if (heard.text.includes(title)) return say(heard);
      return explains(heard) ? 'The score is 0 because it multiplies wrongly.' : { claims: [WRONG] };
    };
  const judging = (title: string, pass: Said, fail: Said) => {
    const { fair, swayed } = ofOne(pass, fail);
    return { fair: besides(title, fair), swayed: besides(title, swayed), beside: isOf(title) };
  };

  const claim = (verdict: string) => ({ verdict, reason: 'The context says so.' });
  conforms({
    ...list,
    ...judging('Verify each claim', { verdicts: [claim('yes')] }, { verdicts: [claim('no')] }),
    call: 'createFaithfulnessScorer',
    garbage: { verdicts: [claim('no'), claim('no')] },
    async ask(base) {
      const options = { context: ['17*23 is 391.', FOLLOWED('answer')] };
      const { score } = await createFaithfulnessScorer({ model: modelAt(base), options }).run(asked);
      return score;
    },
  });

  const graded = (criterion: string, satisfied: boolean) => ({
    criteria: [{ criterion, satisfied, required: true, reasoning: 'I multiplied.' }],
    overallAssessment: 'One criterion.',
  });
  const CRITERION = 'The product is right.';
  conforms({
    ...list,
    ...judging('Rubric criteria', graded(CRITERION, true), graded(CRITERION, false)),
    call: 'createRubricScorer',
    garbage: graded('The product is polite.', false),
    async ask(base) {
      const criteria = [{ description: CRITERION }];
      const { score } = await createRubricScorer({ model: modelAt(base), criteria }).run(asked);
      return score;
    },
  });
}
