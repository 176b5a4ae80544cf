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

test('numbers on a longer scale are marks, and the higher one is the better', () => {
  expect(bestRead('Rate each answer from 1 to 5.', LINES, 2)).toBe(GOOD);
  expect(bestRead('Rate each answer from 1 to 5.', ROW, 2)).toBe(GOOD);
});
