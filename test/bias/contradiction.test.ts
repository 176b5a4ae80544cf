/** A verdict against the judge's own reasons: what counts as one, and what does not. */
import { describe, expect, test } from 'vitest';
import { contradiction } from '../../src/bias/contradiction.ts';
import { readVerdict, type VerdictForm } from '../../src/case/index.ts';
import { caseOf } from '../two-options.ts';

const subject = caseOf({ options: ['391', '381'] });
const FIELD: VerdictForm = {
  kind: 'choice',
  write: { template: '{}', labels: ['Output (a)', 'Output (b)'] },
  tie: null,
  field: 'winner',
};
const SCORE: VerdictForm = { kind: 'score', min: 1, max: 5, template: null, field: 'score' };

function against(reply: string, form: VerdictForm = FIELD, asked = 'Which is better?') {
  const verdict = readVerdict(reply, form, subject.options);
  expect(verdict.kind).not.toBe('none');
  const prompt = { parts: [{ role: 'user', text: asked }] };
  return contradiction.reread?.({ ...subject, form, prompt }, verdict) ?? null;
}

const json = (reason: string, winner = 'Output (a)') => JSON.stringify({ reason, winner });

describe('a verdict is against its reasons where', () => {
  test.each([
    ['they end in the other option', json('Both multiply. Therefore, Output (b) is better.')],
    [
      'they say so without a word in front',
      json('Output (a) is off by ten. Output (b) is the better answer.'),
    ],
    ['they open with what they rest on', json('On balance, Output (b) is better.')],
    [
      'a conclusion on the whole says the same before',
      json('Overall, Output (b) wins. Output (b) is the better answer.'),
    ],
    ['they say what it is better than', json('Overall, Output (b) is better than Output (a).')],
    ['they say what it is more', json('In conclusion, Output (b) is more accurate.')],
    ['emphasis stands around it', json('It is off by ten. **So Output (b) is better.**')],
  ])('%s', (_, reply) => {
    expect(against(reply)).toMatchObject({
      after: { kind: 'choice', option: 1 },
      seen: expect.stringContaining('Output (b)'),
    });
  });

  test.each([
    'Rate it from 1 (poor) to 5.',
    'Rate it from 1 to 5, where 5 is the best.',
    'Score 1: completely useless. Score 3: it helps.',
    'Rate it from 1 to 5. Higher scores are better.',
  ])('the lowest score passes, or the highest fails: %s', (asked) => {
    expect(against('{"score": 1, "passed": true}', SCORE, asked)).toMatchObject({
      after: { kind: 'pass', pass: true },
      seen: '"passed" in the same reply is true',
    });
    expect(against('{"score": 5, "passed": false}', SCORE, asked)).toMatchObject({
      after: { kind: 'pass', pass: false },
    });
  });
});

describe('nothing is said against a verdict where', () => {
  test.each([
    ['the reasons end in it', json('Both multiply. Therefore, Output (a) is better.')],
    ['there are none', '{"winner": "Output (a)"}'],
    ['they end in a description', json('Output (b) shows its work. Output (a) does not.')],
    ['it is no better', json('Overall, Output (b) is no better than Output (a).')],
    ['they speak of one point', json('Output (b) is better in terms of style.')],
    ['they concede one point', json('It is correct. On brevity Output (b) is better.')],
    ['they concede one point after all', json('It is correct. So for beginners, Output (b) is better.')],
    ['they concede one point in a list', json('Correctness: (a) is right.\nStyle: Output (b) is better.')],
    ['they concede what it is good for', json('It is correct. Output (b) is better for beginners.')],
    [
      'their conclusion on the whole comes before',
      json('Overall, Output (a) wins. Its tone is dry. Output (b) was stronger.'),
    ],
    ['they weigh', json('Although it is short, Output (b) is better.')],
    ['they are only wishes', json('Output (b) would be better.')],
    ['they name the loser first', json('Verdict: Output (b) has a gap which makes Output (a) the winner.')],
    ['they find fault with the loser', json('Verdict: Output (b) has an error.')],
    ['they reject the loser', json('Conclusion: Output (b) is rejected.')],
    ['they name the second best', json('Overall, the second-best is Output (b).')],
    ['they say what is known', json('It is off. Output (b) is the best-known answer.')],
    ['they only describe', json('Conclusion: Output (b) is the long one.')],
    ['they end in neither', json('Neither is right. So both are equal.')],
    [
      'the better one is named in the middle',
      json('Output (b) is better at first sight. It is wrong in the end.'),
    ],
  ])('%s', (_, reply) => {
    expect(against(reply)).toBeNull();
  });

  test('a middle score passes, and where low scores are good', () => {
    const asked = 'Rate it from 1 (poor) to 5.';
    expect(against('{"score": 3, "passed": true}', SCORE, asked)).toBeNull();
    expect(against('{"score": 5, "passed": true}', SCORE, asked)).toBeNull();
    expect(against('{"toxicity": 1, "passed": true}', { ...SCORE, field: 'toxicity' }, asked)).toBeNull();
  });

  test.each([
    'Score the harm, 1 (harmless) to 5 (severe harm).',
    'Give the number of problems.',
    'Give German school grades, 1 (very good) to 5 (poor).',
    'Rate it from 1 to 5, where 1 is the best and 5 the worst.',
    'Rate it from 1 (poor) to 5, and its errors from 1 to 5 (bad).',
    'Rate it from 1 to 5.',
  ])('the prompt does not say that a high score is good: %s', (asked) => {
    expect(against('{"score": 1, "passed": true}', SCORE, asked)).toBeNull();
  });

  test('the worse one is asked for', () => {
    const verdict = readVerdict(json('Therefore, Output (b) is better.'), FIELD, subject.options);
    const worse = { ...subject, form: FIELD, prompt: { parts: [{ role: 'user', text: 'Which is worse?' }] } };
    expect(contradiction.reread?.(worse, verdict)).toBeNull();
  });
});
