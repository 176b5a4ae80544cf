/** A new label stands where the client's parser found the first one. */
import { expect, test } from 'vitest';
import { keepsPlace } from '../../src/case/replacement.ts';
import type { LabelRule, VerdictForm } from '../../src/case/types.ts';

const choice = (
  template: string,
  labels: string[],
  rule?: LabelRule,
  tie: string | null = null,
): VerdictForm => ({
  kind: 'choice',
  write: { template, labels, ...(rule ? { rule } : {}) },
  tie,
  field: null,
});
const brackets = choice('[[{}]]', ['A', 'B'], undefined, '[[C]]');
const score = (template: string | null): VerdictForm => ({
  kind: 'score',
  min: 1,
  max: 5,
  template,
  field: null,
});

test.each<[boolean, string, VerdictForm, string, string]>([
  [true, 'alone', brackets, '[[A]]', ' [[B]]\n'],
  [true, 'alone, a tie', brackets, '[[A]]', '[[C]]'],
  [false, 'alone, and now with a reason', brackets, '[[A]]', '[[B]] because it is right'],
  [false, 'at the end, and now with a reason behind it', brackets, 'So: [[A]]', '[[B]]: it is right.'],
  [true, 'at the end', brackets, 'So: [[A]]', 'On second thoughts, [[B]]'],
  [true, 'somewhere, and now at the end', brackets, '[[A]] is my verdict.', 'My verdict: [[B]]'],
  [
    false,
    'prometheus’, behind which nothing may stand',
    choice('[RESULT] {}', ['A', 'B']),
    'Good. [RESULT] A',
    '[RESULT] B Good.',
  ],
  [
    false,
    'LangChain’s, on the last line',
    choice('[[{}]]', ['A', 'B'], 'unique'),
    'Good.\n[[A]]',
    '[[B]]\nGood.',
  ],
  [
    true,
    'FastChat’s, wherever it stands',
    choice('[[{}]]', ['A', 'B'], 'priority'),
    'Good.\n[[A]]',
    '[[B]]\nGood.',
  ],
  [false, 'on the first line', choice('{}', ['Yes', 'No']), 'Yes\nfor it is good', 'It is not.\nNo'],
  [
    true,
    'on the first line, with a stop',
    choice('{}', ['Yes', 'No']),
    'Yes\nfor it is good',
    'No.\nIt is not.',
  ],
  [
    true,
    'what a sentence is about',
    choice('Output ({})', ['a', 'b']),
    'Output (a) is longer, so (a).',
    'The task asks … Output (b) is better',
  ],
  [false, 'the end of another word', choice('{}', ['A', 'B']), 'so A', 'so AB'],
  [true, 'a score alone', score(null), '4', '2.5'],
  [false, 'a score alone, and now out of five', score(null), '4', '2/5 stars'],
  [false, 'a rating at the end', score('Rating: [[{}]]'), 'Good. Rating: [[4]]', 'Rating: [[2]], I fear'],
  [
    true,
    'named, and now behind reasons',
    choice('Winner: {}', ['1', '2']),
    'Winner: 1',
    'It is right.\nWinner: 2',
  ],
  [
    false,
    'named, and now with a reason behind it',
    choice('Winner: {}', ['1', '2']),
    'Winner: 1',
    'Winner: 2, it is right',
  ],
  [
    false,
    'named, on the first of several lines',
    choice('Winner: {}', ['1', '2']),
    'Winner: 1\nIt is right.',
    'It is right.\nWinner: 2',
  ],
  [true, 'a field of JSON', { ...brackets, field: 'winner' } as VerdictForm, '[[A]]', '{"winner": "B"}'],
])('%s: %s', (kept, _, form, first, text) => {
  expect(keepsPlace(text, first, form)).toBe(kept);
});
