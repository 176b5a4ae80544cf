/** Choices in a judge's own sentences, and sentences that sound like a choice and are none. */
import { describe } from 'vitest';
import type { VerdictForm } from '../../src/case/types.ts';
import { labelled, reads } from './verdict-rows.ts';

describe('no form asked for', () => {
  const form: VerdictForm = { kind: 'choice', write: null, tie: null, field: null };
  describe('letters', () => {
    reads(form, labelled('A', 'B'), [
      ['Verdict: A because it is shorter', 0],
      ['Answer: A good reply would be longer.', 'no-label'],
      ['Winner: Response A', 0],
      ['### Decision\nB', 1],
      ['Winner: A (B was close)', 0],
      ['**Winner: A** (B is too long)', 0],
      ['The winner is A (B was close).', 0],
      ['Better: A (Response B lacks sources)', 0],
      ['Winner: A [B: 6/10]', 0],
      ['Winner: B (A was close)', 1],
      ['Winner: A overall (Response B was close)', 'no-label'],
      ['Winner: a (Response B was close)', 'no-label'],
    ]);
  });
  describe('assistants', () => {
    reads(form, labelled('Assistant A', 'Assistant B'), [
      ['{"winner": "Assistant B", "confidence": 0.9}', 1],
    ]);
  });
  describe('responses', () => {
    reads(form, labelled('Response 1', 'Response 2'), [
      ['Response 1 is better.', 0],
      ['1', 0],
      ['The second one is better.', 1],
      ['{"winner": 2}', 1],
      // What is said of each is no choice of the first.
      ['Response 1 - 9\nResponse 2 - 4', 'no-label'],
      ['## Response 1\nClear.\nScore: 4\n\n## Response 2\nVague.\nScore: 9', 'contradictory'],
      ['Response 2 - it is clear.', 1],
    ]);
  });
});

describe('in running text, no form asked for', () => {
  const form: VerdictForm = { kind: 'choice', write: null, tie: null, field: null };
  describe('outputs', () => {
    reads(form, labelled('Output (a)', 'Output (b)'), [
      ['My evaluation: Output (b) > Output (a)', 1],
      [
        'Output (b) is the superior output, as it is the only one that follows the format; Output (a) is not.',
        1,
      ],
      ['It is hard to say that Output (a) is better.', 'no-label'],
      ['I initially thought Output (a) was better, but Output (b) is better.', 1],
      ['Output (a) is not only better written, it is better overall.', 'no-label'],
      ["Output (a) isn't better.", 'no-label'],
      ['Output (b)\nOutput (b)', 1],
      ['Output (a) or Output (b)?\n\nOutput (b)', 1],
      ['There is no reason to prefer Output (a).', 'no-label'],
      ['The instruction says to prefer Output (a).', 'no-label'],
      ['"Output (a) is better" is what 90% say. I disagree: Output (b) is better.', 1],
      ['The answer is (b).', 1],
      ['The former is better.', 'no-label'],
      ['Output (a) is wrong and Output (b) is right.', 'no-label'],
      ['I select Output (b) as the better one', 1],
      ['Output (b) seems better at first, but it misses the point; Output (a) is better.', 0],
      [
        'One might think Output (b) is better because it is longer. It is not: Output (a) follows the instruction.',
        'no-label',
      ],
      ['I was told that Output (a) is better.', 'no-label'],
      ['Were Output (a) shorter, Output (a) would be better.', 'no-label'],
      ['Output (a) is much better. Just kidding. Output (b) is better.', 'contradictory'],
      ['The question is whether Output (a) is better than Output (b).', 'no-label'],
      ['Output (a) used to be better.', 'no-label'],
      ['Nothing suggests that Output (b) is better.', 'no-label'],
      ['Output (b) is far from better.', 'no-label'],
      ['Preferred output: (b)', 1],
      ['Output (a) (the shorter one) is better.', 0],
      ['Of the two, (b) is the better one by a wide margin.', 1],
      ['Therefore, neither is worse.', 'no-label'],
      ['If you value brevity, Output (a) is better. Otherwise Output (b) is better.', 'no-label'],
      ['It depends: Output (a) is better for experts, Output (b) is better for beginners.', 'no-label'],
      ['It depends: for beginners Output (a) is better, for experts Output (b).', 'no-label'],
      ['It depends on taste, but overall Output (b) is better.', 1],
      ['I doubt that Output (b) is better.', 'no-label'],
      ['I have no doubt that Output (b) is better.', 1],
      ['I dispute that Output (b) is better.', 'no-label'],
      ['Contrary to first impressions that Output (b) is better, it is wrong.', 'no-label'],
      ['For that reason Output (b) is better.', 1],
      ['Output (a) contains an error that makes Output (b) the better choice.', 1],
      ['It would be a mistake to say that Output (b) is better.', 'no-label'],
      ['It would be a mistake to choose Output (b).', 'no-label'],
      ["Output (b) looks better, but it isn't.", 'no-label'],
      ['Output (b) seems better. It is not.', 'no-label'],
      ['Output (b) is better, but it is not perfect.', 1],
      ['From worst to best: (b), (a)', 'no-label'],
      ['From best to worst: (b), (a)', 1],
      ['Output (b) is better than nothing, Output (a) is excellent.', 'no-label'],
      ['Output (b) is better than I expected, but Output (a) is the winner.', 0],
    ]);
  });
  describe('assistants', () => {
    reads(form, labelled('Assistant A', 'Assistant B'), [
      ['After comparing both, my choice would be Assistant B due to its accuracy.', 1],
      [
        "Assistant A's answer contains errors, whereas Assistant B's answer is accurate. Hence Assistant B is the winner.\n\n**Final verdict: B**",
        1,
      ],
      ['Answer (B)', 1],
      ['**B**', 1],
      ['B)', 1],
      ["Considering everything, Response B is what I'd recommend.", 'no-label'],
      ['Response B should be preferred.', 1],
      ['{"winner": "A", "loser": "B"}', 'contradictory'],
      ['B is better, in my opinion, than A.', 1],
      ['A>B', 0],
      ['B > A', 1],
      ['Model A', 0],
      ["Assistant B's response is significantly better than Assistant A's.", 1],
      ['A better answer would combine both.', 'no-label'],
      ['In the end, Assistant B takes it.', 'no-label'],
      ['Assistant B does a better job overall.', 1],
      ['Overall, Assistant A did better.', 0],
      ['Assistant A performs better than Assistant B in this task.', 0],
      ['Les deux réponses sont bonnes, mais la réponse B est meilleure.', 'no-label'],
    ]);
  });
  describe('responses', () => {
    reads(form, labelled('Response 1', 'Response 2'), [
      ['I find Response 2 more convincing overall.', 1],
      ['Response 1 edges out Response 2.', 0],
      ['Final Verdict: Response 2 is better than Response 1', 1],
      ['Neither is clearly better, but if forced I would pick Response 1.', 0],
      ['## Winner\n\n**Response 1**', 0],
      ['Response 1: 8/10\nResponse 2: 6/10\n\nResponse 1 is the better response.', 0],
      ['The response is better structured in Response 1.', 'no-label'],
      ['2', 1],
      ["Both fail. I'd call it a tie.", 'tie'],
      ['Response 1 is rarely better than Response 2.', 'no-label'],
      ['I rank Response 2 first and Response 1 second.', 'no-label'],
      ['The winner is not Response 1.', 'no-label'],
      ['The winner is clearly Response 2!', 1],
      ['Step 1. Compare. Step 2. Decide.\n\nAnswer: 2', 1],
      ['I have 2 concerns. Response 2 ignores the format. So Response 1.', 'no-label'],
      ['Verdict — Response 1', 0],
      ['Final answer: Response 1 (not Response 2)', 0],
    ]);
  });
});
