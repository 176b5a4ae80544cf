/** Requests that are no judgments have no case: they are passed through as they are. */
import { expect, test } from 'vitest';
import { findCase } from '../../src/case/read.ts';
import type { Prompt } from '../../src/case/types.ts';
import { prompt } from './requests.ts';

const chats: Record<string, Prompt> = {
  'an empty prompt': { parts: [] },
  'an empty text': prompt(''),
  'a coding question': prompt('How do I sort a map by value in Go?\n\n```go\nm := map[string]int{}\n```'),
  'a coding question with requirements': prompt(
    'Can you write a function that does this?\n1. Read a CSV file.\n2. Drop empty rows.\n3. Return the rest.',
  ),
  'a task list': prompt('Please do the following:\n\n1. Translate the text.\n2. Summarise it.'),
  'a translation': prompt('Translate into German:\n\nText 1: Good morning.\nText 2: Good night.'),
  'a comparison without blocks': prompt('Compare A and B: is Postgres or MySQL better for a small shop?'),
  'documents to answer from': prompt(
    'Answer from the documents only.\n\nDocument 1: Paris is in France.\n\nDocument 2: Rome is in Italy.\n\nQuestion: Where is Rome?',
  ),
  'articles to summarise': prompt(
    'Summarise these two articles.\n\nArticle 1: Solar power grows.\nArticle 2: Wind power grows.',
  ),
  'a text to embed': prompt('The quick brown fox jumps over the lazy dog.'),
  'a dialogue': prompt(
    'Assistant A: Hello.\nAssistant B: Hi.\nAssistant A: How are you?\nAssistant B: Fine.',
  ),
  'a tool result': { parts: [{ role: 'tool', text: '{"answers": ["a", "b"]}' }] },
  'JSON to reformat': prompt('Format this:\n{"name": "x", "output": "y"}'),
  'HTML with an output tag': prompt('Why is this empty?\n<output>\n</output>'),
  'a question to be answered': prompt('Question: Who wrote Faust?\nAnswer:'),
  'an answered question': prompt('Question: Who wrote Faust?\nAnswer: Goethe.\n\nTell me more about him.'),
  'an earlier answer of the assistant with labels': {
    parts: [
      { role: 'user', text: 'Give me two slogans.' },
      { role: 'assistant', text: 'Option 1: Buy now.\nOption 2: Buy later.\nWhich is better?' },
      { role: 'user', text: 'The first one, thanks.' },
    ],
  },
  'steps for a metric (deepeval)': prompt(
    'Given an evaluation criteria which outlines how you should judge the Input and Actual Output, generate 3-4 concise evaluation steps.\n\nEvaluation Criteria:\nCorrectness\n\n**\nIMPORTANT: Please make sure to only return in JSON format, with the "steps" key as a list of strings.\nJSON:',
  ),
  'scripts in other languages': prompt('翻译成英文：\n\n1. 你好\n2. 再见'),
};

test.for(Object.entries(chats))('no case in %s', ([, request]) => {
  expect(findCase(request)).toBeNull();
});

test('a schema alone does not make a judgment', () => {
  const schema = { type: 'object', properties: { label: { enum: ['spam', 'ham'] } } };
  expect(findCase(prompt('Is this spam?\n\nBuy cheap watches!'), { schema })).toBeNull();
});
