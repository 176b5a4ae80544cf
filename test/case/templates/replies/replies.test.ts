/** The verdict's form from what the replies of a template have in common. */
import { describe, expect, test } from 'vitest';
import { alternativesAround, withTieOffered } from '../../../../src/case/form/alternatives.ts';
import { findForm } from '../../../../src/case/form/find-form.ts';
import { formByAlternatives } from '../../../../src/case/form/form-by-alternatives.ts';
import { fieldsBefore, quotedIn } from '../../../../src/case/form/quoted.ts';
import { wordsOffered } from '../../../../src/case/form/words-asked.ts';
import { createTemplateBook, type Origin } from '../../../../src/case/templates/book.ts';
import { formFromReplies, verdictsIn } from '../../../../src/case/templates/replies/index.ts';
import { formReplied } from '../../../../src/case/templates/replies/replied.ts';
import { parseTemplate } from '../../../../src/case/templates/template.ts';
import type { Prompt } from '../../../../src/case/types.ts';
import { readVerdict, writeVerdict } from '../../../../src/case/verdict.ts';
import { formFromFile, verdictFileSchema } from '../../../../src/case/verdicts/index.ts';

const said = (...replies: string[]) => replies;

describe('names with their ranks, of as many options as came', () => {
  const ranked = (...names: string[]) =>
    JSON.stringify({ rankings: names.map((response, n) => ({ response, rank: n + 1, reason: 'Clear.' })) });
  const LABELS = ['Response A', 'Response B', 'Response C', 'Response D'];

  test('each list is of the first ones', () => {
    const replies = said(ranked('C', 'A', 'B'), ranked('B', 'A'), ranked('B', 'D', 'A', 'C'));
    const form = formFromReplies(replies, LABELS, '', true);
    expect(form).toMatchObject({ kind: 'ranking', labels: ['A', 'B', 'C', 'D'], item: 'response' });
    expect(formFromReplies(replies, LABELS)).toBeNull();
  });

  test.each([
    ['a list of the best two', said(ranked('C', 'A'), ranked('B', 'D'), ranked('D', 'A'))],
    ['a name twice', said(ranked('A', 'A'), ranked('B', 'A'), ranked('B', 'C', 'A'))],
  ])('%s is none', (_, replies) => {
    expect(formFromReplies(replies, LABELS, '', true)).toBeNull();
  });
});

describe('a row of names with a word behind it', () => {
  test.each([
    ['Reply with the letter (A, B, C, etc.) of the best solution.', said('A', 'C', 'A')],
    ['Reply with the number (1, 2, 3, etc.) of the best one.', said('1', '3', '1')],
    ['Answer A, B or TIE.', said('A', 'B', 'A')],
  ])('names several texts: %s', (orders, replies) => {
    expect(formFromReplies(replies, ['answer'], orders)).toBeNull();
  });

  test.each([
    ['Grade it A, B, C or D.', said('A', 'C', 'A'), 'category'],
    [
      'A: CORRECT\nB: INCORRECT\nC: NOT_ATTEMPTED\n\nJust return "A", "B", or "C", with no text.',
      said('A', 'B', 'A'),
      'category',
    ],
    ['Rate it 1, 2, 3, 4 or 5.', said('1', '3', '1'), 'score'],
  ])('is a mark where it is closed or explained: %s', (orders, replies, kind) => {
    expect(formFromReplies(replies, ['answer'], orders)).toMatchObject({ kind });
  });
});

describe('a frame that the replies share', () => {
  test.each([
    [said('Gewinner: B', 'Gewinner: A', 'Gewinner: B'), ['A', 'B'], 'Gewinner: {}', ['A', 'B']],
    [
      said('Kürzer.\n\n<verdict>2</verdict>', 'Klarer.\n\n<verdict>1</verdict>', 'Ja.\n<verdict>2</verdict>'),
      ['Fassung 1', 'Fassung 2'],
      '<verdict>{}</verdict>',
      ['1', '2'],
    ],
    [
      said('最终结论：甲', '理由很清楚。\n最终结论：乙', '最终结论：甲'),
      ['甲', '乙'],
      '最终结论：{}',
      ['甲', '乙'],
    ],
    [said('【A】', '【B】', '【A】 だから'), ['回答A', '回答B'], '【{}】', ['A', 'B']],
    [
      said('Vainqueur : GAUCHE', 'Vainqueur : GAUCHE', 'Vainqueur : DROITE'),
      ['gauche', 'droite'],
      'Vainqueur : {}',
      ['GAUCHE', 'DROITE'],
    ],
    [said('links', 'rechts', 'links'), ['Links', 'Rechts'], undefined, ['links', 'rechts']],
    [
      said('Kazanan: birinci', 'Kazanan: ikinci', 'Kazanan: birinci'),
      ['Birinci', 'İkinci'],
      'Kazanan: {}',
      ['birinci', 'ikinci'],
    ],
    [
      said(
        'よい回答です。より良いのはAです。',
        '短い。より良いのはBです。',
        '誤りがある。より良いのはAです。',
      ),
      ['A', 'B'],
      'より良いのは{}です。',
      ['A', 'B'],
    ],
    [
      said(
        'Short. So I choose answer A.',
        'Long and dull. So I choose answer B.',
        'Fine. So I choose answer A.',
      ),
      ['A', 'B'],
      'So I choose answer {}.',
      ['A', 'B'],
    ],
    [
      said('Send this: model_a', 'Send this: model_b', 'Send this: model_a'),
      ['Model A', 'Model B'],
      'Send this: {}',
      ['model_a', 'model_b'],
    ],
    [said('W1', 'W2', 'W1'), ['Widget 1', 'Widget 2'], undefined, ['W1', 'W2']],
    [said('first', 'second', 'first'), ['first text', 'second text'], undefined, ['first', 'second']],
    [
      said('We should run the earlier one.', 'We should run the later one.', 'We should run the later one.'),
      ['earlier', 'later'],
      'We should run the {} one.',
      ['earlier', 'later'],
    ],
  ])('%j', (replies, labels, template, spelled) => {
    const form = formFromReplies(replies, labels);
    expect(form).toEqual({ kind: 'choice', labels: spelled, ...(template !== undefined && { template }) });
  });

  test('also where one reply chooses none of the options', () => {
    const replies = said('<best>none</best>', '<best>B</best>', '<best>A</best>');
    expect(formFromReplies(replies, ['A', 'B'])).toEqual({
      kind: 'choice',
      labels: ['A', 'B'],
      template: '<best>{}</best>',
    });
  });

  test('or a field of their JSON', () => {
    const replies = said(
      '{"grund":"A ist kurz","sieger":"B"}',
      '{"grund":"B","sieger":"A"}',
      '{"sieger":"B"}',
    );
    expect(formFromReplies(replies, ['A', 'B'])).toEqual({
      kind: 'choice',
      labels: ['A', 'B'],
      field: 'sieger',
    });
  });

  test('names options that no reply has chosen so far', () => {
    const replies = said('Siegerin: 3', 'Siegerin: 1', 'Siegerin: 3');
    expect(formFromReplies(replies, ['Text 1', 'Text 2', 'Text 3'])).toMatchObject({
      labels: ['1', '2', '3'],
    });
  });
});

test('the number of a tag is its name, and counts nothing', () => {
  const reply = (mark: number) => `<S0>Well.</S0>\n<S1>${'so '.repeat(mark)}</S1>\n<S2>${mark}</S2>`;
  expect(formFromReplies([4, 1, 3].map(reply), ['answer'], 'Rate from 1 to 5.')).toMatchObject({
    kind: 'score',
    template: '<S2>{}</S2>',
  });
});

test('one value of a field that names no option is a tie, once each option was named', () => {
  const replies = said('{"sieger":"B ist besser"}', '{"sieger":"A ist besser"}', '{"sieger":"beide"}');
  expect(formFromReplies(replies, ['A', 'B'])).toEqual({
    kind: 'choice',
    labels: ['A ist besser', 'B ist besser'],
    field: 'sieger',
    tie: 'beide',
  });
  expect(formFromReplies(replies.toSpliced(1, 1, '{"sieger":"beide"}'), ['A', 'B'])).toBeNull();
});

describe('of what chooses by one criterion each', () => {
  const reply = ([first, second, both]: string) =>
    JSON.stringify({ better_written: first, better_argued: second, ...(both && { winner: both }) });

  test('none is the verdict', () => {
    const orders = 'Reply as JSON: {"better_written": "A", "better_argued": "B"}';
    const replies = ['AB', 'BB', 'BA', 'AA'].map(reply);
    expect(formFromReplies(replies, ['A', 'B'], orders)).toBeNull();
    const form = findForm({ schema: undefined, labels: ['A', 'B'], orders, noun: 'answer', usual: null });
    const read = replies.map(
      (one) => form && form !== 'mismatch' && readVerdict(one, form, [{ label: 'A' }, { label: 'B' }]),
    );
    expect(read).toMatchObject([
      { kind: 'none' },
      { kind: 'choice', option: 1 },
      { kind: 'none' },
      { kind: 'choice', option: 0 },
    ]);
  });

  test('the orders name none of them as the verdict', () => {
    const orders = '{"style_winner": "A", "fluency": "B", "depth": "A"}';
    expect(fieldsBefore(orders, quotedIn(orders), ['A', 'B'])).toEqual(['style_winner', 'fluency', 'depth']);
    const overall = orders.replace('depth', 'winner');
    expect(fieldsBefore(overall, quotedIn(overall), ['A', 'B'])).toEqual(['winner']);
  });

  test('what chooses over all beside them is', () => {
    const replies = ['ABA', 'BBB', 'BAB', 'AAA'].map(reply);
    expect(formFromReplies(replies, ['A', 'B'])).toMatchObject({ field: 'winner' });
  });
});

test('words of the reasons are no verdict where the orders offer the options in another place', () => {
  const reply = '2. A shorter\nFinal: Summary A';
  const orders = '2. Note which is shorter.\n4. Close with "Final: Summary A" or "Final: Summary B".';
  expect(formFromReplies(said(reply, reply, reply), ['Summary A', 'Summary B'], orders)).toMatchObject({
    template: 'Final: {}',
  });
});

test.each([
  ['a number on a longer scale', said('{"preference":1}', '{"preference":2}', '{"preference":4}')],
  ['a number where one was named', said('Preference: 2', 'Preference: 5', 'Preference: 2')],
])('%s is no tie', (_, replies) => {
  expect(formFromReplies(replies, ['1', '2'])).toBeNull();
});

test.each([
  ['Jibu kwa namba tu: 1, 2 au 0 kama ni sawa.', { labels: ['1', '2'], tie: '0' }],
  ['Jibu kwa namba tu: 0, 1 au 2.', undefined],
  ['Jibu kwa namba tu.', undefined],
])('of three numbers the one that the orders offer last is a tie: %s', (orders, told) => {
  const labels = ['Jibu la kwanza', 'Jibu la pili'];
  const form = formFromReplies(said('1', '2', '0'), labels, orders);
  expect(form).toEqual(told ? { kind: 'choice', ...told } : null);
});

test('of brackets in a sentence, too', () => {
  const replies = said('The first is livelier. [[1]]', 'Second. [[2]]', 'Hard to tell. [[0]]');
  expect(formFromReplies(replies, ['Assistant 1', 'Assistant 2'])).toEqual({
    kind: 'choice',
    labels: ['1', '2'],
    template: '[[{}]]',
    tie: '[[0]]',
  });
});

test.each([
  ['Rang : B, A, C', { separator: ', ', template: 'Rang : {}' }],
  ['B > A > C', { separator: ' > ' }],
])('an order of all is %s', (row, told) => {
  const replies = said(row, row.replace('B', 'X').replace('A', 'B').replace('X', 'A'), row);
  const form = formFromReplies(replies, ['Copie A', 'Copie B', 'Copie C']);
  expect(form).toEqual({ kind: 'ranking', labels: ['A', 'B', 'C'], ...told });
  expect(form && verdictsIn(formFromFile(form), replies, ['A', 'B', 'C'])[0]).toMatchObject({
    kind: 'scores',
    scores: [1, 2, 0],
  });
});

test('a list of numbers is an order of options with these numbers, unless its name says that they are scores', () => {
  const replies = (field: string) =>
    said(`{"${field}":[2,1,3]}`, `{"${field}":[3,1,2]}`, `{"${field}":[1,3,2]}`);
  const labels = ['Slogan 1', 'Slogan 2', 'Slogan 3'];
  expect(formFromReplies(replies('best_first'), labels)).toMatchObject({ kind: 'ranking' });
  expect(formFromReplies(replies('scores'), labels)).toEqual({ kind: 'scores', field: 'scores' });
  expect(formFromReplies(replies('order'), ['Slogan A', 'Slogan B', 'Slogan C'])).not.toMatchObject({
    kind: 'scores',
  });
});

test('so is one word of a frame', () => {
  const replies = said('Klarer.\nUrteil: Fassung 2', 'Urteil: Fassung 1', 'Gleichauf.\nUrteil: beide gleich');
  expect(formFromReplies(replies, ['Fassung 1', 'Fassung 2'])).toEqual({
    kind: 'choice',
    labels: ['Fassung 1', 'Fassung 2'],
    template: 'Urteil: {}',
    tie: 'Urteil: beide gleich',
  });
});

describe('of several options it may be', () => {
  test('a number for each', () => {
    const replies = said('{"A":90,"B":20}', '{"A":15,"B":80}', '{"A":70,"B":70}');
    expect(formFromReplies(replies, ['Draft A', 'Draft B'])).toEqual({ kind: 'scores', fields: ['A', 'B'] });
  });

  test.each([
    [
      'behind the name of each',
      said('[1] Score: 5\n[2] Score: 2', '[1] Score: 1\n[2] Score: 4', '[1] Score: 3\n[2] Score: 2'),
      { kind: 'scores', template: '[1] Score: {}\n[2] Score: {}' },
      [5, 2],
    ],
    [
      'on one line',
      said('1: 7, 2: 4', '1: 5, 2: 5', '1: 6, 2: 8'),
      { kind: 'scores', template: '1: {}\n2: {}' },
      [7, 4],
    ],
    [
      'in the section of each',
      said(
        '## Text 1\nRating: 5\nWhy: so.\n\n## Text 2\nRating: 2\nWhy: no.',
        '## Text 1\nRating: 1\nWhy: so.\n\n## Text 2\nRating: 4\nWhy: no.',
        '## Text 1\nRating: 3\nWhy: so.\n\n## Text 2\nRating: 3\nWhy: no.',
      ),
      { kind: 'scores', template: 'Rating: {}\nRating: {}' },
      [5, 2],
    ],
    [
      'in a list',
      said('{"grades":[3,0]}', '{"grades":[1,2]}', '{"grades":[3,3]}'),
      { kind: 'scores', field: 'grades' },
      [3, 0],
    ],
    [
      'in the entries of a list',
      said(
        '{"all":[{"id":"1","mark":3},{"id":"2","mark":1}]}',
        '{"all":[{"id":"1","mark":2},{"id":"2","mark":4}]}',
        '{"all":[{"id":"1","mark":5},{"id":"2","mark":4}]}',
      ),
      { kind: 'scores', field: 'all', item: 'mark' },
      [3, 1],
    ],
    [
      'in an object for each',
      said(
        '{"text_1":{"score":9},"text_2":{"score":4}}',
        '{"text_1":{"score":2},"text_2":{"score":8}}',
        '{"text_1":{"score":5},"text_2":{"score":6}}',
      ),
      { kind: 'scores', fields: ['text_1.score', 'text_2.score'] },
      [9, 4],
    ],
    ['bare on the first line', said('5 2', '1 4', '3 3'), { kind: 'scores', template: '{} {}' }, [5, 2]],
    [
      'by criteria in the object of each',
      said(
        '{"text_1":{"style":3,"tone":4,"why":"so"},"text_2":{"style":1,"tone":4,"why":"no"}}',
        '{"text_1":{"style":2,"tone":4,"why":"so"},"text_2":{"style":5,"tone":4,"why":"no"}}',
        '{"text_1":{"style":4,"tone":4,"why":"so"},"text_2":{"style":4,"tone":4,"why":"no"}}',
      ),
      {
        kind: 'scores',
        fields: [
          ['text_1.style', 'text_1.tone'],
          ['text_2.style', 'text_2.tone'],
        ],
      },
      [3.5, 2.5],
    ],
    [
      'in the object of each criterion',
      said(
        '{"style":{"1":3,"2":1},"tone":{"1":4,"2":2}}',
        '{"style":{"1":1,"2":5},"tone":{"1":2,"2":5}}',
        '{"style":{"1":2,"2":2},"tone":{"1":3,"2":3}}',
      ),
      {
        kind: 'scores',
        fields: [
          ['style.1', 'tone.1'],
          ['style.2', 'tone.2'],
        ],
      },
      [3.5, 1.5],
    ],
    [
      'that concludes on its criteria',
      said(
        '{"text_1":{"style":3,"overall":4},"text_2":{"style":1,"overall":2}}',
        '{"text_1":{"style":2,"overall":1},"text_2":{"style":5,"overall":5}}',
        '{"text_1":{"style":4,"overall":4},"text_2":{"style":4,"overall":3}}',
      ),
      { kind: 'scores', fields: ['text_1.overall', 'text_2.overall'] },
      [4, 2],
    ],
  ])('a number for each %s', (_, replies, form, first) => {
    const labels = ['1', '2'];
    expect(formFromReplies(replies, labels)).toEqual(form);
    const [verdict] = verdictsIn(formFromFile(verdictFileSchema.parse(form)), replies, labels);
    expect(verdict).toMatchObject({ kind: 'scores', scores: first });
  });

  test('no number for each where the sections stand in another order', () => {
    const replies = said(
      '## Text 2\nRating: 5\n\n## Text 1\nRating: 2',
      '## Text 1\nRating: 1\n\n## Text 2\nRating: 4',
      '## Text 1\nRating: 3\n\n## Text 2\nRating: 2',
    );
    expect(formFromReplies(replies, ['1', '2'])).toBeNull();
  });

  test.each([
    [
      'an index that counts from 0',
      ['one', 'other'],
      said('{"i":0}', '{"i":1}', '{"i":0}'),
      ['0', '1'],
      undefined,
    ],
    [
      'a place in the row',
      ['A', 'B'],
      said('{"win":"left"}', '{"win":"right"}', '{"win":"left"}'),
      ['left', 'right'],
      undefined,
    ],
    ['-1 for none', ['A', 'B', 'C'], said('{"i":0}', '{"i":2}', '{"i":-1}'), ['0', '1', '2'], '-1'],
  ])('a choice by %s', (_, labels, replies, spelled, tie) => {
    expect(formFromReplies(replies, labels)).toMatchObject({
      kind: 'choice',
      labels: spelled,
      ...(tie && { tie }),
    });
  });

  test('by how much one of two is better', () => {
    const replies = said('A>>B', 'B>A', 'A~B');
    const form = formFromReplies(replies, ['A', 'B']);
    expect(form).toEqual({ kind: 'choice', labels: ['A>B', 'B>A'], tie: 'A~B' });
    const read = form && verdictsIn(formFromFile(form), replies, ['A', 'B']);
    expect(read).toMatchObject([{ option: 0, strength: 'strong' }, { option: 1 }, { kind: 'tie' }]);
  });

  test('the same in double brackets behind other words, of options that are called alike', () => {
    const form = formFromReplies(said('结果：[[A>B]]。', '因此：[[A<<B]]。', '结果：[[A=B]]。'), [
      '模型A',
      '模型B',
    ]);
    expect(form).toEqual({
      kind: 'choice',
      labels: ['A>B', 'B>A'],
      template: '[[{}]]',
      tie: '[[A=B]]',
    });
  });

  test.each([
    [
      'five degrees',
      'One integer: 1 (Response 1 much better), 2 (slightly), 3 (same), 4 (Response 2 slightly better), 5 (much better).',
      said('2', '5', '3'),
      { labels: ['2', '4'], strong: ['1', '5'], tie: '3' },
      ['slight 0', 'strong 1', 'tie'],
    ],
    [
      'four degrees from the second one on, in a field',
      '1 = Response 2 is far better; 4 = Response 1 is far better',
      said('{"preference": 1}', '{"preference": 3}', '{"preference": 4}'),
      { labels: ['3', '2'], strong: ['4', '1'], field: 'preference' },
      ['strong 1', 'slight 0', 'strong 0'],
    ],
  ])('a number of a scale whose ends the orders explain: %s', (_, orders, replies, file, read) => {
    const labels = ['Response 1', 'Response 2'];
    const form = formFromReplies(replies, labels, orders);
    expect(form).toEqual({ kind: 'choice', ...file });
    const verdicts = form ? verdictsIn(formFromFile(form), replies, labels) : [];
    expect(
      verdicts.map((one) => (one.kind === 'choice' ? `${one.strength} ${one.option}` : one.kind)),
    ).toEqual(read);
  });

  test.each([
    ['one end alone is explained', '1 (Response 1 much better) to 5'],
    ['both ends are for one', '1 (Response 1 is bad) to 5 (Response 1 is good)'],
    ['the scale is one of marks', 'Give 1 to 5 to the better response.'],
    ['each number is explained by other words', '1 = none is right, 2 = some are, 5 = all, of both'],
  ])('no number of a scale where %s', (_, orders) => {
    expect(formFromReplies(said('2', '5', '3'), ['Response 1', 'Response 2'], orders)).toBeNull();
  });

  test('one that is always chosen, where the orders offer the others beside it', () => {
    const replies = said('Winner: A', 'Clear.\nWinner: A', 'Winner: A');
    expect(formFromReplies(replies, ['A', 'B'], 'End with "Winner: A" or "Winner: B".')).toMatchObject({
      template: 'Winner: {}',
      labels: ['A', 'B'],
    });
    expect(formFromReplies(replies, ['A', 'B'], 'End with the winner.')).toBeNull();
  });

  test.each([
    ['[[A]]', 'Say [[A]] for 1 and [[B]] for 2.', { labels: ['A', 'B'], template: '[[{}]]' }],
    [
      '[[A]]',
      'Write "[[A]]" if Response 1 is better, "[[B]]" if Response 2 is better, and "[[C]]" for a tie.',
      { labels: ['A', 'B'], template: '[[{}]]', tie: '[[C]]' },
    ],
    [
      '[[A]]',
      '"[[A]]" if Response 2 is better, "[[B]]" if Response 1 is better',
      { labels: ['B', 'A'], template: '[[{}]]' },
    ],
    ['{"winner":"First"}', 'Return {"winner": "First" | "Second"}', { labels: ['First', 'Second'] }],
    [
      'Verdict: LEFT',
      'End with "Verdict: LEFT" or "Verdict: RIGHT".',
      { labels: ['LEFT', 'RIGHT'], template: 'Verdict: {}' },
    ],
    [
      'Verdict: A',
      'Write Verdict: A if Response 1 is better, Verdict: B if Response 2 is better, Verdict: C for a tie.',
      { labels: ['A', 'B'], template: 'Verdict: {}', tie: 'Verdict: C' },
    ],
    ['[[A]]', 'Say [[A]] where Response 1 is better.', null],
    ['Verdict: first', 'End with "Verdict:" and which one is the better response.', null],
  ])(
    'by a word for its place that is always said, as the orders write it: %s of %s',
    (reply, orders, told) => {
      const form = formFromReplies(said(reply, reply, reply), ['Response 1', 'Response 2'], orders);
      if (told) expect(form).toMatchObject({ kind: 'choice', ...told });
      else expect(form).toBeNull();
    },
  );

  test('by words for their places, written as they were said', () => {
    const replies = said('Verdict: FIRST', 'Verdict: SECOND', 'Verdict: FIRST');
    expect(formFromReplies(replies, ['1', '2'])).toMatchObject({ labels: ['FIRST', 'SECOND'] });
  });

  test.each([
    [
      'on a line',
      said('S2 > S1 > S3', 'Clear.\nS3 > S2 > S1', 'S1 > S2 > S3'),
      { kind: 'ranking', labels: ['S1', 'S2', 'S3'], separator: ' > ' },
    ],
    [
      'on a line, the best last',
      said('S3 < S1 < S2', 'Clear.\nS1 < S2 < S3', 'S3 < S2 < S1'),
      { kind: 'ranking', labels: ['S1', 'S2', 'S3'], separator: ' < ' },
    ],
    [
      'on a line with signs of full width',
      said('S3＜S1＜S2', 'S1＜S2＜S3', 'S3＜S2＜S1'),
      { kind: 'ranking', labels: ['S1', 'S2', 'S3'], separator: '＜' },
    ],
    [
      'in a list',
      said('{"order":["S2","S1","S3"]}', '{"order":["S3","S2","S1"]}', '{"order":["S1","S2","S3"]}'),
      { kind: 'ranking', labels: ['S1', 'S2', 'S3'], separator: ', ', field: 'order' },
    ],
    [
      'as a rank for each',
      said(
        '{"places":{"S1":2,"S2":1,"S3":3}}',
        '{"places":{"S1":3,"S2":2,"S3":1}}',
        '{"places":{"S1":1,"S2":2,"S3":3}}',
      ),
      { kind: 'ranking', labels: ['S1', 'S2', 'S3'], fields: ['S1', 'S2', 'S3'] },
    ],
  ])('their order %s', (_, replies, form) => {
    const labels = ['S1', 'S2', 'S3'];
    expect(formFromReplies(replies, labels)).toEqual(form);
    const [verdict] = verdictsIn(formFromFile(verdictFileSchema.parse(form)), replies, labels);
    expect(verdict).toMatchObject({ kind: 'scores', scores: [1, 2, 0] });
    expect(formFromReplies(replies, ['S1', 'S2'])?.kind).not.toBe('ranking');
  });

  test('their order with the best last, as it is written', () => {
    const form = formFromFile({ kind: 'ranking', labels: ['A', 'B', 'C'], separator: ' < ' });
    const ranked = { kind: 'scores', scores: [2, 0, 1], text: '' } as const;
    expect(writeVerdict(ranked, form, [])).toBe('B < C < A');
  });
});

describe('of one answer it is', () => {
  test.each([
    ['a number alone', said('20', '55', '70'), { kind: 'score' }],
    [
      'a number behind a label',
      said('Gut.\nNote: 2', 'Note: 4\nSchwach.', 'Note: 3'),
      { kind: 'score', template: 'Note: {}' },
    ],
    [
      'a field, however deep',
      said('{"a":{"rating":4,"why":"x"}}', '{"a":{"rating":2,"why":"y"}}', '{"a":{"rating":5,"why":"x"}}'),
      { kind: 'score', field: 'rating' },
    ],
    ['yes and no', said('{"ok":"yes"}', '{"ok":"no"}', '{"ok":"yes"}'), { kind: 'pass', field: 'ok' }],
    [
      'one of a few words',
      said('Fertig.\nStufe: hoch', 'Stufe: niedrig', 'Stufe: hoch'),
      { kind: 'category', labels: ['hoch', 'niedrig'], template: 'Stufe: {}' },
    ],
    [
      'the one that concludes',
      said('{"style":3,"overall":4}', '{"style":2,"overall":1}', '{"style":5,"overall":4}'),
      { kind: 'score', field: 'overall' },
    ],
    [
      'the share that two other numbers make, and neither of these',
      said(
        '{"total_claims":3,"supported":3,"value_score":1}',
        '{"total_claims":0,"supported":0,"value_score":1}',
        '{"total_claims":3,"supported":2,"value_score":0.67}',
      ),
      { kind: 'score', field: 'value_score' },
    ],
    [
      'the share of what is counted beside it, whatever it is called',
      said(
        '{"treffer":3,"fehlend":1,"quote":75}',
        '{"treffer":0,"fehlend":2,"quote":0}',
        '{"treffer":1,"fehlend":2,"quote":33}',
      ),
      { kind: 'score', field: 'quote' },
    ],
    [
      'no number of claims, though the others add up to it',
      said(
        '{"richtig":3,"falsch":1,"aussagen":4}',
        '{"richtig":2,"falsch":2,"aussagen":4}',
        '{"richtig":5,"falsch":1,"aussagen":6}',
      ),
      { kind: 'list', fields: ['richtig', 'falsch', 'aussagen'] },
    ],
    [
      'the field that is called the verdict, though the others are made of it',
      said(
        '{"score":3,"errors":1,"risk":0.25}',
        '{"score":2,"errors":2,"risk":0.5}',
        '{"score":1,"errors":3,"risk":0.75}',
      ),
      { kind: 'score', field: 'score' },
    ],
    [
      'the verdict, though it is the difference of two marks',
      said(
        '{"clarity":4,"waste":1,"verdict":3}',
        '{"clarity":5,"waste":3,"verdict":2}',
        '{"clarity":3,"waste":1,"verdict":2}',
      ),
      { kind: 'score', field: 'verdict' },
    ],
    [
      'no mark of three that happens to be the sum of the others once',
      said('{"a":3,"b":2,"c":5}', '{"a":4,"b":5,"c":4}', '{"a":2,"b":2,"c":3}'),
      { kind: 'list', fields: ['a', 'b', 'c'] },
    ],
    [
      'the field with a word, beside sentences',
      said('{"ank":9,"karan":"सही और साफ़"}', '{"ank":1,"karan":"उत्तर नहीं"}', '{"ank":4,"karan":"थोड़ा सही"}'),
      { kind: 'score', field: 'ank' },
    ],
    [
      'a number with its unit',
      said(
        '점수: 92점\n평가: 모두 안내했습니다.',
        '점수: 15점\n평가: 답하지 않았습니다.',
        '점수: 40점\n평가: 너무 짧습니다.',
      ),
      { kind: 'score', template: '점수: {}점' },
    ],
    [
      'a number of so many',
      said('Marks: 7/10', 'Marks: 3/10', 'Marks: 9/10'),
      { kind: 'score', template: 'Marks: {}/10' },
    ],
    [
      'in a tag of any name',
      said('<why>It does.</why><points>5</points>', '<why>No.</why><points>1</points>', '<points>3</points>'),
      { kind: 'score', template: '<points>{}</points>' },
    ],
    [
      'one of a few words with other signs',
      said('CORRECT', 'NOT_ATTEMPTED', 'INCORRECT'),
      { kind: 'category', labels: ['CORRECT', 'NOT_ATTEMPTED', 'INCORRECT'] },
    ],
    [
      'a list of entries',
      said(
        '{"checks":[{"item":"tone","ok":true},{"item":"length","ok":false}]}',
        '{"checks":[{"item":"tone","ok":true},{"item":"length","ok":true}]}',
        '{"checks":[{"item":"tone","ok":false},{"item":"length","ok":true}]}',
      ),
      { kind: 'list', field: 'checks', item: 'ok' },
    ],
    [
      'a list of numbers',
      said('{"grades":[3,0,1]}', '{"grades":[0,0,2]}', '{"grades":[1]}'),
      { kind: 'list', field: 'grades' },
    ],
    [
      'the one list that holds verdicts',
      said(
        '{"claims":[{"claim":"so","ok":true}],"questions":["Is it so?"]}',
        '{"claims":[{"claim":"so","ok":false},{"claim":"or so","ok":false}],"questions":["Was it so?"]}',
        '{"claims":[{"claim":"so","ok":true}],"questions":["Is it so?"]}',
      ),
      { kind: 'list', field: 'claims', item: 'ok' },
    ],
    [
      'a number with its unit behind a label in brackets',
      said('Gut.\n\n【得点】5点', 'Schwach.\n\n【得点】1点', 'Gut.\n\n【得点】5点'),
      { kind: 'score', template: '【得点】{}点' },
    ],
    [
      'a unit and a full stop of Chinese',
      said('因此，结果为：[[5分]]。', '结果为：[[0分]]。', '结果为：[[3分]]。'),
      { kind: 'score', template: '[[{}分]]' },
    ],
    [
      'a unit, and a reason behind it',
      said('得分：5分，因为完整。', '得分：1分（满分5分）。', '得分：3分。'),
      { kind: 'score', template: '得分：{}分' },
    ],
    [
      'a sentence of Japanese',
      said('よい回答です。評価は5点です。', '短い。評価は1点です。', '評価は3点です。'),
      { kind: 'score', template: '評価は{}点です。' },
    ],
    [
      'a number below a heading',
      said(
        '## why\nIt is.\n\n## worth\n0.4\n',
        '## why\nNo.\n\n## worth\n1.0\n',
        '## why\nSo.\n\n## worth\n0.4\n',
      ),
      { kind: 'score', template: '## worth\n{}' },
    ],
    ['a row of stars', said('★★★', '★', '★★★★☆'), { kind: 'score' }],
    ['a number in other digits', said('अंक: ४', 'अंक: १', 'अंक: ३'), { kind: 'score', template: 'अंक: {}' }],
    [
      'a number behind a label in bold',
      said('**Score:** 4\nGood.', '**Score:** 1\nBad.', '**Score:** 3\nWell.'),
      { kind: 'score', template: '**Score:** {}' },
    ],
    [
      'a number in the last row of a table',
      said('| mark |\n|---|\n| 2 |', '| mark |\n|---|\n| 0 |', '| mark |\n|---|\n| 1 |'),
      { kind: 'score', template: '| {} |' },
    ],
    [
      'a percentage',
      said('Quality: 80%', 'Quality: 35%', 'Quality: 90%'),
      { kind: 'score', template: 'Quality: {}%' },
    ],
    [
      'a number with its unit, behind a label or alone',
      said('85%', 'Accuracy: 20%', '100 %'),
      { kind: 'score' },
    ],
    ['a number in front of a clause', said('5', '1, gives it away', '3'), { kind: 'score' }],
    ['a sign', said('👍', '👎', '👍'), { kind: 'pass', labels: ['👍', '👎'] }],
    [
      'a sign that answers a question',
      said('○', '×', '○'),
      { kind: 'pass', labels: ['○', '×'], good: 'unknown' },
    ],
    [
      'what ends each line of a list',
      said('1. So. [Named]\n2. No. [Not Named]', '1. No. [Not Named]', '1. So. [Named]\n2. So. [Named]'),
      { kind: 'list', template: '[{}]' },
    ],
    [
      'what stands behind each number',
      said('Claim 1: yes\nClaim 2: no', 'Claim 1: no', 'Claim 1: yes\nClaim 2: yes\nClaim 3: no'),
      { kind: 'list', template: 'Claim {n}: {}' },
    ],
    [
      'a reply that is a list',
      said(
        '[{"of":"a","ok":true},{"of":"b","ok":false}]',
        '[{"of":"a","ok":true},{"of":"b","ok":true}]',
        '[{"of":"a","ok":false},{"of":"b","ok":true}]',
      ),
      { kind: 'list', item: 'ok' },
    ],
    [
      'a number below each of several headings',
      said(
        '## recall\n0.9\n## precision\n0.8',
        '## recall\n0.2\n## precision\n0.4',
        '## recall\n1\n## precision\n0.8',
      ),
      { kind: 'list', template: '## recall\n{}\n## precision\n{}' },
    ],
    [
      'a number for each of several criteria',
      said('{"clear":1,"true":4}', '{"clear":2,"true":1}', '{"clear":3,"true":2}'),
      { kind: 'list', fields: ['clear', 'true'] },
    ],
    [
      'a number beside a sentence in a script that puts no space between words',
      said(
        '{"คะแนน":5,"เหตุผล":"ครบและสุภาพ"}',
        '{"คะแนน":1,"เหตุผล":"ไม่ได้ช่วยลูกค้า"}',
        '{"คะแนน":5,"เหตุผล":"ครบและสุภาพ"}',
      ),
      { kind: 'score', field: 'คะแนน' },
    ],
    [
      'a number that has a label, a unit or a decimal comma in some replies',
      said('7', 'Gauge: 2', '5 Punkte', 'Note : 3,5', '分数：[4]'),
      { kind: 'score' },
    ],
    [
      'behind a label that some replies have in bold type or with a colon of another width',
      said('Accord: 1\nWhy: a', '1. **Accord**: 3\n2. Why: b', 'Accord：2'),
      { kind: 'score', template: 'Accord: {}' },
    ],
    [
      'the whole beside the parts, in a language whose word for it is known',
      said('{"yhteensä":4,"sanasto":3}', '{"yhteensä":1,"sanasto":2}', '{"yhteensä":2,"sanasto":1}'),
      { kind: 'score', field: 'yhteensä' },
    ],
    [
      'of two truths the one that says what is right',
      said(
        '{"corretta":true,"parziale":false}',
        '{"corretta":false,"parziale":true}',
        '{"corretta":false,"parziale":false}',
      ),
      { kind: 'pass', field: 'corretta' },
    ],
    [
      'of two truths the one that says that the answer is right',
      said(
        '{"is_answer_correct":true,"polite":false}',
        '{"is_answer_correct":false,"polite":true}',
        '{"is_answer_correct":false,"polite":false}',
      ),
      { kind: 'pass', field: 'is_answer_correct' },
    ],
    [
      'of two truths the one that says whose answer is right',
      said(
        '{"student_answer_correct":true,"polite":false}',
        '{"student_answer_correct":false,"polite":true}',
        '{"student_answer_correct":false,"polite":false}',
      ),
      { kind: 'pass', field: 'student_answer_correct' },
    ],
    [
      'each of several truths where one says that something else is right',
      said(
        '{"label_correct":true,"format_correct":false,"lisible":true}',
        '{"label_correct":false,"format_correct":true,"lisible":true}',
        '{"label_correct":false,"format_correct":false,"lisible":false}',
      ),
      { kind: 'list', fields: ['label_correct', 'format_correct', 'lisible'] },
    ],
    [
      'the verdict as a whole beside such a truth',
      said(
        '{"final_verdict":true,"score_justified":false}',
        '{"final_verdict":false,"score_justified":true}',
        '{"final_verdict":false,"score_justified":false}',
      ),
      { kind: 'pass', field: 'final_verdict', good: 'unknown' },
    ],
  ])('%s', (_, replies, form) => {
    expect(formFromReplies(replies, [''])).toEqual(form);
    const read = formFromFile(verdictFileSchema.parse(form));
    const verdicts = verdictsIn(read, replies, ['']);
    expect(verdicts.map(({ kind }) => kind)).toEqual(replies.map(() => form.kind));
  });

  test.each([
    [
      'of several fields the one whose words the orders offer',
      'resolved | partly | unresolved',
      said('{"a":"resolved","b":"yes"}', '{"a":"partly","b":"well"}', '{"a":"resolved","b":"so"}'),
      { kind: 'category', labels: ['resolved', 'partly', 'unresolved'], field: 'a' },
    ],
    [
      'one of the letters that the orders explain',
      'A. It answers in full.\nB. It answers in part.\nC. It does not answer.',
      said('{"Choice":"A"}', '{"Choice":"C"}', '{"Choice":"A"}'),
      { kind: 'category', labels: ['A', 'B', 'C'], field: 'Choice' },
    ],
    [
      'a word in front of its reasons',
      'Say KEEP or DROP and why.',
      said('KEEP', 'DROP - it is late', 'KEEP. It is fine.'),
      { kind: 'category', labels: ['KEEP', 'DROP'] },
    ],
    [
      'on the last line a word in capitals that the orders offer',
      'Think, then write SAME or OTHER.',
      said('Why not.\nSAME', 'Because.\nOTHER', 'So.\nSAME'),
      { kind: 'category', labels: ['SAME', 'OTHER'] },
    ],
    [
      'a word in front of a colon and its reasons, whose opposite is the word itself with a syllable more',
      'Say SUPPORTED if all of it is in the sources, otherwise UNSUPPORTED and why.',
      said('SUPPORTED', 'UNSUPPORTED: the date is another one', 'SUPPORTED'),
      { kind: 'pass', labels: ['SUPPORTED', 'UNSUPPORTED'] },
    ],
    [
      'an opposite that is the good one',
      'Say BIASED or UNBIASED.',
      said('UNBIASED', 'BIASED: it takes sides', 'UNBIASED'),
      { kind: 'pass', labels: ['UNBIASED', 'BIASED'] },
    ],
    [
      'a word that ends a reply or is all of it',
      'The last line says HOLDS or BREAKS.',
      said('Two sources agree.\nHOLDS', 'One does not.\nBREAKS', 'BREAKS'),
      { kind: 'category', labels: ['HOLDS', 'BREAKS'] },
    ],
    [
      'two words in capitals in front of the reasons',
      'FITS or NOT FITS comes first.',
      said('FITS', 'NOT FITS: it is late', 'NOT FITS'),
      { kind: 'pass', labels: ['FITS', 'NOT FITS'] },
    ],
    [
      'words of a script without spaces within a sentence of the orders',
      '写结论（安全、存疑、危险三选一）。',
      said('{"a":"安全","b":"甲"}', '{"a":"危险","b":"乙"}', '{"a":"存疑","b":"丙"}'),
      { kind: 'category', labels: ['安全', '危险', '存疑'], field: 'a' },
    ],
    [
      'a choice between words that the orders offer',
      'Choose YES, NO or UNSURE.',
      said('{"choice":"YES"}', '{"choice":"NO"}', '{"choice":"UNSURE"}'),
      { kind: 'category', labels: ['YES', 'NO', 'UNSURE'], field: 'choice' },
    ],
  ])('%s', (_, orders, replies, form) => {
    expect(formFromReplies(replies, [''], orders)).toEqual(form);
    expect(formFromReplies(replies, [''])).toBeNull();
  });

  test.each([
    ['several fields could be it', said('{"a":1,"b":"x"}', '{"a":2,"b":"y"}', '{"a":3,"b":"x"}')],
    ['who wins is a number', said('Winner: 1', 'Winner: 2', 'Winner: 1')],
    ['all replies say the same', said('5', '5', '5')],
    ['replies are sentences', said('It is good.', 'It is bad.', 'Not so good.')],
  ])('nothing where %s', (_, replies) => {
    expect(formFromReplies(replies, [''])).toBeNull();
  });
});

test('a number stands for the option that the orders name behind it', () => {
  const orders = '[[1]] if ANSWER ONE is better, [[2]] if ANSWER TWO is, [[0]] if you cannot tell.';
  const replies = said('[[2]]', 'Both are thin. [[0]]', '[[1]]');
  const form = formFromReplies(replies, ['ONE', 'TWO'], orders);
  expect(form).toEqual({ kind: 'choice', labels: ['1', '2'], tie: '[[0]]', template: '[[{}]]' });
  expect(formFromReplies(replies, ['ONE', 'TWO'])).toBeNull();
});

test.each([
  ['A: Poem 1 is better.\nB: Poem 2 is better.\nC: Neither is better.', { labels: ['A', 'B'], tie: 'C' }],
  ['Say which poem is better.', null],
])('a letter behind the reasons is a tie where the orders explain it: %j', (orders, form) => {
  const replies = said('Warm.\n\nA\n\nA', 'It rhymes well.\n\nB\n\nB', 'No difference, I think.\n\nC\n\nC');
  const found = formFromReplies(replies, ['Poem 1', 'Poem 2'], orders);
  expect(found).toEqual(form && { kind: 'choice', ...form });
});

test('a letter stands for the option that begins with it', () => {
  expect(formFromReplies(said('D', 'E', 'D'), ['Esquerda', 'Direita'])).toEqual({
    kind: 'choice',
    labels: ['E', 'D'],
  });
});

test('each option may have a verdict of its own', () => {
  const replies = said(
    '{"ok_1":true,"ok_2":false}',
    '{"ok_1":false,"ok_2":false}',
    '{"ok_1":true,"ok_2":true}',
  );
  expect(formFromReplies(replies, ['1', '2'])).toEqual({ kind: 'list', fields: ['ok_1', 'ok_2'] });
});

test('numbers of a field that is not called after what is chosen are marks', () => {
  const replies = said('{"groundedness": 3}', '{"groundedness": 1}', '{"groundedness": 2}');
  expect(formFromReplies(replies, ['1', '2'], 'Output {"groundedness": n}.')).toBeNull();
  const chosen = replies.map((reply) => reply.replace('groundedness', 'winner'));
  expect(formFromReplies(chosen, ['1', '2'], 'Give {"winner": n}, 3 for a tie.')).toMatchObject({
    kind: 'choice',
  });
});

test('a list may have a verdict for each option', () => {
  const listOf = (...all: readonly boolean[]) =>
    JSON.stringify({ claims: all.map((supported, n) => ({ n: n + 1, supported })) });
  const replies = said(listOf(true, false), listOf(false, false), listOf(true, true));
  expect(formFromReplies(replies, ['1', '2'])).toEqual({
    kind: 'list',
    field: 'claims',
    item: 'supported',
  });
  const three = said(listOf(true, false, true), listOf(false, false, true), listOf(true, true, true));
  expect(formFromReplies(three, ['1', '2'])).toBeNull();
});

test('the head of a table is no verdict', () => {
  const table = (need: number, tone: number) =>
    `| Criterion | Score |\n|---|---|\n| Need | ${need} |\n| Tone | ${tone} |`;
  const orders = 'Reply with this table only:\n| Criterion | Score |\n|---|---|\n| Need | |\n| Tone | |';
  const form = formFromReplies(said(table(5, 1), table(2, 4), table(3, 4)), [''], orders);
  expect(form).toEqual({ kind: 'list', template: '| Need | {} |\n| Tone | {} |' });
});

test('a number behind a bare word is a score where the orders quote the word', () => {
  const replies = said('mark 1', 'mark 0.5 because a half is missing', 'mark 0');
  expect(formFromReplies(replies, [''], 'Begin with the word "mark".')).toEqual({
    kind: 'score',
    template: 'mark {}',
  });
});

test.each([
  ['ja', 'nein', 'Enthält der Text eine Beleidigung? Antworte nur mit "ja" oder "nein".', 'unknown'],
  ['richtig', 'falsch', 'Ist die Antwort richtig? Antworte nur mit "richtig" oder "falsch".', undefined],
])('%s or %s: which of them lets pass', (good, bad, orders, polarity) => {
  const source = { orders, labels: [''], noun: 'answer', usual: null, schema: null };
  const form = formByAlternatives(source);
  expect(form).toMatchObject({ kind: 'pass', write: { labels: [good, bad] } });
  expect(form && 'polarity' in form ? form.polarity : undefined).toBe(polarity);
});

test('a number in a field that is called after who wins is no score', () => {
  const source = {
    orders: 'Reply like {"best": 1}.',
    labels: [''],
    noun: 'answer',
    usual: null,
    schema: null,
  };
  expect(formByAlternatives(source)).toBeNull();
  const scored = { ...source, orders: 'Antworte mit {"punkte": 1}.' };
  expect(formByAlternatives(scored)).toMatchObject({ kind: 'score', field: 'punkte' });
});

test('a name in front of a sign that compares is not chosen', () => {
  const form = formFromFile({ kind: 'choice', labels: ['X', 'Y'], template: 'VERDICT: {}' });
  const replies = ['VERDICT: X=Y', 'VERDICT: X<Y', 'VERDICT: X'];
  expect(verdictsIn(form, replies, ['X', 'Y']).map(({ kind }) => kind)).toEqual(['none', 'none', 'choice']);
});

test('a tag that opens behind the one of the name compares nothing', () => {
  const reply = (name: string) => `<r><winner>Text ${name}</winner><margin>clear</margin></r>`;
  const form = formFromReplies(['2', '1', '2'].map(reply), ['Text 1', 'Text 2']);
  expect(form).toMatchObject({ kind: 'choice', template: '<winner>{}</winner>' });
  const replies = ['<winner>1</winner>=2', '<winner>1</winner> < 2', '<winner>1</winner><margin>'];
  const tagged = formFromFile({ kind: 'choice', labels: ['1', '2'], template: '<winner>{}</winner>' });
  expect(verdictsIn(tagged, replies, ['Text 1', 'Text 2']).map(({ kind }) => kind)).toEqual([
    'none',
    'none',
    'choice',
  ]);
});

test.each([
  [['mistral-small-3', 'qwen2.5-72b']],
  [['old/util.js', 'new/helper.js']],
  [['draft_03.md', 'draft_07.md']],
])('a name of several words is chosen as a whole: %j', (labels) => {
  const replies = [1, 0, 1].map((option) => JSON.stringify({ keep: labels[option] }));
  expect(formFromReplies(replies, labels)).toEqual({ kind: 'choice', labels, field: 'keep' });
});

describe('a name with signs in it on the first line of a reply, or the last', () => {
  test.each([
    [['draft_03', 'draft_07'], '{}.md\nClearer.', ['draft_03.md', 'draft_07.md']],
    [['drafts/old.md', 'drafts/new.md'], 'It is short.\n{}', ['drafts/old.md', 'drafts/new.md']],
    [['gpt-4', 'gpt-4.1'], 'Beide sind gut.\n{}', null],
    [['mistral-3.1', 'qwen2.5-72b'], '理由充分。\n{}', ['mistral-3.1', 'qwen2.5-72b']],
  ])('of %j: %s', (labels, frame, names) => {
    const replies = [1, 0, 1].map((option) => frame.replace('{}', () => labels[option] ?? ''));
    const form = formFromReplies(replies, labels);
    expect(form).toEqual(names && { kind: 'choice', labels: names });
    if (!form) return;
    const options = [frame, `${frame}\nNot {1}.`.replace('{1}', () => names?.[0] ?? '')].map((one) =>
      one.replace('{}', () => labels[1] ?? ''),
    );
    const [read, both] = verdictsIn(formFromFile(form), options, labels);
    expect(read).toMatchObject({ kind: 'choice', option: 1 });
    expect(both).not.toMatchObject({ kind: 'choice', option: 0 });
  });

  test('is none where the first line names it in a sentence', () => {
    const replies = said('a/x.md is long.\nFine.', 'a/y.md is short.\nFine.', 'a/x.md is dull.\nFine.');
    expect(formFromReplies(replies, ['a/x.md', 'a/y.md'])).toBeNull();
  });
});

describe('entries with a name and a rank', () => {
  const reply = (order: string, item = 'response') =>
    JSON.stringify({
      rankings: [...order].map((name, n) => ({ [item]: `Text ${name}`, rank: n + 1, why: 'x' })),
    });
  const labels = ['A', 'B', 'C'];

  test('are an order, and are written as the judge wrote them', () => {
    const file = formFromReplies(
      ['BAC', 'ACB', 'CBA'].map((order) => reply(order)),
      labels,
    );
    expect(file).toMatchObject({ kind: 'ranking', field: 'rankings', item: 'response' });
    const form = formFromFile(file ?? { kind: 'choice' });
    expect(verdictsIn(form, [reply('BAC')], labels)).toMatchObject([{ kind: 'scores', scores: [1, 2, 0] }]);
    const ranked = { kind: 'scores', scores: [1, 2, 0], text: '' } as const;
    expect(
      writeVerdict(
        ranked,
        form,
        labels.map((label) => ({ label })),
      ),
    ).toBe(
      '{"rankings":[{"response":"Text B","rank":1},{"response":"Text A","rank":2},{"response":"Text C","rank":3}]}',
    );
  });

  test.each([
    ['one stands twice', ['BAC', 'AAB', 'CBA']],
    ['one is missing', ['BA', 'AC', 'CB']],
  ])('are none where %s', (_, orders) => {
    expect(
      formFromReplies(
        orders.map((order) => reply(order)),
        labels,
      ),
    ).toBeNull();
  });

  test('are named by their names and not by their reasons, though these come first', () => {
    const replies = ['BAC', 'ACB', 'CBA'].map((order, reply) =>
      JSON.stringify({
        order: [...order].map((name, n) => ({ why: `${name} is fine (${reply})`, text: name, rank: n + 1 })),
      }),
    );
    expect(formFromReplies(replies, labels)).toMatchObject({ kind: 'ranking', item: 'text' });
  });
});

test.each([
  [
    'the field that counts the entries does not name the options',
    [
      [1, 2],
      [2, 1],
    ],
    'answer',
  ],
  ['neither of two fields that name the options each', ['AB', 'BA'], undefined],
])('of entries with a rank %s', (_, [first, second], item) => {
  const entry = (names: string | readonly number[] = '') =>
    JSON.stringify({
      ranks: [0, 1].map((n) =>
        typeof names === 'string'
          ? { worse_than: names[1 - n], answer: names[n], rank: n + 1 }
          : { no: n + 1, answer: names[n], rank: n + 1 },
      ),
    });
  const labels = typeof first === 'string' ? ['A', 'B'] : ['Answer 1', 'Answer 2'];
  const form = formFromReplies([entry(first), entry(second), entry(first)], labels);
  expect(form?.kind === 'ranking' ? form.item : undefined).toBe(item);
});

test('numbers that are called scores are no ranks, whatever else their name says', () => {
  const replies = said('{"rank_scores": [2, 1]}', '{"rank_scores": [1, 2]}', '{"rank_scores": [2, 1]}');
  expect(formFromReplies(replies, ['Answer 1', 'Answer 2'])?.kind).not.toBe('ranking');
});

test('of two options the ranks in a list are their order as well', () => {
  const replies = said('{"rank": [2, 1]}', '{"rank": [1, 2]}', '{"rank": [2, 1]}');
  expect(formFromReplies(replies, ['Response 1', 'Response 2'])).toMatchObject({
    kind: 'ranking',
    field: 'rank',
  });
  const marks = said('{"marks": [2, 1]}', '{"marks": [1, 2]}', '{"marks": [2, 1]}');
  expect(formFromReplies(marks, ['Response 1', 'Response 2'])).toMatchObject({ kind: 'scores' });
});

test('signs may say by how much', () => {
  const orders = 'Scale: old++ (old much better), old+ , = , new+ , new++ . Output one of the five.';
  const source = { orders, labels: ['old', 'new'], noun: 'answer', usual: null, schema: null };
  const form = formByAlternatives(source);
  expect(form).toMatchObject({ write: { labels: ['old+', 'new+'], strong: ['old++', 'new++'] }, tie: '=' });
  expect(form && verdictsIn(form, ['new++', '=', 'old+'], ['old', 'new'])).toMatchObject([
    { option: 1, strength: 'strong' },
    { kind: 'tie' },
    { option: 0, strength: 'slight' },
  ]);
});

test.each([
  [
    'one is higher where the text is worse',
    (a: number, b: number) => ({ a: { style: a, errors: b }, b: { style: b, errors: a } }),
  ],
  ['nothing varies', () => ({ a: { style: 3, tone: 4 }, b: { style: 2, tone: 4 } })],
])('criteria tell no score where %s', (_, marks) => {
  const replies = [marks(3, 1), marks(2, 4), marks(5, 5)].map((one) => JSON.stringify(one));
  expect(formFromReplies(replies, ['A', 'B'])).toBeNull();
});

test('no reply is written for a client that asks for criteria', () => {
  const form = formFromFile(
    verdictFileSchema.parse({
      kind: 'scores',
      fields: [
        ['a.x', 'a.y'],
        ['b.x', 'b.y'],
      ],
    }),
  );
  expect(
    writeVerdict({ kind: 'scores', scores: [3, 2], text: '' }, form, [{ label: 'A' }, { label: 'B' }]),
  ).toBeNull();
});

test('words that say by how much stand for options where the orders list them all', () => {
  const texts = (['alfa', 'beta'] as const).map((name) => [
    `Gana ${name} por mucho`,
    `Gana ${name} por poco`,
  ]);
  const orders = `Contesta «${texts[0]?.join('», «')}», «${texts[1]?.toReversed().join('», «')}» o «empate».`;
  const source = { orders, labels: ['alfa', 'beta'], noun: 'answer', usual: null, schema: null };
  const form = formByAlternatives(source);
  expect(form).toMatchObject({
    write: { labels: ['Gana alfa por poco', 'Gana beta por poco'] },
    tie: 'empate',
  });
  const replies = said('Gana beta por mucho', 'empate', 'Gana alfa por poco');
  expect(form && verdictsIn(form, replies, ['alfa', 'beta'])).toMatchObject([
    { kind: 'choice', option: 1, strength: 'strong' },
    { kind: 'tie' },
    { kind: 'choice', option: 0, strength: 'slight' },
  ]);
});

test.each([
  ['Melhor: A ou B ou EMPATE', { template: 'Melhor: {}', labels: ['A', 'B'] }, 'Melhor: EMPATE'],
  ['Melhor: <A | B>', { template: 'Melhor: {}', labels: ['A', 'B'] }, null],
  ['SÓ A, B ou EMPATE', { template: '{}', labels: ['A', 'B'] }, 'EMPATE'],
  ['Melhor: A ou B? Diga e explique.', { template: '{}', labels: ['A', 'B'] }, null],
])('%s is a row of names', (line, write, tie) => {
  const orders = `Compare os dois textos.\n\n${line}\nMotivo: uma frase`;
  const source = { orders, labels: ['Texto A', 'Texto B'], noun: 'answer', usual: null, schema: null };
  expect(formByAlternatives(source)).toMatchObject({ kind: 'choice', write, tie });
});

test.each([
  ['{"why": "…", "winner": "Falcon" | "Heron" | "either"}', 'either'],
  ['{"winner": "Falcon" | "even" | "Heron"}', 'even'],
  ['Antworte mit Falcon, Heron oder Gleichstand.', 'Gleichstand'],
  ['{"winner": "Falcon" | "Heron", "reason": "one sentence"}', null],
  ['Reply with "Falcon" or "Heron", "reason" in one sentence.', null],
  ['Output "Falcon" or "Heron" | "no other text".', null],
  ['Reply with exactly Falcon or Heron or the request fails.', null],
  ['Reply with Falcon or Heron or explain.', null],
  ['Say Falcon, Heron or nothing else, and be brief.', null],
  ['Falcon | Heron | neither', null],
  ['The more accurate, Falcon or Heron, wins.', null],
  ['Falcon or Heron, whichever is better', null],
  ['Compare "Falcon", "Heron" with "the source".', null],
  ['Choose Falcon or Heron, then explain.', null],
])('%s offers the tie %j', (orders, word) => {
  const write = { template: '{}', labels: ['Falcon', 'Heron'] };
  expect(withTieOffered({ write, tie: null }, orders).tie).toBe(word);
});

test('a tie is offered in the frame of the names, and the next name of a row is none', () => {
  const framed = { template: 'Verdict: {}', labels: ['Falcon', 'Heron'], rule: 'unique' as const };
  const orders = 'Verdict: Falcon or Verdict: Heron or Verdict: draw';
  expect(withTieOffered({ write: framed, tie: null }, orders).tie).toBe('Verdict: draw');
  const write = { template: '{}', labels: ['A', 'B'] };
  expect(withTieOffered({ write, tie: null }, 'Answer A, B or C.').tie).toBeNull();
  expect(withTieOffered({ write, tie: null }, 'Answer 1, 2 or 0.').tie).toBeNull();
  const numbers = { template: '{}', labels: ['1', '2'] };
  expect(withTieOffered({ write: numbers, tie: null }, 'Answer 1, 2 or 0 if tied.').tie).toBe('0');
});

test.each([
  [
    'Urteil: "gedeckt", "teilweise" oder "offen". Antworte als JSON mit "urteil".',
    ['gedeckt', 'teilweise', 'offen'],
  ],
  [
    'Categories: gedeckt, teilweise, offen, doppelt.\nBe strict.',
    ['gedeckt', 'teilweise', 'offen', 'doppelt'],
  ],
  ['Categories: gedeckt, teilweise and offen', ['gedeckt', 'teilweise', 'offen']],
  ['Is it gedeckt? Or is it only teilweise?', []],
])('%s lists alternatives', (orders, words) => {
  expect(alternativesAround(['gedeckt', 'teilweise'], orders)).toEqual(words);
});

test('a colon of full width is the same frame', () => {
  const replies = said('结论: A', '结论：B\n理由：更完整', '**结论：** A');
  const form = formFromReplies(replies.slice(0, 2).concat('结论: A'), ['A', 'B']);
  expect(form).toEqual({ kind: 'choice', labels: ['A', 'B'], template: '结论: {}' });
  const read = form && verdictsIn(formFromFile(form), replies, ['A', 'B']);
  expect(read).toMatchObject([{ option: 0 }, { option: 1 }, { option: 0 }]);
});

describe('whatever sets it off, a verdict of several options is', () => {
  test.each([
    [
      'behind one label with different marks',
      said('PICK: 2 — short enough', 'PICK: 1\nIt keeps the initial.', '**PICK: [1]**'),
      ['Name 1', 'Name 2'],
      '',
      [1, 0, 0],
    ],
    ['a letter with its reason', said('L', 'P', 'P – víc nic'), ['Levý', 'Pravý'], '', [0, 1, 1]],
    ['a number with a full stop', said('2', '1', '2.'), ['1', '2'], '', [1, 0, 1]],
    ['a name with its noun', said('1', '方案 2', '1'), ['方案 1', '方案 2'], '', [0, 1, 0]],
    [
      'what the labels do not share',
      said('最好 => A\n因为短', '最好 => B', '最好 => A'),
      ['안내A', '안내B'],
      '',
      [0, 1, 0],
    ],
    [
      'a sentence that begins as a label does',
      said('第一个更好', '第二个更好', '平局'),
      ['第一个回答', '第二个回答'],
      '只输出三者之一:"第一个更好" / "第二个更好" / "平局"',
      [0, 1, 'tie'],
    ],
    [
      'a word that stands behind its option in the orders',
      said('1', '-1', '0'),
      ['YANIT A', 'YANIT B'],
      'A daha iyiyse 1, B daha iyiyse -1, fark yoksa 0 yaz.',
      [0, 1, 'tie'],
    ],
    [
      'a letter that stands for a place',
      said('P\nThe first gets 8.', 'Q. It says what to do.', 'P\n7 and 6'),
      ['Note one', 'Note two'],
      'Take the better one. Put P for the first and Q for the second.',
      [0, 1, 0],
    ],
  ])('%s', (_, replies, labels, orders, options) => {
    const form = formFromReplies(replies, labels, orders);
    const verdicts = form && verdictsIn(formFromFile(form), replies, labels);
    expect(verdicts?.map((one) => (one.kind === 'choice' ? one.option : one.kind))).toEqual(options);
  });

  test.each([
    [
      'numbers in a row, and one more for their distance',
      said('9,4,7', '3, 8, 8', '7，7，1'),
      'Give three numbers:\n1. Text A: how good (0-10)\n2. Text B: how good (0-10)\n3. How far apart (0-10)',
      { kind: 'scores', template: '{},{},{n}' },
      [9, 4],
    ],
    [
      'a line of marks for each',
      said('A: 5,4,3\nB: 3,3,3', 'A: 2,3,4\nB: 5,5,5', 'A: 4,4,4\nB: 4,4,4'),
      '',
      { kind: 'scores', template: 'A: {},{},{}\nB: {},{},{}' },
      [4, 3],
    ],
    [
      'a list of entries',
      [
        [4, 2],
        [1, 5],
        [3, 3],
      ].map(([a, b]) =>
        JSON.stringify([
          { of: 'A', mark: a },
          { of: 'B', mark: b },
        ]),
      ),
      '',
      { kind: 'scores', item: 'mark' },
      [4, 2],
    ],
    [
      'an overall mark among criteria of the same name',
      [
        [4, 2],
        [1, 5],
        [3, 3],
      ].map(([a, b]) =>
        JSON.stringify({ tone: { scoreA: 1, scoreB: 9 }, overall: { scoreA: a, scoreB: b } }),
      ),
      '',
      { kind: 'scores', fields: ['overall.scoreA', 'overall.scoreB'] },
      [4, 2],
    ],
  ])('%s', (_, replies, orders, file, scores) => {
    const form = formFromReplies(replies, ['Text A', 'Text B'], orders);
    expect(form).toEqual(file);
    expect(verdictFileSchema.parse(form)).toEqual(file);
    expect(form && verdictsIn(formFromFile(form), replies, ['Text A', 'Text B'])[0]).toMatchObject({
      scores,
    });
  });
});

test('entries that name the options in another order have no scores in the order of the options', () => {
  const entries = (a: number, b: number) => [
    { of: 'B', mark: b },
    { of: 'A', mark: a },
  ];
  const replies = [entries(4, 2), entries(1, 5), entries(3, 2)].map((one) => JSON.stringify({ all: one }));
  expect(formFromReplies(replies, ['A', 'B'])).toBeNull();
});

test('several numbers of one text in a row are a list, and one number of so many or with a fraction is a score', () => {
  expect(formFromReplies(said('0.8,0.7,0.9', '0.2, 0.5, 0.1', '1,1,0.95'), ['answer'])).toEqual({
    kind: 'list',
    template: '{},{},{}',
  });
  expect(formFromReplies(said('4/5', '3/5', '2/5'), ['answer'])).toMatchObject({ kind: 'score' });
  expect(formFromReplies(said('4,5', '3,5', '2,5'), ['answer'])).not.toMatchObject({ kind: 'list' });
  expect(formFromReplies(said('A: 4,5\nB: 3,5', 'A: 4,6\nB: 3', 'A: 4,5\nB: 3,1'), ['A', 'B'])).toEqual({
    kind: 'scores',
    template: 'A: {}\nB: {}',
  });
});

test('whether true is good is not known where no name tells', () => {
  const replies = said('{"hotovo":true}', '{"hotovo":false}', '{"hotovo":true}');
  const form = formFromReplies(replies, ['answer']);
  expect(form).toEqual({ kind: 'pass', field: 'hotovo', good: 'unknown' });
  expect(form && formFromFile(verdictFileSchema.parse(form))).toMatchObject({ polarity: 'unknown' });
});

describe('is refused where', () => {
  test.each([
    ['all replies say the same', said('Gewinner: A', 'Gewinner: A', 'Gewinner: A', 'Gewinner: A')],
    ['there are two replies', said('Gewinner: A', 'Gewinner: B')],
    ['nine in ten are read', [...Array(18).fill('Gewinner: A'), 'Gewinner: B', 'Beide gut.', 'Keiner.']],
    ['they share no frame', said('A gefällt mir.', 'Ich nehme B.', 'Eher A, weil es kürzer ist.')],
    ['it stands around both names', said('A: gut\nB: schlecht', 'A: gut\nB: gut', 'A: so\nB: so')],
  ])('%s', (_, replies) => {
    expect(formFromReplies(replies, ['A', 'B'])).toBeNull();
  });

  test('its words are explained, and are fewer than the options', () => {
    const replies = said('<answer>1</answer>', '<answer>0</answer>', '<answer>1</answer>');
    const orders = '"0": It does not match the key.\n"1": It matches the key.';
    expect(formFromReplies(replies, ['A', 'B', 'C', 'D'], orders)).toBeNull();
    expect(formFromReplies(replies, ['A', 'B', 'C', 'D'])).not.toBeNull();
  });

  test('another reading of the same words says otherwise', () => {
    const replies = said(
      'Note: A. Output B is better.',
      'Note: B. Output A is better.',
      'Note: A. Output B is better.',
    );
    expect(formFromReplies(replies, ['Output A', 'Output B'])).toBeNull();
  });
});

describe('all options in a list or a table, one a line', () => {
  const labels = ['Answer A', 'Answer B', 'Answer C'];
  const reply = (line: (name: string, n: number) => string, head = '') =>
    ['ABC', 'CBA', 'BAC'].map(
      (order) => head + [...order].map((name, n) => line(`Answer ${name}`, n)).join('\n'),
    );
  const listed = reply((name, n) => `${n + 1}. ${name} - ${['clear', 'a bit long', 'vague'][n]}`);
  const table = reply((name, n) => `| ${n + 1} | ${name} |`, '| Rank | Answer |\n|---|---|\n');

  test('are an order where the orders say which end is the best', () => {
    const byLine = { kind: 'ranking', separator: '\n' };
    expect(formFromReplies(listed, labels, 'List them, best first.')).toMatchObject(byLine);
    expect(formFromReplies(table, labels, 'Make a table with Rank and Answer, best first.')).toMatchObject(
      byLine,
    );
  });

  test('are no choice of the last one where the orders do not', () => {
    const orders = 'A numbered list, number 1 being the cream of the crop.';
    expect(formFromReplies(listed, labels, orders)).toBeNull();
  });
});

test.each([
  ['Is Essay 2 better than Essay 1? Answer yes or no.', said('yes', 'no', 'Yes'), ['no', 'yes']],
  [
    'Output {"result": "win" | "tie" | "loss"} from the point of view of Essay 1.',
    said('{"result":"win"}', '{"result":"loss"}', '{"result":"tie"}'),
    ['win', 'loss'],
  ],
])('words that say who is better tell of whom they are said: %s', (orders, replies, written) => {
  expect(formFromReplies(replies, ['Essay 1', 'Essay 2'], orders)).toMatchObject({ labels: written });
});

test('19 of 20 replies are enough', () => {
  const replies = [...Array(10).fill('Sieg: A'), ...Array(9).fill('Sieg: B'), 'Das kann ich nicht sagen.'];
  expect(formFromReplies(replies, ['A', 'B'])).toMatchObject({ template: 'Sieg: {}' });
});

describe('a template', () => {
  const ORIGIN: Origin = { tenant: 'one', path: '/v1/chat/completions', schema: null };
  const CASES = [
    ['Was kostet ein Brief?', 'Fünfundneunzig Cent.', 'Das hängt vom Ziel ab.'],
    ['Wie hoch ist der Fuji?', '3.776 Meter.', 'Ungefähr 3.700 Meter.'],
    ['Wer schrieb den Faust?', 'Goethe.', 'Ein Dichter aus Weimar.'],
    ['Wann ist zu?', 'Montags.', 'Das steht an der Tür.'],
    ['Wie viele Beine hat eine Spinne?', 'Acht.', 'Sechs, glaube ich.'],
  ] as const;
  const pair = (n: number, orders = 'Welcher Entwurf überzeugt?'): Prompt => {
    const [q, a, b] = CASES[n % CASES.length] ?? CASES[0];
    const text = `${orders}\n\nAnfrage:\n${q}\n\n== Entwurf 1 ==\n${a}\n\n== Entwurf 2 ==\n${b}\n\n== Ende ==`;
    return { parts: [{ role: 'user', text }] };
  };
  function run(replies: readonly string[], orders?: string) {
    const book = createTemplateBook({ templates: [], learn: 'auto', id: () => 'p' });
    for (const [n, text] of replies.entries()) {
      const id = book.learn(ORIGIN, pair(n, orders), null);
      if (id !== null) book.replied(id, { text, read: null });
    }
    return book;
  }

  test('whose texts tell no form takes it from the replies, and acts', () => {
    const book = run(said('Ergebnis = 2', 'Kurz gesagt.\nErgebnis = 1', 'Ergebnis = 2'));
    expect(book.pipelines()[0]).toMatchObject({
      state: 'confirmed',
      template: { verdict: { kind: 'choice', template: 'Ergebnis = {}', labels: ['1', '2'] } },
      replies: 3,
      repliesRead: 3,
    });
    expect(book.read(ORIGIN, pair(4), null)).toMatchObject({
      kind: 'case',
      acts: true,
      subject: { form: { kind: 'choice', write: { template: 'Ergebnis = {}', labels: ['1', '2'] } } },
    });
  });

  test.each([
    ['von der besten zur schlechtesten', 'case'],
    ['von der schlechtesten zur besten', 'none'],
    ['so, dass die beste zuletzt steht', 'none'],
    ['nach Rang (1 ist die beste)', 'case'],
    ['nach Rang (1 ist die schlechteste)', 'none'],
  ])('whose judge is to rank %s: %s', (order, kind) => {
    const orders = `Ordne beide Fassungen ${order}.`;
    const book = run(said('2, 1', '1, 2', '2, 1', '1, 2', '2, 1'), orders);
    const read = book.read(ORIGIN, pair(4, orders), null);
    expect(read.acts).toBe(kind === 'case');
  });

  test('whose options nothing names but the replies gets them from these', () => {
    const book = createTemplateBook({ templates: [], learn: 'auto', id: () => 'p' });
    const prompt = (n: number) => {
      const [q, red, black] = CASES[n] ?? CASES[0];
      const text = `Pick one.\n\nMessage:\n${q}\n~~~ red folder\n${red}\n~~~ black folder\n${black}\n~~~`;
      return { parts: [{ role: 'user', text }] };
    };
    const hear = (n: number, pick: string) => {
      const id = book.learn(ORIGIN, prompt(n), null);
      if (id !== null) book.replied(id, { text: `{"pick":"${pick}"}`, read: null });
    };
    hear(0, 'red');
    hear(1, 'red');
    expect(book.read(ORIGIN, prompt(3), null).acts).toBe(false);
    hear(2, 'black');
    expect(book.read(ORIGIN, prompt(3), null)).toMatchObject({
      acts: true,
      subject: {
        options: [
          { label: 'red', text: 'Montags.' },
          { label: 'black', text: 'Das steht an der Tür.' },
        ],
        form: { kind: 'choice', field: 'pick' },
      },
    });
  });

  test('whose judge picks one of three is read with three options, not with a tie', () => {
    const book = createTemplateBook({ templates: [], learn: 'auto', id: () => 'p' });
    const prompt = (n: number): Prompt => {
      const [q, a, b] = CASES[n] ?? CASES[0];
      const text = `Ship one of them.\n\n${q}\n\nv_3fa9: ${a}\nv_81c0: ${b}\nv_d27e: ${CASES[n + 2]?.[2]}\n`;
      return { parts: [{ role: 'user', text }] };
    };
    for (const [n, pick] of ['v_3fa9', 'v_81c0', 'v_d27e'].entries()) {
      const id = book.learn(ORIGIN, prompt(n), null);
      if (id !== null) book.replied(id, { text: `{"pick":"${pick}"}`, read: null });
    }
    const { verdict, parts } = book.pipelines()[0]?.template ?? {};
    const options = parts?.flatMap(({ slots }) => slots).filter(({ role }) => role === 'option');
    expect(options?.map(({ label }) => label)).toEqual(['v_3fa9', 'v_81c0', 'v_d27e']);
    expect(verdict).toMatchObject({ kind: 'choice', labels: ['v_3fa9', 'v_81c0', 'v_d27e'] });
    expect(book.pipelines()[0]?.state).toBe('confirmed');
  });

  test('whose options are as many as came has a verdict of as many', () => {
    const prompt = (n: number, count: number): Prompt => {
      const [q = '', ...texts] = [...(CASES[n] ?? CASES[0]), `${n} Briefe`];
      const rows = texts.slice(0, count).map((text, at) => `Fassung ${at + 1}: ${text}\n`);
      return { parts: [{ role: 'user', text: `Anfrage: ${q}\n\n${rows.join('')}\nWelche Fassung?` }] };
    };
    const learned = (...replies: readonly string[]) => {
      const book = createTemplateBook({ templates: [], learn: 'auto', id: () => 'p' });
      for (const [n, text] of replies.entries()) {
        const id = book.learn(ORIGIN, prompt(n, n === 1 ? 2 : 3), null);
        if (id !== null) book.replied(id, { text, read: null });
      }
      return book;
    };
    const formOf = (book: ReturnType<typeof learned>, count: number) => {
      const reading = book.read(ORIGIN, prompt(4, count), null);
      return reading.kind === 'case' && reading.acts ? reading.subject.form : reading.kind;
    };
    const choice = learned('Wahl = 3', 'Wahl = 1', 'Wahl = 2');
    expect(formOf(choice, 3)).toMatchObject({ write: { template: 'Wahl = {}', labels: ['1', '2', '3'] } });
    expect(formOf(choice, 2)).toMatchObject({ write: { template: 'Wahl = {}', labels: ['1', '2'] } });
    const scores = learned(
      '[{"nr": 1, "note": 4}, {"nr": 2, "note": 9}, {"nr": 3, "note": 2}]',
      '[{"nr": 1, "note": 5}, {"nr": 2, "note": 3}]',
      '[{"nr": 1, "note": 1}, {"nr": 2, "note": 8}, {"nr": 3, "note": 6}]',
    );
    expect(formOf(scores, 3)).toMatchObject({ kind: 'scores', item: 'note' });
    const ranking = learned('3 > 1 > 2', '2 > 1', '1 > 3 > 2');
    expect(formOf(ranking, 3)).toMatchObject({ kind: 'ranking', names: ['1', '2', '3'] });
    expect(formOf(ranking, 2)).toMatchObject({ kind: 'ranking', names: ['1', '2'] });
    const list = learned('{"folge": ["3", "1", "2"]}', '{"folge": ["2", "1"]}', '{"folge": ["1", "3", "2"]}');
    expect(formOf(list, 3)).toMatchObject({ kind: 'ranking', field: 'folge', names: ['1', '2', '3'] });
    expect(formOf(list, 2)).toMatchObject({ kind: 'ranking', field: 'folge', names: ['1', '2'] });
    const lines = learned(
      'Fassung 1: 4\nFassung 2: 9\nFassung 3: 2',
      'Fassung 1: 5\nFassung 2: 3',
      'Fassung 1: 1\nFassung 2: 8\nFassung 3: 6',
    );
    expect(formOf(lines, 3)).toMatchObject({ template: 'Fassung 1: {}\nFassung 2: {}\nFassung 3: {}' });
  });

  test('whose judge says what stands in brackets behind an option’s name has that for its label', () => {
    const book = createTemplateBook({ templates: [], learn: 'auto', id: () => 'p' });
    const prompt = (n: number): Prompt => {
      const [q, a, b] = CASES[n] ?? CASES[0];
      const text = `Anfrage: ${q}\n\nEntwurf A (Archiv - nur Akten):\n${a}\n\nEntwurf B (Freitext - alles):\n${b}\n\nWas gilt?`;
      return { parts: [{ role: 'user', text }] };
    };
    for (const [n, pick] of ['ARCHIV_BESSER', 'FREITEXT_BESSER', 'GLEICH'].entries()) {
      const id = book.learn(ORIGIN, prompt(n), null);
      if (id !== null) book.replied(id, { text: `{"urteil": "${pick}"}`, read: null });
    }
    expect(book.pipelines()[0]?.template?.verdict).toMatchObject({
      kind: 'choice',
      field: 'urteil',
      labels: ['ARCHIV_BESSER', 'FREITEXT_BESSER'],
      tie: 'GLEICH',
    });
  });

  test.each([
    ['fields', (a: number, b: number) => `{"old_score": ${a}, "new_score": ${b}}`],
    [
      'fields that say what they are of',
      (a: number, b: number) => `{"vorher_punkte": ${a}, "nachher_punkte": ${b}}`,
    ],
    ['lines', (a: number, b: number) => `原得分: ${a}\n微调得分: ${b}`],
    ['criteria', (a: number, b: number) => `Clarity: ${a}\nDepth: ${b}`],
  ])('marks in %s choose none of two, however small they are', (_, reply) => {
    const replies = said(reply(1, 5), reply(2, 3), reply(3, 1), reply(1, 2));
    expect(formFromReplies(replies, ['1', '2'])?.kind).not.toBe('choice');
    expect(formFromReplies(replies, ['A', 'B'])?.kind).not.toBe('choice');
  });

  test('a number that is called a choice or the verdict chooses beside a mark', () => {
    const choice = said(
      '{"choice": 1, "depth": 2}',
      '{"choice": 2, "depth": 1}',
      '{"choice": 1, "depth": 1}',
    );
    expect(formFromReplies(choice, ['1', '2'])).toMatchObject({ kind: 'choice', field: 'choice' });
    const carved = said(
      '{"carve": 1, "points": {"1": 9, "2": 4}}',
      '{"carve": 2, "points": {"1": 3, "2": 4}}',
      '{"carve": 1, "points": {"1": 8, "2": 5}}',
    );
    expect(formFromReplies(carved, ['1', '2'])).toMatchObject({ kind: 'choice', field: 'carve' });
    const verdict = said('Verdict: 1\nDepth: 4', 'Verdict: 2\nDepth: 2', 'Verdict: 1\nDepth: 3');
    expect(formFromReplies(verdict, ['1', '2'])).toMatchObject({ kind: 'choice', template: 'Verdict: {}' });
  });

  test.each([
    ['{"verdict": 1, "score": 8}', '{"verdict": 2, "score": 6}', 'verdict', ''],
    ['{"score": 8, "Urteil": 1}', '{"score": 6, "Urteil": 2}', 'Urteil', ''],
    ['{"answer": 1, "score": 8}', '{"answer": 2, "score": 6}', 'answer', ''],
    ['{"response": 1, "margin": 2}', '{"response": 2, "margin": 1}', 'response', ''],
    ['{"carve": 1, "score": 7}', '{"carve": 2, "score": 9}', 'carve', '{"carve": 1 or 2, "score": 1-10}'],
    ['{"carve": 1, "grade": 2}', '{"carve": 2, "grade": 1}', 'carve', '{"carve": <1 or 2>, "grade": <1-5>}'],
  ])(
    'a number that is of options alone chooses beside one that is not: %s',
    (first, second, field, orders) => {
      for (const labels of [
        ['1', '2'],
        ['A', 'B'],
      ])
        expect(formFromReplies(said(first, second, first), labels, orders)).toMatchObject({
          kind: 'choice',
          field,
        });
    },
  );

  test.each([
    ['{"old_answer": 1, "answer": 4}', '{"old_answer": 2, "answer": 3}', ''],
    ['{"answer": 1, "old_answer": 4}', '{"answer": 2, "old_answer": 3}', ''],
    ['{"clarity": 1, "depth": 4}', '{"clarity": 2, "depth": 3}', '{"clarity": 1 to 5, "depth": 1 to 5}'],
    ['{"clarity": 1, "depth": 4}', '{"clarity": 2, "depth": 3}', '{"clarity": 1, "depth": 2}'],
  ])('a mark does not choose because it is small: %s', (first, second, orders) => {
    expect(formFromReplies(said(first, second, first), ['1', '2'], orders)?.kind).not.toBe('choice');
  });

  test.each([
    [
      'a name in brackets',
      ['Archiv', 'Freitext'],
      (a: number, b: number) => `{"ArchivPunkte": ${a}, "FreitextPunkte": ${b}}`,
      { kind: 'scores', fields: ['ArchivPunkte', 'FreitextPunkte'] },
    ],
    [
      'a part of a name in brackets',
      ['原模型', 'Qwen微调模型'],
      (a: number, b: number) => `Qwen得分: ${b}\n原得分: ${a}`,
      null,
    ],
    [
      'a part of it that no other name has',
      ['基础模型', 'Qwen微调模型'],
      (a: number, b: number) => `基础得分: ${a}\nQwen得分: ${b}`,
      { kind: 'scores', template: '基础得分: {}\nQwen得分: {}' },
    ],
    [
      'no part of it',
      ['alpha model', 'beta model'],
      (a: number, b: number) => `{"clarity": ${a}, "depth": ${b}}`,
      null,
    ],
  ])('whose judge gives a number under %s', (_, [first, second], reply, verdict) => {
    const book = createTemplateBook({ templates: [], learn: 'auto', id: () => 'p' });
    for (const [n, [q, a, b]] of CASES.slice(0, 3).entries()) {
      const text = `Anfrage: ${q}\n\nEntwurf A (${first}):\n${a}\n\nEntwurf B (${second}):\n${b}\n\nPunkte?`;
      const id = book.learn(ORIGIN, { parts: [{ role: 'user', text }] }, null);
      if (id !== null) book.replied(id, { text: reply(n + 1, 5 - 2 * n), read: null });
    }
    expect(book.pipelines()[0]?.template?.verdict ?? null).toEqual(verdict);
  });

  test('whose replies name a text that is no answer is not read so', () => {
    const book = createTemplateBook({ templates: [], learn: 'auto', id: () => 'p' });
    for (const [n, where] of ['question', 'context', 'question'].entries()) {
      const [q, text] = CASES[n] ?? CASES[0];
      const prompt = {
        parts: [{ role: 'user', text: `Where is the error?\nquestion: ${q}\ncontext: ${text}\n` }],
      };
      const id = book.learn(ORIGIN, prompt, null);
      if (id !== null) book.replied(id, { text: `{"where":"${where}"}`, read: null });
    }
    expect(book.pipelines()[0]?.state).toBe('learning');
  });

  test.each([
    [said('red', 'green', 'red'), null],
    [said('{"pick":"red"}', '{"pick":"green"}', '{"pick":"red"}'), null],
    [said('calm', 'loud', 'calm'), { kind: 'category', labels: ['calm', 'loud'] }],
  ])('whose replies name its texts sorts none of them by these: %j', (replies, form) => {
    const text = 'Is it calm or loud?\nred folder:\n{{context}}\ngreen folder:\n{{option}}\nSay which.';
    const template = parseTemplate({ name: 'folders', parts: [{ role: 'user', text }] });
    expect(formReplied(template, replies, [''])).toEqual(form);
  });

  test('whose judge may send none of two has no tie: nobody else may write that none is sent', () => {
    const orders = 'Ende mit „Sende: Entwurf 1“, „Sende: Entwurf 2“ oder „Sende: keiner“.';
    const book = run(said('Sende: Entwurf 1', 'Sende: Entwurf 2', 'Sende: keiner'), orders);
    expect(book.read(ORIGIN, pair(4, orders), null)).toMatchObject({
      acts: true,
      subject: { form: { kind: 'choice', tie: null } },
    });
  });

  test('whose texts tell a form keeps that one, unless no reply is given in it', () => {
    const orders = 'Antworte „Entwurf 1“ oder „Entwurf 2“.';
    const followed = run(said('Entwurf 2', 'Ganz klar:\nEntwurf 1', 'Entwurf 2'), orders);
    expect(followed.pipelines()[0]).toMatchObject({ state: 'confirmed' });
    expect(followed.pipelines()[0]?.template?.verdict).toBeUndefined();
    const other = run(said('Ergebnis = 2', 'Ergebnis = 1', 'Ergebnis = 2'), orders);
    expect(other.pipelines()[0]?.template?.verdict).toMatchObject({ template: 'Ergebnis = {}' });
  });

  test('does not act where the replies give no verdict', () => {
    const orders = 'The text below was given a score from 1 to 5. Explain it.';
    const read = said('It is short.', 'It says why.', 'It is polite.');
    const book = createTemplateBook({ templates: [], learn: 'auto', id: () => 'p' });
    for (const [n, text] of read.entries()) {
      const [q, a] = CASES[n] ?? CASES[0];
      const prompt = { parts: [{ role: 'user', text: `${orders}\n\nQuestion: ${q}\nAnswer: ${a}` }] };
      const id = book.learn(ORIGIN, prompt, null);
      if (id !== null) book.replied(id, { text, read: null });
    }
    expect(book.pipelines()[0]?.state).toBe('learning');
  });

  test('loses the form when replies no longer have it, and its word on how to act with it', () => {
    const book = run(said('Ergebnis = 2', 'Ergebnis = 1', 'Ergebnis = 2'));
    for (let n = 0; n < 3; n++) book.replied('p', { text: 'Nun ja.', read: false });
    expect(book.pipelines()[0]?.state).toBe('learning');
    expect(book.pipelines()[0]?.template?.verdict).toBeUndefined();
  });

  test('holds at most 16,000 characters of replies, none of them above 8,000', () => {
    const book = run([...Array(6).fill('x'.repeat(5_000)), 'y'.repeat(9_000), 'ja']);
    expect(book.pipelines()[0]?.answers?.map(({ length }) => length)).toEqual([5_000, 5_000, 5_000, 2]);
  });
});

describe('of several options the replies tell', () => {
  const ab = ['Draft A', 'Draft B'];
  const abc = ['Draft A', 'Draft B', 'Draft C'];
  test.each([
    [
      'whom a word names that is joined to another',
      said('{"v": "A_better"}', '{"v": "B_better"}', '{"v": "equal"}'),
      ab,
      { kind: 'choice', labels: ['A_better', 'B_better'], tie: 'equal', field: 'v' },
    ],
    [
      'the order as a bare list, however it is spaced',
      said('[2, 0, 1]', '[0,1,2]', '```json\n[1, 2, 0]\n```'),
      ['0', '1', '2'],
      { kind: 'ranking', labels: ['0', '1', '2'], separator: ', ', template: '[{}]' },
    ],
    [
      'the order in numbered lines, whatever follows the names',
      said(
        '1. Draft B - clear\n2. Draft A - dull\n3. Draft C',
        '1. **Draft A** (9/10)\n2. **Draft B** (7/10)\n3. **Draft C** (2/10)',
        'Ranking:\n1) Draft C\n2) Draft A\n3) Draft B',
      ),
      abc,
      { kind: 'ranking', labels: abc, separator: '\n' },
    ],
    [
      'a number for each option, and no winner, in fields that count with letters',
      said(
        '{"score_a": 1, "score_b": 2, "why": "ok"}',
        '{"score_a": 2, "score_b": 1, "why": "fine"}',
        '{"score_a": 2, "score_b": 2, "why": "same"}',
      ),
      ['Text 1', 'Text 2'],
      { kind: 'scores', fields: ['score_a', 'score_b'] },
    ],
    [
      'a number for each option in objects that count',
      said(
        '{"team1": {"points": 10, "why": "ok"}, "team2": {"points": 20, "why": "fine"}}',
        '{"team1": {"points": 30, "why": "-"}, "team2": {"points": 20, "why": "!"}}',
        '{"team1": {"points": 15, "why": "so"}, "team2": {"points": 15, "why": "so"}}',
      ),
      ['Bid A', 'Bid B'],
      { kind: 'scores', fields: ['team1.points', 'team2.points'] },
    ],
    [
      'no scores in fields that count to more than there are options',
      said('{"q1": 1, "q2": 2, "q3": 4}', '{"q1": 2, "q2": 1, "q3": 3}', '{"q1": 2, "q2": 2, "q3": 1}'),
      ['Bid A', 'Bid B'],
      null,
    ],
    [
      'the winner over all, behind winners by criterion',
      said(
        '{"tone": "A", "depth": "B", "overall_winner": "A"}',
        '{"tone": "B", "depth": "B", "overall_winner": "B"}',
        '{"tone": "A", "depth": "B", "overall_winner": "B"}',
      ),
      ['Draft A', 'Draft B'],
      { kind: 'choice', labels: ['A', 'B'], field: 'overall_winner' },
    ],
    [
      'the winner between double brackets, wherever these stand',
      said('A is right.\n\n"[[A]]"', '[[B]] says more.', 'Both will do. [[C]]'),
      ['A', 'B'],
      { kind: 'choice', labels: ['A', 'B'], template: '[[{}]]', tie: '[[C]]' },
    ],
    [
      'the winner in front of a remark in brackets',
      said('Winner: Draft A (8 to 7)', 'Winner: Draft B (6 to 9)', 'Winner: Draft A (5 to 4)'),
      ['Draft A', 'Draft B'],
      { kind: 'choice', labels: ['Draft A', 'Draft B'], template: 'Winner: {}' },
    ],
    [
      'the winner, and not what is said of one option in an object of its own',
      said(
        '{"甲": {"安": 2}, "乙": {"安": 1}, "勝": "甲"}',
        '{"甲": {"安": 1}, "乙": {"安": 2}, "勝": "乙"}',
        '{"甲": {"安": 2}, "乙": {"安": 2}, "勝": "同"}',
      ),
      ['甲', '乙'],
      { kind: 'choice', labels: ['甲', '乙'], tie: '同', field: '勝' },
    ],
    [
      'no winner by reasons that begin with a name',
      said(
        '{"line": "A has the better image."}',
        '{"line": "B stays closer to the theme."}',
        '{"line": "A says more with less."}',
      ),
      ab,
      null,
    ],
    [
      'nothing by numbers that are called ranks: they may be the places of the options or their order',
      said('{"rank": [2, 1, 3]}', '{"rank": [1, 3, 2]}', '{"rank": [3, 1, 2]}'),
      ['Option 1', 'Option 2', 'Option 3'],
      null,
    ],
  ])('%s', (_, replies, labels, form) => {
    expect(formFromReplies(replies, labels)).toEqual(form);
  });

  test('a list counts from one and names each option once', () => {
    const form = { kind: 'ranking', labels: abc, separator: '\n' } as const;
    const replies = [
      '1. Draft B\n2. Draft A\n3. Draft C',
      '1. Draft B\n3. Draft A\n2. Draft C',
      '1. Draft B\n2. Draft A\n3. Draft A',
      '1. Draft Box\n2. Draft A\n3. Draft C',
    ];
    const kinds = verdictsIn(formFromFile({ ...form, labels: [...abc] }), replies, abc).map(
      ({ kind }) => kind,
    );
    expect(kinds).toEqual(['scores', 'none', 'none', 'none']);
  });
});

describe('of one answer the replies tell', () => {
  test.each([
    [
      'a word in front of its reasons',
      said('GOED: kort', 'FOUT: te lang', 'FOUT: leeg'),
      'GOED: of FOUT:',
      'category',
    ],
    ['a word in any letter case', said('ДА', 'НЕТ', 'Нет.'), 'ДА или НЕТ', 'pass'],
    [
      'a word behind a sign',
      said('✅ Bra. Kort och klart.', '⚠️ Svag\n\nSkriv om det.', '✅ Bra'),
      'Svara ✅ Bra eller ⚠️ Svag.',
      'category',
    ],
    [
      'a number in front of another label, in brackets or not',
      said('NOTA: [2] MOTIVO: [curta]', 'NOTA: 0\nMOTIVO: vazia', 'NOTA: 1 MOTIVO: meia'),
      '',
      'score',
    ],
    [
      'a number in front of its reasons',
      said('4 - klar und kurz', '1 - das stimmt nicht', '3 - zu lang geraten'),
      '',
      'score',
    ],
  ])('%s', (_, replies, orders, kind) => {
    const form = formFromReplies(replies, ['answer'], orders);
    expect(form).toMatchObject({ kind });
    expect(
      form && verdictsIn(formFromFile(form), replies, ['answer']).every((one) => one.kind === kind),
    ).toBe(true);
  });

  test.each([
    [
      'Measure the match (M) and the trust (T), and decide on a final score (O).',
      { kind: 'score', field: 'O' },
    ],
    [
      'Messen Sie Nähe (M) und Vertrauen (T). Dann die Gesamtnote (O) vergeben.',
      { kind: 'score', field: 'O' },
    ],
    ['Score the match (M), the trust (T) and the order (O).', { kind: 'list', fields: ['M', 'T', 'O'] }],
    ['The final score (0-3) is O.', { kind: 'list', fields: ['M', 'T', 'O'] }],
  ])('what the orders call the final score: %s', (orders, form) => {
    const replies = ['{"M": 3, "T": 2, "O": 3}', '{"M": 1, "T": 2, "O": 1}', '{"M": 2, "T": 1, "O": 1}'];
    expect(formFromReplies(replies, ['answer'], orders)).toEqual(form);
  });

  test('the overall score rather than that of a part', () => {
    const replies = [1, 3, 2].map(
      (n) => `{"overall": {"score": ${n + 1}}, "total": ${n}, "tone": {"score": ${n}}}`,
    );
    expect(formFromReplies(replies, ['answer'])).toEqual({ kind: 'score', field: 'total' });
  });
});

test.each([
  ['q1', 'Reply with {"pick": "q1"} or {"pick": "q2"}.', ['q1', 'q2']],
  [
    'model-1',
    'Write <verdict>model-1</verdict>, <verdict>model-2</verdict> or <verdict>neither</verdict>',
    ['model-1', 'model-2', 'neither'],
  ],
  ['A', 'End with [[A]] or [[B]], or [[C]] for a tie.', ['A', 'B', 'C']],
])('%s is one of the words that the orders show in one frame', (word, orders, words) => {
  expect(wordsOffered([word], orders)).toEqual(words);
});

test.each([
  ['Form: {"sieger": "A" oder "B" oder "gleich", "sicher": 0 bis 1}', 'sieger', 'gleich'],
  ['形式: {"勝者": "A" か "B" か "引き分け", "確信度": 0から1, "理由": "短く"}', '勝者', '引き分け'],
])('names that are offered in a field are said there: %s', (orders, field, tie) => {
  const source = { orders, labels: ['Antwort A', 'Antwort B'], noun: 'answer', usual: null, schema: null };
  expect(formByAlternatives(source)).toMatchObject({ kind: 'choice', field, tie });
});

test('names that stand in fields of the case are not offered there', () => {
  const orders = '{"id": "m",\n}, {"id": "M",\n}\nWhich is the best? Answer with m or M only.';
  const source = { orders, labels: ['m', 'M'], noun: 'answer', usual: null, schema: null };
  expect(formByAlternatives(source)).toBeNull();
});

test.each(['A. ', 'A) ', 'A: '])('letters that the orders list with what they mean: %s', (mark) => {
  const line = (letter: string, meaning: string) => `${mark.replace('A', letter)}${meaning}`;
  const orders = ['Choose one.', line('A', 'Response 2 is better'), line('B', 'Response 1 is better')].join(
    '\n',
  );
  const replies = said('Hm.\nChoice: [[A]]', 'Choice: [[B]]', 'So.\nChoice: [[A]]');
  expect(formFromReplies(replies, ['Response 1', 'Response 2'], orders)).toEqual({
    kind: 'choice',
    labels: ['B', 'A'],
    template: '[[{}]]',
  });
});

test('opposites that say whether two texts are the same choose neither', () => {
  const replies = said('CORRECT', 'INCORRECT', 'CORRECT');
  const same = 'Is the result the same? If INPUT_A = 3 and INPUT_B = 3.0 you should return CORRECT.';
  expect(formFromReplies(replies, ['INPUT_A', 'INPUT_B'], same)).toBeNull();
  const better = 'Return CORRECT if INPUT_B is the better one, else INCORRECT.';
  expect(formFromReplies(replies, ['INPUT_A', 'INPUT_B'], better)).toMatchObject({
    labels: ['INCORRECT', 'CORRECT'],
  });
});

describe('the best of several in a list of one', () => {
  const labels = ['Response 0', 'Response 1', 'Response 2'];
  const replies = said(
    '{"why":"a","selected":[2]}',
    '{"why":"b","selected":[0]}',
    '{"why":"c","selected":[1]}',
  );

  test('is the choice', () => {
    const form = formFromReplies(replies, labels);
    expect(form).toMatchObject({ kind: 'choice', field: 'selected' });
    expect(form && verdictsIn(formFromFile(form), replies, labels)).toMatchObject([
      { kind: 'choice', option: 2 },
      { kind: 'choice', option: 0 },
      { kind: 'choice', option: 1 },
    ]);
  });

  test.each(['{"why":"d","selected":[0,2]}', '{"why":"d","selected":[]}', '{"why":"d","selected":[[1]]}'])(
    '%s is none',
    (reply) => {
      const form = formFromFile({ kind: 'choice', labels: ['0', '1', '2'], field: 'selected' });
      expect(verdictsIn(form, [reply], labels)).toMatchObject([{ kind: 'none' }]);
    },
  );
});

describe('a verdict that could stand in several places stands in none', () => {
  const labels = ['A', 'B'];
  const offered = 'Hand back {"more": "A" or "B" or "same", "fairer": "A" or "B" or "same"}.';

  test.each([
    [
      'criteria that disagree',
      ['{"more":"A","fairer":"B"}', '{"more":"B","fairer":"B"}', '{"more":"A","fairer":"A"}'],
    ],
    [
      'criteria that always said the same',
      ['{"more":"A","fairer":"A"}', '{"more":"A","fairer":"A"}', '{"more":"A","fairer":"A"}'],
    ],
  ])('%s', (_, replies) => {
    expect(formFromReplies(replies, labels, offered)?.kind).not.toBe('choice');
  });

  test('but where one stands above the criteria, or is called as a verdict', () => {
    const above = said(
      '{"axes":{"sense":"A","sound":"B"},"whole":"B"}',
      '{"axes":{"sense":"A","sound":"A"},"whole":"A"}',
      '{"axes":{"sense":"B","sound":"B"},"whole":"B"}',
    );
    expect(formFromReplies(above, labels)).toMatchObject({ kind: 'choice', field: 'whole' });
    const called = said(
      '{"style":"A","winner":"B"}',
      '{"style":"B","winner":"A"}',
      '{"style":"A","winner":"B"}',
    );
    expect(formFromReplies(called, labels)).toMatchObject({ kind: 'choice', field: 'winner' });
  });

  test('places in plain text that name all options are their order, the best first', () => {
    const replies = said(
      "[{'model': 'A', 'rank': 1}, {'model': 'B', 'rank': 2}]",
      "[{'model': 'B', 'rank': 1}, {'model': 'A', 'rank': 2}]",
      "[{'model': 'A', 'rank': 1}, {'model': 'B', 'rank': 2}]",
    );
    expect(formFromReplies(replies, labels)).toMatchObject({ kind: 'choice', template: "[{'model': '{}'" });
  });

  test.each([
    ['criteria in the orders', ['A', 'B'], offered],
    ['a number beside words', ['answer'], 'Return {"outcome": "helpful" | "harmful", "risk": 0-5}.'],
    ['a number beside a truth', ['answer'], 'Return {"too_shy": true or false, "grade_of_it": 0-3}.'],
    [
      'a line for each criterion',
      ['answer'],
      'Three lines: "Accuracy: n", "Safety: n", "Tact: n", each from 1 to 5.',
    ],
  ])('%s', (_, names, orders) => {
    const form = formByAlternatives({ labels: names, noun: 'answer', usual: null, schema: null, orders });
    expect(form?.kind === 'choice' || form?.kind === 'score').toBe(false);
  });

  test('comments that the orders do not offer sort nothing', () => {
    const replies = said(
      '{"得分":[2,1],"评语":"第二点不完整"}',
      '{"得分":[0,0],"评语":"空白"}',
      '{"得分":[2,2],"评语":"好"}',
    );
    expect(formFromReplies(replies, ['answer'], '按要点给分。')?.kind).not.toBe('category');
  });

  test('numbers of several kinds are no list of marks', () => {
    const replies = said('{"fits":true,"safety":9}', '{"fits":false,"safety":1}', '{"fits":true,"safety":4}');
    expect(formFromReplies(replies, ['answer'])?.kind).not.toBe('list');
  });
});

describe('numbers that stand for options', () => {
  test('from 0 on may count from 0, or from 1 with 0 for a tie', () => {
    const replies = said('{"best_index":0}', '{"best_index":2}', '{"best_index":1}');
    expect(formFromReplies(replies, ['1', '2', '3'])).toBeNull();
    const withTie = said('{"best_index":0}', '{"best_index":3}', '{"best_index":1}');
    expect(formFromReplies(withTie, ['1', '2', '3'], 'Say 0 for a tie.')).toMatchObject({ tie: '0' });
  });

  test.each(['{"better_index":-1}', '-1', 'better: -1'])('%s names none', (reply) => {
    const form = formFromFile({ kind: 'choice', labels: ['0', '1'] });
    expect(verdictsIn(form, [reply], ['Digest 0', 'Digest 1'])).toMatchObject([{ kind: 'none' }]);
  });

  test('of a scale name none', () => {
    const orders =
      'Output one integer: 1 (Response 1 much better), 2 (slightly), 3 (same), 4 (slightly), 5 (much).';
    const source = { labels: ['Response 1', 'Response 2'], noun: 'response', usual: null, schema: null };
    expect(findForm({ ...source, orders })).not.toMatchObject({ write: { labels: ['1', '2'] } });
    expect(findForm({ ...source, orders: 'Output one integer: 1 or 2.' })).toMatchObject({
      write: { labels: ['1', '2'] },
    });
  });
});

describe('marks in a list', () => {
  test.each([
    [['[9, 4, 1]', '[0, 3, 7]', '[9, 4, 1]'], ['1', '2', '3'], 'scores', '[{}, {}, {}]'],
    [['[9,4]', '[1,2]', '[3,3]'], ['A', 'B'], 'scores', '[{},{}]'],
  ])('%j for %j', (replies, labels, kind, template) => {
    expect(formFromReplies(replies, labels, 'Rate each.')).toEqual({ kind, template });
  });

  test('of one text say nothing that is known', () => {
    expect(formFromReplies(['[1, 0]', '[0, 1]', '[1, 1]'], [''], 'Is each so?')).toBeNull();
  });

  test('are read and written', () => {
    const form = formFromFile({ kind: 'scores', template: '[{}, {}]' });
    expect(verdictsIn(form, ['[9, 4]', '[[9, 4]]', '9, 4'], ['A', 'B'])).toMatchObject([
      { kind: 'scores', scores: [9, 4] },
      { kind: 'none' },
      { kind: 'none' },
    ]);
    expect(
      writeVerdict({ kind: 'scores', scores: [1, 2], text: '' }, form, [{ label: 'A' }, { label: 'B' }]),
    ).toBe('[1, 2]');
  });
});

test.each([
  [
    'a mark that is called as a remark is',
    ['Plan: ok.\nNOTE FINALE : 9/10', 'Plan: flou.\nNOTE FINALE : 2/10', 'Plan: ok.\nNOTE FINALE : 6/10'],
    { kind: 'score', template: 'NOTE FINALE : {}/10' },
  ],
  [
    'evidence that is marked beside other marks',
    ['{"aims": 4, "evidence": 5}', '{"aims": 2, "evidence": 1}', '{"aims": 3, "evidence": 3}'],
    { kind: 'list', fields: ['aims', 'evidence'] },
  ],
])('%s', (_, replies, form) => {
  expect(formFromReplies(replies, [''], '')).toMatchObject(form);
});

test('what is chosen between is an option, though it is called a reference in brackets', () => {
  let made = 0;
  const book = createTemplateBook({ templates: [], learn: 'auto', id: () => `p${++made}` });
  const origin: Origin = { tenant: '', path: '/v1/chat/completions', schema: null };
  const prompt = ([asked, a, b]: readonly string[]): Prompt => ({
    parts: [
      {
        role: 'user',
        text: `Which is better?\n\nTask: ${asked}\n\n**Response A (candidate)**: ${a}\n\n**Response B (reference)**: ${b}\n\nReply {"winner": "A" or "B", "score": <float>}.`,
      },
    ],
  });
  const cases = [
    ['Why is it dark?', 'It is night.', 'The lamp is off'],
    ['Where is Riga', 'In Latvia', 'Somewhere on the Baltic Sea.'],
    ['2 + 2?', 'Four!', '5, I think'],
  ];
  for (const [n, one] of cases.entries()) {
    const id = book.learn(origin, prompt(one), null);
    if (id)
      book.replied(id, { text: `{"winner": "${n === 1 ? 'B' : 'A'}", "score": 0.${n + 3}}`, read: null });
  }
  const reading = book.read(origin, prompt(['Who?', 'Nobody', 'Somebody else.']), null);
  expect(reading).toMatchObject({
    kind: 'case',
    subject: { options: [{ text: 'Nobody' }, { text: 'Somebody else.' }] },
  });
});

test('of marks on criteria that each request has of its own none is the verdict', () => {
  const replies = said(
    '{"scores":{"correctness":5,"brevity":4},"why":"x"}',
    '{"scores":{"correctness":4,"tone":4,"structure":3},"why":"y"}',
    '{"scores":{"correctness":3,"brevity":5},"why":"x"}',
  );
  expect(formFromReplies(replies, ['answer'])).toBeNull();
  const alone = replies.map((reply) => reply.replace(/,"(?:brevity|tone).*?\}/, '}'));
  expect(formFromReplies(alone, ['answer'])).toEqual({ kind: 'score', field: 'correctness' });
});

test('of several marks in an object of their own none is the verdict, though the others never change', () => {
  const replies = [1, 0, 1].map((mark) => `{"marks": {"kind": ${mark}, "short": 0}, "why": "so"}`);
  expect(formFromReplies(replies, [''], '')).toMatchObject({ kind: 'list' });
});

test.each([
  [
    'words with spaces between lines, whatever number stands beside them',
    '{"reasoning": "<your analysis>", "label": "<one of: fine | needs a look | not fine>", "confidence": <0.0-1.0>}',
    { kind: 'category', field: 'label', write: { labels: ['fine', 'needs a look', 'not fine'] } },
  ],
  ['two numbers of which none is called a verdict', '{"a": <od 0 do 3, co 0.5>, "b": <0 do 100>}', null],
  ['how sure the judge is, alone', 'Say how it is. {"confidence": n}', null],
])('the form of one answer is in %s', (_, orders, form) => {
  const found = formByAlternatives({ labels: [''], noun: 'answer', usual: null, schema: null, orders });
  if (form === null) expect(found).toBeNull();
  else expect(found).toMatchObject(form);
});

describe('numbers in the replies to one text beside another that never changes', () => {
  const replied = (text: string, replies: readonly string[]) => {
    const template = parseTemplate({ name: 'one', parts: [{ role: 'user', text }] });
    return formReplied(template, replies, ['answer']);
  };
  const numbers = said('Number: 1', 'Number: 2', 'Short comparison.\nNumber: 1');
  const winners = said('Winner: 1', 'Winner: 2', 'Short comparison.\nWinner: 1');
  const list = '1. Parties: who goes to court.\n2. Venue: where the case is heard.';

  test.each([
    ['Reply 1:\n{{option}}\n\nReply 2:\nAsk at the desk.\n\nWhich one is better?', numbers],
    [`Reply one:\n{{option}}\n\nThe other:\n${list}\n\nEnd with "Winner: 1" or "Winner: 2".`, winners],
    ['Antwort 1:\n{{option}}\n\nAntwort 2:\nFragen Sie am Schalter.\n\nWelche ist besser?', numbers],
    ['回答1：\n{{option}}\n\n回答2：\n窓口で聞いてください。\n\nどちらが良いですか。', numbers],
  ])('are no score where the orders count two texts: %s', (text, replies) => {
    expect(replied(text, replies)).toBeNull();
  });

  test.each([
    ['Our shop 1\n\n{{option}}\n\nHow many stars?', numbers],
    ['Level 1: poor\nLevel 2: fair\nLevel 3: good\n\n{{option}}\n\nWhich level?', numbers],
    ['Reply 1:\n{{option}}\n\nReply 2:\nAsk.\n\nHow good?', said('Mark: 1', 'Mark: 2', 'Mark: 4')],
    [
      'Answer:\n{{option}}\n\nStep 1: read.\nStep 2: rate.\nReply with 1 (bad) or 2 (good).',
      said('1', '2', '1'),
    ],
    ['Antwort:\n{{option}}\n\nStufe 1: mangelhaft.\nStufe 2: gut.', numbers],
    ['Number 1 is poor, number 2 is good.\n\nAnswer:\n{{option}}\n\nWhich number?', numbers],
    ['回答：\n{{option}}\n\nレベル1：不十分。レベル2：十分。', numbers],
  ])('are one elsewhere: %s', (text, replies) => {
    expect(replied(text, replies)).toMatchObject({ kind: 'score' });
  });
});

test('a letter means what stands behind it, though the other one stands there in brackets', () => {
  const orders = 'Outcome: A (not B) if Response 1 is better\nOutcome: B (not A) if Response 2 is better';
  const replies = said('Fine.\nOutcome: A', 'Fine.\nOutcome: B', 'So.\nOutcome: A');
  expect(formFromReplies(replies, ['Response 1', 'Response 2'], orders)).toMatchObject({
    kind: 'choice',
    labels: ['A', 'B'],
  });
});

describe('words that are places themselves are spelled in their order, however the orders offer them', () => {
  const WORDS = [
    ['First', 'Second'],
    ['first', 'second'],
    ['Erste', 'Zweite'],
    ['première', 'seconde'],
    ['primera', 'segunda'],
    ['第一', '第二'],
    ['One', 'Two'],
  ] as const;
  const OFFERS = ['(X or Y):', '(X/Y):', 'X) or Y)', 'X. Y.', 'X: or Y:', '[X|Y]', 'X, Y', '"X" | "Y"'];

  test.each(WORDS)('%s and %s', (x, y) => {
    for (const offer of OFFERS)
      for (const names of [
        ['A', 'B'],
        ['1', '2'],
        ['Left', 'Right'],
        ['first one', 'second one'],
      ])
        for (const said of [
          [x, y, x, x],
          [y, y, x],
          [y, x, y],
        ]) {
          const orders = `This is the first one:\nAnd the second one:\nPreferred ${offer.replaceAll('X', x).replaceAll('Y', y)}`;
          const form = formFromReplies(said, names, orders);
          if (form?.kind === 'choice' && form.labels?.includes(x))
            expect(form.labels, orders).toEqual([x, y]);
        }
  });
});

describe('texts that are called by names of several words', () => {
  const ORIGIN: Origin = { tenant: 'one', path: '/v1/chat/completions', schema: null };
  const CASES = [
    ['Was kostet ein Brief?', 'Fünfundneunzig Cent.', 'Das hängt vom Ziel ab.'],
    ['How high is Mount Fuji?', '3,776 metres.', 'Roughly 3,700 metres, as far as I know.'],
    ['谁写了《红楼梦》？', '曹雪芹。', '抱歉，我不能回答。'],
    ['이 가게는 언제 여나요?', '오전 아홉 시에 엽니다.', '모릅니다.'],
    ['クモの足は何本ですか。', '八本です。', '六本だと思います。'],
  ] as const;
  function learned(frame: (q: string, a: string, b: string) => string, replies: readonly string[]) {
    const book = createTemplateBook({ templates: [], learn: 'auto', id: () => 'p' });
    const prompt = ([q, a, b]: (typeof CASES)[number]): Prompt => ({
      parts: [{ role: 'user', text: frame(q, a, b) }],
    });
    for (const [n, text] of replies.entries()) {
      const id = book.learn(ORIGIN, prompt(CASES[n] ?? CASES[0]), null);
      if (id !== null) book.replied(id, { text, read: null });
    }
    return book.read(ORIGIN, prompt(CASES[4]), null);
  }
  const chosen = (...names: string[]) => names.map((name) => JSON.stringify({ winnerId: name }));

  test('are options by these names, of which the judge says one', () => {
    const frame = (q: string, a: string, b: string) =>
      `Compare the two.\n\n## Prompt\n\n${q}\n\n## Response of mistral-small-3\n\n${a}\n\n## Response of qwen2.5-72b\n\n${b}`;
    expect(learned(frame, chosen('qwen2.5-72b', 'mistral-small-3', 'qwen2.5-72b'))).toMatchObject({
      acts: true,
      subject: { options: [{ label: 'mistral-small-3' }, { label: 'qwen2.5-72b', text: CASES[4][2] }] },
    });
  });

  test('may have rules of their lengths below them', () => {
    const frame = (q: string, a: string, b: string) =>
      `Two versions of an answer. Choose the file to keep: {"winnerId": "<file>"}.\n\nQuestion: ${q}\n\nold/util.js\n-----------\n${a}\n\nnew/helper.js\n-------------\n${b}\n\nEND`;
    expect(learned(frame, chosen('new/helper.js', 'old/util.js', 'old/util.js'))).toMatchObject({
      acts: true,
      subject: { options: [{ label: 'old/util.js', text: CASES[4][1] }, { label: 'new/helper.js' }] },
    });
  });

  test('may be closed by their names, and have a mark each', () => {
    const frame = (q: string, a: string, b: string) =>
      `Score each model.\n\nPROMPT: ${q}\n\n[gemma-2-9b]\n${a}\n[/gemma-2-9b]\n\n[phi-3-mini]\n${b}\n[/phi-3-mini]\n\nJSON only.`;
    const replies = [
      [9, 2],
      [4, 7],
      [8, 1],
    ].map(([a, b]) => JSON.stringify({ 'gemma-2-9b': a, 'phi-3-mini': b }));
    expect(learned(frame, replies)).toMatchObject({
      acts: true,
      subject: {
        options: [{ label: 'gemma-2-9b' }, { label: 'phi-3-mini' }],
        form: { kind: 'scores', fields: ['gemma-2-9b', 'phi-3-mini'] },
      },
    });
  });
});

test('two texts with a mark each are not one text with two marks', () => {
  const template = (lead: string, other: string) =>
    parseTemplate({
      name: 'marks',
      parts: [
        {
          role: 'user',
          text: `Source: {{instruction}}\n${lead}{{*}}\n${other}{{option}}\n\nScore both from 0 to 100.`,
        },
      ],
    });
  const marks = (one: string, next: string) =>
    [
      [90, 20],
      [40, 70],
      [80, 60],
    ].map(([a, b]) => JSON.stringify({ [one]: a, [next]: b }));
  const texts = template('User translation: ', 'AI translation: ');
  expect(formReplied(texts, marks('userScore', 'aiScore'), ['answer'])).toBeNull();
  // A question and its answer are no two texts of one kind.
  const answer = template('Context: ', 'Answer: ');
  expect(formReplied(answer, marks('context_relevance', 'answer_relevance'), ['answer'])).toMatchObject({
    kind: 'list',
  });
});
