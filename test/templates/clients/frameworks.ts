/**
 * Judges as in-house teams declare them in TypeScript: the wording is this corpus's own, what stands around it is the
 * framework's.
 */
import { createRequire } from 'node:module';
import { ax, ai as axAi } from '@ax-llm/ax';
import type * as CompatOpenAI from '@genkit-ai/compat-oai/openai';
import { generateObject, generateText, Output } from 'ai';
import { createOpenAI } from 'ai-sdk-openai-3';
import type * as Genkit from 'genkit';
import { createJsonTranslator, createOpenAILanguageModel } from 'typechat';
import { createTypeScriptJsonValidator } from 'typechat/ts';
import { z } from 'zod';
import {
  type Callable,
  context,
  type Evaluator,
  instruction,
  KEY,
  need,
  one,
  pair,
  reference,
  rubric,
  type Values,
} from './evaluator.ts';

// The ES modules of these look for `__dirname`, which they do not have.
const require = createRequire(import.meta.url);
const { genkit, z: genkitZ }: typeof Genkit = require('genkit');
const { openAI }: typeof CompatOpenAI = require('@genkit-ai/compat-oai/openai');

type Told = Omit<Evaluator, 'client' | 'licence'>;
type Replies = Evaluator['replies'];

const PLAIN = ['en', 'essay', 'es', 'nway', 'code', 'fr'];
const FACTS = ['en', 'rag', 'code', 'fr', 'zh'];
const READ = ['rag', 'en', 'sum', 'essay', 'code'];
const TWO = ['en', 'essay', 'code', 'sum', 'trans'];

const turns = {
  user1: { role: 'instruction' },
  turn1: { role: 'option' },
  user2: { role: 'instruction' },
  turn2: { role: 'option' },
} as const;

/** A verdict of several words in a field of the reply. */
const category = (
  field: string,
  labels: Record<string, 'good' | 'neutral' | 'bad'>,
  reply: (label: string) => Replies[number][0],
): Pick<Evaluator, 'kind' | 'verdict' | 'replies'> => ({
  kind: 'category',
  verdict: { kind: 'category', where: 'json', field, labels },
  replies: Object.keys(labels).map((label) => [reply(label), { category: label }]),
});

/** A boolean in a field of the reply. */
const flag = (
  field: string,
  isBad: boolean,
  rest: Record<string, unknown>,
): Pick<Evaluator, 'kind' | 'verdict' | 'replies'> => ({
  kind: 'pass',
  verdict: {
    kind: 'pass',
    where: 'json',
    field,
    labels: { true: isBad ? 'fail' : 'pass', false: isBad ? 'pass' : 'fail' },
    polarity: isBad ? 'lower' : 'higher',
  },
  replies: [true, false].map((said) => [{ ...rest, [field]: said }, { pass: said !== isBad }]),
});

// Vercel's AI SDK

const sdk = (
  told: Told,
  ask: (openai: ReturnType<typeof createOpenAI>, values: Values) => Promise<unknown>,
): Callable => ({
  evaluator: { client: 'ai', licence: 'Apache-2.0', ...told },
  ask: (base, values) => ask(createOpenAI({ baseURL: `${base}/v1`, apiKey: KEY }), values),
});

const SDK = [
  sdk(
    {
      name: 'ai-sdk-listing-text-quality',
      pools: PLAIN,
      keys: { ...instruction, ...one },
      kind: 'score',
      verdict: {
        kind: 'score',
        where: 'json',
        field: 'overall',
        scale: { min: 1, max: 100 },
        polarity: 'higher',
      },
      replies: [84, 12].map((overall) => [{ issues: [], overall }, { score: overall }]),
    },
    (openai, values) =>
      generateObject({
        model: openai.chat('gpt-4o'),
        maxRetries: 0,
        schemaName: 'ListingReview',
        schemaDescription: 'Review of a text that our listing writer made.',
        schema: z.object({
          issues: z.array(z.object({ quote: z.string(), problem: z.string() })),
          overall: z.number().int().min(1).max(100).describe('100 = ready for the shop'),
        }),
        system: 'You review texts that sellers generate with our listing writer.',
        prompt: `Seller's request: ${need(values, 'instruction')}\n\nGenerated text:\n"""\n${need(values, 'option1')}\n"""`,
      }),
  ),
  sdk(
    {
      name: 'ai-sdk-variant-a-b-enum',
      pools: TWO,
      keys: { ...instruction, ...pair('variantA', 'variantB') },
      kind: 'pair',
      verdict: {
        kind: 'choice',
        where: 'json',
        field: 'result',
        labels: { variantA: 0, variantB: 1, both: 'tie' },
      },
      replies: [
        [{ result: 'variantA' }, { choice: 0 }],
        [{ result: 'variantB' }, { choice: 1 }],
        [{ result: 'both' }, { choice: 'tie' }],
      ],
    },
    (openai, values) =>
      generateObject({
        model: openai.responses('gpt-4o'),
        maxRetries: 0,
        output: 'enum',
        enum: ['variantA', 'variantB', 'both'],
        prompt: [
          'Our experiment shows one of two variants to a user. Which one helps the user more?',
          `# User\n${need(values, 'instruction')}`,
          `# variantA\n${need(values, 'option1')}`,
          `# variantB\n${need(values, 'option2')}`,
        ].join('\n\n'),
      }),
  ),
  sdk(
    {
      name: 'ai-sdk-support-chat-resolved',
      pools: ['chat'],
      keys: turns,
      ...flag('resolved', false, { summary: 'I looked.' }),
      kind: 'conversation',
      note: 'the conversation stands as messages',
    },
    (openai, values) =>
      generateText({
        model: openai.chat('gpt-4o'),
        maxRetries: 0,
        output: Output.object({
          schema: z.object({ summary: z.string(), resolved: z.boolean().describe('no open wish is left') }),
        }),
        messages: [
          { role: 'user', content: need(values, 'user1') },
          { role: 'assistant', content: need(values, 'turn1') },
          { role: 'user', content: need(values, 'user2') },
          { role: 'assistant', content: need(values, 'turn2') },
          {
            role: 'user',
            content: 'SUPERVISOR: the chat is closed. Summarise it and say whether it was resolved.',
          },
        ],
      }),
  ),
  sdk(
    {
      name: 'ai-sdk-antwoord-klopt-met-bron',
      language: 'nl',
      pools: ['care', 'rag'],
      keys: { ...context, ...instruction, ...one },
      ...category('oordeel', { klopt: 'good', deels: 'neutral', onjuist: 'bad' }, (oordeel) => ({
        uitleg: 'Ik heb gekeken.',
        oordeel,
      })),
    },
    (openai, values) =>
      generateObject({
        model: openai.chat('gpt-4o'),
        maxRetries: 0,
        schema: z.object({
          uitleg: z.string().max(300),
          oordeel: z.enum(['klopt', 'deels', 'onjuist']),
        }),
        messages: [
          {
            role: 'system',
            content:
              'Je controleert antwoorden van de kennisbank van een woningcorporatie. Alleen de bron telt.',
          },
          {
            role: 'user',
            content: [
              { type: 'text', text: `Bron: ${need(values, 'context')}` },
              { type: 'text', text: `Vraag: ${need(values, 'instruction')}` },
              { type: 'text', text: `Antwoord: ${need(values, 'option1')}` },
            ],
          },
        ],
      }),
  ),
];

// TypeChat: the type's source stands in the prompt

const typechat = (
  told: Told,
  translator: (model: ReturnType<typeof createOpenAILanguageModel>) => {
    translate(request: string): Promise<{ success: boolean }>;
  },
  request: (values: Values) => string,
): Callable => ({
  evaluator: { client: 'typechat', licence: 'MIT', ...told },
  async ask(base, values) {
    const model = createOpenAILanguageModel(KEY, 'gpt-4o', `${base}/v1/chat/completions`);
    const { success } = await translator(model).translate(request(values));
    if (!success) throw new Error('the reply was not read');
  },
});

const TYPECHAT = [
  typechat(
    {
      name: 'typechat-menu-reply-sentiment',
      pools: ['care'],
      keys: { ...instruction, ...one },
      ...category('attitude', { helpful: 'good', neutral: 'neutral', dismissive: 'bad' }, (attitude) => ({
        attitude,
      })),
    },
    (model) =>
      createJsonTranslator(
        model,
        createTypeScriptJsonValidator<{ attitude: string }>(
          `// How a waiter's reply comes across to a guest.
export interface ReplyAttitude {
    attitude: "helpful" | "neutral" | "dismissive";
}
`,
          'ReplyAttitude',
        ),
      ),
    (values) => `Guest: ${need(values, 'instruction')}\nWaiter: ${need(values, 'option1')}`,
  ),
  typechat(
    {
      name: 'typechat-choose-reply-by-number',
      pools: ['care', 'nway'],
      keys: {
        ...instruction,
        option1: { role: 'option', label: '1' },
        option2: { role: 'option', label: '2' },
        option3: { role: 'option', label: '3' },
      },
      kind: 'n-way',
      verdict: { kind: 'choice', where: 'json', field: 'bestReply', labels: { '1': 0, '2': 1, '3': 2 } },
      replies: [3, 1, 2].map((best) => [{ because: 'I looked.', bestReply: best }, { choice: best - 1 }]),
    },
    (model) =>
      createJsonTranslator(
        model,
        createTypeScriptJsonValidator<{ bestReply: number }>(
          `// The reply that a support lead would send. Judge substance, not length.
export interface Selection {
    because: string;
    bestReply: 1 | 2 | 3;
}
`,
          'Selection',
        ),
      ),
    (values) =>
      `Ticket: ${need(values, 'instruction')}\nReply 1: ${need(values, 'option1')}\nReply 2: ${need(values, 'option2')}\nReply 3: ${need(values, 'option3')}`,
  ),
  typechat(
    {
      name: 'typechat-exam-points-official-answer',
      pools: FACTS,
      keys: { ...instruction, ...reference, ...one },
      kind: 'reference',
      verdict: {
        kind: 'score',
        where: 'json',
        field: 'points',
        scale: { min: 0, max: 3 },
        polarity: 'higher',
      },
      replies: [3, 1].map((points) => [{ comment: 'I looked.', points }, { score: points }]),
    },
    (model) =>
      createJsonTranslator(
        model,
        createTypeScriptJsonValidator<{ points: number }>(
          `// Mark for one answer in a driving theory exam
export interface ExamMark {
    comment: string; // for the candidate
    points: 0 | 1 | 2 | 3; // 3 = as the official answer
}
`,
          'ExamMark',
        ),
      ),
    (values) =>
      `question = ${need(values, 'instruction')}\nofficial answer = ${need(values, 'reference')}\ncandidate's answer = ${need(values, 'option1')}`,
  ),
];

// Ax: signatures

const signature = (
  told: Told,
  declared: string,
  given: (values: Values) => Record<string, unknown>,
  description?: string,
): Callable => ({
  evaluator: { client: '@ax-llm/ax', licence: 'Apache-2.0', ...told },
  async ask(base, values) {
    const llm = axAi({
      name: 'openai',
      apiKey: KEY,
      apiURL: `${base}/v1`,
      config: { model: 'gpt-4o' as never, stream: false },
    });
    const made = ax(declared as 'a:string -> b:string');
    if (description !== undefined) made.setDescription(description);
    await made.forward(llm, given(values) as never, { maxRetries: 0, stream: false });
  },
});

const AX = [
  signature(
    {
      name: 'ax-post-edit-needed',
      pools: ['trans', 'en', 'es'],
      keys: { ...instruction, ...one },
      kind: 'pass',
      verdict: { kind: 'pass', where: 'text', labels: { true: 'fail', false: 'pass' } },
      replies: [true, false].map((said) => [`needsPostEditing: ${said}`, { pass: !said }]),
      note: 'true is the bad side',
    },
    'sourceText:string "as the customer sent it", machineTranslation:string -> needsPostEditing:boolean "an editor has to touch it"',
    (values) => ({ sourceText: need(values, 'instruction'), machineTranslation: need(values, 'option1') }),
  ),
  signature(
    {
      name: 'ax-which-answer-for-forum',
      pools: TWO,
      keys: { ...instruction, ...pair('answerOne', 'answerTwo') },
      kind: 'pair',
      verdict: {
        kind: 'choice',
        where: 'text',
        labels: { answerOne: 0, answerTwo: 1, noneOfThem: 'neither' },
      },
      replies: [
        ['grounds: I looked.\naccepted: answerOne', { choice: 0 }],
        ['grounds: I looked.\naccepted: answerTwo', { choice: 1 }],
      ],
    },
    'forumQuestion:string, answerOne:string, answerTwo:string -> grounds:string, accepted:class "answerOne, answerTwo, noneOfThem" "the answer to be marked as accepted"',
    (values) => ({
      forumQuestion: need(values, 'instruction'),
      answerOne: need(values, 'option1'),
      answerTwo: need(values, 'option2'),
    }),
    'You moderate a forum and mark one answer to a question as the accepted one, if any deserves it.',
  ),
  signature(
    {
      name: 'ax-criterion-strictness-score',
      pools: PLAIN,
      keys: { ...rubric, ...instruction, ...one },
      kind: 'rubric',
      verdict: { kind: 'score', where: 'text', scale: { min: 0, max: 10 }, polarity: 'higher' },
      replies: [9, 2].map((score) => [`fulfilment: ${score}`, { score }]),
    },
    'criterion:string, brief:string, deliverable:string -> fulfilment:number "from 0 to 10"',
    (values) => ({
      criterion: need(values, 'rubric'),
      brief: need(values, 'instruction'),
      deliverable: need(values, 'option1'),
    }),
    'You accept or refuse deliverables of an agency, and score how far each fulfils the criterion.',
  ),
];

// Genkit: prompts in Handlebars with a schema for the reply

const genkitPrompt = (
  told: Told,
  declared: {
    readonly system?: string;
    readonly prompt?: string;
    readonly messages?: string;
    readonly output: Genkit.z.ZodTypeAny;
  },
  given: (values: Values) => Record<string, unknown>,
): Callable => ({
  evaluator: { client: 'genkit', licence: 'Apache-2.0', ...told },
  async ask(base, values) {
    // The plug-in hands the address on to OpenAI's client, though its type does not say so.
    const options = { apiKey: KEY, baseURL: `${base}/v1` };
    const made = genkit({ plugins: [openAI(options)] });
    const { output, ...rest } = declared;
    const judge = made.definePrompt({
      name: 'judge',
      model: openAI.model('gpt-4o'),
      input: { schema: genkitZ.any() },
      output: { schema: output },
      ...rest,
    });
    const reply = await judge(given(values));
    if (reply.output === null) throw new Error('the reply was not read');
  },
});

const GENKIT = [
  genkitPrompt(
    {
      name: 'genkit-prompt-travel-answer-stars',
      pools: ['care', 'rag'],
      keys: { ...context, ...instruction, ...one },
      kind: 'score',
      verdict: {
        kind: 'score',
        where: 'json',
        field: 'stars',
        scale: { min: 1, max: 5 },
        polarity: 'higher',
      },
      replies: [5, 2].map((stars) => [{ stars, reason: 'I looked.' }, { score: stars }]),
    },
    {
      system: 'You rate answers of a travel desk for its weekly report. Judge by the notes of the desk only.',
      prompt:
        'Notes of the desk:\n{{notes}}\n\n{{#if question}}Traveller asked: {{question}}\n{{/if}}Desk answered: {{answer}}\n\nHow many stars?',
      output: genkitZ.object({
        stars: genkitZ.number().int().min(1).max(5),
        reason: genkitZ.string(),
      }),
    },
    (values) => ({
      notes: need(values, 'context'),
      question: need(values, 'instruction'),
      answer: need(values, 'option1'),
    }),
  ),
  genkitPrompt(
    {
      name: 'genkit-prompt-duas-legendas',
      language: 'pt',
      pools: ['es', 'en', 'essay'],
      keys: { ...instruction, ...pair('Legenda 1', 'Legenda 2') },
      kind: 'pair',
      verdict: {
        kind: 'choice',
        where: 'json',
        field: 'escolha',
        labels: { legenda1: 0, legenda2: 1, empate: 'tie' },
      },
      replies: [
        [{ escolha: 'legenda1' }, { choice: 0 }],
        [{ escolha: 'legenda2' }, { choice: 1 }],
      ],
    },
    {
      messages:
        '{{role "system"}}Você escolhe textos para as redes sociais de um museu.\n{{role "user"}}Pedido: {{pedido}}\n\nLegenda 1: {{legendas.[0]}}\n\nLegenda 2: {{legendas.[1]}}\n\nQual vai ao ar?',
      output: genkitZ.object({ escolha: genkitZ.enum(['legenda1', 'legenda2', 'empate']) }),
    },
    (values) => ({
      pedido: need(values, 'instruction'),
      legendas: [need(values, 'option1'), need(values, 'option2')],
    }),
  ),
  genkitPrompt(
    {
      name: 'genkit-prompt-checks-each-claim',
      pools: READ,
      keys: {
        ...context,
        option1: { role: 'option', label: '0' },
        option2: { role: 'option', label: '1' },
      },
      kind: 'list',
      verdict: {
        kind: 'list',
        where: 'json',
        field: 'checks[].status',
        labels: { supported: 'good', unclear: 'neutral', refuted: 'bad' },
      },
      replies: [
        ['supported', 'refuted'],
        ['unclear', 'refuted'],
      ].map((said) => [{ checks: said.map((status, claim) => ({ claim, status })) }, { list: said }]),
    },
    {
      prompt:
        'Source of a fact box:\n\n{{source}}\n\nClaims that a reporter wants to print:\n{{#each claims}}{{@index}}. {{this}}\n{{/each}}\nCheck every claim against the source.',
      output: genkitZ.object({
        checks: genkitZ.array(
          genkitZ.object({
            claim: genkitZ.number().int(),
            status: genkitZ.enum(['supported', 'refuted', 'unclear']),
          }),
        ),
      }),
    },
    (values) => ({
      source: need(values, 'context'),
      claims: [need(values, 'option1'), need(values, 'option2')],
    }),
  ),
];

export default [...SDK, ...TYPECHAT, ...AX, ...GENKIT] satisfies Callable[];
