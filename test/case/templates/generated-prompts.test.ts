/** Prompts that a generator wrote and that were read wrongly: which form the replies have, and where an answer ends. */
import { expect, test } from 'vitest';
import { findForm } from '../../../src/case/form/find-form.ts';
import { formByAlternatives } from '../../../src/case/form/form-by-alternatives.ts';
import { rankOrder } from '../../../src/case/form/rank-order.ts';
import { createTemplateBook } from '../../../src/case/templates/book.ts';
import { leadOf } from '../../../src/case/templates/openings.ts';
import { recogniseByTemplates } from '../../../src/case/templates/recognition.ts';
import { formFromReplies } from '../../../src/case/templates/replies/index.ts';
import { readVerdict } from '../../../src/case/verdict.ts';
import { ORIGIN, readAfter, TEXTS } from './after-three.ts';

const pair =
  (orders: string, [a, b] = ['Answer 1', 'Answer 2']) =>
  ([question, first, second]: readonly string[]) =>
    `${orders}\n\nQuestion:\n${question}\n\n${a}:\n${first}\n\n${b}:\n${second}`;

test.each(['{"better": 0|1}', '{"better": 0 or 1}', '{"grund": "...", "sieger": 0 oder 1}'])(
  'options called 1 and 2 are counted from 0 where the orders say so: %s',
  (shape) => {
    const subject = readAfter(pair(`Which answer is better? Respond with JSON: ${shape}`), ['', '', '']);
    expect(subject?.form).toMatchObject({ kind: 'choice', write: { labels: ['0', '1'] } });
  },
);

test.each([['Use 0 if Answer 1 is better and 1 if Answer 2 is better.', ['0', '1']]])(
  'the orders say which of them 0 is: %s',
  (told, labels) => {
    const ask = pair(`Which answer is better? ${told} Return JSON: {"winner": 0 or 1}`);
    const { form, options = [] } = readAfter(ask, ['', '', '']) ?? {};
    expect(form).toMatchObject({ kind: 'choice', field: 'winner', write: { labels } });
    const option = labels.indexOf('1');
    expect(form && readVerdict('{"winner": 1}', form, options)).toMatchObject({ kind: 'choice', option });
  },
);

test('whether options called 1 and 2 are counted from 0 is not guessed', () => {
  const ask = pair('Which answer is better? Respond with JSON: {"winner": 0}');
  expect(readAfter(ask, ['', '', ''])).toBeNull();
});

test.each(['{"winner": 0}', '{"better": 0|1}', '정답: {"winner": 0 또는 1}', '参考答案：{"choice": 0}'])(
  'a reference that says %s changes nothing',
  (line) => {
    const labels = ['Answer 1', 'Answer 2'];
    const orders = `Respond only with JSON: {"winner": "1" or "2"}\n\nReference:\nBecause.\n${line}`;
    const source = { orders, labels, noun: 'answer', usual: null, schema: null };
    expect(findForm(source)).toMatchObject({ kind: 'choice', write: { labels: ['1', '2'] } });
    expect(formByAlternatives(source)).toBeNull();
  },
);

test('the names of fields are no labels that are to be said', () => {
  const labels = ['Recipe 1', 'Recipe 2'];
  const orders = 'Pick the better one. Return a JSON object like {"1": <1-5>, "2": <1-5>}';
  const form = formByAlternatives({ orders, labels, noun: 'recipe', usual: null, schema: null });
  expect(form?.kind === 'choice' && form.write).toBeFalsy();
});

test('what the orders offer beside a word does not explain it', () => {
  const replies = ['判定: 一番目', '判定: 二番目', '判定: 一番目'];
  const form = formFromReplies(replies, ['一', '二'], '判定: 一番目 または 二番目のみで答えてください。');
  expect(form).toMatchObject({ kind: 'choice', labels: ['一番目', '二番目'] });
});

test('of a scale from one option to the other two numbers alone are not taken for their names', () => {
  const orders = 'Answer only 1-5. (1 = Reply 1 is better. 5 = Reply 2 is better.)';
  const names = ['candidate_1', 'candidate_2'];
  const told = orders.replaceAll('Reply ', 'candidate_');
  for (const form of [
    formFromReplies(['1', '4', '1'], names, told),
    formFromReplies(['1', '4', '1'], ['Reply 1', 'Reply 2'], orders),
  ])
    expect(form?.kind === 'choice' && form.labels?.includes('4') && form.strong === undefined).toBeFalsy();
});

test('a number in a field that is asked for on a scale names none of three options', () => {
  const replies = [1, 3, 2].map((grade) => JSON.stringify({ grade }));
  const orders = 'Note la réponse suivante de 1 à 5. Réponds en JSON : {"grade": <1-5>}';
  expect(formFromReplies(replies, ['1', '2', '3'], orders)?.kind).not.toBe('choice');
});

test('the names in a list of ranks are no marks', () => {
  const reply = (names: readonly string[]) => JSON.stringify(names.map((name, n) => ({ name, rank: n + 1 })));
  const replies = [reply(['2', '3', '1']), reply(['1', '3', '2']), reply(['3', '1', '2'])];
  const labels = ['Ответ 1', 'Ответ 2', 'Ответ 3'];
  const form = formFromReplies(replies, labels, 'Расположи 3 текста от лучшего к худшему.');
  expect(form).toMatchObject({ kind: 'ranking', item: 'name' });
});

test.each([
  '다음 4개의 답변을 좋은 순서대로 나열하세요. [{"name": "D", "rank": 1}]',
  '以下の4つの回答を良い順に並べてください。 {"rank": 1}',
])('a number that counts the texts is no rank: %s', (orders) => {
  expect(rankOrder(orders, ['A', 'B', 'C', 'D'])).toBe('best-first');
});

test('a rank is told by the word that follows at once', () => {
  expect(rankOrder('順位を付けてください。4が最高です。', ['A', 'B', 'C', 'D'])).toBe('best-last');
});

test('a form that read none of two replies does not act', () => {
  const ask = pair('Which answer is better? Respond with JSON: {"preferred": "left" or "right"}');
  const replies = ['{"preferred": "gpt-4o"}', '{"preferred": "claude"}', ''];
  expect(readAfter(ask, replies)).toBeNull();
});

test('a block of code with which all answers go on is not left out of what is judged', () => {
  const ask = ([question, first, second]: readonly string[]) =>
    `Rate the answer from 1 to 5. Reply with JSON: {"score": <1-5>}\n\n### Question:\n${question}\n\n### Answer:\n${first}\n\n\`\`\`python\n${second}\n\`\`\``;
  const replies = ['{"score": 2}', '{"score": 4}', '{"score": 3}'];
  expect(readAfter(ask, replies)?.options.map(({ text }) => text) ?? []).not.toContain(TEXTS[3][1]);
});

test('an opening that all answers share behind a tag is theirs', () => {
  const before = '<question>Why?</question>\n\n<answer>Sure! Here is what I found: ';
  expect(leadOf(before, '')).toEqual({ opening: 'Sure! Here is what I found: '.length, doubtful: false });
  // What closes the text in front names none.
  expect(leadOf('\n[/Expected answer]\n\n[Translation]\n## ', '').doubtful).toBe(true);
});

test('one more text that is named as the options are may be one of them', () => {
  const colours = ['red', 'blue', 'green'];
  const ask = (texts: readonly string[]) =>
    `Which candidate is the best?\n\n${colours.map((name, n) => `## ${name} candidate\n${texts[n]}`).join('\n\n')}\n\nAnswer only\n${colours.map((name) => `${name}: <1-5>`).join('\n')}`;
  const replies = ['red: 3\nblue: 4\ngreen: 5', 'red: 1\nblue: 4\ngreen: 2', 'red: 2\nblue: 5\ngreen: 1'];
  expect([0, 3]).toContain(readAfter(ask, replies)?.options.length ?? 0);
});

test.each([
  ['{"winner": 0 or 1}', (n: number) => ({ winner: n })],
  ['{"better_answer": 0 or 1}', (n: number) => ({ better_answer: n })],
  [
    '{"style_winner": "A" or "B", "accuracy_winner": "A" or "B", "best_answer": "A" or "B"}',
    (n: number) => ({ style_winner: 'AB'[1 - n], accuracy_winner: 'AB'[n], best_answer: 'AB'[n] }),
  ],
])('where a guess knows the answers, a template knows how the verdict is given: %s', (shape, replyOf) => {
  const book = createTemplateBook({ templates: [], learn: 'auto', id: () => 'p' });
  const source = { tenant: null, path: '/v1/chat/completions' };
  const orders = `Which answer is better? Reply with JSON: ${shape}`;
  const reply = (n: number) => JSON.stringify(replyOf(n));
  const read = TEXTS.map(([question, first, second], n) => {
    const text = `## Question\n${question}\n\n## Answer A\n${first}\n\n## Answer B\n${second}`;
    const parts = [
      { role: 'system', text: orders },
      { role: 'user', text },
    ];
    const { found } = recogniseByTemplates(book, { prompt: { parts }, schema: null }, source);
    const pipeline = book.learn({ ...ORIGIN, tenant: '' }, { parts }, found.guess);
    if (pipeline !== null) book.replied(pipeline, { text: reply(n % 2), read: null });
    const { form, options = [] } = found.subject ?? {};
    return [0, 1].map((one) => form && readVerdict(reply(one), form, options));
  });
  expect(read.at(-1)).toMatchObject([
    { kind: 'choice', option: 0 },
    { kind: 'choice', option: 1 },
  ]);
});
