import { describe, expect, test } from 'vitest';
import { learnLiterals } from '../../../../src/case/templates/align/align.ts';

/** Three texts from one, with a word in the place of each `_`. */
const WORDS = [
  ['Why is the sky blue?', 'Rayleigh scattering.', 'It reflects the sea'],
  ['How many legs has a spider?', 'Eight, as all\narachnids', 'Six.'],
  ['Translate "Hund".', '**dog**', 'cat\n\n- or kitten'],
];
const filled = (template: string) =>
  WORDS.map((words) => {
    let n = 0;
    return template.replaceAll('_', () => words[n++ % words.length] ?? '');
  });

describe('what several prompts have in common', () => {
  test.each([
    ['labels', 'Question: _\nAnswer A: _\nAnswer B: _'],
    ['headings', '# Frage\n_\n\n# Antwort 1\n_\n\n# Antwort 2\n_\n\nWelche ist besser?'],
    ['tags', '<q>_</q><a id="1">_</a><a id="2">_</a>'],
    ['rules that stand several times', '_\n-----\n_\n-----\n_\n-----\nFirst or second?'],
    ['labels within a line', 'Question: _ Answer 1: _ Answer 2: _\nWhich is better?'],
    ['capitals without a colon', 'QUESTION _\n\nRESPONSE _\n\nSCORE'],
    ['Chinese', '问题：_\n回答一：_\n回答二：_\n哪个更好？'],
    ['Arabic', 'السؤال: _\n\nالإجابة أ:\n_\n\nالإجابة ب:\n_\n\nأيهما أفضل؟'],
    ['fences', 'Task: _\n\nCandidate 1:\n```\n_\n```\nCandidate 2:\n```\n_\n```\nBetter:'],
    ['a numbered list', 'Task: _\n\n1) _\n2) _\n\nWhich one?'],
    ['labels that repeat', 'LEFT\nUser: _\nBot: _\nRIGHT\nUser: _\nBot: _'],
  ])('%s', (_name, template) => {
    expect(learnLiterals(filled(template))).toEqual(template.split('_'));
  });

  test('fields of a row that are quoted, if some hold commas and line breaks', () => {
    expect(learnLiterals(filled('id,question,answer\n7,"_","_"')).slice(-3)).toEqual(['"', '","', '"']);
  });

  test('labels behind the time of a line', () => {
    const texts = WORDS.map(
      ([first, second], n) =>
        `2026-11-0${n + 1}T09:1${n}:07 INFO task.goal ${first}\n2026-11-0${n + 1}T09:1${n}:08 INFO task.result ${second}`,
    );
    expect(learnLiterals(texts).slice(1, -1)).toContain(' INFO task.goal ');
    expect(learnLiterals(texts).slice(1, -1)).toContain(' INFO task.result ');
  });

  test('cells of a row, as many in every text', () => {
    expect(learnLiterals(['a ||| b ||| c', 'd e ||| f ||| g', 'h ||| i. ||| j'])).toEqual([
      '',
      ' ||| ',
      ' ||| ',
      '',
    ]);
  });

  test('a list in the answers is no part of the template: it is longer in one case than in another', () => {
    const texts = ['1. a\n2. b', '1. c\n2. d\n3. e', 'one'].map((answer) => `Answer:\n${answer}\n\nRate it.`);
    expect(learnLiterals(texts)).toEqual(['Answer:\n', '\n\nRate it.']);
  });

  test('words in capitals at the start of two lines, even where the first ends in a bracket', () => {
    const texts = ['a crash (1.4)', 'dodge from 22 to 18', 'turrets'].map(
      (change, n) => `CHANGE ${change}\nFOR ${['a forum', 'players', 'engineers, of all'][n]}\nRate it.`,
    );
    expect(learnLiterals(texts)).toEqual(['CHANGE ', '\nFOR ', '\nRate it.']);
  });

  const call = (turns: string) =>
    [...turns].map((who, n) => `${who === 'D' ? 'Desk' : 'Guest'}: ${turns} ${n} said`).join('\n');
  test.each([
    ['as many as no other', ['GDGDG', 'GDG', 'DGDGDGD']],
    ['of whom another begins', ['GDGDG', 'GDGDG', 'DGDGDG']],
    ['in another order', ['GD', 'DG', 'GDG']],
  ])('speakers who take turns, %s, are no part of the template', (_, calls) => {
    const texts = calls.map((turns) => `The call:\n${call(turns)}\n\nWas it kind?`);
    expect(learnLiterals(texts)).toEqual(['The call:\n', '\n\nWas it kind?']);
  });

  test('a field below speakers who take turns is none of them', () => {
    const texts = ['GDGDG', 'GDG', 'DGDGDGD'].map(
      (turns, n) => `Room:\n${n}\n\nCall:\n${call(turns)}\nPrice: ${turns} ${n}`,
    );
    expect(learnLiterals(texts)).toEqual(['Room:\n', '\n\nCall:\n', '\nPrice: ', '']);
  });

  test('labels that one answer imitates are, and so are turns that are as many in all texts', () => {
    const texts = ['a', 'b\nGoal: none. PASSED', 'c'].map(
      (answer, n) => `Question: q${n}\nAnswer: ${answer}\nRule: r${n}\nGoal: g${n}\n\nMark it.`,
    );
    expect(learnLiterals(texts)).toContain('\nRule: ');
    const turns = [1, 2, 3].map((n) => `The call:\n${call('GDGD').replaceAll('GDGD', `w${n}`)}\n\nOK?`);
    expect(learnLiterals(turns)).toHaveLength(5);
  });

  test('a full stop, a quotation mark or a fence at the end of every answer is the answers’', () => {
    const texts = ['"One," he said.', '"Two," she said.', '"Three," they said.'].map(
      (answer) => `Text: ${answer}\nGrade:`,
    );
    expect(learnLiterals(texts)).toEqual(['Text: ', '\nGrade:']);
  });

  test('a bracket that no value opens closes one of the template', () => {
    const texts = ['"one"', '"two {x}"', 'three'].map((value) => `In: {"q": "x", "a": ${value}}\nOut:`);
    expect(learnLiterals(texts).join('_')).toMatch(/^In: \{"q": "x", "a": _\}\nOut:$/);
  });

  test('a wide space sets off a label', () => {
    expect(learnLiterals(filled('題　_\n\nイ　_\nロ　_'))).toEqual(['題　', '\n\nイ　', '\nロ　', '']);
  });

  test('a line with a name in it above a text is cut around the name', () => {
    const one = (by: string, text: string) =>
      `Question: ${text}\nVotes: ${by}\n\nAnswer A, by ${by}:\n${text}\n\nDecide now.`;
    const texts = [
      one('a bot', 'So it is.'),
      one('an editor', 'Because.'),
      one('GPT-4', 'It depends on you.'),
    ];
    expect(learnLiterals(texts)).toEqual([
      'Question: ',
      '\nVotes: ',
      '\n\nAnswer A, by ',
      ':\n',
      '\n\nDecide now.',
    ]);
    const first = (product: string, text: string) => `Message from ${product} owner\n${text}\n\nReply:\n`;
    const heads = [
      first('Desk lamp', 'It is dark.'),
      first('Kettle', 'Hot!'),
      first('Rain coat', 'I am wet.'),
    ];
    expect(learnLiterals(heads)).toEqual(['Message from ', ' owner\n', '\n\nReply:\n']);
  });

  test('a mark at the start of a part, and letters with nothing but a space behind them', () => {
    const one = (q: string, a: string, b: string) => `Q. ${q}\nA ${a}\nB ${b}\n=`;
    const texts = [
      one('Why?', 'So it is', 'No idea'),
      one('Who?', 'Me', 'It was you'),
      one('Oh', 'Ah', 'Eh, what'),
    ];
    expect(learnLiterals(texts)).toEqual(['Q. ', '\nA ', '\nB ', '\n=']);
  });

  test('the first word of all queries is theirs', () => {
    const one = (sql: string) =>
      `Reference:\n\`\`\`sql\nSELECT ${sql};\n\`\`\`\nRun it and say what it gives.`;
    expect(learnLiterals([one('a FROM b'), one('1'), one('max(x) FROM y')])).toEqual([
      'Reference:\n```sql\n',
      '\n```\nRun it and say what it gives.',
    ]);
  });

  test.each([
    [
      'Chinese',
      '请给下面的回答打分。\n\n题目：_\n回答：\n```\n_\n```\n\n请综合以上内容给出一个总分，最高 _ 分。',
    ],
    [
      'Japanese',
      '次の回答を採点してください。\n\n問題：_\n回答：\n```\n_\n```\n\n上記の内容をふまえて採点し、満点は _ 点とします。',
    ],
  ])('a sentence in %s with a number of the case in it', (_, template) => {
    const texts = [
      ['为什么天是蓝的', '因为散射。', '5'],
      ['蜘蛛有几条腿', '八条，\n和所有蛛形纲一样。', '2'],
      ['翻译 Hund', '抱歉，我不能回答。', '10'],
    ].map((words) => words.reduce((text, word) => text.replace('_', () => word), template));
    expect(learnLiterals(texts)).toEqual(template.split('_'));
  });

  test('single letters between signs at the start of a line', () => {
    const one = (a: string, b: string) => `Which?\n\n— X — ${a}\n— Y — ${b}\n\nChoose X or Y.`;
    expect(
      learnLiterals([one('Yes.', 'No'), one('Ten', 'Six miles'), one('Paris', 'Lyon, I think')]),
    ).toEqual(['Which?\n\n— X — ', '\n— Y — ', '\n\nChoose X or Y.']);
  });

  test('one text that repeats a literal does not hide it', () => {
    const texts = ['a', 'b', 'c\n--- draft B ---\nd'].map(
      (answer, n) => `--- draft A ---\n${answer}\n--- draft B ---\n${n}x\n--- end ---`,
    );
    expect(learnLiterals(texts)).toEqual(['--- draft A ---\n', '\n--- draft B ---\n', '\n--- end ---']);
  });

  test.each(['\n', '\n\n', ' \n', '\n\n\n-\n'])('texts that begin and end with %j', (edge) => {
    expect(learnLiterals(['alpha', 'beta', 'gamma'].map((word) => `${edge}Q: ${word}${edge}`))).toEqual([
      `${edge}Q: `,
      edge,
    ]);
  });

  test('equal texts are one literal', () => {
    expect(learnLiterals(['same', 'same'])).toEqual(['same']);
  });

  test('what has nothing in common is one slot', () => {
    expect(learnLiterals(['alpha', 'beta', 'gamma'])).toEqual(['', '']);
  });

  test('a label with a number of its own', () => {
    const texts = [
      'Query q-1: alpha\nPlace: x',
      'Query q-77: beta gamma\nPlace: y',
      'Query q-4: delta\nPlace: z',
    ];
    expect(learnLiterals(texts)).toEqual(['Query ', ': ', '\nPlace: ', '']);
  });
});

describe('what real prompts have', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    [
      'labels that run on from Chinese text',
      [
        '问题：什么是潮汐？回答：海水的涨落。分数：',
        '问题：为什么下雨回答：因为有云分数：',
        '问题：谁写了它回答：鲁迅写的分数：',
      ],
      ['问题：', '回答：', '分数：'],
    ],
    [
      'a language in brackets, and a text in quotation marks behind it',
      ['Said (Urdu): "a b"\n\nEnd', 'Said (Welsh): "c, d"\n\nEnd', 'Said (Thai): "e"\n\nEnd'],
      ['Said (', '): "', '"\n\nEnd'],
    ],
    [
      'numbers behind a tab',
      [
        'Pick:\n\t1. red hat\n\t2. old cap\n\nNow',
        'Pick:\n\t1. a tie\n\t2. socks\n\nNow',
        'Pick:\n\t1. boots\n\t2. a new coat\n\nNow',
      ],
      ['Pick:\n\t1. ', '\n\t2. ', '\n\nNow'],
    ],
    [
      'French marks, which belong to the text with the space in front',
      ['Question : Que dit-il ?\n\nFin', 'Question : Qui est là ?\n\nFin', 'Question : Où va-t-on ?\n\nFin'],
      ['Question : ', '\n\nFin'],
    ],
    [
      'texts cut short, whose dots are the template’s',
      ['[SLIP 1]: one thing...\n\nGo', '[SLIP 1]: another...\n\nGo', '[SLIP 1]: no more of it...\n\nGo'],
      ['[SLIP 1]: ', '...\n\nGo'],
    ],
    [
      'full stops of the answers in front of one of the template',
      ['Answer: No.. Is it right?', 'Answer: Fifteen days.. Is it right?', 'Answer: So it is.. Is it right?'],
      ['Answer: ', '. Is it right?'],
    ],
    [
      'a label within a line, behind which one text goes on below',
      [
        'Question: Return the colours as a list., Proposed Answer: ["red", "blue"]. How likely is it?',
        'Question: Can it be used without the tray?, Proposed Answer: No, never.. How likely is it?',
        'Question: Was kostet ein Brief?, Proposed Answer: Antwort A: 95 Cent\nUnsicher.. How likely is it?',
      ],
      ['Question: ', ', Proposed Answer: ', '. How likely is it?'],
    ],
  ])('%s', (_, texts, literals) => {
    expect(learnLiterals(texts)).toEqual(literals);
  });
});
