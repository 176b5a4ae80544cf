/** Scores, pass or fail, replies with two verdicts, and verdicts written in the asked form. */
import { describe, expect, test } from 'vitest';
import type { Verdict, VerdictForm } from '../../src/case/types.ts';
import { readVerdict, readVerdictPair, writeVerdict } from '../../src/case/verdict.ts';

const ONE = [{ label: 'Answer' }];
const PAIR = [{ label: 'Output (a)' }, { label: 'Output (b)' }];

const scale = (
  min: number | null,
  max: number | null,
  template: string | null = null,
  field: string | null = null,
) => ({ kind: 'score', min, max, template, field }) satisfies VerdictForm;

describe('a judge that chooses no option', () => {
  const form = (write: Partial<Extract<VerdictForm, { kind: 'choice' }>>): VerdictForm => ({
    kind: 'choice',
    write: null,
    tie: null,
    field: null,
    ...write,
  });
  const tagged = form({ write: { template: '<merge>{}</merge>', labels: ['a', 'b'] } });
  test.each<[string, VerdictForm, object]>([
    ['<merge>none</merge>', tagged, { kind: 'none', reason: 'neither' }],
    ['<merge>a</merge>', tagged, { kind: 'choice', option: 0 }],
    ['{"winner": "neither"}', form({ field: 'winner' }), { kind: 'none', reason: 'neither' }],
    ['NONE', form({ write: { template: '{}', labels: ['1', '2'] } }), { kind: 'none', reason: 'neither' }],
    ['none', form({ tie: 'none' }), { kind: 'tie' }],
    ['Both are fine.\n\nC\n\nC', form({ tie: 'C' }), { kind: 'tie' }],
    ['Plan C is not asked for.', form({ tie: 'C' }), { kind: 'none', reason: 'no-label' }],
    ['C\n\nOutput (a) is better.', form({ tie: 'C' }), { kind: 'none', reason: 'contradictory' }],
    ['None of this matters.', form({}), { kind: 'none', reason: 'no-label' }],
  ])('%s', (text, asked, verdict) => expect(readVerdict(text, asked, PAIR)).toEqual({ text, ...verdict }));
});

describe('a choice that is written as JSON writes a truth, or nothing', () => {
  const flag = { write: { template: '{}', labels: ['true', 'false'] }, tie: 'null', field: 'old_is_better' };
  test.each<[string, object]>([
    ['{"old_is_better": true}', { kind: 'choice', option: 0 }],
    ['{"old_is_better": false}', { kind: 'choice', option: 1 }],
    ['{"old_is_better": null}', { kind: 'tie' }],
  ])('%s', (text, verdict) =>
    expect(readVerdict(text, { kind: 'choice', ...flag }, PAIR)).toEqual({ text, ...verdict }),
  );

  test('is none where the form has no such label', () =>
    expect(
      readVerdict('{"a": true}', { kind: 'choice', write: null, tie: null, field: 'a' }, PAIR).kind,
    ).toBe('none'));
});

describe('a score', () => {
  test.each<[string, VerdictForm, number | string]>([
    ['[[7]]', scale(1, 10, '[[{}]]'), 7],
    ['Rating: [[7]]', scale(1, 10, '[[{}]]'), 7],
    ['Rating: 7', scale(1, 10), 7],
    ['7/10', scale(1, 10), 7],
    ['7', scale(1, 10), 7],
    ['Score: 3.5', scale(1, 5), 3.5],
    ['I give it a 4 out of 5.', scale(1, 5), 4],
    ['**Score:** 8/10', scale(1, 10), 8],
    ['The final rating is 9.', scale(1, 10), 9],
    ['[RESULT] 4', scale(1, 5, '[RESULT] {}'), 4],
    ['Thus, the score should be: 0.8.', scale(0, 1), 0.8],
    ['Rating (1-10): 6', scale(1, 10), 6],
    ['Good.\n\n4', scale(1, 5), 4],
    ['\\boxed{9}', scale(1, 10), 9],
    ['Final Score: 3 points', scale(0, 5), 3],
    ['I deduct 2 points. Rating: 8', scale(1, 10), 8],
    ['Score: 8, since 2 of 10 checks failed', scale(1, 10), 8],
    ['On a scale of 1 to 10, I rate this 8.', scale(1, 10), 8],
    ['It deserves a 6.', scale(1, 10), 6],
    ["I'd rate this response a 9.", scale(1, 10), 9],
    ['Verdict: 4', scale(1, 5), 4],
    ['Score 7', scale(1, 10), 7],
    ['The answer is fine, 8/10.', scale(1, 10), 8],
    ['Clarity score: 7\nAccuracy score: 5\nOverall score: 6', scale(1, 10), 6],
    ['{"score": 4, "reason": "x"}', scale(1, 5, null, 'score'), 4],
    ['{"score": "4/5"}', scale(1, 5, null, 'score'), 4],
    ['{"overall": {"score": 3}}', scale(1, 5, null, 'score'), 3],
    ['{"rating": 4, "reason": "2 of 3"}', scale(1, 5), 4],
    ['11', scale(1, 10), 'off-scale'],
    ['-1', scale(0, 1), 'off-scale'],
    ['7/10', scale(1, 5), 'off-scale'],
    ['{"score": 9}', scale(1, 5, null, 'score'), 'off-scale'],
    ['Was [[9]], now [[4]]', scale(1, 10, '[[{}]]'), 'contradictory'],
    ['Score: 5 for style, score: 6 for content', scale(1, 10), 'contradictory'],
    ['There are 3 errors.', scale(1, 10), 'no-label'],
    ['Score: 7-8', scale(1, 10), 'no-label'],
    ['Clarity: 7\nAccuracy: 5', scale(1, 10), 'no-label'],
    ['85%', scale(0, 1), 'no-label'],
    ['The result is 7.', scale(1, 10), 'no-label'],
    ['3/4 of the facts hold.', scale(1, 4), 'no-label'],
    ['It gives 5 examples.', scale(1, 10), 'no-label'],
    ['It would score 3 goals', scale(1, 10), 'no-label'],
    ['{"score": true}', scale(0, 1, null, 'score'), 'no-label'],
    ['{"score": 4, "rea', scale(1, 5, null, 'score'), 'truncated'],
  ])('%j', (reply, form, expected) => {
    const verdict = readVerdict(reply, form, ONE);
    expect('reason' in verdict ? verdict.reason : 'score' in verdict && verdict.score).toBe(expected);
  });
});

describe('pass or fail', () => {
  const form: VerdictForm = { kind: 'pass', field: null };
  test.each<[string, boolean | string]>([
    ['Yes', true],
    ['no.', false],
    ['PASS', true],
    ['**FAIL**', false],
    ['Correct', true],
    ['incorrect', false],
    ['Y', true],
    ['N', false],
    ['I', false],
    ['true', true],
    ['[[N]]', false],
    ['GRADE: C', true],
    ['Reasoning.\nGRADE: I', false],
    ['Verdict: PASS', true],
    ['The response meets it.\n\nY', true],
    ['No, the answer misses the point.', false],
    ['Yes: it is complete.', true],
    ['Yes, because the answer is not incorrect', true],
    ['The final answer is no.', false],
    ['The answer is not correct.', false],
    ["The answer isn't correct.", false],
    ['The submission does not pass.', false],
    ['The answer passes.', true],
    ['Therefore the answer is incorrect.', false],
    ['Overall, the response fails.', false],
    ['The criterion is met.', true],
    ['The criterion is not met.', false],
    ['{"verdict": "yes"}', true],
    ['{"passed": 1}', true],
    ['{"pass": false, "reason": "x"}', false],
    ['Yes. However, verdict: no', 'contradictory'],
    ['It depends.', 'no-label'],
    ['No one would say so', 'no-label'],
    ['I see', 'no-label'],
    ['F', 'no-label'],
    ['Is the answer correct?', 'no-label'],
    ['The answer is no longer valid.', 'no-label'],
    ['The first part of the answer is correct. The rest is vague.', 'no-label'],
    ['The answer is correct in part, but vague.', 'no-label'],
  ])('%j → %s', (reply, expected) => {
    const verdict = readVerdict(reply, form, ONE);
    expect('reason' in verdict ? verdict.reason : 'pass' in verdict && verdict.pass).toBe(expected);
  });

  test('in the field that was asked for, whatever else the JSON says', () => {
    const verdict = readVerdict('{"correct": "no", "pass": true}', { kind: 'pass', field: 'pass' }, ONE);
    expect(verdict).toMatchObject({ kind: 'pass', pass: true });
  });
});

describe('a reply with a verdict for each order', () => {
  const form: VerdictForm = {
    kind: 'choice',
    write: { template: 'Output ({})', labels: ['a', 'b'] },
    tie: null,
    field: null,
  };
  const both = '### Original Order\nOutput (a)\n\n### Swapped Order\nOutput (b)';

  test('is a pair of verdicts, each on the options as they stood', () => {
    expect(readVerdictPair(both, form, PAIR)).toMatchObject({
      original: { kind: 'choice', option: 0 },
      swapped: { kind: 'choice', option: 1 },
    });
  });
  test('is no single verdict', () => {
    expect(readVerdict(both, form, PAIR)).toMatchObject({ kind: 'none', reason: 'contradictory' });
  });
  test('keeps apart what could be read and what could not', () => {
    const reply = '### Original Order\nOutput (a)\n\n### Swapped Order\nBoth are long.';
    expect(readVerdictPair(reply, form, PAIR)).toMatchObject({
      original: { kind: 'choice', option: 0 },
      swapped: { kind: 'none', reason: 'no-label' },
    });
  });
  test.each(['Output (a)', '### Original Order\nOutput (a)', ''])('%j is not one', (reply) => {
    expect(readVerdictPair(reply, form, PAIR)).toBeNull();
  });
});

describe('written in the asked form', () => {
  const choice = (template: string, tie: string | null, field: string | null): VerdictForm => ({
    kind: 'choice',
    write: { template, labels: ['A', 'B'] },
    tie,
    field,
  });
  const verdicts: Verdict[] = [
    { text: '', kind: 'choice', option: 0 },
    { text: '', kind: 'choice', option: 1 },
    { text: '', kind: 'tie' },
  ];
  const forms = [
    choice('[[{}]]', '[[C]]', null),
    choice('Output ({})', 'Tie', null),
    choice('[RESULT] {}', '[RESULT] TIE', null),
    choice('{}', 'C', 'choice'),
    choice('My verdict: {}', 'My verdict: equal', null),
  ];
  test.each(forms.flatMap((form) => verdicts.map((verdict) => [form, verdict] as const)))(
    'reads back as it was: %j %j',
    (form, verdict) => {
      const text = writeVerdict(verdict, form, PAIR);
      expect(text).not.toBeNull();
      expect(readVerdict(text ?? '', form, PAIR)).toEqual({ ...verdict, text });
    },
  );
  test.each([
    [scale(1, 10, '[[{}]]'), '[[7.5]]'],
    [scale(1, 10, 'Rating: {}'), 'Rating: 7.5'],
    [scale(null, null, null, 'score'), '{"score":7.5}'],
  ])('a score reads back as it was: %j', (form, written) => {
    const verdict: Verdict = { text: '', kind: 'score', score: 7.5 };
    expect(writeVerdict(verdict, form, ONE)).toBe(written);
    expect(readVerdict(written, form, ONE)).toEqual({ ...verdict, text: written });
  });

  const tie: Verdict = { text: '', kind: 'tie' };
  test.each<[string, Verdict, VerdictForm]>([
    ['a tie where the form has none', tie, choice('[[{}]]', null, null)],
    [
      'a choice where the request does not say how',
      { text: '', kind: 'choice', option: 0 },
      { kind: 'choice', write: null, tie: null, field: null },
    ],
    [
      'an option the case does not have',
      { text: '', kind: 'choice', option: 2 },
      choice('[[{}]]', null, null),
    ],
    ['a score off the scale', { text: '', kind: 'score', score: 11 }, scale(1, 10, '[[{}]]')],
    ['a score where the request does not say how', { text: '', kind: 'score', score: 7 }, scale(1, 10)],
    ['a verdict of another kind', tie, scale(1, 10, '[[{}]]')],
    [
      'a pass, which every client spells its own way',
      { text: '', kind: 'pass', pass: true },
      { kind: 'pass', field: null },
    ],
    ['no verdict', { text: '', kind: 'none', reason: 'empty' }, choice('[[{}]]', '[[C]]', null)],
  ])('cannot be: %s', (_, verdict, form) => expect(writeVerdict(verdict, form, PAIR)).toBeNull());
});
