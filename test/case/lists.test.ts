/** Several verdicts in one reply, and what has to agree with a verdict in a re-judgment. */
import { describe, expect, test } from 'vitest';
import { reversed } from '../../src/case/counterfactual.ts';
import { findCase } from '../../src/case/read.ts';
import { companionsAgree } from '../../src/case/replacement.ts';
import { readVerdict } from '../../src/case/verdict.ts';
import { mapBack, sameVerdict } from '../../src/case/verdicts/index.ts';
import { decided, none, object } from './client-rows.ts';
import { found, prompt } from './requests.ts';

const entries = (properties: Record<string, unknown>) => ({ type: 'array', items: object(properties) });
const MASTRA = object({ verdicts: entries({ verdict: { type: 'string' }, reason: { type: 'string' } }) });
const CLAIMS = prompt(
  'For each opinion say whether it is biased, with a verdict of "yes" or "no" and a reason.\n\nOutput:\nTea is best. Coffee is vile.\n\nOpinions:\nTea is best\nCoffee is vile',
);
const reply = (...verdicts: unknown[]) =>
  JSON.stringify({ verdicts: verdicts.map((verdict) => ({ verdict, reason: 'no' })) });

describe('a list of verdicts on one answer', () => {
  const subject = found(CLAIMS, { schema: MASTRA });
  const read = (text: string) => readVerdict(text, subject.form, subject.options);

  test('is one verdict', () => {
    expect(subject.form).toEqual({ kind: 'list', field: 'verdicts', item: 'verdict', fields: null });
    expect(decided(read(reply('Yes', 'no ')))).toEqual({ kind: 'list', items: ['yes', 'no'] });
    expect(decided(read(reply(true, 0)))).toEqual({ kind: 'list', items: ['true', '0'] });
    expect(decided(read(reply()))).toEqual({ kind: 'list', items: [] });
    expect(mapBack(read(reply('yes')), reversed(subject))).toEqual(read(reply('yes')));
  });
  test.each([
    ['{"verdicts": ["yes", "no"]}', 'no-label'],
    ['{"verdicts": [{"verdict": "yes"}, {"reason": "x"}]}', 'no-label'],
    ['{"verdicts": "yes"}', 'no-label'],
    ['Yes, and no.', 'no-label'],
    [`${reply('yes')} ${reply('no')}`, 'contradictory'],
    ['{"verdicts": [{"verdict": "yes"}, {"ver', 'truncated'],
  ])('%s', (text, reason) => expect(decided(read(text))).toEqual(none(reason)));

  test('is the same where every entry is', () => {
    expect(sameVerdict(read(reply('yes', 'no')), read(reply('YES', 'no')))).toBe(true);
    expect(sameVerdict(read(reply('yes', 'no')), read(reply('no', 'yes')))).toBe(false);
    expect(sameVerdict(read(reply('yes')), read(reply('yes', 'yes')))).toBe(false);
  });
  test('of another length cannot take the place of the first', () => {
    const first = reply('yes', 'no');
    expect(companionsAgree(reply('no', 'no'), first, subject.form)).toBe(true);
    expect(companionsAgree(reply('no'), first, subject.form)).toBe(false);
  });
});

test('ragas: the verdicts on statements, numbers by a reference in the schema', () => {
  const schema = {
    $defs: {
      Answer: object({
        statement: { type: 'string' },
        reason: { type: 'string' },
        verdict: { type: 'integer' },
      }),
    },
    ...object({ statements: { type: 'array', items: { $ref: '#/$defs/Answer' } } }),
  };
  const subject = found(prompt('Judge each statement.\n\nResponse:\nTea is from Asia.'), { schema });
  expect(subject.form).toEqual({ kind: 'list', field: 'statements', item: 'verdict', fields: null });
});

// One reply holds a label for each pair, and none says of which pair it is: a missing one would move all that follow.
const batch = (n: number) =>
  `## Example ${n}\n\n### Instruction ${n}:\nSay hi.\n\n### Output (a) for example ${n}:\nHi.\n\n### Output (b) for example ${n}:\nHey.`;
test.each([
  [
    'several pairs in one request (alpaca_farm)',
    prompt(
      `Select the preferred answers by saying only Output (a) or Output (b).\n\n${[5, 6, 7].map(batch).join('\n\n')}\n\n## Preferred Output for example 5-7:\nNow give all the preferred outputs.`,
    ),
    undefined,
  ],
  [
    'examples with labels of their own before such a batch',
    prompt(
      `Select the preferred answers.\n\n### Output (a) for example 1:\nA.\n\n### Output (b) for example 1:\nB.\n\n### Which is best for example 1, Output (a) or Output (b)?:\nOutput (a)\n\n${batch(2)}`,
    ),
    undefined,
  ],
  [
    'entries with two verdicts each',
    CLAIMS,
    object({ verdicts: entries({ verdict: { type: 'string' }, passed: { type: 'boolean' } }) }),
  ],
  [
    'two lists',
    CLAIMS,
    object({
      verdicts: entries({ verdict: { type: 'string' } }),
      results: entries({ result: { type: 'string' } }),
    }),
  ],
  [
    'a list about two answers',
    prompt('Which is better?\n\n<response_1>\nHi.\n</response_1>\n<response_2>\nHey.\n</response_2>'),
    MASTRA,
  ],
])('%s: left alone', (_, request, schema) => {
  expect(findCase(request, schema === undefined ? {} : { schema })).toBeNull();
});

describe('a verdict by each of several criteria, as the schema tells', () => {
  const request = prompt('Grade the answer by our criteria, each from 1 to 5.\n\n<answer>\nTea.\n</answer>');
  const number = { type: 'integer' };
  const criteria = object({ politeness: number, reason: { type: 'string' }, clarity: number });
  test.each([
    ['side by side', criteria, ['politeness', 'clarity'], '{"politeness": 4, "clarity": 2}'],
    [
      'one step deeper',
      object({ scores: criteria, note: { type: 'string' } }),
      ['scores.politeness', 'scores.clarity'],
      '{"scores": {"politeness": 4, "clarity": 2}, "note": "Hm."}',
    ],
    [
      'each with its reason',
      object({ politeness: object({ score: number }), clarity: object({ score: number }) }),
      ['politeness.score', 'clarity.score'],
      '{"politeness": {"score": 4}, "clarity": {"score": 2}}',
    ],
  ])('%s: all of them', (_, schema, fields, text) => {
    const { form, options } = found(request, { schema });
    expect(form).toEqual({ kind: 'list', field: null, item: null, fields });
    expect(decided(readVerdict(text, form, options))).toEqual({ kind: 'list', items: ['4', '2'] });
  });
  test.each([
    ['overall_score', object({ politeness: number, clarity: number, overall_score: number })],
    ['score', object({ answer_length: number, score: number })],
    ['politeness', object({ question_id: number, politeness: number })],
    ['result.grade', object({ result: object({ grade: number, reason: { type: 'string' } }) })],
  ])('the verdict on the whole, %s, where there is one', (field, schema) => {
    expect(found(request, { schema }).form).toMatchObject({ kind: 'score', field });
  });
});

describe('companions of a verdict in a re-judgment', () => {
  const rubric = { kind: 'pass', field: 'pass' } as const;
  const scored = { kind: 'score', min: 0, max: 1, template: null, field: 'score' } as const;
  const judged = { kind: 'pass', field: 'score' } as const;
  test.each([
    [rubric, '{"reason": "x", "pass": true, "score": 1}', true],
    [rubric, '{"reason": "x", "pass": false, "score": 0.4}', true],
    [rubric, '{"reason": "x", "pass": true, "score": 0}', false],
    [rubric, '{"reason": "x", "pass": false, "score": 1.0}', false],
    [rubric, '{"pass": false}', true],
    [scored, '{"reasoning": "Good. Thus, the score should be: 0.8.", "score": 0.8}', true],
    [scored, '{"reasoning": "Good. Thus, the score should be: 0.80", "score": 0.8}', true],
    [scored, '{"reasoning": "Good. Thus, the score should be: 0.8.", "score": 0.2}', false],
    [scored, '{"reasoning": "At first: thus, the score should be: 1. But no.", "score": 0.2}', true],
    [judged, '{"reasoning": "Thus, the score should be: **true**.", "score": true}', true],
    [judged, '{"reasoning": "Thus, the score should be: False", "score": false}', true],
    [judged, '{"reasoning": "Thus, the score should be: false.", "score": true}', false],
  ])('%j %s: %s', (form, text, agree) => {
    expect(readVerdict(text, form, [{ label: 'output' }]).kind).toBe(form.kind);
    expect(companionsAgree(text, '{}', form)).toBe(agree);
  });
});
