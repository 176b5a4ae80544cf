/** What slots hold, as the literals of a template say. */
import { expect, test } from 'vitest';
import { areNamedBehind, optionsAlike } from '../../../../src/case/templates/alike.ts';
import { holdsOneAnswer, standApart } from '../../../../src/case/templates/doubts.ts';
import { learnedParts, learnTemplate } from '../../../../src/case/templates/learned-template.ts';
import { sampleOf } from '../../../../src/case/templates/pipeline.ts';
import { certaintyOf } from '../../../../src/case/templates/roles/roles.ts';
import type { Prompt } from '../../../../src/case/types.ts';

const TEXTS = [
  ['Why is the sky blue?', 'Rayleigh scattering.', 'It reflects the sea'],
  ['How many legs has a spider?', 'Eight, as all\narachnids', 'Six.'],
  ['Translate "Hund".', '**dog**', 'cat\n\n- or kitten'],
];

/** The slots of a template, of which three prompts are made: in `_` a text, in each message as many as there are. */
function slotsOf(...messages: readonly (readonly [role: string, text: string])[]): string[] {
  const prompts = TEXTS.map((texts): Prompt => {
    let n = 0;
    return {
      parts: messages.map(([role, text]) => ({ role, text: text.replaceAll('_', () => texts[n++] ?? '') })),
    };
  });
  return learnTemplate('test', prompts).parts.flatMap(({ slots }) =>
    slots.map(({ role, label }) => `${role} ${label}`.trim()),
  );
}

test.each([
  [
    'what the orders have judged against another text',
    'Evaluate the candidate haiku against the original description.\n\nDescription:\n_\n\nHaiku:\n_\n\nReply with JSON: {"total": 17}',
    1,
  ],
  [
    'what a name with an apostrophe says whole',
    'Note la réponse de 0 à 20.\nQuestion : _\nRéponse attendue : _\nRéponse de l\'élève : _\nJSON attendu : {"note": 12}',
    2,
  ],
])('the one text that is judged is %s', (_, text, judged) => {
  const roles = slotsOf(['user', text]);
  expect(roles.map((role) => role === 'option')).toEqual(roles.map((_role, n) => n === judged));
});

test('orders in words that were never taught say nothing of what is judged', () => {
  const certaintyWith = (orders: string) => {
    const prompts = TEXTS.map(
      ([asked, text]): Prompt => ({
        parts: [
          { role: 'system', text: `Grade the answer from 1 to 5.${orders}` },
          { role: 'user', text: `Question: ${asked}\n\nAnswer:\n${text}` },
        ],
      }),
    );
    const template = learnTemplate('test', prompts);
    const parts = learnedParts(
      template,
      prompts.map((prompt) => sampleOf(prompt, null)),
    );
    const certainty = certaintyOf(
      parts,
      template.parts.map(({ slots }) => slots),
    );
    if (certainty === null) throw new Error('it is no alternative');
    return certainty;
  };
  const invented = Array.from({ length: 120 }, (_, n) => `${'qxv'[n % 3]}${n.toString(36)}zwug`).join(' ');
  expect(Math.abs(certaintyWith(` ${invented}.`) - certaintyWith(''))).toBeLessThan(0.02);
});

test('options have their names from the head of a table', () => {
  const rows = [
    ['Robby 20, 12.9 kg', 'Helmet, size S'],
    ['Shears compared', 'Choosing rootstocks'],
    ['Bus in 3 h 30', 'Train: from 2 h 58'],
  ];
  const prompts = rows.map(
    ([left, right], n): Prompt => ({
      parts: [
        {
          role: 'user',
          text: `Query: ${TEXTS[n]?.[0]}\n\n| Left result | Right result |\n|---|---|\n| ${left} | ${right} |\n\nWhich is better?`,
        },
      ],
    }),
  );
  const { parts } = learnTemplate('test', prompts);
  expect(parts[0]?.slots.map(({ role, label }) => `${role} ${label}`.trim())).toEqual([
    'instruction',
    'option Left',
    'option Right',
  ]);
});

test('options have their names from their places in a list of JSON', () => {
  const lists = [
    ['SELECT "a", b', 'SELECT 1', 'SELECT 2'],
    ['WITH x AS (y)', 'SELECT 3, "z"', 'DROP'],
    ['SELECT c', 'SELECT 4', 'SELECT d FROM e'],
  ];
  const prompts = lists.map(
    (candidates, n): Prompt => ({
      parts: [
        {
          role: 'user',
          text: `Vote.\n${JSON.stringify({ question: TEXTS[n]?.[0], candidates }).replaceAll('","', '", "')}`,
        },
      ],
    }),
  );
  const { parts } = learnTemplate('test', prompts);
  expect(parts[0]?.slots.map(({ role, label, encoding }) => `${role} ${label} ${encoding}`)).toEqual([
    'instruction  json',
    'option candidates 0 json',
    'option candidates 1 json',
    'option candidates 2 json',
  ]);
});

test.each([
  ['an order in brackets', '## Task\n_\n\n### Baseline (A)\n_\n\n### Variant (B)\n_\n\nBetter?', 'A', 'B'],
  [
    'a name in front of a colon',
    'Question:\n_\n\nAnswer 1: Alpha\n_\n\nAnswer2: Omega\n_\n\nWhich is best?',
    'Answer 1',
    '2',
  ],
  [
    'who wrote it behind the name',
    'Frage: _\nAntwort von Student A (Mensch): _\nAntwort von Student B (KI): _\nPunkte:',
    'A',
    'B',
  ],
  [
    'who wrote it in the heading',
    'Task: _\n\n--- Response 1 from Owl 2 ---\n_\n\n--- Response 2 from Lynx B7 Chat ---\n_\n\nBest number:',
    'Response 1',
    'Response 2',
  ],
  [
    'numbers with a word of Korean behind them',
    '질문: _\n\n=== 1번 안 (t=0.2) ===\n_\n\n=== 2번 안 (t=0.6) ===\n_\n\n번호:',
    '1',
    '2',
  ],
  [
    'names that the orders offer',
    'Topic: _\n\nThe Pro has presented the argument\n_\n\nThe Con has presented the argument\n_\n\nNow decide for Pro or Con.',
    'Pro',
    'Con',
  ],
])('two options are told by %s', (_, text, first, second) => {
  const [, a, b] = slotsOf(['user', text]);
  expect([a, b].map((slot) => slot?.split(' ')[0])).toEqual(['option', 'option']);
  expect(a?.endsWith(first)).toBe(true);
  expect(b?.endsWith(second)).toBe(true);
});

test('what is called as the options are, but does not count, is none of them', () => {
  const text =
    'Site: _\n\nTrench dug:\n_\n\nTrench A:\n_\n\nTrench B:\n_\n\nReply {"dig": "A"} or {"dig": "B"}.';
  const prompts = [...TEXTS.keys()].map((n): Prompt => {
    let at = n;
    return { parts: [{ role: 'user', text: text.replaceAll('_', () => `${at++} ${TEXTS[n]?.[at % 3]}`) }] };
  });
  const slots = learnTemplate('test', prompts).parts.flatMap((part) => part.slots);
  expect(slots.flatMap(({ role, label }) => (role === 'option' ? [label] : []))).toEqual([
    'Trench A',
    'Trench B',
  ]);
});

test('a reply that later orders judge is the option', () => {
  const judged = slotsOf(['user', '_'], ['assistant', '_'], ['user', "Judge the assistant's response."]);
  expect(judged).toEqual(['instruction', 'option']);
});

test('of an expected and an actual answer the actual one is judged', () => {
  expect(
    slotsOf(['user', 'Question: _\n\nExpected answer: _\n\nActual answer: _\n\nSay PASS or FAIL.']),
  ).toEqual(['instruction', 'reference', 'option']);
});

test.each([
  ['as chat models are sent it', '{"role": "user", "content": "_"}, {"role": "assistant", "content": "_"}'],
  ['with the speaker behind', "{'content': '_', 'role': 'user'}, {'content': '_', 'role': 'assistant'}"],
])('of a conversation in JSON, %s, what the model says is judged', (_, turns) => {
  const text = `Was the assistant polite?\n\n<conversation>\n[${turns}, ${turns.replace('_', 'And now?')}]\n</conversation>`;
  expect(slotsOf(['user', text]).filter((slot) => slot === 'option')).toHaveLength(2);
  const beside = `Conversation:\n[${turns}]\n\nProposed answer:\n_`;
  expect(slotsOf(['user', beside]).at(-1)).toBe('option');
  expect(slotsOf(['user', beside]).filter((slot) => slot === 'option')).toHaveLength(1);
});

test('of a conversation in lines what the model says is judged', () => {
  const turns = [
    ['Is 1/3 rational?', 'No.', 'And 0.5?', 'It is'],
    ['Tea or a nap?', 'Sleep first.', 'I have no time', 'Drink.'],
    ['Hallo', 'Guten Tag! Und nun?', 'Nichts, danke.', 'Gern.'],
  ];
  const prompts = turns.map(([a, b, c, d]): Prompt => {
    const said = `user: ${a}\nassistant: ${b}\nuser: ${c}\nassistant: ${d}`;
    return { parts: [{ role: 'user', text: `Was it kind?\n\nConversation:\n${said}\n\nSay PASS or FAIL.` }] };
  });
  const slots = learnTemplate('test', prompts).parts.flatMap((part) => part.slots);
  expect(slots.map(({ role }) => role === 'option')).toEqual([false, true, false, true]);
});

test.each([
  ['end in one tag', ['a</out>', 'b\nc</out>', '</item>d</out>']],
  ['hold the fields of a row', ['1","a', '2, "x"","b', '3","c']],
  ['begin with a text in brackets', ['(1969) The landing', '(1912) An iceberg\nat sea', '(2015) Pluto']],
  [
    'close a mark that they do not open',
    ['6"', 'tendon"\n', 'none of "these" here"'].map((one) => one.trim()),
  ],
  ['begin with a space', [' a', ' b\nc', '  d']],
])('what is judged has doubtful edges where all values %s', (_what, values) => {
  const slots = [[{ role: 'option', label: '', encoding: 'plain' } as const]];
  const part = (some: string[]) => [
    { role: 'user', literals: ['<out by="model-2">', '\nGrade:'], values: [some] },
  ];
  expect(standApart(part(values), slots)).toBe(false);
  expect(standApart(part(['a', 'b\nc', 'd']), slots)).toBe(true);
});

test('what is judged has doubtful edges where it is a row as the line above is one', () => {
  const slots = [[{ role: 'option', label: '', encoding: 'plain' } as const]];
  const below = (above: string) => [
    { role: 'user', literals: [`${above}\n`, ''], values: [['1;Ann;No.;', '2;Bo;Yes; no;', '3;Cem;Hm.;']] },
  ];
  expect(standApart(below('7;Dora;So be it.;rude'), slots)).toBe(false);
  expect(standApart(below('Is the reply kind; is it true; is it short?'), slots)).toBe(true);
});

test('options of which one has a further text of its own are not set apart', () => {
  const part = (name: string) => [
    {
      role: 'user',
      literals: ['Reply A:\n', '\n---\nReply B:\n', `\n---\n${name}: `, '\n'],
      values: [
        ['One.', 'Two.'],
        ['Ten.', 'Six.'],
        ['tea', 'rain'],
      ],
    },
  ];
  const slots = [
    [
      { role: 'option', label: 'Reply A', encoding: 'plain' },
      { role: 'option', label: 'Reply B', encoding: 'plain' },
      { role: 'context', label: '', encoding: 'plain' },
    ] as const,
  ];
  expect(standApart(part('Memory used by B'), slots)).toBe(false);
  expect(standApart(part('Memory'), slots)).toBe(true);
});

test('options are not set apart from a text below them that may be part of the last one', () => {
  const slots = (['option A', 'option B', 'context'] as const).map((name) => {
    const [role = 'context', label = ''] = name.split(' ');
    return {
      role: role === 'option' ? ('option' as const) : ('context' as const),
      label,
      encoding: 'plain' as const,
    };
  });
  const apart = (between: string, below: string) => {
    const literals = ['Reply A:\n', `${between}Reply B:\n`, below, '\n'];
    const values = [
      ['One.', 'Two.', 'Six of it.'],
      ['Ten.', 'Some tea.', 'By rain.'],
      ['dry', 'warm, too', 'wet'],
    ];
    return standApart([{ role: 'user', literals, values }], [slots]);
  };
  expect(apart('\n\n', '\n\nWhat follows explains it:\n\n')).toBe(false);
  expect(apart('\n\n', '\n\nReference:\n')).toBe(true);
  expect(apart('\n[end of A]\n', '\n[end of B]\nWeather:\n')).toBe(true);
  expect(apart('\n---\n', '\n---\nWeather:\n')).toBe(true);
  expect(apart('\n---\n', '\n\nWeather:\n')).toBe(false);
});

test('options in a row are set apart from a text of that name which is not in the row', () => {
  const named = (name: string, role: 'option' | 'context', label = '') =>
    [name, { role, label, encoding: 'plain' } as const] as const;
  const isApart = (third: string) => {
    const all = [
      named(third, 'context'),
      named('Trench A', 'option', 'Trench A'),
      named('Trench B', 'option', 'Trench B'),
    ];
    const literals = [...all.map(([name]) => `\n\n${name}:\n`), '\n\nWhich is better?'];
    const values = [
      ['One.', 'Two.'],
      ['Ten.', 'Six.'],
      ['No.', 'Not so.'],
    ];
    return standApart([{ role: 'user', literals, values }], [all.map(([, slot]) => slot)]);
  };
  expect(isApart('Trench C')).toBe(false);
  expect(isApart('Trench dug')).toBe(true);
});

test('a report hides a label where no report begins with one, as the turns of a conversation do', () => {
  const slots = [[{ role: 'option', label: '', encoding: 'plain' } as const]];
  const part = (...values: string[]) => [
    { role: 'user', literals: ['Report from the agent:\n', '\n\nScore:'], values: [values] },
  ];
  const below = '\n\nCriterion to check: ';
  expect(
    standApart(part(`12 photos${below}50 m`, `41 sheep${below}says so`, `Wind.${below}safe`), slots),
  ).toBe(false);
  expect(standApart(part('User: a\nBot: b', 'User: c\nBot: d, e', 'User: f\nBot: g'), slots)).toBe(true);
});

test('options are not set apart where the last one always has a paragraph more, which may be another text', () => {
  const option = (label: string) => ({ role: 'option', label, encoding: 'plain' }) as const;
  const part = (...last: string[]) => [
    {
      role: 'user',
      literals: ['Reply A:\n', '\n\nReply B:\n', '\n\nWhich is better?'],
      values: [['One.', 'Two\n\nor more', 'Three'], last],
    },
  ];
  const slots = [[option('Reply A'), option('Reply B')]];
  expect(standApart(part('Ten.\n\nBe brief', 'Six\n\nor so.\n\nIn prose', 'No\n\nFacts!'), slots)).toBe(
    false,
  );
  expect(standApart(part('Ten.', 'Six\n\nor so.\n\nIn prose', 'No\n\nFacts!'), slots)).toBe(true);
});

test('options with who wrote them in brackets in their headings are set apart', () => {
  const option = (label: string) => ({ role: 'option', label, encoding: 'plain' }) as const;
  const writer = { role: 'context', label: '', encoding: 'plain' } as const;
  const part = {
    role: 'user',
    literals: ['## Output A (', ')\n', '\n\n## Output B (', ')\n', '\n\nRate both.'],
    values: [
      ['react', 'native', 'react'],
      ['It is 3 °C.', 'Foo!', 'Take the tram'],
      ['native', 'plan', 'native'],
      ['Cold', 'foo and bar', 'Walk.'],
    ],
  };
  expect(standApart([part], [[writer, option('Output A'), writer, option('Output B')]])).toBe(true);
});

test.each([
  ['in brackets', '=== Reply 1 (poet) ===\n', '=== Reply 2 (chemist) ===\n', true],
  ['behind a dash', '[Reply 1 - poet]\n', '[Reply 2 - chemist]\n', true],
  ['in a heading that closes what it opens', '-- Reply 1 from a poet --\n', '-- Reply 2 of Jo --\n', true],
  ['behind a digit in the mark of a heading', '<h2>Reply 1</h2>\n', '<h2>Reply 2</h2>\n', true],
  ['below the line', 'Reply 1:\npoet\n', 'Reply 2:\nchemist\n', false],
  ['as the opening of a text', 'Reply 1: Sure! ', 'Reply 2: ', false],
])('what a name adds %s may differ', (_, first, second, isAlike) => {
  const option = (label: string) => ({ role: 'option', label, encoding: 'plain' }) as const;
  const slots = [option('Reply 1'), option('Reply 2')];
  const parts = [{ role: 'user', literals: [first, second, '\n'], slots }];
  expect(optionsAlike({ name: 'test', parts })).toBe(isAlike);
});

test.each([
  [
    'below each text',
    'Given:\n',
    '\n ^^^ output of system 1\n',
    '\n ^^^ output of system 2\n\nName one.',
    true,
  ],
  ['in brackets behind each quotation', 'Pick.\n«', '» (system 1)\n«', '» (system 2)', true],
  ['in other words', 'Given:\n', '\n ^^^ output of system 1\n', '\n ^^^ given by system 2\n', false],
  ['with words in front of the next text', 'Given:\n', '\n ^^^ system 1\nAnd: ', '\n ^^^ system 2\n', false],
  ['behind the first text alone', 'Given:\n', '\n ^^^ system 1\n', '\n\nWhich system?', false],
  ['twice', 'Given:\n', '\n ^^^ 1 of 1\n', '\n ^^^ 1 of 2\n', false],
])('names may stand behind: %s', (_, first, second, third, isAlike) => {
  const option = (label: string) => ({ role: 'option', label, encoding: 'plain' }) as const;
  const slots = [option('system 1'), option('system 2')];
  expect(areNamedBehind([{ role: 'user', literals: [first, second, third], slots }])).toBe(isAlike);
});

test('an option is called by its Turkish name in capitals and small letters', () => {
  const text =
    'Görev: _\n\n*** Birinci sohbet ***\n_\n\n*** İkinci sohbet ***\n_\n\nKazanan: birinci ya da ikinci';
  expect(slotsOf(['user', text])).toEqual(['instruction', 'option Birinci', 'option İkinci']);
});

test('an attribute names an option', () => {
  const text = 'Pedido: _\n<textarea name="left">_</textarea>\n<textarea name="right">_</textarea>\nL or R?';
  expect(slotsOf(['user', text])).toEqual(['instruction', 'option left', 'option right']);
});

test('quotation marks are those of JSON only where a field stands in front of them or something is escaped', () => {
  const encodings = (text: string, asWritten = (value: string) => value) =>
    learnTemplate(
      'test',
      ['Six.', 'Two words', 'It reflects\tit'].map((value, n): Prompt => {
        const [question = ''] = TEXTS[n] ?? [];
        const filled = text
          .replace('_', () => question.replaceAll('"', ''))
          .replace('_', () => asWritten(value));
        return { parts: [{ role: 'user', text: filled }] };
      }),
    ).parts.flatMap(({ slots }) => slots.map(({ encoding }) => encoding));
  expect(encodings('Question: "_"\nAnswer: "_"\nScore 1 to 5.')).toEqual(['plain', 'plain']);
  const escaped = (value: string) => value.replace('\t', '\\t');
  expect(encodings('Question: "_"\nAnswer: "_"\nScore 1 to 5.', escaped)).toEqual(['plain', 'json']);
  expect(encodings('{"question": "_", "answer": "_"}\nScore 1 to 5.', escaped)).toEqual(['json', 'json']);
});

test('a full stop behind one of two options belongs to it where all of its texts so far end in one', () => {
  const prompts = TEXTS.map(([question, first, second = '']): Prompt => {
    const text = `${question}\n(1) ${first}\n(2) ${second.replace('.', '')}.\n\nThe better reply is number`;
    return { parts: [{ role: 'user', text }] };
  });
  const [part] = learnTemplate('test', prompts).parts;
  expect(part?.literals.at(-1)).toBe('\n\nThe better reply is number');
});

test.each([
  ['Correct query', false],
  ['Submitted query', true],
])('a text called %s beside that of a student is judged: %s', (name, isJudged) => {
  const parts = [
    {
      role: 'user',
      literals: ['Query of the student: ', `\n${name}: `, '\n'],
      values: [
        ['a', 'b'],
        ['c', 'd'],
      ],
    },
  ];
  const slot = { label: '', encoding: 'plain' } as const;
  const slots = [[{ ...slot, role: 'instruction' } as const, { ...slot, role: 'option' } as const]];
  expect(holdsOneAnswer(parts, slots)).toBe(isJudged);
});

test.each([
  ['the orders call it the reference', 'Does the RESPONSE match the gold standard ANSWER?', 'ANSWER', false],
  ['the orders call another text so', 'Does the ANSWER match the gold standard RESPONSE?', 'ANSWER', true],
  ['the orders compare it with the reference', 'Hold the reference against the ANSWER.', 'ANSWER', true],
  ['it is called a guardrail', 'Does the text comply?', 'Guardrail', false],
  ['nothing speaks against it', 'Is it right?', 'ANSWER', true],
])('whether a text is judged for certain where %s', (_, orders, name, isJudged) => {
  const slots = [[{ role: 'option', label: '', encoding: 'plain' } as const]];
  const values = [['One.', 'Two, or more', 'Three!']];
  const part = { role: 'user', literals: [`${orders}\n\n${name}:\n`, '\n\nReply in JSON.'], values };
  expect(holdsOneAnswer([part], slots)).toBe(isJudged);
});

test.each([
  ['a conversation', 'Desk: Hello?\nGuest: How much?\nDesk: Sixty.', false],
  ['a list of terms', 'Say what it costs.\nBe kind: always.', true],
])('whether a text is judged for certain beside criteria that are %s', (_, criteria, isJudged) => {
  const slot = { label: '', encoding: 'plain' } as const;
  const slots = [[{ ...slot, role: 'option' } as const, { ...slot, role: 'rubric' } as const]];
  const values = [
    ['A price', 'The hours, please', 'cancel it'],
    [criteria, `${criteria}\nGuest: No.`, criteria],
  ];
  const part = { role: 'user', literals: ['Intent:\n', '\n\nCall:\n', '\n\nYES or NO?'], values };
  expect(holdsOneAnswer([part], slots)).toBe(isJudged);
});

test.each([
  [['PRO ANSWER: ', '\nCON ANSWER: '], false],
  [['INPUT_A: ', '\nINPUT_B: '], false],
  [['TOPIC: ', '\nCON ANSWER: '], true],
  // The words say who of the two is judged.
  [['EXPECTED ANSWER: ', '\nACTUAL ANSWER: '], true],
])(
  'one text is judged beside another, unless one word alone tells their names apart: %j',
  (names, isJudged) => {
    const slots = [
      [
        { role: 'reference', label: '', encoding: 'plain' },
        { role: 'option', label: '', encoding: 'plain' },
      ] as const,
    ];
    const values = [
      ['Why so?', 'Who may come?', 'Is it open?'],
      ['It rains.', 'All of us', 'At ten'],
    ];
    expect(holdsOneAnswer([{ role: 'user', literals: [...names, '\nScore:'], values }], slots)).toBe(
      isJudged,
    );
  },
);

test('options are not set apart where a text belongs to each, or a sentence beside them speaks of one', () => {
  const option = (label: string) => ({ role: 'option', label, encoding: 'plain' }) as const;
  const other = (role: 'reference' | 'context') => ({ role, label: '', encoding: 'plain' }) as const;
  const apart = (literals: string[], slots: readonly ReturnType<typeof option | typeof other>[]) => {
    const values = slots.map((_, slot) => [`One ${slot} tea.`, `Two ${slot} by rain.`, `Six ${slot}.`]);
    return standApart([{ role: 'user', literals, values }], [slots]);
  };
  const pair = ['Reply A:\n', '\n---\nReply B:\n'];
  const sources = ['Reply A:\n', '\nSources of A:\n', '\nReply B:\n', '\nSources of B:\n', '\n'];
  const each = [other('reference'), option('Sources A'), other('reference'), option('Sources B')];
  expect(apart(sources, each)).toBe(false);
  const said = (...line: string[]) =>
    apart(
      [...pair, `\n---\n${line[0]}`, ...line.slice(1)].map((text) => text),
      [option('Reply A'), option('Reply B'), ...line.slice(1).map(() => other('context'))],
    );
  expect(said('Note: ', '\nEnd')).toBe(true);
  expect(said('Reply A and Reply B are for ', '\nEnd')).toBe(true);
  expect(said('Reply B passed ', ' tests\nEnd')).toBe(false);
  expect(said('Reply B passed ', ' tests.\nEnd')).toBe(false);
  // What others think of one of them is exchanged with them.
  expect(said('Reply B is better to ', '% of people.\nEnd')).toBe(true);
  expect(said('Reply A passed ', ' tests, Reply B passed ', ' tests.\nEnd')).toBe(false);
  expect(said('Reply A passed ', ' tests, Reply B passed ', '\nEnd')).toBe(false);
});
