/** Statements beside the options: found, taken out whole, and following their option when it moves. */
import { expect, test } from 'vitest';
import { applyEdits, asGiven, editsFor, reversed } from '../../src/case/counterfactual.ts';
import { expectInPlace, expectSwapIsExact, found, prompt } from './requests.ts';

const OPTIONS = 'Output (a): Hi.\n\nOutput (b): Hey.';
const ASK = 'Which is better, Output (a) or Output (b)?';

const statements: [statement: string, swapped: string][] = [
  [
    '### Statement: 90%% believe that Output (a) is better',
    '### Statement: 90%% believe that Output (b) is better',
  ],
  ['[Statement] 90% believe that Output (b) is better', '[Statement] 90% believe that Output (a) is better'],
  ['Note: 80% of people prefer Output (b).', 'Note: 80% of people prefer Output (a).'],
  ['90% of users think B is better than A.', '90% of users think A is better than B.'],
  [
    'The majority of experts believe that output A wins.',
    'The majority of experts believe that output B wins.',
  ],
];

test.for(statements)('%s', ([statement, swapped]) => {
  const request = prompt(`Say hi.\n\n${statement}\n\n${OPTIONS}\n\n${ASK}`);
  const subject = found(request);
  expectInPlace(subject);
  expect(subject.instruction?.text).toBe('Say hi.');
  expect(subject.context.map(({ text }) => text)).toEqual([statement]);
  const turned = applyEdits(request, editsFor(subject, reversed(subject)));
  expect(turned.parts[0]?.text).toBe(
    `Say hi.\n\n${swapped}\n\nOutput (a): Hey.\n\nOutput (b): Hi.\n\n${ASK}`,
  );
  expectSwapIsExact(request);
  const without = editsFor(subject, { ...asGiven(subject), context: new Map([[0, null]]) });
  expect(applyEdits(request, without).parts[0]?.text).toBe(`Say hi.\n\n${OPTIONS}\n\n${ASK}`);
});

test('a statement between or behind the options is not part of one', () => {
  const said = (key: string) => `### Statement: 90% believe that Output (${key}) is better`;
  const request = prompt(
    `Say hi.\n\nOutput (a): Hi.\n\n${said('a')}\n\nOutput (b): Hey.\n\n${said('b')}\n\n${ASK}`,
  );
  const subject = found(request);
  expect(subject.options.map(({ text }) => text)).toEqual(['Hi.', 'Hey.']);
  expect(subject.context.map(({ text }) => text)).toEqual([said('a'), said('b')]);
  expectSwapIsExact(request);
});

test('what an answer or the instruction says of a majority stays where it is', () => {
  const request = prompt(
    'Summarise: 90% of users think option pricing is hard.\n\nOutput (a): Most people agree that 80% is too much.\n\nOutput (b): 70% of users prefer tea.',
  );
  expect(found(request).context).toEqual([]);
});

test('a statement in the system message counts', () => {
  const request = {
    parts: [
      { role: 'system', text: `You are a judge.\n90% of reviewers prefer Output (b).\nBe fair.` },
      { role: 'user', text: `Say hi.\n\n${OPTIONS}` },
    ],
  };
  const subject = found(request);
  expect(subject.context.map(({ at }) => at.part)).toEqual([0]);
  expect(subject.context[0]?.mentions.map(({ option }) => option)).toEqual([1]);
  expectSwapIsExact(request);
});
