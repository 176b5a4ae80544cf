/** Requests whose verdict could be read wrongly, or not mirrored: no case is found, and they pass through. */
import { expect, test } from 'vitest';
import { findCase } from '../../src/case/read.ts';
import type { Prompt } from '../../src/case/types.ts';
import { ARENA, ARENA_PAIR, answersOf, chat, JUDGE, object } from './client-rows.ts';
import { prompt } from './requests.ts';

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
  [
    'how much better the second is, as a number',
    prompt('Compare.\n\n<response_1>\nHi.\n</response_1>\n<response_2>\nHey.\n</response_2>'),
    object({ preference: { type: 'integer', minimum: -3, maximum: 3 } }),
  ],
  [
    'scores by criterion, not by option',
    prompt('Compare.\n\n<response_1>\nHi.\n</response_1>\n<response_2>\nHey.\n</response_2>'),
    object({ criterion_1: { type: 'integer' }, criterion_2: { type: 'integer' } }),
  ],
  [
    'the last entry of an agent’s log',
    prompt(
      'Was the goal reached? Judge the outcome.\n\n# Trajectory\n[think] I need the registry.\n[call] lookup(1) -> valid\n[answer] All are certified.',
    ),
    object({ goal_reached: { enum: ['yes', 'no'] } }),
  ],
  [
    'texts behind letters of which one has a rule of its own',
    prompt(
      'Compare summary A with summary B: which is better?\n\n***\nA: One.\n***\nB: Two.\n***\nThree.\n***\n\nAnswer "A" or "B".',
    ),
  ],
  [
    'texts behind letters of which one has a letter of its own',
    prompt(
      'Compare summary A with summary B: which is better?\n\n***\nA: One.\n***\nB: Two.\n***\nB: Three.\n***\n\nAnswer "A" or "B".',
    ),
  ],
  [
    'a battle of answers to two instructions (openai/evals)',
    prompt(
      '[Instruction 1]\nSay hi.\n[Response 1]\nHi.\n\n[Instruction 2]\nSay bye.\n[Response 2]\nBye.\n\n\nIs the first response better than the second? Answer "Yes" or "No".',
    ),
  ],
  [
    'a ranking of three in one label',
    chat(
      `${JUDGE} Answer like [[A>B>C]].`,
      `${answersOf(['A', 'B'])}\n\n[The Start of Assistant C's Answer]\nI am C.\n[The End of Assistant C's Answer]`,
    ),
  ],
  [
    'principles to judge by, numbered in front of the statements to judge',
    chat(
      'You evaluate relevancy.\n\nKeep in mind:\n1. Judge each statement alone\n2. Partly relevant is relevant',
      'Evaluate each statement: "yes" or "no".\n\nStatements:\n- It is 391.',
    ),
  ],
  [
    'numbered aspects of one response',
    prompt(
      'Response:\nIt is 391.\n\nEvaluate the following aspects:\n\n1. **Intent**\n   - Score it\n2. **Tone**\n   - Score it\n\nEvaluate whether the response fits.',
    ),
  ],
  [
    'numbered steps of one task, and a label that sorts (phoenix)',
    prompt(
      'Label the conversation.\n\n1. Find the requests of the user\n2. Evaluate each of them by choice 1\n\nIs it complete or incomplete?',
    ),
    object({ explanation: { type: 'string' }, label: { enum: ['complete', 'incomplete'] } }),
  ],
  [
    'a heading at the end, below which the reply is begun',
    chat('Score the text from 1 to 5 as JSON.', "# Data\n'''\n**Text**\n391\n'''\n\n# Response\njson\n"),
  ],
  [
    'a score to be explained, not given',
    prompt('Explain the score of the output.\n\nOutput:\n391\n\nScore: 1\n\nUse given score.'),
  ],
])('%s', (_, request, schema) => {
  expect(findCase(request, schema === undefined ? {} : { schema })).toBeNull();
});

test('a log is none whose entries are named as a case is', () => {
  const request = prompt(
    'Grade the answer.\n\n[Question] What is 1 + 1?\n[Reference] 2\n[Answer] Two, of course.',
  );
  const subject = findCase(request, { schema: object({ score: { type: 'integer' } }) });
  expect(subject?.options.map(({ text }) => text)).toEqual(['Two, of course.']);
});
