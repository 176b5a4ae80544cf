import { describe, expect, test } from 'vitest';
import { learnLiterals } from '../../../../src/case/templates/align/align.ts';
import { optionsAlike } from '../../../../src/case/templates/alike.ts';
import { isConfirmed } from '../../../../src/case/templates/confirmation.ts';
import { learnTemplate } from '../../../../src/case/templates/learned-template.ts';
import { leadOf } from '../../../../src/case/templates/openings.ts';
import { sampleOf } from '../../../../src/case/templates/pipeline.ts';
import type { Prompt } from '../../../../src/case/types.ts';

const WORDS = ['alpha', 'the brown bear sleeps', 'gamma rays'] as const;
const fill = (write: (word: string, n: number) => string) => WORDS.map(write);

describe('edges of a slot', () => {
  test.each([
    [
      'a name in a frame above its text',
      fill((word, n) => `Files:\n--- ${word} ---\nline ${n}\nmore ${word}\n\nEnd of the files.`),
      ['Files:\n--- ', ' ---\n', '\n\nEnd of the files.'],
    ],
    [
      'an id in brackets above its text',
      fill((word, n) => `Rule (r-${n}${word}):\nline ${n}\nmore ${word}\n\nEnd of the rule.`),
      ['Rule (', '):\n', '\n\nEnd of the rule.'],
    ],
    [
      'a name in a heading above its text',
      fill((word, n) => `## Lesson held by ${word}\nline ${n}\n\nmore ${word}\n\n## Marks`),
      ['## Lesson held by ', '\n', '\n\n## Marks'],
    ],
    [
      'the tag of a section that one request lacks',
      fill(
        (word, n) => `<q>${word}</q>\n${n === 0 ? '' : `<note>It is ${word}${n}</note>\n`}<a>not ${word}</a>`,
      ),
      ['<q>', '</q>\n', '<a>', '</a>'],
    ],
    [
      'a fence that the words behind the value close',
      ['Wind: 5\n```\n> up\ncrows: 0', 'Wind: 17 m/s\n```\n> wait', 'Wind: low\n```\n(dawn)\n> arm'].map(
        (run) => `${run}\n\`\`\`\nWhat came of it?`,
      ),
      ['Wind: ', '\n```\n', '\n```\nWhat came of it?'],
    ],
    [
      'a number behind a label and a text below, even if it has a colon',
      ['240\n\nPark here and you see.', '61\n\nMy word: I know it.', '88\n\nAll should go.'].map(
        (text) => `Signs: ${text}\n\n-----\nThat was all of it.`,
      ),
      ['Signs: ', '\n\n', '\n\n-----\nThat was all of it.'],
    ],
    [
      'the cells of a row, as many as above, of which some have several lines',
      [
        'a-1 | - kind\n- short\n | Boil water',
        'b-20 | Most urgent first. | Shut;\nthe windows',
        'c | calm | Go',
      ].map((row) => `id | rules | alert\n${row}`),
      ['id | rules | alert\n', ' | ', ' | ', ''],
    ],
    [
      'a bracket that the words in front of the value open, and the stop behind it',
      ['脱線', '解除', '脱線'].map(
        (kind, n) => `客の言葉（種類=${kind}）。\n[望み] 返す。\n\n[言葉]\n頼み${n}`,
      ),
      ['客の言葉（種類=', '）。\n[望み] 返す。\n\n[言葉]\n', ''],
    ],
    [
      'a quoted text and a name in one sentence',
      ['a quiet keyboard" in Tools', 'oat milk 1l" in Food > Drinks', 'shirt, white" in Wear'].map(
        (query, n) => `query: "${query}\n[p01] item ${'no'.repeat(n + 1)}`,
      ),
      ['query: "', '" in ', '\n[p01] ', ''],
    ],
    [
      'a comment that the template has behind its last text',
      fill(
        (word, n) =>
          `### A\nsome ${word}\n\n### B\n${'so\n'.repeat(n + 1)}more ${word} ${n}.  // response_b\n`,
      ),
      ['### A\n', '\n\n### B\n', '  // response_b\n'],
    ],
    [
      'what is the same in all texts, beside a number that varies',
      ['76842', '85272', '79469'].map(
        (id, n) => `by=${id}\nQ: ${'why'.repeat(n + 1)}\n[[1]] if the first, [[2]] if the other. by=${id}`,
      ),
      ['by=', '\nQ: ', '\n[[1]] if the first, [[2]] if the other. by=', ''],
    ],
    [
      'a number in brackets behind a text, with the same word',
      ['Why is it cold? (age 9)', 'Who was Ada? (age 10)', 'A riddle, please (age 5)'].map(
        (asked, n) => `Q: ${asked}\nA: no${'no'.repeat(n)}`,
      ),
      ['Q: ', ' (age ', ')\nA: ', ''],
    ],
    [
      'an attribute of a tag, and the text of the tag',
      ['"toys, gift">a car', '"tools">a hub, 4k', '"shop 6">boots'].map(
        (query) => `<q ctx=${query}</q>\nend`,
      ),
      ['<q ctx="', '">', '</q>\nend'],
    ],
    [
      'a field that several spaces set off',
      ['Heart     Case 502', 'Kids, ward B     Case K-19', 'Eyes     Case 7x'].map(
        (field) => `Ward: ${field}\n\nFinding (for doctors)\n\nNone.`,
      ),
      ['Ward: ', '     Case ', '\n\nFinding (for doctors)\n\nNone.'],
    ],
    [
      'what a label names, and a conversation below',
      [
        'Pixel 9, insured\n\n17:02 me hello',
        '7 years old\n\nFather: Which?',
        'Adult.\n\nRuth (40): is it?',
      ].map((text) => `Background: ${text}`),
      ['Background: ', '\n\n', ''],
    ],
    [
      'the full stop of the sentence in which the slot stands',
      fill((word) => `Compare the two on ${word}. Which is better?`),
      ['Compare the two on ', '. Which is better?'],
    ],
    [
      'a full stop that ends every value stays in the value',
      fill((word) => `Answer: ${word}.\nScore:`),
      ['Answer: ', '\nScore:'],
    ],
    [
      'a quotation mark that the words behind the value close',
      [
        'Vorgabe: kurz, höflich\n\n»In Wagen 21 ist es warm.\n\nNo air conditioning.« (rot)\n»Es ist warm.« (grün)',
        'Vorgabe: beide Gleise nennen\n\n»Bitte gehen Sie jetzt zu Gleis 11!« (rot)\n»ICE 612: Gleis 11 statt 5.« (grün)',
        'Vorgabe: Name nicht sagen\n\n»Mio sucht Mama und Papa« (rot)\n»Die Eltern bitte zur Info« (grün)',
      ],
      ['Vorgabe: ', '\n\n»', '« (rot)\n»', '« (grün)'],
    ],
    [
      'the turns of a conversation, of which there are any number',
      [1, 3, 2].map((turns) => {
        const said = Array.from({ length: turns }, (_, n) => ({ role: 'user', content: `${turns} of ${n}` }));
        return `<conversation>\n${JSON.stringify(said)}\n</conversation>`;
      }),
      ['<conversation>\n', '\n</conversation>'],
    ],
    [
      'an object whose second field is not always there',
      [{ a: 'x' }, { a: 'the bear', b: 'sleeps' }, { a: 'gamma', b: 'rays' }].map(
        (row) => `Row: ${JSON.stringify(row)} End`,
      ),
      ['Row: ', ' End'],
    ],
    [
      'a quoted text with quotes of its own',
      ['say "no"', 'it is "so", "so"', 'x'].map((text) => `Text: {"${text}"} End`),
      ['Text: {"', '"} End'],
    ],
    [
      'several values in one line',
      [
        'date: 2026-05-22, commit: 5b6c7d0, language: java\nwhere: Order.java\n\nIs it right?',
        'date: 2026-08-04, commit: e01f9d8, language: python\nwhere: accounts/dao.py\n\nIs it right?',
        'date: 2026-04-17, commit: 02dd7e1, language: go\nwhere: main.go, line 3\n\nIs it right?',
      ],
      ['date: ', ', commit: ', ', language: ', '\nwhere: ', '\n\nIs it right?'],
    ],
    [
      'a mark between two values that have no name',
      [
        'Farmly / web\nBrief: a goat\nVoice: plain',
        'Oat & Co / print\nBrief: milk that froths\nVoice: bold',
        'Halm / radio, ten seconds\nBrief: peas\nVoice: warm',
      ],
      ['', ' / ', '\nBrief: ', '\nVoice: ', ''],
    ],
    [
      'a bracket that is opened in front of a value',
      [
        'CUSTOMER (transfers): how do I raise my limit\n\nReply:\nIn the app.',
        'CUSTOMER (savings): Is my rate fixed?\n\nReply:\nNo, and it changes often',
        'CUSTOMER (fraud): someone asked me for the code\n\nReply:\nCall us now!',
      ],
      ['CUSTOMER (', '): ', '\n\nReply:\n', ''],
    ],
    [
      'brackets at the end of a line, and a stop behind which the template goes on',
      [
        'Topic: glue. Be brief.\n\nWhich one holds? (in rain, outside)\n\nReply now.',
        'Topic: heating. Be brief.\n\nPilot light is out (boiler from 1998)\n\nReply now.',
        'Topic: paint. Be brief.\n\nHow many coats do I need? (grey wall)\n\nReply now.',
      ],
      ['Topic: ', '. Be brief.\n\n', ' (', ')\n\nReply now.'],
    ],
    [
      'texts with nothing but line breaks between them, as many in each request',
      fill(
        (word, n) => `Line two translates line one.\n\nWhy ${word}?\n\n${word} ${n}\n\nPick: ${n} ${word}`,
      ),
      ['Line two translates line one.\n\n', '\n\n', '\n\nPick: ', ''],
    ],
    [
      'a name at the start of the line on which a label stands',
      [
        'Customer: Where is it?\nAisha from support: On its way.\nStars:',
        'Customer: It broke, and again today\nTom from support: Try a new one\nStars:',
        'Customer: Refund me.\nNoor from support: Done!\nStars:',
      ],
      ['Customer: ', '\n', ' from support: ', '\nStars:'],
    ],
    [
      'words with which all values of a named text begin or end stay in it',
      [
        'Question: What is a fjord, please?\nScore it.',
        'Question: What is the tide, please?\nScore it.',
        'Question: What is it that drips, please?\nScore it.',
      ],
      ['Question: ', '\nScore it.'],
    ],
    [
      'JSON with lists: what varies is the content of a string, or a list whose length varies',
      fill((word, n) =>
        JSON.stringify({ id: `${n}`, candidates: [`SELECT ${word}`, `SELECT ${n}`], chunks: WORDS.slice(n) }),
      ),
      ['{"id":"', '","candidates":["', '","', '"],"chunks":[', ']}'],
    ],
    [
      'a bracket that is closed above a text whose name says more, though writers change places',
      [
        'Essays:\nEssay A (from owl-2):\nBy accident.\nEssay B (from gpt-9):\nChoose!\nWinner:',
        'Essays:\nEssay A (from gpt-9):\nEverybody\ncomplains.\nEssay B (from lynx):\nWhy, then?\nWinner:',
        'Essays:\nEssay A (from lynx):\nA town.\nEssay B (from gpt-9):\nOne light, two cars\nWinner:',
      ],
      ['Essays:\nEssay A (from ', '):\n', '\nEssay B (from ', '):\n', '\nWinner:'],
    ],
    [
      'a bracket that further words open',
      fill((word, n) => `Mine:\n${word} ${n}\nTheirs (anchor – level ${n + 6}):\n${n} ${word}\nBetter:`),
      ['Mine:\n', '\nTheirs (anchor – level ', '):\n', '\nBetter:'],
    ],
    [
      'a tag that closes what stands in front, though one text holds it as well',
      fill((word, n) => `<reply>${word}${n === 1 ? '</reply> and on' : ''}</reply>\n<mark>`),
      ['<reply>', '</reply>\n<mark>'],
    ],
    [
      'quotation marks around values that all end in a bracket',
      fill((word, n) => `{"schema": "${word}(id${n}, name)"}\nScore it:`),
      ['{"schema": "', '"}\nScore it:'],
    ],
  ])('%s', (_, texts, literals) => {
    expect(learnLiterals(texts)).toEqual(literals);
  });
});

describe('the slot that is judged', () => {
  test('is a conversation in JSON, of any number of turns', () => {
    const texts = [2, 1, 3, 2].map((turns, k) => {
      const said = Array.from({ length: turns }, (_, n) => [
        { role: 'user', content: `question${k * 3 + n}` },
        { role: 'assistant', content: `answer${k * 3 + n}` },
      ]).flat();
      return `Grade the conversation below from 1 to 5. Reply with the number alone.\n\nConversation:\n${JSON.stringify(said)}\n\nScore:`;
    });
    const prompts = texts.map((text): Prompt => ({ parts: [{ role: 'user', text }] }));
    const [part] = learnTemplate('test', prompts).parts;
    expect(part?.literals.slice(1)).toEqual(['\n\nScore:']);
    expect(part?.slots).toMatchObject([{ role: 'option', label: '' }]);
    expect(confirmed(texts, ['4', '2', '5'])).toBe(true);
  });

  test('is named by the heading above an object of one field, not by the field', () => {
    const texts = ['Rain', 'Snow, and ice', 'Hail!'].map(
      (word, n) =>
        `Grade.\n\n## Task\nWhat is it, ${n}?\n\n## Agent answer\n${word} ${n}\n\n## Reference\n{"answer": "${word} indeed ${n}"}`,
    );
    const prompts = texts.map((text): Prompt => ({ parts: [{ role: 'user', text }] }));
    const roles = learnTemplate('p', prompts).parts.flatMap(({ slots }) => slots.map(({ role }) => role));
    expect(roles.slice(-2)).toEqual(['option', 'reference']);
  });

  const template = (literals: readonly string[], labels: readonly string[]) => ({
    name: 't',
    parts: [
      {
        role: 'user',
        literals,
        slots: labels.map((label) => ({ role: 'option' as const, label, encoding: 'plain' as const })),
      },
    ],
  });
  test.each([
    ['a rule', ['Which?\n\n', '\n- - 8< - -\n', ''], true],
    ['a rule that names both', ['Which?\n\n', '\n──── above UP, below DOWN ────\n', '\n\nEnd.'], true],
    ['a sentence', ['Which?\n\n', '\nand later the other wrote\n', '\n\nEnd.'], false],
    ['line breaks', ['Which?\n\n', '\n\n', ''], false],
    ['line breaks in a fence', ['Texts:\n```\nText up:\n', '\n\nText down:\n', '\n```\n\nWhich?'], true],
    ['line breaks in a tag', ['Q\n\n<texte>\nText up:\n', '\n\nText down:\n', '\n</texte>\n\n評価'], true],
    ['breaks in front of a fence of one', ['Text up:\n', '\n\nText down:\n', '\n```\n\nWhich?'], false],
    [
      'breaks below the fence of another text',
      ['```\nx\n```\nText up:\n', '\n\nText down:\n', '\n```\n\nWhich?'],
      false,
    ],
    [
      'breaks in a fence, in which the last ends with one of its own,',
      ['```\nText up:\n', '\n\nText down:\n', '\n```\n```\n\nWhich?'],
      false,
    ],
    [
      'breaks in a fence far above',
      ['```\n\nNow\nread\nboth.\nText up:\n', '\n\nText down:\n', '\n```\n\nWhich?'],
      false,
    ],
    [
      'a tag below a name that is spelled with a capital',
      ['Text Up:\n<text_up>\n', '\n</text_up>\n\nText Down:\n<text_down>\n', '\n</text_down>\nWhich?'],
      true,
    ],
    [
      'rules, as above the first and below the last,',
      ['***\nText up: ', '\n\nText down: ', '\n***\nBy clarity.'],
      true,
    ],
    [
      'rules, of which the last text may end with one,',
      ['***\nText up: ', '\n\nText down: ', '\n***\n***\nBy clarity.'],
      false,
    ],
    ['breaks above a rule', ['Text up: ', '\n\nText down: ', '\n***\nBy clarity.'], false],
    ['the border of a table', ['| up | down |\n|---|---|\n| ', ' | ', ' |\n\nWhich?'], true],
  ])('options between which %s stands are exchanged: %j', (_, literals, isAlike) => {
    expect(optionsAlike(template(literals, ['up', 'down']))).toBe(isAlike);
  });

  test('the name of a field of JSON is no heading of a text', () => {
    expect(leadOf('{"left": {"answer": "', 'left').doubtful).toBe(false);
    expect(leadOf('Left\nAnswer:\n', 'Left').doubtful).toBe(true);
    expect(leadOf('Left output:\n    {\n  "answer": "', 'Left')).toEqual({ opening: 0, doubtful: false });
    expect(leadOf('Left output:\n    {\nHere is my ', 'Left').opening).toBeGreaterThan(0);
  });

  test.each([
    ['", "rubric": {"2": "all", "0": "nothing"}, "student_response": "', 0],
    ['", "critère": [1, 2], "réponse": "Bien sûr ! ', 11],
    ['", "评分标准": {"最高": 5}, "回答": "', 0],
  ])(
    'fields of JSON in front of the judged one on its line are no words of the text: %j',
    (line, opening) => {
      expect(leadOf(line, '')).toEqual({ opening, doubtful: false });
    },
  );

  test('nothing in a table belongs to its cells but what they hold', () => {
    expect(leadOf('| Left result | Right result |\n|---|---|\n| ', 'Left result').doubtful).toBe(false);
  });

  const CASES = [
    ['one bear', 'Bears sleep.', 'In winter.'],
    ['two foxes', 'Foxes run!', 'At night, mostly.'],
    ['three owls', 'Owls fly off', 'Rarely by day'],
  ] as const;
  test.each([
    ['Pregunta: ', 'Respuesta correcta: ', 'Respuesta del estudiante: '],
    ['Питання: ', 'Правильна відповідь: ', 'Відповідь студента: '],
    ['题目：', '标准答案：', '学生答案：'],
    ['Question: ', 'Explanation: ', 'Answer: '],
    ['The topic is “', '”, and here is what we know: ', '\nStudent answer: '],
  ])('%j, %j and %j: the last', (...labels) => {
    const prompts = CASES.map(
      (values): Prompt => ({
        parts: [
          {
            role: 'user',
            text: `Grade.\n${labels.map((label, n) => `${label}${values[n]}`).join('\n')}\n\nEnd.`,
          },
        ],
      }),
    );
    const roles = learnTemplate('p', prompts).parts.flatMap(({ slots }) => slots.map(({ role }) => role));
    expect(roles.map((role) => role === 'option')).toEqual([false, false, true]);
  });

  test('two options are known by their letters, whatever their labels add in brackets', () => {
    const prompts = CASES.map(
      ([q, a, b]): Prompt => ({
        parts: [
          {
            role: 'user',
            text: `Compare.\nQuestion: ${q}\nResponse A (without memory):\n${a}\nResponse B (with all memories):\n${b}\nEnd.`,
          },
        ],
      }),
    );
    const labels = learnTemplate('p', prompts).parts.flatMap(({ slots }) => slots.map(({ label }) => label));
    expect(labels).toEqual(['', 'Response A', 'Response B']);
  });
});

function confirmed(texts: readonly string[], answers: readonly string[] = []): boolean {
  const prompts = texts.map((text): Prompt => ({ parts: [{ role: 'user', text }] }));
  return isConfirmed({
    id: 'p',
    origin: { tenant: '', path: '', schema: null },
    template: learnTemplate('p', prompts),
    state: 'learning',
    samples: prompts.map((prompt) => sampleOf(prompt, null)),
    requests: 3,
    read: 3,
    replies: answers.length,
    repliesRead: answers.length,
    answers,
  });
}

describe('a learned template is not confirmed', () => {
  const CASES = [
    ['Why is the sky blue?', 'Rayleigh scattering.', 'It mirrors the sea.', 'Nobody knows.'],
    ['What is 2 + 2?', 'Four, of course.', '5', 'Twenty-two.'],
    ['Who wrote Faust?', 'Goethe did.', 'A poet from Weimar.', 'Marlowe, too.'],
  ] as const;
  const score = (write: (values: (typeof CASES)[number]) => string) =>
    CASES.map((values) => `Rate from 1 to 10.\n\n${write(values)}\n\nScore:`);

  test('where the answers in some requests are more than the template has', () => {
    const options = CASES.map(([question, ...answers], n) =>
      [
        `Question:\n${question}`,
        ...answers.slice(0, 2 + (n % 2)).map((answer, i) => `--- Response ${i + 1} ---\n${answer}`),
        'Which response is the best? Answer with its number, 1 or 2.',
      ].join('\n\n'),
    );
    expect(confirmed(options)).toBe(false);
    const pairs = CASES.map(([question, a, b]) =>
      [
        `Question:\n${question}`,
        `--- Response 1 ---\n${a}`,
        `--- Response 2 ---\n${b}`,
        'Which response is the best? Answer with its number, 1 or 2.',
      ].join('\n\n'),
    );
    expect(confirmed(pairs)).toBe(true);
  });

  test('where no name says which of several texts is judged', () => {
    expect(confirmed(score(([a, b, c]) => `Question: ${a}\nPoem: ${b}\nStory: ${c}`))).toBe(false);
    // That a text stands last says too little of it.
    expect(confirmed(score(([a, b]) => `Poem: ${a}\nStory: ${b}`))).toBe(false);
    expect(
      confirmed(
        score(([a, b]) => `Question: ${a}\nAnswer: ${b}`),
        ['7', '3', '8'],
      ),
    ).toBe(true);
    expect(confirmed(score(([a, b, c]) => `Question: ${a}\nAnswer: ${b}\nAnswer again: ${c}`))).toBe(false);
    const against = ([, a, b]: (typeof CASES)[number]) =>
      `Score this cover letter against the job description.\n\nCOVER LETTER:\n${a}\n\nJOB DESCRIPTION:\n${b}`;
    expect(confirmed(score(against))).toBe(false);
  });

  test('where a list of several answers stands in one slot', () => {
    const lists = CASES.map(
      ([, ...answers], n) =>
        `Rate from 1 to 10.\n\nAnswers:\n${answers
          .slice(n)
          .map((answer, i) => `${i + 1}. ${answer}`)
          .join('\n')}\n\nScore:`,
    );
    expect(confirmed(lists)).toBe(false);
  });

  test('where something that varies stands between two options', () => {
    const pairs = (between: (question: string) => string) =>
      CASES.map(
        ([question, a, b]) =>
          `Which draft is better?\n\nQuestion:\n${question}\n\nDraft A:\n${a}\n\n${between(question)}Draft B:\n${b}\n\nReply with "A" or "B".`,
      );
    expect(confirmed(pairs((question) => `Notes:\nby ${question.length} people\n\n`))).toBe(false);
    expect(confirmed(pairs((question) => `Question:\n${question}\n\n`))).toBe(true);
    expect(confirmed(pairs(() => ''))).toBe(true);
  });

  describe('where one contestant writes every answer alike:', () => {
    const same = (text: string) => text;
    const pair = (first: (text: string) => string, second: (text: string) => string) =>
      CASES.map(
        ([question, a, b]) =>
          `Which draft is better?\n\nQuestion:\n${question}\n\nDraft A:\n${first(a)}\n\nDraft B:\n${second(b)}\n\nReply with "A" or "B".`,
      );

    test('where nobody does it is', () => {
      expect(confirmed(pair(same, same))).toBe(true);
    });

    test.each<[string, (text: string) => string]>([
      ['with words on the line of its text', (text) => `Number ${text.length}: ${text} – so they say`],
      ['with a line right below its text', (text) => `${text}\nThe other draft is wrong.`],
      ['with its own name above its text', (text) => `Draft B:\n${text}`],
    ])('the second, %s', (_, write) => {
      expect(confirmed(pair(same, write))).toBe(false);
    });

    test.each<[string, (text: string) => string]>([
      ['with a paragraph below its text', (text) => `${text}\n\nThe other draft is wrong.`],
      ['with words on the line of its text', (text) => `${text} So they say, everywhere`],
      ['with a name and a text of the second', (text) => `${text}\n\nDraft B:\nI do not know.`],
      ['with the name of the second', (text) => `${text}\n\nDraft B:`],
    ])('the first, %s', (_, write) => {
      expect(confirmed(pair(write, same))).toBe(false);
    });

    test('with the same text each time, so that the names of the authors vary alone', () => {
      const authors = ['Dr. Castro', 'Claude', 'somebody'];
      const named = CASES.map(
        ([question, , b], n) =>
          `${question}\n\nDraft A (by ${authors[n]})\nIt depends.\n\nDraft B (by ${authors.at(n - 1)})\n${b}\n\nReply with "A" or "B".`,
      );
      expect(confirmed(named)).toBe(false);
    });

    test('with the whole prompt around it', () => {
      const around = CASES.map(([question, a, b]) => {
        const prompt = (second: string) =>
          `Better translation, A or B?\nSRC ${question}\nA ${a}\nB ${second}\n=`;
        return prompt(prompt(b));
      });
      expect(confirmed(around)).toBe(false);
    });
  });

  test('where what stands in front of the first option stands between all others, too', () => {
    const listed = CASES.map(
      ([question, a, b, c]) =>
        `${question}\n\n["${c}", "${a}", "${b}"]\n\nWhich of them is best? Reply {"best": n}, 1 or 2.`,
    );
    expect(confirmed(listed, ['{"best": 1}', '{"best": 2}', '{"best": 1}'])).toBe(false);
  });

  test('where a text without a name opens the message, and what is named stands in a sentence behind it', () => {
    const above = CASES.map(
      ([a, b]) =>
        `${a}\n\nThe above was found for a record, whose abstract goes: ${b} Is it precise? PASS or FAIL`,
    );
    expect(confirmed(above, ['PASS', 'FAIL', 'PASS'])).toBe(false);
  });

  test('where the answer stands in the prompt twice', () => {
    expect(confirmed(score(([a, b]) => `Notes: ${b}\nQuestion: ${a}\nAnswer: ${b}`))).toBe(false);
  });

  test('where every answer holds the same label, which may be that of a slot that was missed', () => {
    const texts = score(
      ([a, b, c], n = a.length) => `Answer:\n${b}${'\nSource: x'.repeat(1 + (n % 3))}\nSource: ${c}`,
    );
    expect(confirmed(texts)).toBe(false);
  });

  test('where all answers are quoted by different marks, or are two texts one below the other', () => {
    const marks = ["'", '"', "'"];
    const quoted = CASES.map(
      ([a, b], n) => `Rate from 1 to 10.\n\nQuestion: ${a}\nAnswer: ${marks[n]}${b}${marks[n]}\n\nScore:`,
    );
    expect(confirmed(quoted)).toBe(false);
    expect(confirmed(score(([a, b, c]) => `Question: ${a}\nAnswer:\n${b}\n${c}`))).toBe(false);
    expect(confirmed(score(([a, b]) => `Question: ${a}\nAnswer:\n${b}`))).toBe(true);
  });
});
