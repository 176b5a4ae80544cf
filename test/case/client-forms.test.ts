/** Public clients' templates for several options: the form that is found, what is read in it, and its mirror image. */
import { test } from 'vitest';
import { readVerdict } from '../../src/case/verdict.ts';
import { expectLinear } from '../cost.ts';
import {
  ARENA,
  ARENA_PAIR,
  answersOf,
  type Client,
  chat,
  choice,
  JUDGE,
  none,
  object,
  scores,
} from './client-rows.ts';
import { expectMirrored } from './mirrored.ts';
import { found, prompt } from './requests.ts';

const FIVE = { template: '[[{}]]', labels: ['A>B', 'B>A'], strong: ['A>>B', 'B>>A'] };
const BATTLE =
  'You are comparing two responses to the following two instructions.\n\n[Instruction 1]\nSay hi.\n[Response 1]\nHi.\n\n[Instruction 2]\nSay hi.\n[Response 2]\nHey.\n\n\nIs the first response better than the second? You must provide one answer based on your subjective view.';
const LMSYS =
  'We would like to request your feedback on the performance of two AI assistants in response to the user question displayed above.\nPlease rate the helpfulness, relevance, accuracy, level of details of their responses. Each assistant receives an overall score on a scale of 1 to 10, where a higher score indicates better overall performance.\nPlease first output a single line containing only two values indicating the scores for Assistant 1 and 2, respectively. The two scores are separated by a space.';
const pairs: Record<string, Client> = {
  'arena-hard': {
    request: chat(ARENA, ARENA_PAIR),
    form: { write: { ...FIVE, rule: 'last' }, tie: '[[A=B]]' },
    replies: [
      ['My final verdict is: [[A>>B]]', choice(0, 'strong')],
      ['[[B>A]]', choice(1, 'slight')],
      ['**[[B>>A]]**', choice(1, 'strong')],
      ['My final verdict is tie: [[A=B]].', { kind: 'tie' }],
      ['At first [[A>B]]. After all: [[B>A]]', choice(1, 'slight')],
      ['[[A<B]]', choice(1, 'slight')],
      ['[[A>B]], or rather [[A]]', none('no-label')],
      ['Assistant A is significantly better.', none('no-label')],
      ['[[A>C]]', none('no-label')],
      ['<think>[[A>B]]</think>I cannot say.', none('contradictory')],
    ],
  },
  'five labels of a template that is not known': {
    request: chat(ARENA.replace(/Example.*/, ''), ARENA_PAIR),
    form: { write: { ...FIVE, rule: 'unique' }, tie: '[[A=B]]' },
    replies: [
      ['[[A>B]] … [[A>B]]', choice(0, 'slight')],
      ['At first [[A>B]]. After all: [[B>A]]', none('contradictory')],
    ],
  },
  'three labels with a sign': {
    request: chat(`${JUDGE} Answer [[A>B]], [[A=B]] or [[B>A]].`, answersOf(['A', 'B'])),
    form: { write: { template: '[[{}]]', labels: ['A>B', 'B>A'], rule: 'unique' }, tie: '[[A=B]]' },
    replies: [['[[B>A]]', choice(1, 'slight')]],
  },
  FastChat: {
    request: chat(
      `${JUDGE} Output your final verdict by strictly following this format: "[[A]]" if assistant A is better, "[[B]]" if assistant B is better, and "[[C]]" for a tie.`,
      answersOf(['A', 'B']),
    ),
    form: { write: { template: '[[{}]]', labels: ['A', 'B'], rule: 'priority' }, tie: '[[C]]' },
    replies: [
      ['[[B]] is tempting, [[A]] is right.', choice(0)],
      ['Not [[A]]. [[B]]', choice(0)],
      ['[[C]], or [[B]]', choice(1)],
      ['[[C]]', { kind: 'tie' }],
      ['Assistant A is better.', none('no-label')],
      ['[[ A ]]', none('no-label')],
      ['<think>Perhaps [[A]].</think>[[B]]', none('contradictory')],
    ],
  },
  'LangChain, which took that template over': {
    request: chat(
      `${JUDGE} For this evaluation, you should primarily consider the following criteria:\nhelpfulness: …\nOutput your final verdict by strictly following this format: "[[A]]" if assistant A is better, "[[B]]" if assistant B is better, and "[[C]]" for a tie.`,
      answersOf(['A', 'B']),
    ),
    form: { write: { template: '[[{}]]', labels: ['A', 'B'], rule: 'unique' }, tie: '[[C]]' },
    replies: [
      ['Reasons.\n[[B]]', choice(1)],
      ['Not [[A]].\n[[B]]', none('contradictory')],
    ],
  },
  'Summary (autoevals)': {
    request: prompt(
      'You are comparing a submitted summary of a given text to an expert summary. Here is the data:\n[BEGIN DATA]\n************\n[Text]: A long day.\n************\nA: It was long.\n\nA: Very.\n************\nB: A day.\n************\n[END DATA]\n\nCompare summary A with summary B. Determine which summary better describes the original text.',
    ),
    schema: object({ reasons: { type: 'string' }, choice: { enum: ['A', 'B'] } }),
    form: { write: { template: '{}', labels: ['A', 'B'] }, field: 'choice' },
    replies: [['{"reasons": "A is long", "choice": "B"}', choice(1)]],
  },
  'LangChain in JavaScript': {
    request: prompt(
      `Act as a fair judge of the two responses to the question below. Make your final decision using this format: "[[A]]" if assistant A is better, "[[B]]" if assistant B is better, and "[[C]]" for a tie. Finally, repeat the decision again on its own on a new line.\n\n[QUESTION]\nHi?\n[/QUESTION]\n\n[RESPONSE A]\nHi.\n[/RESPONSE A]\n\n[RESPONSE B]\nHey.\n[/RESPONSE B]`,
    ),
    form: { write: { template: '[[{}]]', labels: ['A', 'B'], rule: 'end' }, tie: '[[C]]' },
    replies: [
      ['[[A]] at first.\n[[B]]', choice(1)],
      ['[[C]]', { kind: 'tie' }],
      ['My decision is [[B]]', none('no-label')],
      ['[[B]]\n\nThank you.', none('no-label')],
    ],
  },
  prometheus: {
    request: prompt(
      '###Task Description:\nTwo responses to evaluate (denoted as Response A and Response B) are given. The output format should look as follows: "Feedback: (write a feedback for criteria) [RESULT] (Either "A" or "B")"\n\n###Instruction:\nSay hi.\n\n###Response A:\nHi.\n\n###Response B:\nHey.\n\n###Score Rubric:\nIs it friendly?\n\n###Feedback: ',
    ),
    form: { write: { template: '[RESULT] {}', labels: ['A', 'B'], rule: 'end' } },
    replies: [
      ['Response A is warm. [RESULT] A', choice(0)],
      ['Not [RESULT] A.\n[RESULT] B\n', choice(1)],
      ['[RESULT] B because it is warm', none('no-label')],
      ['[RESULT] B.', none('no-label')],
    ],
  },
  'Battle, in words (openai/evals)': {
    request: prompt(`${BATTLE}\n\nAnswer "Yes" or "No".`),
    form: { write: { template: '{}', labels: ['Yes', 'No'], rule: 'unique' }, field: null },
    replies: [
      ['Yes', choice(0)],
      ['No', choice(1)],
      ['No, Response 1 is better in no way.', choice(1)],
      ['The first response is better in tone only.\n\nNo', choice(1)],
      ['Yes, at first sight.\nNo', none('contradictory')],
      ['The first response is better.', none('no-label')],
      ['No, at first.\n\nYes\n\nThank you.', none('contradictory')],
      ['Yes or No', none('no-label')],
    ],
  },
  'Battle, reasons first (openai/evals)': {
    request: prompt(
      `${BATTLE}\n\nFirst, write out your reasoning. Then print only a single choice from "Yes" or "No" (without quotes or punctuation) on its own line corresponding to the correct answer. At the end, repeat just the answer by itself on a new line.\n\nReasoning:`,
    ),
    form: { write: { template: '{}', labels: ['Yes', 'No'], rule: 'last' } },
    replies: [
      ['No doubt about the tone.\n\nYes\n\nYes', choice(0)],
      ['Yes, at first sight.\nNo.\n\nThank you.', choice(1)],
      ['Response 1 is better.', none('no-label')],
    ],
  },
  'Best of a numbered list, verdict first (openai/evals)': {
    request: prompt(
      'Which of these 2 texts is the best response to the instruction?\n\nInstruction: Say hi.\n\nResponses:\n1. Hi.\n\n2. Hey.\n\nFirst, answer by printing a single choice from "1" or "2" (without quotes). Then, from the next line, explain.',
    ),
    form: { write: { template: '{}', labels: ['1', '2'], rule: 'unique' } },
    replies: [
      ['2\nIt is the warmer of the 2 texts, not 1 of many.', choice(1)],
      ['1.\nText 2', none('contradictory')],
      ['The second.', none('no-label')],
    ],
  },
  'Best of a numbered list, reasons first (openai/evals)': {
    request: prompt(
      'Which of these 2 texts is the best response to the instruction?\n\nInstruction: Say hi.\n\nResponses:\n1. Hi.\n\n2. Hey.\n\nFirst, write out your reasoning. Then print only a single choice from "1" or "2" (without quotes or punctuation) on its own line. At the end, repeat just the answer by itself on a new line.\n\nReasoning:',
    ),
    form: { write: { template: '{}', labels: ['1', '2'], rule: 'last' } },
    replies: [
      ['1. Hi is short.\n2. Hey is shorter.\n\n1\n\n1', choice(0)],
      ['Of 3 reasons, 1 counts.\n\n2', choice(1)],
      ['Neither.', none('neither')],
    ],
  },
  'Battle, a forced tool (autoevals)': {
    request: prompt(BATTLE),
    schema: object({ reasons: { type: 'string' }, choice: { type: 'string', enum: ['Yes', 'No'] } }),
    form: { write: { template: '{}', labels: ['Yes', 'No'], rule: 'unique' }, field: 'choice' },
    replies: [
      ['{"reasons": "The second is better", "choice": "Yes"}', choice(0)],
      ['{"choice": "No", "reasons": "Response 1 is better"}', choice(1)],
      ['{"choice": "no"}', none('no-label')],
      ['{"choice": "Yes"} {"choice": "No"}', none('contradictory')],
      ['{"reasons": "x", "cho', none('truncated')],
    ],
  },
  'two numbers on the first line (lmsys, JudgeLM)': {
    request: prompt(`[Question]\nHi?\n\n${answersOf(['1', '2'], '').trim()}\n\n[System]\n${LMSYS}`),
    form: { kind: 'scores', min: 1, max: 10, template: '{} {}' },
    replies: [
      ['9 6', scores(9, 6)],
      ['9, 6\nAssistant 1 is kinder.', scores(9, 6)],
      ['7.5 8\n\nScores were 3 and 4 at first.', scores(7.5, 8)],
      ['7 7', scores(7, 7)],
      ['9', none('no-label')],
      ['9 6 3', none('no-label')],
      ['Assistant 1: 9\nAssistant 2: 6', none('no-label')],
      ['11 6', none('off-scale')],
      ['The first gets 9.\n9 6', none('no-label')],
    ],
  },
  'two ratings in brackets (FastChat)': {
    request: chat(
      `${JUDGE} Rate both on a scale of 1 to 10, strictly in this form: "[[rating_a,rating_b]]", for example "Rating: [[8,6]]".`,
      answersOf(['A', 'B']),
    ),
    form: { kind: 'scores', template: '[[{},{}]]' },
    replies: [
      ['Rating: [[8,6]]', scores(8, 6)],
      ['Rating: [[8, 6.5]]', scores(8, 6.5)],
      ['[[8,6]], no: [[6,8]]', none('contradictory')],
      ['8,6', none('no-label')],
    ],
  },
  'a score behind each name': {
    request: chat(
      'Rate the two responses on a scale of 1 to 10. Output exactly:\nThe score of Assistant 1: <score>\nThe score of Assistant 2: <score>',
      answersOf(['1', '2']),
    ),
    form: { kind: 'scores', template: 'The score of Assistant 1: {}\nThe score of Assistant 2: {}' },
    replies: [
      ['Good.\n**The score of Assistant 1:** 8\nThe score of Assistant 2: 6/10', scores(8, 6)],
      ['The score of Assistant 1: 8', none('no-label')],
      [
        'The score of Assistant 1: 8, then the score of Assistant 1: 7. The score of Assistant 2: 3',
        none('contradictory'),
      ],
    ],
  },
  'a number field for each option': {
    request: prompt('Rate these.\n\n<response_a>\nHi.\n</response_a>\n<response_b>\nHey.\n</response_b>'),
    schema: object({
      reasoning: { type: 'string' },
      score_a: { type: 'integer', minimum: 1, maximum: 5 },
      score_b: { type: 'integer', minimum: 1, maximum: 5 },
    }),
    form: { kind: 'scores', min: 1, max: 5, fields: ['score_a', 'score_b'] },
    replies: [
      ['{"reasoning": "x", "score_a": 4, "score_b": 2}', scores(4, 2)],
      ['{"score_a": 4}', none('no-label')],
      ['{"score_a": 4, "score_b": 9}', none('off-scale')],
    ],
  },
  'promptfoo select-best': {
    request: prompt(
      'You are comparing multiple pieces of text to see which best fits the following criteria: friendly\n\n<Text index="0">\nHi.\n</Text>\n<Text index="1">\nHey.\n</Text>\n\nOutput the index of the text that best fits the criteria. You must output a single integer.',
    ),
    form: { write: { template: '{}', labels: ['0', '1'], rule: 'first' } },
    replies: [
      ['1', choice(1)],
      ['Text 1 is best, not 0.', choice(1)],
      ['90% of people preferred 0, but 1', none('contradictory')],
      ['2', none('no-label')],
      ['The second text.', none('no-label')],
    ],
  },
  'an index in the schema': {
    request: prompt('Which text is best?\n\n<Text index="0">\nHi.\n</Text>\n<Text index="1">\nHey.\n</Text>'),
    schema: object({ reason: { type: 'string' }, index: { type: 'integer', enum: [0, 1] } }),
    form: { write: { template: '{}', labels: ['0', '1'] }, field: 'index' },
    replies: [['{"reason": "1 is long", "index": 0}', choice(0)]],
  },
};

expectMirrored(pairs);

test.each(Object.entries(pairs))('%s: a long reply is read in time linear in its length', (_, client) => {
  const { form, options } = found(
    client.request,
    client.schema === undefined ? {} : { schema: client.schema },
  );
  for (const piece of [
    '[[A>B]] ',
    '[[',
    '9 6\n',
    '[[1,',
    '1 ',
    'Yes\n',
    'The score of Assistant 1: 8 ',
    '{"',
    ', ',
  ])
    expectLinear(
      (length) => piece.repeat(length / piece.length),
      (reply) => readVerdict(reply, form, options),
      25_000,
      JSON.stringify(piece),
    );
});
