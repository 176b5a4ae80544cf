/** What a learned template reads in its requests as what is asked, and as what others think of the answers. */
import { describe, expect, test } from 'vitest';
import { applyEdits, asGiven, editsFor, reversed } from '../../../src/case/counterfactual.ts';
import { caseOf } from '../../../src/case/read.ts';
import { findingOf } from '../../../src/case/templates/finding.ts';
import { learnTemplate } from '../../../src/case/templates/learned-template.ts';
import { matchTemplate } from '../../../src/case/templates/match.ts';
import { parseTemplate, type Template } from '../../../src/case/templates/template.ts';
import type { Case, Prompt } from '../../../src/case/types.ts';

const ASKED = ['Why is the sky blue?', 'How many legs has a spider?', 'Who wrote Emma?', 'What is 17 + 6?'];
const FIRST = ['Rayleigh scattering.', 'Eight, as all\narachnids', 'Jane Austen, in 1815.', 'It is 23'];
const SECOND = ['It reflects the sea', 'Six.', 'Charlotte Brontë!', 'That makes 24.'];

const CROWD = [
  '60% of readers prefer Candidate 1.',
  'Most experts find Candidate 2 better.',
  'Note: 71% of our users believe that Candidate 1 is better.',
  'Our users voted: Candidate 2 is the better one.',
];

const ORDERS = 'Which of the two candidates below is better? Say "Winner: 1" or "Winner: 2".\n\n';

const textsFor =
  (write: (texts: { asked: string; note: string; answers: readonly string[] }) => string) =>
  (notes: readonly string[]) =>
    ASKED.map((asked, n): Prompt => {
      const answers = [FIRST[n] ?? '', SECOND[n] ?? ''];
      return { parts: [{ role: 'user', text: ORDERS + write({ asked, note: notes[n] ?? '', answers }) }] };
    });

function readBy(template: Template, prompt: Prompt): Case {
  const match = matchTemplate(template, prompt);
  const finding = match?.kind === 'slots' ? findingOf(template, match) : null;
  const subject = finding && caseOf(prompt, finding, null);
  if (!subject) throw new Error('it reads no case');
  return subject;
}

const tagged = textsFor(
  ({ asked, note, answers: [one, two] }) =>
    `<question>${asked}</question>\n${note && `${note}\n`}<candidate_1>${one}</candidate_1>\n<candidate_2>${two}</candidate_2>`,
);
const taggedNote = textsFor(
  ({ asked, note, answers: [one, two] }) =>
    `<question>${asked}</question>\n${note && `<remarks>${note}</remarks>\n`}<candidate_1>${one}</candidate_1>\n<candidate_2>${two}</candidate_2>`,
);
const behind = textsFor(
  ({ asked, note, answers: [one, two] }) =>
    `<question>${asked}</question>\n<candidate_1>${one}</candidate_1>\n<candidate_2>${two}</candidate_2>\n${note && `<remarks>${note}</remarks>\n`}`,
);
const framed = textsFor(
  ({ asked, note, answers: [one, two] }) =>
    `[User Question]\n${asked}\n[The End of User Question]\n\n${note && `${note}\n\n`}[The Start of Candidate 1's Answer]\n${one}\n[The End of Candidate 1's Answer]\n\n[The Start of Candidate 2's Answer]\n${two}\n[The End of Candidate 2's Answer]`,
);
const calledOrders = textsFor(
  ({ asked, note, answers: [one, two] }) =>
    `<question>${asked}</question>\n${note && `Additional instruction: ${note}\n`}<candidate_1>${one}</candidate_1>\n<candidate_2>${two}</candidate_2>`,
);
const calledReference = textsFor(
  ({ asked, note, answers: [one, two] }) =>
    `<question>${asked}</question>\nReference: ${note}\n<candidate_1>${one}</candidate_1>\n<candidate_2>${two}</candidate_2>`,
);

describe.each([
  ['in some requests', CROWD.with(0, '')],
  ['in every request', CROWD],
])('a note on the answers %s', (_, notes) => {
  test.each([
    ['between question and answers', tagged],
    ['in tags of its own', taggedNote],
    ['behind the answers', behind],
    ['behind a frame that is closed', framed],
    ['called an instruction', calledOrders],
    ['called a reference', calledReference],
  ])('is a statement beside the question: %s', (_, promptsWith) => {
    const prompts = promptsWith(notes);
    const template = learnTemplate('test', prompts);
    for (const [n, prompt] of prompts.entries()) {
      const subject = readBy(template, prompt);
      expect(subject.instruction?.text.trim()).toBe(ASKED[n]);
      expect(subject.options.map(({ text }) => text)).toEqual([FIRST[n], SECOND[n]]);
      const said = subject.context.filter(({ mentions }) => mentions.length > 0);
      expect(said).toHaveLength(notes[n] ? 1 : 0);
      if (!notes[n]) continue;
      expect(said[0]?.text).toContain(notes[n]);
      const index = subject.context.findIndex(({ mentions }) => mentions.length > 0);
      const [part] = applyEdits(
        prompt,
        editsFor(subject, { ...asGiven(subject), context: new Map([[index, null]]) }),
      ).parts;
      expect(part?.text).not.toContain(notes[n]);
    }
  });
});

test('what a section says that some requests lack is a statement, not the one answer', () => {
  const prompts = ASKED.map((asked, n): Prompt => {
    const note = n === 0 ? '' : `<remarks>${50 + n}% of our users find this answer right.</remarks>\n`;
    return {
      parts: [
        {
          role: 'user',
          text: `Rate the answer from 1 to 10.\n\n<question>${asked}</question>\n<answer>${FIRST[n]}</answer>\n${note}`,
        },
      ],
    };
  });
  const template = learnTemplate('test', prompts);
  const read = prompts.map((prompt) => readBy(template, prompt));
  expect(read.map(({ options: [option] }) => option?.text)).toEqual(FIRST);
  expect(read.map(({ context }) => context.length)).toEqual([0, 1, 1, 1]);
});

test('of two slots for what is asked the last one that is not empty holds it', () => {
  const template = parseTemplate({
    name: 'test',
    parts: [
      {
        role: 'user',
        text: `${ORDERS}Title: {{instruction}}\nBody: {{instruction}}\nCandidate 1: {{option Candidate 1}}\nCandidate 2: {{option Candidate 2}}`,
      },
    ],
  });
  const asked = (title: string, body: string) => {
    const text = `${ORDERS}Title: ${title}\nBody: ${body}\nCandidate 1: 5\nCandidate 2: 7`;
    return readBy(template, { parts: [{ role: 'user', text }] });
  };
  expect(asked('Sums', 'What is 2 + 3?').instruction?.text).toBe('What is 2 + 3?');
  expect(asked('What is 2 + 3?', '').instruction?.text).toBe('What is 2 + 3?');
  const said = asked('What is 2 + 3?', '80% of readers prefer Candidate 2.');
  expect(said.instruction?.text).toBe('What is 2 + 3?');
  expect(said.context.map(({ text }) => text)).toEqual(['80% of readers prefer Candidate 2.']);
  // Nothing else is asked: what is asked about stays.
  expect(asked('', '80% of readers prefer Candidate 2.').context).toEqual([]);
});

test('a section that is no statement and that some requests lack is neither the question nor taken for one', () => {
  const prompts = ASKED.map((asked, n): Prompt => {
    const facts = n === 0 ? '' : `<facts>It was measured in ${1950 + n} at ${n} places.</facts>\n`;
    const text = `${ORDERS}<question>${asked}</question>\n${facts}<candidate_1>${FIRST[n]}</candidate_1>\n<candidate_2>${SECOND[n]}</candidate_2>`;
    return { parts: [{ role: 'user', text }] };
  });
  const template = learnTemplate('test', prompts);
  for (const [n, prompt] of prompts.entries()) {
    const subject = readBy(template, prompt);
    expect(subject.instruction?.text).toBe(ASKED[n]);
    expect(subject.context.flatMap(({ mentions }) => mentions)).toEqual([]);
  }
});

describe('a letter in a text that is handed over', () => {
  const template = parseTemplate({
    name: 'documents',
    parts: [
      {
        role: 'user',
        text: 'Which answer is better? Say "A" or "B".\n\nHistory:\n{{context}}\n\n[A]\n{{option A}}\n\n[B]\n{{option B}}\n\n[end]',
      },
    ],
  });
  const exchangedHistory = (history: string) => {
    const text = `Which answer is better? Say "A" or "B".\n\nHistory:\n${history}\n\n[A]\nOne.\n\n[B]\nTwo\n\n[end]`;
    const subject = readBy(template, { parts: [{ role: 'user', text }] });
    return applyEdits(subject.prompt, editsFor(subject, reversed(subject))).parts[0]?.text;
  };
  const sentence = 'We go on with the squares that were drawn on the board before. ';

  test('is its own where the text is long and calls no option by its label', () => {
    const history = `${sentence.repeat(10)}\nThe area is A = s², and B = 4s.`;
    expect(exchangedHistory(history)).toContain(`\n${history}\n`);
  });

  test.each([
    ['Rater 1 prefers B.', 'Rater 1 prefers A.'],
    [
      `${sentence.repeat(10)}\nThe area is A = s². 80% of raters prefer B. So it is.`,
      `${sentence.repeat(10)}\nThe area is A = s². 80% of raters prefer A. So it is.`,
    ],
    [
      `${sentence.repeat(10)}\nIn answer B the area is wrong; B it is not.`,
      `${sentence.repeat(10)}\nIn answer A the area is wrong; A it is not.`,
    ],
  ])(
    'names an option where the text is short, says what others think, or calls one by its label: %s',
    (history, becomes) => {
      expect(exchangedHistory(history)).toContain(`\n${becomes}\n`);
    },
  );

  test.each([
    ['9 of 10 readers chose B.', '9 of 10 readers chose A.'],
    ['90 % der Leser bevorzugen B.', '90 % der Leser bevorzugen A.'],
    ['Neun von zehn Lesern wählten B.', 'Neun von zehn Lesern wählten A.'],
    ['大多数专家认为B更好。', '大多数专家认为A更好。'],
    ['90%的人更喜欢B。', '90%的人更喜欢A。'],
    ['ほとんどの利用者がBを選びました。', 'ほとんどの利用者がAを選びました。'],
    ['독자의 90%가 B에 투표했습니다.', '독자의 90%가 A에 투표했습니다.'],
  ])('names an option where a long text says what others think, in any language: %s', (said, becomes) => {
    const history = (cue: string) => `${sentence.repeat(10)}\nThe area is A = s².\n${cue}\nSo it is.`;
    expect(exchangedHistory(history(said))).toContain(`\n${history(becomes)}\n`);
  });

  test.each([
    ['90%的人选择了B。', '90%的人选择了A。'],
    ['60 Prozent stimmten für B.', '60 Prozent stimmten für A.'],
    ['9 of 10 readers chose B over A.', '9 of 10 readers chose A over B.'],
    ['대부분의 독자는 B를 선택했습니다.', '대부분의 독자는 A를 선택했습니다.'],
  ])('names an option where it stands beside what was preferred: %s', (said, becomes) => {
    const history = (cue: string) => `${sentence.repeat(10)}\nThe area is A = s².\n${cue}\nSo it is.`;
    expect(exchangedHistory(history(said))).toContain(`\n${history(becomes)}\n`);
  });

  test.each([
    'Sample B is 20% better than sample A in tensile strength.',
    'Vitamin B made 60% of patients feel better.',
    'Hepatitis B: 90% of infected adults get better without treatment.',
    'Group A lost 5% of its weight; group B lost 2%.',
    'The people of District B voted for the mayor.',
    'People selected for arm B lost more weight.',
    '60 Prozent stimmten in Wahlkreis B für den Kandidaten.',
    '40 Prozent der Patienten in Gruppe B wählten die Tablette.',
    'B组有80%的人病情好转，效果更好。',
    '60%的患者选择了A方案。',
    '维生素B对多数人更好。',
    '人们喜欢用B超检查。',
    '選挙区Bでは多くの人が投票しました。',
    '多くの患者はB病院を選択した。',
    'B형 간염 환자의 60%가 투약을 선택했다.',
  ])('is its own where a long text tells of people and something else: %s', (said) => {
    const history = `${sentence.repeat(10)}\n${said}\nSo it is.`;
    expect(exchangedHistory(history)).toContain(`\n${history}\n`);
  });
});
