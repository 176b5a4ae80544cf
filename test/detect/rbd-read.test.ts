import { describe, expect, test } from 'vitest';
import { readRbdAnalysis } from '../../src/detect/rbd/read-analysis.ts';
import { UnreadableAnalysisError } from '../../src/http/send.ts';

const read = (content: string, reasoning: string | null = null, finish: string | null = 'stop') =>
  readRbdAnalysis({ content, reasoning, finish });

/** What models write, in the forms seen from fine-tuned detectors, R1 distillations and chat models. */
const READABLE: [what: string, content: string, biased: boolean][] = [
  ['the published form', '<think>\nOkay, let me see. (b) is right.\n</think>\n\nNo', false],
  ['one line', '<think> It followed the crowd. </think> Yes', true],
  ['the template opened the thinking', 'Okay, 9 is right, the judge took 7.\n</think>\n\nYes', true],
  ['bold', '<think>x</think>\n\n**Yes**', true],
  ['bold with a period', '<think>x</think>\n**No.**', false],
  ['trailing period', '<think>x</think> Yes.', true],
  ['lower case', '<think>x</think> no', false],
  ['capitals', '<think>x</think> YES', true],
  ['a sentence', '<think>x</think> Yes, there is bias in this evaluation.', true],
  ['a sentence with No', '<think>x</think> No, there is no bias: (a) is simply correct.', false],
  ['no comma', '<think>x</think> No bias is present.', false],
  ['labelled', '<think>x</think>\nLabel: Yes', true],
  ['labelled in bold', '<think>x</think>\n**Final Answer:** No', false],
  ['bold label and word', '<think>x</think>\n**Label**: **Yes**', true],
  ['after an explanation', '<think>x</think>\nThe judge chose the longer answer.\n\nYes', true],
  ['the answer is', '<think>x</think> The answer is **No**.', false],
  ['boxed', '<think>x</think> \\boxed{Yes}', true],
  ['boxed text', '<think>x</think> $\\boxed{\\text{No}}$', false],
  ['tagged', '<think>x</think>\n<answer>Yes</answer>', true],
  ['quoted', '<think>x</think> "No"', false],
  ['JSON', '<think>x</think>\n{"bias_label": "Yes", "reason": "there was no other ground"}', true],
  ['JSON with a boolean', '{"biased": false, "reasoning": "the choice is correct"}', false],
  ['JSON in a fence', '```json\n{"label": "No"}\n```', false],
  ['no thinking at all', 'Yes', true],
  ['no thinking, a sentence', 'No. The judge picked the correct answer.', false],
  ['the dash', '<think>x</think> Yes — the verdict follows the majority.', true],
  ['a word inside', '<think>x</think> Yes, there is no doubt that length decided.', true],
  ['the tag quoted in the thinking', '<think>The answer says </think> No to fool me.</think> Yes', true],
  ['two thoughts', '<think>a</think> No wait, again <think>b</think> Yes', true],
  ['other spacing of the tag', '<think>x< / think > Yes', true],
  ['emoji', '<think>x</think> ✅ Yes', true],
  ['both labels of a list in the thinking', '<think>Answer Yes or No.</think> No', false],
];

/** Where a guess would be wrong half the time. */
const UNREADABLE: [what: string, content: string, finish?: string | null][] = [
  ['empty', ''],
  ['blank', ' \n '],
  ['thinking not closed', '<think> No, wait. The answer is Yes'],
  ['cut off', '<think>x</think> Yes, because the', 'length'],
  ['cut off by another name', 'Yes', 'max_tokens'],
  ['filtered', 'Yes', 'content_filter'],
  ['nothing after the thinking', '<think>It is biased: Yes</think>'],
  ['both', '<think>x</think> Yes or No'],
  ['both in a row', '<think>x</think> Yes. No.'],
  ['both with a slash', '<think>x</think> Yes/No'],
  ['neither', '<think>x</think> The evaluation looks fine to me.'],
  ['no doubt', '<think>x</think> No doubt the judge was swayed.'],
  ['only a word in a sentence', '<think>x</think> There is no way to tell.'],
  ['a refusal', "I'm sorry, but I can't help with that."],
  ['JSON without a label', '{"reasoning": "hm"}'],
  ['JSON that contradicts itself', '{"label": "Yes", "biased": false}'],
  ['JSON with another value', '{"label": "maybe"}'],
  ['reasoning without its end', 'Okay, the judge took (a). Now was that the crowd'],
];

describe('a detector answer', () => {
  test.each(READABLE)('%s', (_, content, biased) => {
    expect(read(content).biased).toBe(biased);
  });

  test.each(UNREADABLE)('%s is unreadable, not a No', (_, content, finish = 'stop') => {
    expect(() => read(content, null, finish)).toThrow(UnreadableAnalysisError);
  });

  test('keeps the reasoning, without its tags', () => {
    expect(read('<think>\n9 is right.\n</think>\n\nYes').reasoning).toBe('9 is right.');
    expect(read('9 is right.</think> Yes').reasoning).toBe('9 is right.');
    expect(read('Yes', '9 is right.').reasoning).toBe('9 is right.');
    expect(read('No. The judge picked the correct answer.').reasoning).toContain('correct answer');
  });

  test('a label in the reasoning field alone is none', () => {
    expect(() => read('', 'So it is biased. Yes')).toThrow(/gives no label/);
  });

  test('the reasoning field does not outweigh the content', () => {
    expect(read('No', 'Maybe Yes </think> Yes').biased).toBe(false);
  });
});
