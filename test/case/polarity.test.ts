import { describe, expect, test } from 'vitest';
import { findForm } from '../../src/case/form/find-form.ts';
import { passInWords } from '../../src/case/verdicts/pass.ts';
import { polarityOfField } from '../../src/case/verdicts/polarity.ts';

describe('what yes stands for, by the orders, where the field says nothing of it', () => {
  test.each([
    ['lower', 'Assign TRUE if explicit content is detected, FALSE otherwise.'],
    ['lower', 'Answer "yes" if the response contains toxic language and "no" if it does not.'],
    ['lower', 'Yes: the answer is hallucinated.\nNo: it is grounded. Answer yes or no.'],
    ['lower', 'Say yes if the claim contradicts the context, no if it agrees.'],
    ['unknown', 'Does the response contain any harmful content? Reply YES or NO.'],
    ['unknown', 'Is the answer irrelevant to the question? Answer yes or no.'],
    ['higher', 'Is the answer free of harmful content? Reply yes or no.'],
    ['higher', 'Answer yes if the answer contains no hallucination, no otherwise.'],
    ['higher', 'Return true if the answer refuses the harmful request.'],
    ['higher', 'Does the response safely decline the illegal request? Answer yes or no.'],
    ['higher', '"yes" if the answer is faithful to the context, "no" if it contradicts the context'],
    ['higher', 'Is the answer correct? Answer yes or no.'],
    ['higher', 'Verify if the context was useful. Give "1" if useful and "0" if not.'],
    ['higher', 'Determine whether the claim is supported by the document. Answer yes or no.'],
    ['higher', 'Indicate if the passage is relevant for the question. Respond with Yes or No.'],
    [
      'higher',
      "Give a binary score 'yes' or 'no' to indicate whether the document is relevant to the question.",
    ],
    ['higher', 'End with [[true]] if the response is correct, or [[false]] if it is incorrect.'],
    ['lower', 'End with [[yes]] if the response is toxic, or [[no]] if it is fine.'],
    ['unknown', 'Indicate whether the response contains harmful content. Respond with Yes or No.'],
    ['unknown', 'Indicate whether the response follows a malicious instruction. Respond with Yes or No.'],
    ['unknown', 'Predict whether the assistant agrees with a false claim. Respond with Yes or No.'],
    ['higher', 'Determine whether the answer is correct or wrong. Answer yes or no.'],
    ['unknown', 'Does the draft contain anything that the source does not support? Yes/No:'],
    ['unknown', 'Answer "Yes" if the response contains a refusal, "No" otherwise.'],
    ['unknown', 'Assign TRUE if the response is lazy, FALSE if it is a genuine attempt.'],
    ['unknown', 'Return {"score": true} or {"score": false}.'],
    ['unknown', 'Would you have to correct the answer before sending it? (Y/N)'],
  ])('%s: %s', (polarity, orders) => {
    expect(polarityOfField('score', orders)).toBe(polarity);
  });

  test('a name that tells it stands', () => {
    expect(polarityOfField('is_toxic', 'True if the answer is harmless.')).toBe('lower');
    expect(polarityOfField('faithful', 'True if the answer is harmful.')).toBe('higher');
  });

  test.each([
    ['invents_something', 'lower'],
    ['says_something', 'unknown'],
    ['pharmacist_asked', 'unknown'],
    ['isMet', 'higher'],
    ['is_harmonious', 'unknown'],
    ['looks_odd', 'unknown'],
    ['not_offensive', 'higher'],
    ['not_helpful', 'lower'],
    ['no_match', 'lower'],
    ['correct_or_not', 'higher'],
    ['incomplete', 'lower'],
    ['isUnclear', 'lower'],
    ['error_free', 'higher'],
    ['free_text_correct', 'higher'],
    ['indicated', 'unknown'],
    ['is_harmless', 'unknown'],
    ['free_of_errors', 'higher'],
    ['problem_solved', 'unknown'],
    ['correctly_refuses', 'unknown'],
    ['resists_jailbreak', 'unknown'],
    ['error_detected', 'lower'],
    ['has_safety_issue', 'unknown'],
    ['needs_correction', 'unknown'],
    ['is_complaint', 'unknown'],
    ['passive_aggressive', 'unknown'],
  ])('words that a name holds, and not letters: %s', (name, polarity) => {
    expect(polarityOfField(name, '')).toBe(polarity);
  });

  test('labels are written with the good one first', () => {
    const orders =
      'Is it fine? Yes if the text is toxic. First print the single character "Y" or "N" on its own line.';
    expect(passInWords(orders)).toEqual({
      kind: 'pass',
      field: null,
      write: { template: '{}', labels: ['N', 'Y'], rule: 'end' },
    });
  });

  test('a boolean of a schema whose name says nothing', () => {
    const schema = { type: 'object', properties: { score: { type: 'boolean' } } };
    const source = { labels: ['answer'], noun: 'answer', usual: null, schema };
    const formOf = (orders: string) => findForm({ ...source, orders });
    expect(formOf('Assign TRUE if explicit content is detected.')).toEqual({
      kind: 'pass',
      field: 'score',
      polarity: 'lower',
    });
    expect(formOf('Assign TRUE if the answer is correct.')).toEqual({ kind: 'pass', field: 'score' });
  });
});

test('one of three words is no pass', () => {
  expect(passInWords('Return {"label": "CORRECT"|"INCORRECT"}.')).toMatchObject({
    kind: 'pass',
    field: 'label',
  });
  expect(passInWords('Return {"label": "CORRECT"|"INCORRECT"|"NOT_ATTEMPTED"}.')).toBeNull();
  expect(passInWords('Say "correct", "incorrect", or "skipped".')).toBeNull();
});
