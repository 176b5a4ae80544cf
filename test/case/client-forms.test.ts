/** Public clients' templates whose verdict is more than a label: the form that is found, and what is read in it. */
import { describe, expect, test } from 'vitest';
import { applyEdits, editsFor, mapBack, reversed, sameVerdict } from '../../src/case/counterfactual.ts';
import { findCase } from '../../src/case/read.ts';
import type { Case, Prompt, Verdict, VerdictForm } from '../../src/case/types.ts';
import { readVerdict, writeVerdict } from '../../src/case/verdict.ts';
import { expectSwapIsExact, found, prompt } from './requests.ts';

const chat = (system: string, user: string): Prompt => ({
  parts: [
    { role: 'system', text: system },
    { role: 'user', text: user },
  ],
});
const object = (properties: Record<string, unknown>) => ({ type: 'object', properties });
const answersOf = (keys: readonly [string, string], question = '[User Question]\nHi?') =>
  `${question}\n\n${keys.map((key) => `[The Start of Assistant ${key}'s Answer]\nI am ${key}.\n[The End of Assistant ${key}'s Answer]`).join('\n\n')}`;

const ARENA = `Please act as an impartial judge and evaluate the quality of the responses provided by two AI assistants to the user prompt displayed below. You will be given assistant A's answer and assistant B's answer. Your job is to evaluate which assistant's answer is better.

After providing your explanation, you must output only one of the following choices as your final verdict with a label:

1. Assistant A is significantly better: [[A>>B]]
2. Assistant A is slightly better: [[A>B]]
3. Tie, relatively the same: [[A=B]]
4. Assistant B is slightly better: [[B>A]]
5. Assistant B is significantly better: [[B>>A]]

Example output: "My final verdict is tie: [[A=B]]".`;
const ARENA_PAIR =
  "<|User Prompt|>\nHi?\n\n<|The Start of Assistant A's Answer|>\nHi.\n<|The End of Assistant A's Answer|>\n\n<|The Start of Assistant B's Answer|>\nHey.\n<|The End of Assistant B's Answer|>";
const FIVE = { template: '[[{}]]', labels: ['A>B', 'B>A'], strong: ['A>>B', 'B>>A'] };
const JUDGE = 'Please act as an impartial judge and evaluate the responses of two AI assistants.';
const BATTLE =
  'You are comparing two responses to the following two instructions.\n\n[Instruction 1]\nSay hi.\n[Response 1]\nHi.\n\n[Instruction 2]\nSay hi.\n[Response 2]\nHey.\n\n\nIs the first response better than the second? You must provide one answer based on your subjective view.';
const LMSYS =
  'We would like to request your feedback on the performance of two AI assistants in response to the user question displayed above.\nPlease rate the helpfulness, relevance, accuracy, level of details of their responses. Each assistant receives an overall score on a scale of 1 to 10, where a higher score indicates better overall performance.\nPlease first output a single line containing only two values indicating the scores for Assistant 1 and 2, respectively. The two scores are separated by a space.';
const FACT = (last: string) =>
  `You are comparing a submitted answer to an expert answer on a given question. Here is the data:\n[BEGIN DATA]\n************\n[Question]: 2+2?\n************\n[Expert]: 4\n************\n[Submission]: Four.\n************\n[END DATA]\n\nCompare the factual content of the submitted answer with the expert answer. Ignore any differences in style, grammar, or punctuation.\nThe submitted answer may either be a subset or superset of the expert answer, or it may conflict with it. Determine which case applies. Answer the question by selecting one of the following options:\n(A) The submitted answer is a subset of the expert answer and is fully consistent with it.\n(B) The submitted answer is a superset of the expert answer and is fully consistent with it.\n(C) The submitted answer contains all the same details as the expert answer.\n(D) There is a disagreement between the submitted answer and the expert answer.\n(E) The answers differ, but these differences don't matter from the perspective of factuality.${last}`;

type Read = Verdict extends infer V ? (V extends Verdict ? Omit<V, 'text'> : never) : never;
const choice = (option: number, strength?: 'slight' | 'strong'): Read => ({
  kind: 'choice',
  option,
  ...(strength && { strength }),
});
const none = (reason: string) => ({ kind: 'none', reason });
const scores = (...all: number[]) => ({ kind: 'scores', scores: all });
const pass = (passes: boolean) => ({ kind: 'pass', pass: passes });
const category = (letter: string) => ({ kind: 'category', category: letter });

interface Client {
  readonly request: Prompt;
  readonly schema?: unknown;
  readonly form: Partial<VerdictForm>;
  readonly replies: readonly (readonly [reply: string, read: object])[];
}

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

const decided = ({ text: _, ...rest }: Verdict) => rest;
const shown = (verdict: Read, subject: Case) => mapBack({ text: '', ...verdict }, reversed(subject));

describe.each(Object.entries(pairs))('%s', (_, { request, schema, form, replies }) => {
  const given = schema === undefined ? {} : { schema };
  const subject = found(request, given);

  test('the form', () => expect(subject.form).toMatchObject(form));
  test('the options can be exchanged', () => expectSwapIsExact(request, given));
  test.each(replies)('%j', (reply, read) => {
    expect(decided(readVerdict(reply, subject.form, subject.options))).toEqual(read);
  });
  test('what is read can be written, and reads the same, in both orders', () => {
    const swapped = found(applyEdits(request, editsFor(subject, reversed(subject))), given);
    for (const [reply] of replies) {
      const verdict = readVerdict(reply, subject.form, subject.options);
      if (verdict.kind === 'none') continue;
      const written = writeVerdict(verdict, subject.form, subject.options) ?? '';
      expect(decided(readVerdict(written, subject.form, subject.options))).toEqual(decided(verdict));
      // The judge that sees the options exchanged and keeps to the same text says the mirrored verdict.
      const mirrored = writeVerdict(shown(decided(verdict), subject), swapped.form, swapped.options) ?? '';
      if (verdict.kind !== 'tie' && new Set(verdict.kind === 'scores' ? verdict.scores : [1, 2]).size > 1)
        expect(mirrored).not.toBe(written);
      const back = mapBack(readVerdict(mirrored, swapped.form, swapped.options), reversed(subject));
      expect(decided(back)).toEqual(decided(verdict));
      expect(sameVerdict(back, verdict)).toBe(true);
    }
  });
});

const singles: Record<string, Client> = {
  'Factuality, a forced tool (autoevals)': {
    request: prompt(FACT('')),
    schema: object({
      reasons: { type: 'string' },
      choice: { type: 'string', enum: ['A', 'B', 'C', 'D', 'E'] },
    }),
    form: { kind: 'category', write: { template: '{}', labels: ['A', 'B', 'C', 'D', 'E'] }, field: 'choice' },
    replies: [
      ['{"reasons": "A or B", "choice": "C"}', category('C')],
      ['{"choice": "F"}', none('no-label')],
      ['{"choice": "c"}', none('no-label')],
      ['{"choice": "A"} {"choice": "B"}', none('contradictory')],
    ],
  },
  'fact (openai/evals)': {
    request: prompt(FACT('\n\nFirst write your reasons. At the end, print a single letter on a new line.')),
    form: { kind: 'category', field: null },
    replies: [
      ['It is a subset (A) at first.\n\nC', category('C')],
      ['(D)', category('D')],
      ['A\n\nbut\n\nB', none('contradictory')],
      ['A submitted answer is fine.', none('no-label')],
    ],
  },
  'inspect, correct or incorrect': {
    request: prompt(
      'You are assessing a submitted answer on a given task based on a criterion. Here is the data:\n\n[BEGIN DATA]\n***\n[Task]: 2+2?\n***\n[Submission]: Four.\n***\n[Criterion]: 4\n***\n[END DATA]\n\nDoes the submission meet the criterion?\n\nAfter assessing the submitted answer, reply with \'GRADE: $LETTER\' (without quotes) where LETTER is one of CI. Please choose ONE option for the grade: either "C" for correct answers, or "I" for incorrect answers.',
    ),
    form: { kind: 'pass', write: { template: 'GRADE: {}', labels: ['C', 'I'], rule: 'last' } },
    replies: [
      ['GRADE: C', pass(true)],
      ['It could be GRADE: C.\n\nGRADE: I', pass(false)],
      ['The answer is correct.', none('no-label')],
    ],
  },
  'inspect, with partial credit': {
    request: prompt(
      '[BEGIN DATA]\n***\n[Task]: 2+2?\n***\n[Submission]: Four.\n***\n[Criterion]: 4\n***\n[END DATA]\n\nReply with \'GRADE: $LETTER\' where LETTER is one of CPI: "C" for correct answers, "P" for partially correct answers, or "I" for incorrect answers.',
    ),
    form: { kind: 'category', write: { template: 'GRADE: {}', labels: ['C', 'P', 'I'], rule: 'last' } },
    replies: [['GRADE: C or so.\nGRADE: P', category('P')]],
  },
  'Y or N at the end (LangChain criteria, closed QA)': {
    request: prompt(
      '[BEGIN DATA]\n***\n[Task]: 2+2?\n***\n[Submission]: Four.\n***\n[Criteria]: right\n***\n[END DATA]\nDoes the submission meet the Criteria? First, write out your reasoning. Then print only the single character "Y" or "N" (without quotes or punctuation) on its own line corresponding to the correct answer. At the end, repeat just the letter again by itself on a new line.',
    ),
    form: { kind: 'pass', write: { template: '{}', labels: ['Y', 'N'], rule: 'end' } },
    replies: [
      ['It is right.\n\nY\n\nY', pass(true)],
      ['N', pass(false)],
      ['Y.', none('no-label')],
      ['Y\n\nThis holds.', none('no-label')],
      ['The question is WHY', none('no-label')],
    ],
  },
  'a review on legal values only': {
    request: prompt(
      'Essay:\nA study.\n\nGive an overall rating. The rating must be one of 1, 3, 5, 6, 8, 10. Reply with "Rating: <number>".',
    ),
    form: { kind: 'score', min: 1, max: 10, legal: [1, 3, 5, 6, 8, 10] },
    replies: [
      ['Rating: 6', { kind: 'score', score: 6 }],
      ['Rating: 7', none('off-scale')],
    ],
  },
  'an enum of numbers': {
    request: prompt('Evaluate the essay.\n\nEssay:\nOnce.'),
    schema: object({ score: { enum: [0, 0.5, 1] } }),
    form: { kind: 'score', legal: [0, 0.5, 1] },
    replies: [
      ['{"score": 0.5}', { kind: 'score', score: 0.5 }],
      ['{"score": 0.7}', none('off-scale')],
    ],
  },
};

describe.each(Object.entries(singles))('%s: one answer', (_, { request, schema, form, replies }) => {
  const subject = found(request, schema === undefined ? {} : { schema });
  test('the form', () => expect(subject.form).toMatchObject(form));
  test.each(replies)('%j', (reply, read) => {
    const verdict = readVerdict(reply, subject.form, subject.options);
    expect(decided(verdict)).toEqual(read);
    if (verdict.kind === 'none') return;
    const written = writeVerdict(verdict, subject.form, subject.options) ?? '';
    expect(decided(readVerdict(written, subject.form, subject.options))).toEqual(read);
    expect(decided(mapBack(verdict, reversed(subject)))).toEqual(read);
  });
});

describe('left alone', () => {
  test.each<[string, Prompt, unknown?]>([
    ['five-way labels of which one is missing', chat(ARENA.replace(/^5.*\n/m, ''), ARENA_PAIR)],
    ['five-way labels of other options', chat(ARENA.replaceAll('A', 'X'), ARENA_PAIR)],
    [
      'a label with a sign beside one without',
      chat(`${JUDGE} Answer [[A>B]], [[B>A]] or [[A]].`, answersOf(['A', 'B'])),
    ],
    [
      'a score of the pair as a whole',
      prompt(
        'How much better is the second?\n\n<response_1>\nHi.\n</response_1>\n<response_2>\nHey.\n</response_2>',
      ),
      object({ score: { type: 'integer' } }),
    ],
    [
      'an index from 0 for options counted from 1',
      prompt('Which is best?\n\n<response_1>\nHi.\n</response_1>\n<response_2>\nHey.\n</response_2>'),
      object({ index: { type: 'integer', minimum: 0 } }),
    ],
    [
      'letters that nothing explains',
      prompt('Sort the essay.\n\nEssay:\nOnce.'),
      object({ choice: { enum: ['A', 'B', 'C'] } }),
    ],
  ])('%s', (_, request, schema) => {
    expect(findCase(request, schema === undefined ? {} : { schema })).toBeNull();
  });
});
