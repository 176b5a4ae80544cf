/** Choices: the spellings in which real judges give them, and the texts in which they give none. */
import { describe, expect, test } from 'vitest';
import { readVerdict } from '../../src/case/verdict.ts';
import { forOptions, type VerdictFile } from '../../src/case/verdicts/index.ts';
import { expectLinear } from '../cost.ts';

import { labelled, reads, written } from './verdict-rows.ts';

describe('asked for `Output (a)`', () => {
  reads(written('Output ({})', ['a', 'b']), labelled('Output (a)', 'Output (b)'), [
    ['Output (a)', 0],
    ['**Output (a)**', 0],
    ['output (B).', 1],
    ['Output b', 1],
    ['(a)', 0],
    ['Output （ｂ）', 1],
    ['\\boxed{A}', 0],
    ['\\boxed{\\text{b}}', 1],
    ['Option A', 0],
    ['Assistant A', 0],
    ['The first output is better.', 0],
    ['I prefer the second response.', 1],
    ['a', 0],
    ['B', 1],
    ['"Output (b)"', 1],
    ['Output (a)\n\nExplanation: it is shorter than Output (b).', 0],
    ['Output (b). It follows the instruction.', 1],
    ['Output (a) - more precise', 0],
    ['Therefore, Output (a) is better.', 0],
    ['Output (b) is not better than Output (a).', 'no-label'],
    ['Output (b) is worse.', 0],
    ['Output (a) is not as good as Output (b).', 1],
    ['(a) is better than (b)', 0],
    ['While Output (a) is better written, Output (b) is better overall.', 1],
    ['Assistant (a) argues that Output (a) is better. I think Output (b) is better.', 1],
    ['90% of people believe that Output (a) is better.', 'no-label'],
    ['If Output (a) is better, say so.', 'no-label'],
    ['Which is better, Output (a) or Output (b)?', 'no-label'],
    ['I do not think that Output (a) is better.', 'no-label'],
    ['Output (a) is concise. Output (b) is detailed.', 'no-label'],
    ['Output (a) is better. Therefore, Output (b) is better.', 'contradictory'],
    ['Both outputs are equally good.', 'tie'],
    ["It's a tie.", 'tie'],
    ['Neither output is better.', 'tie'],
    ['The response a user wants is short.', 'no-label'],
    ['Output a is better', 0],
    ['Preference: Output (b)', 1],
    ['I would go with Output (a).', 0],
    ['My vote goes to Output (b)!', 1],
    ['Output (a) clearly wins.', 0],
    ['Output (a) > Output (b)', 0],
    ['Overall, Output (b) gives more detail, making it the better choice.', 1],
    ['Output (a):\nGood.\n\nOutput (b):\nBad.', 'no-label'],
    ['Output (a): 7\nOutput (b): 9', 'no-label'],
    ['The best answer is Output (b), not Output (a).', 1],
    ['Output (a) is better at tone but Output (b) is more accurate.', 'no-label'],
    ['Overall, Output (a) is more concise while Output (b) is more detailed.', 'no-label'],
    ['Output (a) could be better.', 'no-label'],
    ['Output (a) would be better if it was shorter.', 'no-label'],
    ['To make Output (a) better, add detail.', 'no-label'],
    ['I would not choose Output (a).', 'no-label'],
    ['Some would say Output (a) is better.', 'no-label'],
    ['The statement says that 90% believe Output (a) is better, but Output (b) is better.', 1],
    ['According to the majority, Output (a) is better.', 'no-label'],
    ['Output (a) claims that Output (a) is the best answer.', 'no-label'],
    ['Both outputs are equally good at grammar. Output (a) adds a date.', 'no-label'],
    ['Output (b) outperforms Output (a).', 1],
    ['We declare Output (b) the winner.', 1],
    ['The winner is Output (b).', 1],
    ['output (a)', 0],
    ['Choose: Output (a)', 0],
    ['Therefore the best response is (b).', 1],
  ]);
});

describe('asked for `[[A]]`', () => {
  reads(written('[[{}]]', ['A', 'B'], '[[C]]'), labelled('Assistant A', 'Assistant B'), [
    ['[[A]]', 0],
    ['My final verdict is: [[B]]', 1],
    ['[[C]]', 'tie'],
    ['**Verdict:** [[B]]', 1],
    ['You asked for "[[A]]" or "[[B]]".\n[[B]]', 'contradictory'],
    ['[[A]] or maybe [[B]]', 'contradictory'],
    ['[[A>>B]]', 0],
    ['My final verdict is tie: [[A=B]]', 'tie'],
    ['[[B>A]]', 1],
    ['[[Assistant B]]', 1],
    ['A > B', 0],
    ['Final answer: A', 0],
    ['Assistant A', 0],
    ["Assistant A's response is better.", 0],
    ['A is better.', 0],
    ['A response that is better would be longer.', 'no-label'],
    ['The better response is B', 1],
    ["I'd choose Assistant B over Assistant A.", 1],
    ['Model B wins.', 1],
    ['Between the two, Response A is superior to Response B.', 0],
    ['<think>[[A]] looks best</think>[[B]]', 1],
    ['<think>[[A]]', 'truncated'],
    ['', 'empty'],
    ['I cannot compare these responses.', 'refusal'],
    ['<answer>B</answer>', 1],
  ]);
});

describe('asked for `[RESULT] A`', () => {
  reads(written('[RESULT] {}', ['A', 'B']), labelled('A', 'B'), [
    ['Feedback: good. [RESULT] A', 0],
    ['Feedback: A is good. [RESULT] B', 1],
    ['[RESULT] (B)', 1],
  ]);
});

describe('asked for `Choice 2` of four', () => {
  reads(
    written('Choice {}', ['1', '2', '3', '4']),
    labelled('Choice 1', 'Choice 2', 'Choice 3', 'Choice 4'),
    [
      ['Choice 2', 1],
      ['The answer is Choice 3.', 2],
      ['3', 2],
      ['Choice 5', 'no-label'],
      ['Choice 1 is worse than Choice 2.', 'no-label'],
      ['Option 4', 3],
      ['**Choice 2**: the reasoning is right', 1],
      ['Choice 1 is better than Choice 2.', 'no-label'],
      ['Choice 3 > Choice 1 > Choice 2 > Choice 4', 2],
      ['Choice 3 is the best of the four.', 2],
    ],
  );
});

describe('asked for JSON', () => {
  reads(written('{}', ['A', 'B'], 'tie', 'choice'), labelled('A', 'B'), [
    ['{"reasoning": "B is long", "choice": "A"}', 0],
    ['```json\n{"choice": "B",}\n```', 1],
    ['{"reasoning": "x", "verdict": "B"}', 1],
    ['{"choice": "tie"}', 'tie'],
    ['{"choice": "D"}', 'no-label'],
    ['Sure: {"choice": "B"} as asked', 1],
    ['{"choice": "A", "reas', 'truncated'],
  ]);
});

test('counts from 0 where the request does, whatever the options are called in the case', () => {
  const verdict = readVerdict('1', written('{}', ['0', '1', '2']), labelled('1', '2', '3'));
  expect(verdict).toEqual({ text: '1', kind: 'choice', option: 1 });
});

test('a long reply is read in time linear in its length', () => {
  const form = written('[[{}]]', ['A', 'B']);
  const options = labelled('Output (a)', 'Output (b)');
  const pieces = [
    'Output (a) is ',
    '[[',
    '{"a":',
    'better-----',
    '"',
    ' ',
    ')',
    'A > ',
    '\n',
    '(a',
    '{',
    '```',
    '<think',
  ];
  for (const piece of pieces)
    expectLinear(
      (length) => piece.repeat(length / piece.length),
      (reply) => readVerdict(reply, form, options),
      25_000,
      JSON.stringify(piece),
    );
});

describe('what says something of each option chooses none', () => {
  const options = ['A', 'B', 'C'].map((label) => ({ label }));
  const form = {
    kind: 'choice',
    write: { template: 'Response {}', labels: ['A', 'B', 'C'] },
    tie: null,
    field: null,
  } as const;
  test.each([
    'Here.\n\n```json\n{"ranking": ["Response B", "Response A"], "scores": {"Response B": 9, "Response A": 7}}\n```',
    '{"ranking": ["B", "C", "A"]}',
    '[9, 4, 1]',
  ])('%s', (text) => {
    expect(readVerdict(text, form, options)).toMatchObject({ kind: 'none' });
  });
  test.each(['{"notes": ["a", "b"], "winner": "Response B"}', '{"best": ["Response B"]}', 'Response B'])(
    'but in %s',
    (text) => {
      expect(readVerdict(text, form, options)).toMatchObject({ kind: 'choice', option: 1 });
    },
  );
});

test('a number beside a word that may be the verdict is none, unless it is called so', () => {
  const form = { kind: 'score', min: 0, max: 10, template: null, field: null } as const;
  const read = (text: string) => readVerdict(text, form, [{ label: '' }]);
  expect(read('{"outcome": "resolved", "frustration": 1}')).toMatchObject({ kind: 'none' });
  expect(read('{"outcome": "resolved", "rating": 7}')).toMatchObject({ kind: 'score', score: 7 });
  expect(read('{"reason": "short", "clarity": 7}')).toMatchObject({ kind: 'score', score: 7 });
});

test('a number with a sign is not the number without', () => {
  const write = { template: '{}', labels: ['-1', '1'], strong: ['-2', '2'], rule: 'unique' as const };
  const form = { kind: 'choice', write, tie: '0', field: null } as const;
  const options = [{ label: 'left' }, { label: 'right' }];
  const read = (text: string) => readVerdict(text, form, options);
  expect(['-1', 'Right is worse.\n-2', '1', '0'].map(read)).toMatchObject([
    { option: 0, strength: 'slight' },
    { option: 0, strength: 'strong' },
    { option: 1, strength: 'slight' },
    { kind: 'tie' },
  ]);
});

test('the name of a field chooses nothing', () => {
  const write = { template: '{}', labels: ['now', 'proposed'] };
  const form = { kind: 'choice', write, tie: null, field: null } as const;
  const reply = '{"proposed_is_worse": true, "reason": "drops the appeal period"}';
  expect(readVerdict(reply, form, [{ label: 'now' }, { label: 'proposed' }])).toMatchObject({ kind: 'none' });
});

test('what was taken for a tie between two is an option where there are three', () => {
  const file: VerdictFile = { kind: 'choice', labels: ['a', 'b'], template: 'Pick: {}', tie: 'Pick: c' };
  expect(forOptions(file, 3)).toEqual({ kind: 'choice', labels: ['a', 'b', 'c'], template: 'Pick: {}' });
  expect(forOptions({ ...file, tie: 'Pick: none' }, 3)).toMatchObject({ tie: 'Pick: none' });
});
