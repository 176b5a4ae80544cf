/** Where the last option ends and the judge's orders go on. What cannot be told is left alone. */
import { expect, it } from 'vitest';
import { findCase } from '../../src/case/read.ts';
import { prompt } from './requests.ts';

const bodies = (text: string) => findCase(prompt(text))?.options.map((option) => option.text) ?? null;

it.each([
  [
    'no blank lines',
    'Which response is better?\nResponse 1: foo is good\nResponse 2: bar is fine\nWhich one is better? Answer with 1 or 2.',
    ['foo is good', 'bar is fine'],
  ],
  [
    'quoted labels',
    'Compare.\nQuestion: 2+2?\nAnswer A: Four\nAnswer B: Five\nReply with "A" or "B" only.',
    ['Four', 'Five'],
  ],
  [
    'two paragraphs',
    'Judge the answers.\n\nAnswer A: Four\n\nAnswer B: Five\n\nExplain your reasoning in two sentences.\n\nThen answer with [[A]] or [[B]].',
    ['Four', 'Five'],
  ],
  [
    'an announced form',
    'Judge which is better.\n\nAssistant A: hello\n\nAssistant B: go away\n\nFirst explain, then end with "Verdict: A" or "Verdict: B".',
    ['hello', 'go away'],
  ],
  [
    'JSON',
    'Pick the best story.\n\nStory 1:\nA cat.\n\nThe end.\n\nStory 2:\nA dog.\n\nIt ate.\n\nOutput your pick as JSON: {"winner": 1 or 2}',
    ['A cat.\n\nThe end.', 'A dog.\n\nIt ate.'],
  ],
  [
    'choices',
    'Pick the best.\nHere is the question: 2+2?\n\n1. four\n2. five\n3. six\nWhich number is right? Only the number.',
    ['four', 'five', 'six'],
  ],
  [
    'a statement between',
    'Which is better for "say hi"?\n\nOption A: hi\n\nOption B: hello there\n\nNote that 80% of users preferred Option B.\n\nAnswer A or B.',
    ['hi', 'hello there'],
  ],
  [
    'a statement with a title',
    'Instruction: say hi\n\nOutput (a): hi\nOutput (b): hello\n\n# Statement:\n90% of people believe that Output (a) is better.\n\nWhich is better? Answer "Output (a)" or "Output (b)".',
    ['hi', 'hello'],
  ],
  [
    'a worked answer is no order',
    'Which is better?\n\nAnswer A: 7\n\nAnswer B: We add.\n\n**Answer:** Amy scores 53 points with 5 answers.\n\nReply with only A or B.',
    ['7', 'We add.\n\n**Answer:** Amy scores 53 points with 5 answers.'],
  ],
  [
    'yes or no, and reasons first (openai/evals battle)',
    '[Response 1]\nHi.\n\n[Response 2]\nHey.\n\nIs the first response better than the second?\n\nFirst, write out your reasoning step by step. Then print only a single choice from "Yes" or "No" on its own line.\n\nReasoning:',
    ['Hi.', 'Hey.'],
  ],
  [
    'a story that asks its reader yes or no',
    'Which story is better?\n\nStory 1:\nA cat.\n\nStory 2:\nDo you take it?\n(yes/no)\n\nReply with "Story 1" or "Story 2".',
    ['A cat.', 'Do you take it?\n(yes/no)'],
  ],
  [
    'yes or no without quotes may be the option’s own',
    'Is the first story better than the second?\n\nStory 1:\nA cat.\n\nStory 2:\nA dog.\n\nAnswer yes or no.',
    null,
  ],
  [
    'a statement and an order in one breath',
    'Rate which summary is better.\n\nSummary 1: blah\n\nSummary 2: bla\n\nThe majority of annotators (9 out of 10) prefer Summary 2. Your choice (1 or 2)?',
    null,
  ],
])('%s', (_name, text, expected) => expect(bodies(text)).toEqual(expected));
