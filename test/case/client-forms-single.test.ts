/** Public clients' templates for one answer: categories, a pass in words of their own, scores of which only some are legal. */
import { describe, expect, test } from 'vitest';
import { reversed } from '../../src/case/counterfactual.ts';
import { readVerdict, writeVerdict } from '../../src/case/verdict.ts';
import { mapBack } from '../../src/case/verdicts/index.ts';
import { type Client, category, chat, decided, none, object, pass } from './client-rows.ts';
import { found, prompt } from './requests.ts';

const FACT = (last: string) =>
  `You are comparing a submitted answer to an expert answer on a given question. Here is the data:\n[BEGIN DATA]\n************\n[Question]: 2+2?\n************\n[Expert]: 4\n************\n[Submission]: Four.\n************\n[END DATA]\n\nCompare the factual content of the submitted answer with the expert answer. Ignore any differences in style, grammar, or punctuation.\nThe submitted answer may either be a subset or superset of the expert answer, or it may conflict with it. Determine which case applies. Answer the question by selecting one of the following options:\n(A) The submitted answer is a subset of the expert answer and is fully consistent with it.\n(B) The submitted answer is a superset of the expert answer and is fully consistent with it.\n(C) The submitted answer contains all the same details as the expert answer.\n(D) There is a disagreement between the submitted answer and the expert answer.\n(E) The answers differ, but these differences don't matter from the perspective of factuality.${last}`;

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
      ['GRADE: C at first.\n\n**Grade:** Incorrect', none('contradictory')],
      ['GRADE: C at first.\n\ngrade : incorrect', pass(false)],
      ['GRADE: C at first.\n\nGRADE: F', none('contradictory')],
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
      'Essay:\nA study.\n\nRating: give an overall rating. The rating must be one of 1, 3, 5, 6, 8, 10. Reply with "Rating: <number>".',
    ),
    form: { kind: 'score', min: 1, max: 10, legal: [1, 3, 5, 6, 8, 10] },
    replies: [
      ['Rating: 6', { kind: 'score', score: 6 }],
      ['Rating: 7', none('off-scale')],
    ],
  },
  'one of two opposites (phoenix)': {
    request: prompt(
      'Say whether the response below keeps to its context.\n\n<data>\n\n<query>\n2+2?\n</query>\n\n<context>\n2+2=4\n</context>\n\n<response>\nFour.\n</response>\n\n</data>\n\nIs the response faithful or unfaithful?',
    ),
    schema: object({
      explanation: { type: 'string' },
      label: { type: 'string', enum: ['faithful', 'unfaithful'] },
    }),
    form: { kind: 'category', write: { template: '{}', labels: ['faithful', 'unfaithful'] }, field: 'label' },
    replies: [
      ['{"explanation": "not faithful?", "label": "unfaithful"}', category('unfaithful')],
      ['{"explanation": "x", "label": "Faithful"}', none('no-label')],
    ],
  },
  'one of two words that mean opposites (phoenix)': {
    request: prompt(
      'Say whether the answer below is made up.\n\n[BEGIN DATA]\n***\n[Query]: 2+2?\n***\n[Reference text]: 2+2=4\n***\n[Answer]: Four.\n***\n[END DATA]\n\nIs the answer above factual or hallucinated?',
    ),
    schema: object({ label: { type: 'string', enum: ['hallucinated', 'factual'] } }),
    form: {
      kind: 'category',
      write: { template: '{}', labels: ['hallucinated', 'factual'] },
      field: 'label',
    },
    replies: [
      ['{"label": "factual"}', category('factual')],
      ['{"label": "Factual"}', none('no-label')],
    ],
  },
  'correct or incorrect, each with what it means (phoenix)': {
    request: prompt(
      'Grade the output.\n\n<input>\n2+2?\n</input>\n\n<output>\nFour.\n</output>\n\nIs the output correct or incorrect?',
    ),
    schema: object({
      explanation: { type: 'string' },
      label: { type: 'string', oneOf: [{ const: 'correct', description: 'Right.' }, { const: 'incorrect' }] },
    }),
    form: { kind: 'pass', field: 'label' },
    replies: [
      ['{"explanation": "incorrect at first", "label": "correct"}', pass(true)],
      ['{"label": "incorrect"}', pass(false)],
    ],
  },
  'yes or no in JSON that the prompt shows (mlflow)': {
    request: prompt(
      'Decide whether the document backs the claim.\n\n<claim>\n  <question>2+2?</question>\n  <answer>Four.</answer>\n</claim>\n<document>2+2=4</document>\n\nUse this JSON alone:\n{\n  "rationale": "Why. Start with `Step by step`",\n  "result": "yes|no"\n}',
    ),
    form: { kind: 'pass', field: 'result' },
    replies: [
      ['{"rationale": "It says no such thing.", "result": "yes"}', pass(true)],
      ['{"rationale": "yes and no", "result": "no"}', pass(false)],
    ],
  },
  'yes or no in a field of text (mlflow)': {
    request: prompt(
      'Is the answer to the point?\n\n<question>2+2?</question>\n<answer>Four.</answer>\n\nUse this JSON alone:\n{\n  "rationale": "Why.",\n  "result": "yes|no"\n}\n`result` is `yes` or `no`.',
    ),
    schema: object({ result: { type: 'string' }, rationale: { type: 'string' } }),
    form: { kind: 'pass', field: 'result' },
    replies: [
      ['{"result": "yes", "rationale": "It is no question."}', pass(true)],
      ['{"result": "perhaps", "rationale": "yes"}', none('no-label')],
    ],
  },
  'yes or no beside a field that can only be true (lighteval)': {
    request: prompt(
      'Judge whether the [response] is correct.\n\n[question]: 2+2?\n\n[response]: Four.\n\n[correct_answer]: 4\n\ncorrect: Answer yes or no.',
    ),
    schema: object({
      reasoning: { type: 'string' },
      correct: { type: 'string', enum: ['yes', 'no'] },
      strict: { type: 'boolean', const: true },
    }),
    form: { kind: 'pass', field: 'correct' },
    replies: [
      ['{"reasoning": "x", "correct": "no", "strict": true}', pass(false)],
      ['{"reasoning": "x", "correct": "yes", "strict": true}', pass(true)],
    ],
  },
  'a number in the place of what a shipped template has as true or false (openevals, continuous)': {
    request: prompt(
      'Is it unfair?\n4. Assign TRUE if bias or fairness violations are detected, FALSE otherwise\n\n<example>\n<input>\n2+2?\n</input>\n\n<output>\nFour.\n</output>\n</example>\n',
    ),
    schema: object({ reasoning: { type: 'string' }, score: { type: 'number' } }),
    form: { kind: 'score', field: 'score' },
    replies: [['{"reasoning": "x", "score": 0.2}', { kind: 'score', score: 0.2 }]],
  },
  'a score beside reasons, an example in front (langfuse)': {
    request: prompt(
      'Grade the helpfulness on a continuous scale from 0 to 1.\n\nExample:\nQuery: 1+1?\nGeneration: Two.\nScore: 0.9\nReasoning: It is right.\n\nInput:\nQuery: 2+2?\nGeneration: Four.\n\nThink step by step.',
    ),
    schema: object({ reasoning: { type: 'string' }, score: { type: 'number' } }),
    form: { kind: 'score', min: 0, max: 1, field: 'score' },
    replies: [
      ['{"reasoning": "1 of 2", "score": 0.8}', { kind: 'score', score: 0.8 }],
      ['{"reasoning": "x", "score": 8}', none('off-scale')],
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
    const written = writeVerdict(verdict, subject.form, subject.options);
    // A field that lets pass has companions, which would have to say the same.
    expect(written === null).toBe(subject.form.kind === 'pass' && subject.form.field !== null);
    if (written !== null) expect(decided(readVerdict(written, subject.form, subject.options))).toEqual(read);
    expect(decided(mapBack(verdict, reversed(subject)))).toEqual(read);
  });
});

test.each<[string, readonly number[] | undefined]>([
  ['The rating must be one of 1, 3, 5, 6, 8, 10.', [1, 3, 5, 6, 8, 10]],
  ['Give a score, which must be one of: 0, 0.5 or 1.', [0, 0.5, 1]],
  ['Grade it. Answer with only 0 or 1.', [0, 1]],
  ['The score must be between 1 and 5.', undefined],
  ['Give a score from 1 to 10. Write only 1 or 2 sentences.', undefined],
  ['Rate it on a scale of 1 to 5, as 1 or 2 reviewers would.', undefined],
])('%s', (orders, legal) => {
  const { form } = found(chat(orders, 'Essay:\nOnce.'));
  expect(form).toMatchObject({ kind: 'score' });
  expect(form.kind === 'score' && form.legal).toEqual(legal);
});

test.each<[string, number | null, number | null]>([
  ['"overall_score": 0.87', null, null],
  ['"overall_score": 3.5', 1, 5],
  ['"overall_score": 0', 1, 5],
])('a scale of other marks is none of a mean, as the example shows: %s', (example, min, max) => {
  const orders = `Score three dimensions (each 1-5), and their mean. Respond with JSON: {"clear": 4, ${example}}`;
  const { form } = found(chat(orders, 'Essay:\nOnce.'));
  expect(form).toMatchObject({ kind: 'score', min, max, field: 'overall_score' });
});

test('a score by each criterion, in JSON that the prompt shows (HELM)', () => {
  const { form, options } = found(
    prompt(
      'Rate the summary on a scale of 1-5 by each criterion.\n\n<question>\n2+2?\n</question>\n\n<response>\nFour.\n</response>\n\nOutput a single valid JSON object:\n{\n    "accuracy": {\n        "score": 0,\n        "explanation": "Why."\n    },\n    "clarity": {\n        "score": 0,\n        "explanation": "Why."\n    }\n}',
    ),
  );
  expect(form).toEqual({
    kind: 'list',
    field: null,
    item: null,
    fields: ['accuracy.score', 'clarity.score'],
  });
  const said = '{"accuracy": {"score": 5, "explanation": "x"}, "clarity": {"score": 3, "explanation": "y"}}';
  expect(readVerdict(said, form, options)).toMatchObject({ kind: 'list', items: ['5', '3'] });
  expect(readVerdict('{"accuracy": {"score": 5}}', form, options)).toMatchObject(none('no-label'));
});

test.each([
  ['"overall": <1-5>', '"overall": 4', { kind: 'score', score: 4 }],
  ['"overall_score": <1-5>', '"overall_score": 4', { kind: 'score', score: 4 }],
  ['"final_verdict": "pass" | "fail"', '"final_verdict": "fail"', { kind: 'pass', pass: false }],
  ['"overall_comment": "..."', '"overall_comment": "Fine."', { kind: 'list', items: ['5', '3'] }],
  ['"overall": "..."', '"overall": "Fine."', { kind: 'list', items: ['5', '3'] }],
  ['"total_issues": <count>', '"total_issues": 2', { kind: 'list', items: ['5', '3'] }],
  [
    '"style": {"score": <1-5>, "overall": 0}',
    '"style": {"score": 4}',
    { kind: 'list', items: ['5', '3', '4'] },
  ],
])('a verdict on the whole beside criteria that are objects: %s', (asked, written, verdict) => {
  const { form, options } = found(
    prompt(
      `Grade the response.\n\n<response>\nFour.\n</response>\n\nReturn only JSON: {"accuracy": {"score": <1-5>}, "clarity": {"score": <1-5>}, ${asked}}`,
    ),
  );
  const said = `{"accuracy": {"score": 5}, "clarity": {"score": 3}, ${written}}`;
  expect(readVerdict(said, form, options)).toMatchObject(verdict);
});

test.each([
  ['{"score": <1-10>, "overall": "1 sentence"}', '{"score": 6, "overall": "Fine."}', 6],
  ['{"accuracy": <1-10>, "overall": <1-10>}', '{"accuracy": 3, "overall": 7}', 7],
])('an overall remark is no overall score: %s', (asked, written, score) => {
  const { form, options } = found(
    prompt(`Grade the response.\n\n<response>\nFour.\n</response>\n\nReturn JSON: ${asked}`),
  );
  expect(readVerdict(written, form, options)).toMatchObject({ kind: 'score', score });
});
