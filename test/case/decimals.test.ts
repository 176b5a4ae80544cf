/** Numbers with a fraction as people write them: with a comma, in digits of their own script, or both. */
import { describe, expect, test } from 'vitest';
import { readVerdict } from '../../src/case/index.ts';
import { formFromReplies, readsReplies, verdictsIn } from '../../src/case/templates/replies/index.ts';
import { formFromFile, type VerdictFile } from '../../src/case/verdicts/index.ts';

const read = (reply: string, file: VerdictFile, count = 1) =>
  readVerdict(
    reply,
    formFromFile(file),
    ['A', 'B'].slice(0, count).map((label) => ({ label })),
  );

describe('one score', () => {
  test.each([
    ['Bewertung: 4,5/10', undefined],
    ['Bewertung: 4,5 / 10', 'Bewertung: {}'],
    ['**Bewertung: 4,5/10**', 'Bewertung: {}'],
    ['Bewertung: 4,5 von 10 Punkten', 'Bewertung: {} von 10 Punkten'],
    ['Die Antwort ist gut. Bewertung: 4,5 – knapp.', 'Bewertung: {}'],
    ['Score: 4,5/10', 'Score: {}/10'],
    ['Score: 4,5 out of 10', undefined],
    ['I give it 4,5.', undefined],
    ['4,5', undefined],
    ['Note : 4,5/10', 'Note : {}/10'],
    ['Score: ٤٫٥', undefined],
    ['الدرجة: ٤٫٥/١٠', 'الدرجة: {}/10'],
    ['点数：４．５点', '点数：{}点'],
    ['Score: ４，５', undefined],
  ])('%j is 4.5', (reply, template) => {
    const file = { kind: 'score', min: 1, max: 10, ...(template !== undefined && { template }) } as const;
    expect(read(reply, file)).toMatchObject({ kind: 'score', score: 4.5 });
  });

  test.each(['4,5', '４，５', '٤٫٥', '4,5/10'])('{"note": %j} is 4.5', (value) => {
    const reply = JSON.stringify({ note: value });
    expect(read(reply, { kind: 'score', field: 'note', max: 10 })).toMatchObject({ score: 4.5 });
  });

  test.each(['Note : 4,5/10 car la réponse est bonne', 'Bewertung: 14,5,5/10', 'Score: 1,000/10'])(
    '%j is no score of 5 or 0',
    (reply) => {
      expect([4.5, undefined]).toContain(Object(read(reply, { kind: 'score', min: 1, max: 10 })).score);
    },
  );

  test('between brackets, where the client finds no number with a comma, there is none', () => {
    expect(read('Rating: [[4,5]]', { kind: 'score', template: 'Rating: [[{}]]' }).kind).toBe('none');
  });
});

describe('a score for each', () => {
  test.each([
    ['Punkte A: 9,9\nPunkte B: 1,5', 'Punkte A: {}\nPunkte B: {}', [9.9, 1.5]],
    ['Punkte A: 9,9/10\nPunkte B: 1,5/10', 'Punkte A: {}\nPunkte B: {}', [9.9, 1.5]],
    ['Punkte A: ٨٫١\nPunkte B: ٨٫٩', 'Punkte A: {}\nPunkte B: {}', [8.1, 8.9]],
    ['9,4', '{} {}', [9, 4]],
    ['[[9,4]]', '[[{},{}]]', [9, 4]],
    ['(A, B) = (9,4)', '(A, B) = ({},{})', [9, 4]],
    ['A: 5,4,5\nB: 3,4,3', 'A: {},{},{}\nB: {},{},{}', [14 / 3, 10 / 3]],
  ])('%j in %j', (reply, template, scores) => {
    expect(read(reply, { kind: 'scores', template }, 2)).toMatchObject({ scores });
  });

  test('in fields of JSON', () => {
    const reply = JSON.stringify({ a: '8,5', b: '8,2' });
    expect(read(reply, { kind: 'scores', fields: ['a', 'b'] }, 2)).toMatchObject({ scores: [8.5, 8.2] });
  });
});

describe('the form of replies', () => {
  const written = {
    comma: (text: string) => text.replaceAll('.', ','),
    wide: (text: string) =>
      text.replace(/[\d.]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
    Arabic: (text: string) =>
      text.replace(/[\d.]/g, (sign) => (sign === '.' ? '٫' : String.fromCharCode(0x660 + Number(sign)))),
  };
  describe.each(Object.entries(written))('%s', (_, write) => {
    test.each<[string, (mark: string) => string]>([
      ['alone', (mark) => mark],
      ['below its reasons', (mark) => `Der Text ist gut.\nPunktzahl: ${mark}`],
      ['with a unit', (mark) => `Bewertung: ${mark} von 10 Punkten`],
      ['in JSON', (mark) => JSON.stringify({ grund: 'Der Text ist gut.', note: mark })],
    ])('one score %s', (_name, replyOf) => {
      const replies = ['8.8', '9', '4.5'].map((mark) => replyOf(write(mark)));
      const form = formFromReplies(replies, ['']);
      expect(form && verdictsIn(formFromFile(form), replies, [''])).toMatchObject([
        { score: 8.8 },
        { score: 9 },
        { score: 4.5 },
      ]);
    });

    test('a score for each', () => {
      const replies = ['A: 9.9\nB: 1.5', 'A: 4\nB: 5.2', 'A: 3.3\nB: 3.1'].map((reply) => write(reply));
      const form = formFromReplies(replies, ['A', 'B']);
      expect(form && verdictsIn(formFromFile(form), replies, ['A', 'B'])).toMatchObject([
        { scores: [9.9, 1.5] },
        { scores: [4, 5.2] },
        { scores: [3.3, 3.1] },
      ]);
    });
  });

  test('two numbers alone on a line are one for each of two', () => {
    const replies = ['9,4', '5,7', '3,8'];
    expect(formFromReplies(replies, ['A', 'B'])).toEqual({ kind: 'scores', template: '{} {}' });
  });
});

describe('two marks for each of several criteria are not one with a fraction', () => {
  test.each([
    { marks: ['8,7', '6,9', '5,5', '9,2'] },
    { marks: ['10,9', '9,10', '7,8', '6,6'] },
    { marks: ['80,75', '60,95', '70,70', '90,25'] },
  ])('$marks', ({ marks }) => {
    const [first = '', second = '', third = '', fourth = ''] = marks;
    const ofTwo = [`A: ${first}\nB: ${second}`, `A: ${third}\nB: ${fourth}`, `A: ${second}\nB: ${third}`];
    expect(formFromReplies(ofTwo, ['A', 'B'])).toBeNull();
    const ofOne = marks.map((mark) => `Accuracy, style: ${mark}`);
    expect(formFromReplies(ofOne, [''])).toBeNull();
    expect(formFromReplies(marks, [''])).toBeNull();
    const form = formFromFile({ kind: 'score', min: 1, max: 100 });
    expect(readsReplies(form, ofOne, [''])).toBe(false);
    expect(readsReplies(form, [...ofOne, 'Accuracy, style: 8'], [''])).toBe(true);
  });

  test.each([
    { marks: ['8,7', '6,9', '5', '9,2'] },
    { marks: ['8,5', '6,0', '5,5', '9,25'] },
    { marks: ['8,75', '6,9', '5,5', '9,2'] },
    { marks: ['8,7/10', '6,9/10', '5,5/10', '9,2/10'] },
  ])('$marks are one each', ({ marks }) => {
    const form = formFromReplies(
      marks.map((mark) => `Note: ${mark}`),
      [''],
    );
    expect(form).toMatchObject({ kind: 'score' });
  });
});

describe('signs that nobody sees', () => {
  test.each([
    ['\u200fالفائز: \u200f1\u200f', '\u200fالفائز: \u200f2\u200f'],
    ['\u2067الفائز: 1\u2069', '\u2067الفائز: 2\u2069'],
    ['المנצחת: \u200e1\u200e', 'المנצחת: \u200e2\u200e'],
    ['\u061cالفائز: 1', 'الفائز: 2'],
  ])('%j', (first, second) => {
    const replies = [first, second, second, first];
    const form = formFromReplies(replies, ['1', '2']);
    expect(form && verdictsIn(formFromFile(form), replies, ['1', '2'])).toMatchObject([
      { option: 0 },
      { option: 1 },
      { option: 1 },
      { option: 0 },
    ]);
  });
});
