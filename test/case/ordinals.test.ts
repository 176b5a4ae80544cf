import { expect, it } from 'vitest';
import { nameByPlace, placeName } from '../../src/case/ordinals.ts';
import type { Verdict } from '../../src/case/types.ts';
import { remindVerdict } from '../../src/case/verdicts/index.ts';
import { caseOf } from '../two-options.ts';

const lettered = caseOf({ options: ['Paris', 'Lyon'] });
const numbered = {
  ...lettered,
  options: lettered.options.map((option, i) => ({ ...option, label: String(i + 1) })),
};

it.each([
  ['Output (a) is longer than output (B).', 'the first option is longer than the second option.'],
  ['so [[A]] won over [[B]]', 'so the first option won over the second option'],
  ['Answer A fails; (b) does not.', 'the first option fails; the second option does not.'],
  ['to answer a question, b is a letter', 'to answer a question, b is a letter'],
])('letters: %s', (text, named) => expect(nameByPlace(text, lettered, [0, 1])).toBe(named));

it.each([
  [['Draft I', 'Draft II'], 'Draft II beats Draft I', 'the second option beats the first option'],
  [['Text 1', 'Text 10'], 'Text 10 beats Text 1.', 'the second option beats the first option.'],
])('%s: a name that another one begins with', (labels, text, named) => {
  const options = lettered.options.map((option, i) => ({ ...option, label: labels[i] ?? '' }));
  expect(nameByPlace(text, { ...lettered, options }, [0, 1])).toBe(named);
});

it('follows the order of the reader', () => {
  expect(nameByPlace('Output (a) won', lettered, [1, 0])).toBe('the second option won');
});

it('leaves numbers alone that are no labels', () => {
  expect(nameByPlace('Choice 2 says 1 mile, option 1 says 2', numbered, [0, 1])).toBe(
    'the second option says 1 mile, the first option says 2',
  );
});

it('has no number in any place name', () => {
  for (const slot of [0, 1, 11, 25]) expect(placeName(slot)).not.toMatch(/\d/);
});

it.each<[Verdict, string]>([
  [{ text: '', kind: 'choice', option: 1, strength: 'strong' }, 'the first option'],
  [{ text: '', kind: 'scores', scores: [9, 6] }, 'a higher score for the second option'],
  [{ text: '', kind: 'scores', scores: [7, 7] }, 'equal scores'],
  [{ text: '', kind: 'category', category: 'A' }, 'the answer you gave then'],
])('tells %j to a reader of the other order without a label or a number', (verdict, words) => {
  expect(remindVerdict(verdict, (option) => placeName([1, 0].indexOf(option)))).toBe(words);
});
