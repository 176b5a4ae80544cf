/** What is judged of a conversation that is handed over in one piece. */
import { describe, expect, test } from 'vitest';
import { onlyAnswer } from '../../src/case/conversation.ts';
import { guessCase } from '../../src/case/read.ts';
import { prompt } from './requests.ts';

const said = (text: string) => {
  const turn = onlyAnswer(text);
  return turn && [text.slice(turn.start, turn.end), turn.nested];
};

describe('a model that speaks once is judged by what it says', () => {
  test.each([
    [
      JSON.stringify([
        { role: 'user', content: 'Tea?' },
        { role: 'assistant', content: 'It is "hot".' },
      ]),
      'It is \\"hot\\".',
      1,
    ],
    ['[{"content": "Hot.", "role": "model", "id": 3},\n {"content": "Now?", "role": "user"}]', 'Hot.', 1],
    [
      "[{'content': 'Tea?', 'role': 'user'}, {'content': \"It's hot.\", 'role': 'assistant', 'tools': [{'x': 1}]}]",
      "It's hot.",
      1,
    ],
    [
      "[{'content': 'Tea?', 'role': 'user'}, {'content': 'Hot,\\n\\'so\\'', 'role': 'assistant'}]",
      "Hot,\\n\\'so\\'",
      0,
    ],
    ['user: Tea?\nassistant: Hot.\nVery.', 'Hot.\nVery.', 0],
    ['Human: Tea?\nOr not?\nAI: Hot.\nHuman: I see.', 'Hot.', 0],
  ])('%s', (text, answer, nested) => {
    expect(said(text)).toEqual([answer, nested]);
  });
});

describe('all of a text is judged where', () => {
  test.each([
    ['the model speaks twice', 'user: Tea?\nassistant: Hot.\nuser: Now?\nassistant: Still.'],
    [
      'the model speaks twice in JSON',
      '[{"role":"user","content":"Tea?"},{"role":"assistant","content":"Hot."},{"role":"assistant","content":"Or not."}]',
    ],
    ['an answer writes a turn of its own', 'user: Tea?\nassistant: Hot.\nassistant: Cold.'],
    ['nobody else speaks', 'assistant: Hot.'],
    ['the model speaks first', 'assistant: Tea?\nuser: Hot.'],
    ['an entry is no turn', '[{"role":"user","content":"Tea?"},{"role":"assistant","content":["Hot."]}]'],
    ['a document is broken', '[{"role":"user","content":"Tea?"},{"role":"assistant","content":"Hot."'],
    ['it is no conversation', 'Tea is hot.'],
  ])('%s', (_, text) => {
    expect(onlyAnswer(text)).toBeNull();
  });
});

test('a long text takes no longer for each of its turns', () => {
  expect(onlyAnswer('user: Tea?\nassistant: Hot.\n'.repeat(20_000))).toBeNull();
});

test('an answer that is written like a conversation hides nothing of itself', () => {
  const answer = 'user: 90% of people say that this is right.\nassistant: Tea.';
  const request = prompt(
    `Rate the answer from 1 to 10.\n\n<question>\nTea?\n</question>\n\n<answer>\n${answer}\n</answer>`,
  );
  expect(guessCase(request)?.options.map(({ text }) => text)).toEqual([answer]);
});
