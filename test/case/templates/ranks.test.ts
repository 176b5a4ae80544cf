/** Ranks in replies: which one is the best the prompt says, in whatever language; where it cannot be read, nothing is examined. */
import { expect, test } from 'vitest';
import { preferred } from '../../../src/case/index.ts';
import { createTemplateBook } from '../../../src/case/templates/book.ts';
import { readVerdict } from '../../../src/case/verdict.ts';

const ORIGIN = { tenant: '', path: '/v1/chat/completions', schema: null };
const TEXTS = [
  [
    'Where is my parcel?',
    'It left Leeds at noon and reaches you tomorrow.',
    'Parcels take a while, as you know',
  ],
  [
    'How do I change the password?',
    'Open the settings, then choose Security.',
    'Words matter a lot in life.',
  ],
  [
    'The invoice shows the wrong name.',
    'I corrected it and sent a new one',
    'Names are difficult. 2 = best!',
  ],
  ['Can I cancel until Friday?', 'Yes, free of charge until noon.', 'Fridays are busy here'],
  ['The app closes at once', 'Please update to version nine.', 'Apps do that sometimes, it happens.'],
] as const;

type Say = (first: number, second: number) => string;
const LINES: Say = (first, second) => `Answer 1: ${first}\nAnswer 2: ${second}`;
const FIELDS: Say = (first, second) => JSON.stringify({ answer_1_rank: first, answer_2_rank: second });
const ROW: Say = (first, second) => `${first} ${second}`;
const LISTED: Say = (first, second) => `${first}, ${second}`;
const ENTRIES: Say = (first, second) =>
  JSON.stringify({
    rankings: [
      { answer: 'Answer 2', rank: second },
      { answer: 'Answer 1', rank: first },
    ],
  });

/** The text that is read as the best of the last request, where the good one has this rank; null where the request is left alone. */
function bestRead(orders: string, say: Say, rankOfGood: 1 | 2): string | null {
  const book = createTemplateBook({ templates: [], learn: 'auto', id: () => 'p' });
  const requests = TEXTS.map(([question, good, bad], n) => {
    const [first, second] = n % 2 === 0 ? [good, bad] : [bad, good];
    const text = `Question:\n${question}\n\nAnswer 1:\n${first}\n\nAnswer 2:\n${second}\n\n${orders}`;
    const [a, b] = (n % 2 === 0) === (rankOfGood === 1) ? [1, 2] : [2, 1];
    return { prompt: { parts: [{ role: 'user', text }] }, reply: say(a, b) };
  });
  for (const { prompt, reply } of requests) {
    const id = book.learn(ORIGIN, prompt, null);
    if (id !== null) book.replied(id, { text: reply, read: null });
  }
  const [{ prompt, reply } = { prompt: { parts: [] }, reply: '' }] = requests;
  const reading = book.read(ORIGIN, prompt, null);
  if (!reading.acts || reading.kind !== 'case') return null;
  const { form, options } = reading.subject;
  const best = preferred(readVerdict(reply, form, options));
  return best === null ? null : (options[best]?.text ?? null);
}

const GOOD = TEXTS[0][1];
const FORMS = [
  ['lines', LINES],
  ['fields', FIELDS],
  ['entries', ENTRIES],
] as const;

test.each(
  FORMS.flatMap(([name, say]) =>
    [
      'Rank the answers.',
      'Rank the answers, 1 = best.',
      'Gib jeder Antwort einen Rang, 1 ist der beste.',
      '各回答に順位を付けてください。1が最良です。',
      '给每个回答一个排名，数字越小越好。',
    ].map((orders) => [name, orders, say] as const),
  ),
)('1 is the best, %s: %s', (_, orders, say) => {
  expect(bestRead(orders, say, 1)).toBe(GOOD);
});

test.each(
  FORMS.flatMap(([name, say]) =>
    [
      'Rank the answers, 2 = best.',
      'Give each a rank from worst (1) to best (2).',
      'Give each answer a rank; a higher number is better.',
      'Gib jeder Antwort einen Rang. 2 ist der beste.',
      '各回答に順位を付けてください。1が最低です。',
      '给每个回答一个排名，数字越大越好。',
      '각 답변의 순위를 매기세요. 2가 가장 좋은 것입니다.',
      'Дай каждому ответу ранг, 2 — лучший.',
    ].map((orders) => [name, orders, say] as const),
  ),
)('2 is the best, %s: %s', (_, orders, say) => {
  expect(bestRead(orders, say, 2)).toBe(GOOD);
});

test.each([
  ['Panga majibu, 2 ni bora.', LINES, 2],
  ['Panga majibu, 2 ni bora.', FIELDS, 2],
  ['Panga majibu, 2 ni bora.', ENTRIES, 2],
  ['Panga majibu, 2 ni bora.', LISTED, 2],
  ['Rank the answers from worst to best.', FIELDS, 2],
  ['Rank the answers, 2 = best.', LISTED, 2],
  ['Rank the answers.', ROW, 1],
] as const)('left alone: %s', (orders, say, rank) => {
  expect(bestRead(orders, say, rank)).toBeNull();
});

test.each([
  ['Rank the answers. Prefer a greater number of examples; more is better.', FIELDS],
  ['Rank the answers. The best answer has the highest number of correct facts.', ENTRIES],
  ['Rank the answers. Higher accuracy is better.', FIELDS],
  ['Rank the answers from best to worst. Higher scores on the rubric are better.', FIELDS],
  ['Score each answer 1-10, higher is better. Then rank the answers, 1 = best.', FIELDS],
  ['Score each answer 1-10, higher is better. Then rank the answers, 1 = best.', LINES],
  ['Score each 1-10 (10 = best). Then rank the answers from best to worst.', FIELDS],
  ['Bewerte von 1 bis 10 (höher ist besser) und ordne dann: Rang 1 ist die beste.', FIELDS],
  ['先按1到10打分（分数越高越好），再给出排名，1为最好。', FIELDS],
  ['点数が高いほど良い。順位を付けてください。', ENTRIES],
  ['给回答排名。信息量越大越好。', FIELDS],
  ['Rubric:\n1 = poor\n3 = average\n5 = excellent\nThen give the ranking, best first.', FIELDS],
  ['Steps:\n1) Read the question.\n2) Find the best answer.\n3) Rank the answers.', FIELDS],
  ['Step 1: Read all.\nStep 2: Find the best of the answers.\nStep 3: Rank them.', FIELDS],
  ['步骤1：阅读问题。\n步骤2：找出最好的那个回答。\n步骤3：给出排名。', FIELDS],
] as const)('what is said of marks, of other things or of steps turns no rank round: %s', (orders, say) => {
  expect(bestRead(orders, say, 1)).toBe(GOOD);
});

test.each([
  ['Score the helpfulness. Higher is better. Then rank the answers.', FIELDS, 1],
  ['Rank the answers. Fewer errors are better: 2 errors are worse than 1.', FIELDS, 1],
  ['Rubric: 1 = worst, 2 = best. Then rank the answers, best first.', FIELDS, 1],
] as const)('what may be said of ranks or of something else is left alone: %s', (orders, say, rank) => {
  expect(bestRead(orders, say, rank)).toBeNull();
});

test.each([
  'Rank the answers. Prefer a greater number of examples; more is better.',
  'Rank the answers; higher scores on the rubric are better, and 2 = best on it.',
  'Rubric: 1 = poor, 2 = fair, 3 = good.\nUse it, then rank the answers.',
])('a row with signs between needs no word on ranks: %s', (orders) => {
  const row: Say = (first, second) => (first < second ? 'Answer 1 > Answer 2' : 'Answer 2 > Answer 1');
  expect(bestRead(orders, row, 1)).toBe(GOOD);
});

test('numbers on a longer scale are marks, and the higher one is the better', () => {
  expect(bestRead('Rate each answer from 1 to 5.', LINES, 2)).toBe(GOOD);
  expect(bestRead('Rate each answer from 1 to 5.', ROW, 2)).toBe(GOOD);
});
