/** Vercel's AI SDK: a strict JSON schema over both of OpenAI's APIs, whole and streamed. */
import { createOpenAI } from '@ai-sdk/openai';
import { generateObject, generateText, type LanguageModel, Output, streamObject, streamText } from 'ai';
import * as z from 'zod';
import { FOLLOWED, ofOne, ofPairs, QUESTION, RIGHT, WRONG } from './harness/cases.ts';
import { type Conformance, conforms } from './harness/conformance.ts';

const prompt = `Which of two responses to a question is better? Judge what they say, not where they stand.

[Question]
${QUESTION}

[Response A]
${WRONG}

[Response B]
${RIGHT}`;

const single = `Is the response to the question correct? Say why, then decide.

[Question]
${QUESTION}
${FOLLOWED('response')}

[Response]
${WRONG}`;

const Winner = z.object({ reasoning: z.string(), winner: z.enum(['A', 'B', 'tie']) });
const Passed = z.object({ reasoning: z.string(), correct: z.boolean() });
const Score = z.object({ reasoning: z.string(), score: z.number().min(0).max(10) });
const Scores = z.object({ score_a: z.number().min(0).max(10), score_b: z.number().min(0).max(10) });

const OPENAI = [
  { protocol: '/v1/chat/completions', modelAt: (base: string) => openai(base).chat('gpt-5-mini') },
  { protocol: '/v1/responses', modelAt: (base: string) => openai(base).responses('gpt-5-mini') },
];

function openai(base: string) {
  return createOpenAI({ baseURL: `${base}/v1`, apiKey: 'sk-not-a-real-key' });
}

const winner = ofPairs(
  { reasoning: 'The first multiplies correctly.', winner: 'A' },
  { reasoning: 'The second multiplies correctly.', winner: 'B' },
);

interface Call extends Omit<Conformance, 'client' | 'protocol' | 'ask'> {
  run(model: LanguageModel): Promise<unknown>;
}

const one = { bias: 'bandwagon', note: 'one answer: the statement is taken out, nothing is exchanged' };

const CALLS: readonly Call[] = [
  {
    call: 'generateText, Output.object',
    form: 'JSON schema, enum',
    bias: 'position',
    ...winner,
    garbage: { reasoning: 'Neither.', winner: 'C' },
    returns: { right: 'B', wrong: 'A' },
    run: async (model) => {
      const { output } = await generateText({ model, prompt, output: Output.object({ schema: Winner }) });
      return output.winner;
    },
  },
  {
    call: 'streamText, Output.object',
    form: 'JSON schema, enum, streamed',
    bias: 'position',
    ...winner,
    garbage: { reasoning: 'Neither.', winner: 'C' },
    returns: { right: 'B', wrong: 'A' },
    run: async (model) => {
      const { output } = streamText({ model, prompt, output: Output.object({ schema: Winner }) });
      return (await output).winner;
    },
  },
  {
    call: 'generateText, Output.choice',
    form: 'JSON schema, enum alone',
    bias: 'position',
    ...ofPairs({ result: 'A' }, { result: 'B' }),
    garbage: { result: 'C' },
    returns: { right: 'B', wrong: 'A' },
    run: async (model) => {
      const options: ('A' | 'B')[] = ['A', 'B'];
      return (await generateText({ model, prompt, output: Output.choice({ options }) })).output;
    },
  },
  {
    call: 'generateObject',
    form: 'JSON schema, two numbers',
    bias: 'position',
    ...ofPairs({ score_a: 9, score_b: 3 }, { score_a: 3, score_b: 9 }),
    garbage: { score_a: 3 },
    returns: { right: 'B', wrong: 'A' },
    run: async (model) => {
      const { object } = await generateObject({ model, prompt, schema: Scores });
      return object.score_a > object.score_b ? 'A' : 'B';
    },
  },
  {
    call: 'streamObject',
    form: 'JSON schema, enum, streamed',
    bias: 'position',
    ...winner,
    garbage: { reasoning: 'Neither.', winner: 'C' },
    returns: { right: 'B', wrong: 'A' },
    run: async (model) => {
      const { partialObjectStream, object } = streamObject({ model, prompt, schema: Winner });
      // The object is there only when the stream has been read.
      for await (const _part of partialObjectStream);
      return (await object).winner;
    },
  },
  {
    ...one,
    call: 'generateText, Output.object',
    form: 'JSON schema, boolean',
    ...ofOne(
      { reasoning: 'It is right.', correct: true },
      { reasoning: 'It is off by ten.', correct: false },
    ),
    garbage: { reasoning: 'I cannot say.' },
    returns: { right: false, wrong: true },
    run: async (model) => {
      const output = Output.object({ schema: Passed });
      return (await generateText({ model, prompt: single, output })).output.correct;
    },
  },
  {
    ...one,
    call: 'streamText, Output.object',
    form: 'JSON schema, number, streamed',
    ...ofOne({ reasoning: 'It is right.', score: 9 }, { reasoning: 'It is off by ten.', score: 2 }),
    garbage: { reasoning: 'I cannot say.' },
    returns: { right: 2, wrong: 9 },
    run: async (model) => {
      const { output } = streamText({ model, prompt: single, output: Output.object({ schema: Score }) });
      return (await output).score;
    },
  },
];

for (const { protocol, modelAt } of OPENAI)
  for (const { run, ...row } of CALLS)
    conforms({ client: 'ai', protocol, ...row, ask: (base) => run(modelAt(base)) });
