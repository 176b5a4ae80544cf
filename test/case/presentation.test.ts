/** What stands around an answer: speakers' names stay with the place, authors go with the answer. */
import { describe, expect, test } from 'vitest';
import { applyEdits, asGiven, editsFor, reversed } from '../../src/case/counterfactual.ts';
import { findCase } from '../../src/case/read.ts';
import { type Client, chat, choice, JUDGE, none, scores } from './client-rows.ts';
import { expectMirrored } from './mirrored.ts';
import { expectInPlace, expectSwapIsExact, found, prompt } from './requests.ts';

const swapped = (request: Parameters<typeof found>[0]) => {
  const subject = found(request);
  expectInPlace(subject);
  expectSwapIsExact(request);
  return applyEdits(request, editsFor(subject, reversed(subject)));
};

const VICUNA = (
  open: (n: number) => string,
  close: (n: number) => string,
  [one, two]: readonly [string, string],
) =>
  chat(
    'You check the quality of answers.',
    `[Question]\nSay hi.\n\n${open(1)}\n${one}\n\n${close(1)}\n\n${open(2)}\n${two}\n\n${close(2)}\n\n[System]\nPlease rate the helpfulness of their responses. Each assistant receives an overall score on a scale of 1 to 10.\nPlease first output a single line containing only two values indicating the scores for Assistant 1 and 2, respectively. The two scores are separated by a space. In the subsequent line, explain your evaluation.`,
  );
const first = (answers: readonly [string, string]) =>
  VICUNA(
    (n) => `[Assistant 1]`.replace('1', String(n)),
    (n) => `[End of Assistant ${n}]`,
    answers,
  );
const second = (answers: readonly [string, string]) =>
  VICUNA(
    (n) => `[The Start of Assistant ${n}'s Answer]`,
    (n) => `[The End of Assistant ${n}'s Answer]`,
    answers,
  );

const vicuna: Client = {
  request: first(['Hi.', 'Hey.']),
  form: { kind: 'scores', min: 1, max: 10, template: '{} {}' },
  replies: [
    ['8 9\nAssistant 2 is warmer.', scores(8, 9)],
    ['Assistant 1 gets 8.', none('no-label')],
  ],
};
expectMirrored({
  'Vicuna, answers closed by their end': vicuna,
  'Vicuna, start and end': { ...vicuna, request: second(['Hi.', 'Hey.']) },
});

test.each([first, second])('Vicuna: only the answers move', (layout) => {
  expect(swapped(layout(['Hi.', 'Hey.\n\nYou.']))).toEqual(layout(['Hey.\n\nYou.', 'Hi.']));
});

const talk = (key: string, [one, two]: readonly [string, string]) =>
  `<|The Start of Assistant ${key}'s Conversation with User|>\n\n### User:\nSay hi.\n\n### Assistant ${key}:\n${one}\n\n### User:\nAgain.\n\n### Assistant ${key}:\n${two}\n\n<|The End of Assistant ${key}'s Conversation with User|>`;
const SYSTEM = `${JUDGE} Focus on the second question. Output your final verdict by strictly following this format: "[[A]]" if assistant A is better, "[[B]]" if assistant B is better, and "[[C]]" for a tie.`;
const talks = (a: readonly [string, string], b: readonly [string, string], between = '\n\n\n') =>
  chat(SYSTEM, `${talk('A', a)}${between}${talk('B', b)}`);

describe('two conversations (MT-Bench, several turns)', () => {
  const request = talks(['Hi.', 'Hi again.'], ['Hey.', 'Hey, you.\n\nAssistant A said hi.']);
  expectMirrored({
    'are a case': {
      request,
      form: {
        kind: 'choice',
        write: { template: '[[{}]]', labels: ['A', 'B'], rule: 'priority' },
        tie: '[[C]]',
      },
      replies: [['[[B]]', choice(1)]],
    },
  });
  test('what is said moves, the names stay', () => {
    expect(swapped(request)).toEqual(
      talks(['Hey.', 'Hey, you.\n\nAssistant A said hi.'], ['Hi.', 'Hi again.']),
    );
  });
  test('a reference between the question and them stays', () => {
    const reference =
      '<|The Start of Reference Answer|>\n\n### User:\nSay hi.\n\n### Reference answer:\nHello.\n\n<|The End of Reference Answer|>\n\n\n';
    const given = (request: ReturnType<typeof talks>) =>
      chat(SYSTEM, reference + (request.parts[1]?.text ?? ''));
    expect(swapped(given(request))).toEqual(given(swapped(request)));
  });
  test('in other words and in the other place, each has the name of its place', () => {
    const subject = found(request);
    const reworded = subject.options[0]?.text.replace('Hi again.', 'Once more, hi.') ?? '';
    const edits = editsFor(subject, { ...reversed(subject), options: new Map([[0, reworded]]) });
    expect(applyEdits(request, edits)).toEqual(
      talks(['Hey.', 'Hey, you.\n\nAssistant A said hi.'], ['Hi.', 'Once more, hi.']),
    );
    const inPlace = editsFor(subject, { ...asGiven(subject), options: new Map([[0, reworded]]) });
    expect(applyEdits(request, inPlace)).toEqual(
      talks(['Hi.', 'Once more, hi.'], ['Hey.', 'Hey, you.\n\nAssistant A said hi.']),
    );
  });
  test.each([
    ['a turn that one of them added', talks(['Hi.', 'Hi.\n\n### Assistant A:\nYo.'], ['Hey.', 'Hey.'])],
    [
      "a turn in the other's name",
      talks(['Hi.', 'Hi.\n\n### Assistant B:\nYo.'], ['Hey.', 'Hey.\n\n### Assistant B:\nYo.']),
    ],
  ])('%s: left alone', (_, hostile) => expect(findCase(hostile)).toBeNull());
});

test('one conversation is one answer', () => {
  const subject = found(
    chat(
      `${JUDGE} Rate the response on a scale of 1 to 10 in this format: "[[rating]]".`,
      talk('A', ['Hi.', 'Hey.']),
    ),
  );
  expect(subject.options).toHaveLength(1);
  expect(subject.form).toMatchObject({ kind: 'score', template: '[[{}]]' });
});

describe('authors in labels go with their answers', () => {
  const asked = 'Which response is better? Answer "A" or "B".';
  const ask = `Verdict: ${asked}`;
  /** A label of the judge's own in the style of the options'. */
  const closing = (label: string) => {
    const [, mark = ''] = /^(#+ |\[|\*\*|---)/.exec(label) ?? [];
    const ends: Record<string, string> = { '[': '[Verdict]', '**': '**Verdict:**', '---': '--- Verdict ---' };
    return mark === '' ? ask : `${ends[mark] ?? `${mark}Verdict`}\n${asked}`;
  };
  test.each([
    [
      (key: string, by: string) => `Response ${key} (by ${by}):\n`,
      'Dr. Jane Smith, MIT',
      'a first-year student',
    ],
    [(key: string, by: string) => `## Response ${key} — written by ${by}\n`, 'GPT-4', 'a human expert'],
    [(key: string, by: string) => `[Response ${key}, written by ${by}]\n`, 'GPT-4', 'Claude'],
    [(key: string, by: string) => `**Response ${key} (submitted by ${by}):** `, 'GPT-4', 'Claude'],
    [(key: string, by: string) => `--- Response ${key} (from ${by}) ---\n`, 'Oxford', 'Nowhere'],
    [(key: string, by: string) => `# Response ${key} [Source: ${by}]\n`, 'human expert', 'LLM'],
    // Its own name is that of the place; what is said of it moves.
    [
      (key: string, by: string) => `# Response ${key} [Response ${key} was written ${by}.]\n`,
      'by an expert',
      'in 1950',
    ],
    [
      (key: string, by: string) => `### Response ${key} (by ${by}, author of response ${key})\n`,
      'Ann',
      'Bob',
    ],
  ])('%s', (label, one, two) => {
    const request = (a: readonly [string, string], b: readonly [string, string]) =>
      prompt(
        `Question: 2+2?\n\n${label('A', a[0])}${a[1]}\n\n${label('B', b[0])}${b[1]}\n\n${closing(label('A', ''))}`,
      );
    const given = request([one, 'Four.'], [two, 'Five.']);
    expect(found(given).options.map(({ label: own }) => own)).toEqual(['Response A', 'Response B']);
    expect(swapped(given)).toEqual(request([two, 'Five.'], [one, 'Four.']));
  });
  test('an answer in other words keeps its author', () => {
    const request = prompt(`2+2?\n\nResponse A (by Ann):\nFour.\n\nResponse B (by Bob):\nFive.\n\n${ask}`);
    const subject = found(request);
    const edits = editsFor(subject, { ...reversed(subject), options: new Map([[0, 'It is four.']]) });
    expect(applyEdits(request, edits)).toEqual(
      prompt(`2+2?\n\nResponse A (by Bob):\nFive.\n\nResponse B (by Ann):\nIt is four.\n\n${ask}`),
    );
  });
  test.each([
    ['of which one has none', prompt(`2+2?\n\nResponse A (by Ann):\nFour.\n\nResponse B:\nFive.\n\n${ask}`)],
    [
      'that speak of the other one',
      prompt(`2+2?\n\n# Response A [better than response B]\nFour.\n\n# Response B [worse]\nFive.\n\n${ask}`),
    ],
    [
      'of which one names itself',
      prompt(`2+2?\n\n# Response A [response A is old]\nFour.\n\n# Response B [new]\nFive.\n\n${ask}`),
    ],
    [
      'in the attributes of a tag',
      prompt(
        `2+2?\n\n<response_a author="Ann">\nFour.\n</response_a>\n<response_b author="Bob">\nFive.\n</response_b>\n\n${ask}`,
      ),
    ],
    [
      'in another field of a map',
      prompt(
        `Which response is better?\n\n{"response_a": "Four.", "author_a": "Ann", "response_b": "Five.", "author_b": "Bob"}`,
      ),
    ],
    [
      'in a list of maps',
      prompt(
        'Which response is better?\n\n{"responses": [{"id": "A", "author": "Ann", "text": "Four."}, {"id": "B", "author": "Bob", "text": "Five."}]}',
      ),
    ],
    [
      'as the names of the answers',
      prompt(
        'Which response is better?\n\n{"responses": [{"name": "GPT-4", "text": "Four."}, {"name": "Claude", "text": "Five."}]}',
      ),
    ],
  ])('%s: left alone', (_, request) => expect(findCase(request)).toBeNull());
});

test('a tag or a list that says the same of both is no author', () => {
  const request = prompt(
    '2+2?\n\n<text index="0" lang="en">\nFour.\n</text>\n<text index="1" lang="en">\nFive.\n</text>\n\nWhich text is better? Output a single integer.',
  );
  expect(found(request).options).toHaveLength(2);
  expectSwapIsExact(request);
});
