/** Answers that are all set out alike: what they have in common is theirs, and is exchanged with them or the same in both. */
import { describe, expect, test } from 'vitest';
import { applyEdits, editsFor, reversed } from '../../../src/case/counterfactual.ts';
import { recogniseCase } from '../../../src/case/recognise.ts';
import { createTemplateBook } from '../../../src/case/templates/book.ts';
import { witnessIn } from '../../../src/case/templates/recognition.ts';
import { withWholeAnswers } from '../../../src/case/templates/whole-answers.ts';
import type { Case, Prompt } from '../../../src/case/types.ts';

const ORIGIN = { tenant: '', path: '/', schema: null };

const promptOf = (text: string): Prompt => ({ parts: [{ role: 'user', text }] });

/** The case in the last of several requests, the others of which were learned from. */
function caseIn(texts: readonly string[]): Case | null {
  let made = 0;
  const book = createTemplateBook({ templates: [], learn: 'auto', id: () => `p${made++}` });
  const [last = '', ...before] = texts.toReversed();
  for (const text of before.toReversed()) {
    const { guess } = recogniseCase(promptOf(text), { schema: null });
    book.learn(ORIGIN, promptOf(text), guess);
  }
  const guess = recogniseCase(promptOf(last), { schema: null });
  const reading = book.read(ORIGIN, promptOf(last), guess.guess, undefined, witnessIn(guess));
  if (!reading.acts) return guess.subject;
  return reading.kind === 'case' ? reading.subject : null;
}

const exchanged = (subject: Case | null) =>
  subject && applyEdits(subject.prompt, editsFor(subject, reversed(subject))).parts[0]?.text;

const WORDS = [
  ['the moon pulls at the sea', 'twice in a day', 'at noon it is low', 'look at a chart'],
  ['boil it for eight minutes', 'in salted water', 'cool it at once', 'peel it under water', 'eat it'],
  ['Goethe wrote it', 'over sixty years', 'in two parts, of which one is long', 'read the first'],
  ['a prime has two divisors', 'so one is none', 'two is the only even one', 'list them with a sieve'],
  ['glass is no liquid', 'old panes were made uneven', 'ask a glazier', 'melt some'],
];
const say = (request: number, option: number, n: number) => {
  const row = WORDS[(request + 2 * option) % WORDS.length] ?? [];
  return `${row[n % row.length]}${' indeed'.repeat((request + option) % 3)}`;
};

type SetOut = (request: number, option: number) => string;
const SET_OUT: readonly (readonly [string, SetOut])[] = [
  [
    'below the same headings',
    (r, o) =>
      `## Summary\n${say(r, o, 0)}\n\n## Details\n- ${say(r, o, 1)}\n\n## Next steps\n${say(r, o, 2)}`,
  ],
  [
    'with the same opening and end',
    (r, o) => `Sure! Here is the answer:\n\n${say(r, o, 0)}\n\nI hope this helps.`,
  ],
  ['as letters', (r, o) => `Dear customer,\n\n${say(r, o, 0)}\n\nKind regards,\nThe support team`],
  [
    'as JSON of the same keys',
    (r, o) => JSON.stringify({ gist: say(r, o, 0), more: [say(r, o, 1)], sure: o === r % 2 }, null, 2),
  ],
  [
    'as JSON on one line',
    (r, o) => JSON.stringify({ gist: say(r, o, 0), more: [say(r, o, 1), say(r, o, 2)] }),
  ],
  [
    'as JSON of other keys',
    (r, o) => JSON.stringify({ [`key${r}${o}`]: say(r, o, 0), [`end${o}${r}`]: say(r, o, 1) }, null, 2),
  ],
];
const PROMPTS: readonly (readonly [string, (question: string, a: string, b: string) => string])[] = [
  [
    'headings',
    (q, a, b) =>
      `Which answer is better? Reply with A or B.\n\n### Question\n${q}\n\n### Answer A\n${a}\n\n### Answer B\n${b}\n\n### End`,
  ],
  [
    'tags',
    (q, a, b) =>
      `<question>${q}</question>\n<answer_1>\n${a}\n</answer_1>\n<answer_2>\n${b}\n</answer_2>\nWhich is better, 1 or 2?`,
  ],
  [
    'labels',
    (q, a, b) =>
      `Frage: ${q}\n\nAntwort A:\n${a}\n\nAntwort B:\n${b}\n\nWelche ist besser? Antworte nur mit A oder B.`,
  ],
];
const QUESTIONS = ['Why are there tides?', 'How do I boil an egg?', 'Who wrote Faust?', 'Is one a prime?'];

describe.each(PROMPTS)('answers below %s', (_, prompt) => {
  test.each(SET_OUT)('%s change places as wholes', (_name, setOut) => {
    const texts = QUESTIONS.map((question, n) => prompt(question, setOut(n, 0), setOut(n, 1)));
    expect(exchanged(caseIn(texts))).toBe(prompt('Is one a prime?', setOut(3, 1), setOut(3, 0)));
  });
});

test('an answer of the fourth request that lacks the headings is read as well', () => {
  const [, setOut] = SET_OUT[0] ?? ['', () => ''];
  const [, prompt] = PROMPTS[0] ?? ['', () => ''];
  const texts = QUESTIONS.slice(0, 3).map((question, n) => prompt(question, setOut(n, 0), setOut(n, 1)));
  const last = prompt('Is one a prime?', 'No.', 'Yes,\n\nit is.');
  expect(exchanged(caseIn([...texts, last]))).toBe(prompt('Is one a prime?', 'Yes,\n\nit is.', 'No.'));
});

describe('what may be told of each text is not taken for a part of it', () => {
  const lines = (label: string) => [
    `Task: `,
    `\n\n## Text 1\n${label}`,
    `\n\n## Text 2\n${label}`,
    '\n\nWhich one?',
  ];
  const slot = { role: '*', label: '', encoding: 'plain' } as const;
  const part = (literals: readonly string[]) => [
    { role: 'user', literals, slots: literals.slice(1).map(() => slot) },
  ];
  test('a label in front of the only slot', () => {
    const values = [['a'], ['2024-01-03\nLong ago.'], ['2021-11-03\nNever.']];
    expect(withWholeAnswers(part(lines('Published: ')), [{ values }])).toBeNull();
    expect(withWholeAnswers(part(lines('Dear all,\n')), [{ values }])?.[0]?.literals).toEqual(lines(''));
  });

  test('a short text above a long one', () => {
    const literals = ['Task: ', '\n\n## Text 1\nby ', '\n\n', '\n\n## Text 2\nby ', '\n\n', '\n\nWhich one?'];
    const long = 'The tides come twice in a day, and the moon is why.';
    const told = [['t'], ['Ann'], [long], ['Ben'], [long]];
    expect(withWholeAnswers(part(literals), [{ values: told }])).toBeNull();
    const even = [['t'], [long], [long], [long], [long]];
    expect(withWholeAnswers(part(literals), [{ values: even }])?.[0]?.literals).toEqual(lines(''));
  });
});
