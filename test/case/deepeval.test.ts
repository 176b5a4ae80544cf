/** DeepEval's GEval and ArenaGEval: where the judged text ends, what is read in the reply, and what is exchanged. */
import { describe, expect, test } from 'vitest';
import { applyEdits, asGiven, editsFor, reversed } from '../../src/case/counterfactual.ts';
import { findCase } from '../../src/case/read.ts';
import type { Case } from '../../src/case/types.ts';
import { readVerdict } from '../../src/case/verdict.ts';
import { choice, decided, none, object } from './client-rows.ts';
import { expectInPlace, expectSwapIsExact, found, prompt } from './requests.ts';

const CLOSING = `---
**Example JSON:**
{
  "reason": "short and to the point",
  "score": 0
}

JSON:`;
const STRICT_CLOSING = `**
IMPORTANT: Reply in JSON format alone, with the keys named above.

Example JSON:
{
  "reason": "It leaves the steps aside.",
  "score": 0
}
**

JSON:`;
const STEPS =
  'Evaluation Steps:\n1. Say whether the answer is correct or incorrect.\n2. Compare Output (a).\n';

interface Parts {
  readonly fields: Readonly<Record<string, string>>;
  readonly range?: string;
  readonly rubric?: string;
  readonly context?: string;
  readonly closing?: string;
}

const sections = (fields: Parts['fields']) =>
  Object.entries(fields)
    .map(([name, value]) => `${name}:\n${value} \n\n`)
    .join('');
/** As `construct_g_eval_params_string` writes it. */
function listed(fields: Parts['fields']): string {
  const names = Object.keys(fields);
  return names.length < 3 ? names.join(' and ') : `${names.slice(0, -1).join(', ')}, and ${names.at(-1)}`;
}

function graded({ fields, range = '0 and 10', rubric, context }: Parts) {
  return prompt(
    [
      `You grade one text by steps. Give back JSON with\n\n- \`"score"\`: an integer between ${range}, higher for more of what the steps ask.\n- \`"reason"\`: why.\n\n---\n`,
      STEPS,
      ...(rubric === undefined ? [] : [`Rubric:\n${rubric}\n`]),
      `Test Case:\n${sections(fields)}\nParameters:\n${listed(fields)}\n`,
      ...(context === undefined ? [] : [`\nAdditional Context:\n${context}\n`]),
      `\n${CLOSING}`,
    ].join('\n'),
  );
}

const strict = ({ fields, context }: Parts) =>
  prompt(
    `Give JSON with a \`score\` that is STRICTLY EITHER 1 (all steps are met), OR 0 (they are not), and a \`reason\`. Mention specific information from ${listed(fields)} in your reason.\n\n${STEPS}\n${sections(fields)}${context === undefined ? '' : `\nAdditional Context:\n${context}\n`}\n${STRICT_CLOSING}`,
  );

const FIELDS = { Input: 'What is 17*23?', 'Actual Output': 'It is 391.\n\nQuite sure.' };
const behindNote = ({ prompt: { parts }, noteAt }: Case) => parts[noteAt.part]?.text.slice(noteAt.offset);

test.each<[string, ReturnType<typeof prompt>, object, string]>([
  ['on its own scale', graded({ fields: FIELDS }), { min: 0, max: 10 }, CLOSING],
  [
    "on its rubric's scale",
    graded({ fields: FIELDS, range: '1 and 5', rubric: '1-2: poor\n3-5: good' }),
    { min: 1, max: 5 },
    CLOSING,
  ],
  [
    'with more context',
    graded({ fields: { ...FIELDS, 'Expected Output': '391' }, context: 'Be kind.' }),
    { min: 0, max: 10 },
    CLOSING,
  ],
  ['strictly', strict({ fields: FIELDS }), { min: 0, max: 1, legal: [0, 1] }, STRICT_CLOSING],
  [
    'strictly, with more context',
    strict({ fields: FIELDS, context: 'Be kind.' }),
    { min: 0, max: 1, legal: [0, 1] },
    STRICT_CLOSING,
  ],
])('GEval, %s', (_, request, scale, closing) => {
  const subject = found(request);
  expectInPlace(subject);
  expect(subject.layout).toBe('test-case');
  expect(subject.instruction?.text).toBe('What is 17*23?');
  expect(subject.options.map(({ label, text }) => [label, text])).toEqual([
    ['Actual Output', 'It is 391.\n\nQuite sure.'],
  ]);
  expect(subject.form).toEqual({ kind: 'score', template: null, field: 'score', ...scale });
  expect(behindNote(subject)).toBe(closing);
});

test.each<[string, string]>([
  ['the closing words', `391\n\n${CLOSING}`],
  ['the names of the parameters', '391\n\nParameters:\nInput and Actual Output\n'],
  ['two answers to choose from', 'Output (a):\n391\n\nOutput (b):\n381\n\nWhich is better?'],
  ['an answer under a label of its own', '[Response]\n391\n[/Response]\n\nAnswer: 391'],
  ['a list to choose from', '1. 391\n2. 381\n\nWhich statement is right?'],
  ['JSON with an answer', '{"question": "q", "response": "391"}'],
])('GEval: a judged text that holds %s', (_, held) => {
  for (const request of [
    graded({ fields: { Input: 'Say it.', 'Actual Output': held, 'Expected Output': '391' } }),
    strict({ fields: { Input: 'Say it.', 'Actual Output': held } }),
  ]) {
    const subject = found(request);
    expect(subject.options.map(({ text }) => text.trim())).toEqual([held.trim()]);
    expect(subject.form).toMatchObject({ kind: 'score', field: 'score' });
  }
});

test('GEval: what many think of the answer, said in the input, is a statement', () => {
  const said = '90% of people believe that this output is correct.';
  const subject = found(graded({ fields: { ...FIELDS, Input: `What is 17*23?\n${said}` } }));
  expect(subject.instruction?.text).toBe('What is 17*23?');
  expect(subject.context.map(({ text }) => text)).toEqual([said]);
});

test.each<[string, ReturnType<typeof prompt>]>([
  ['that holds another section', graded({ fields: { ...FIELDS, Input: 'Hi. \n\nActual Output:\n42' } })],
  [
    'that may end in two places',
    graded({
      fields: { ...FIELDS, 'Actual Output': '391 \n\n\nParameters:\nInput and Actual Output\n' },
      context: 'Be kind.',
    }),
  ],
  [
    'graded strictly, that may end in two places',
    strict({ fields: { ...FIELDS, 'Actual Output': '391 \n\n\n\nAdditional Context:\nBe kind.\n' } }),
  ],
  ['of which no answer is asked about', graded({ fields: { Input: 'Hi.' } })],
])('GEval: a test case %s is left alone', (_, request) => {
  expect(findCase(request)).toBeNull();
});

type Contestants = readonly (readonly [name: string, fields: Readonly<Record<string, unknown>>])[];

function arena(contestants: Contestants, input = 'What is "17*23"?\nOutput (a): 1') {
  const cases = Object.fromEntries(
    contestants.map(([name, fields]) => [name, JSON.stringify(fields, null, 2)]),
  );
  return prompt(
    `Choose one contestant by the steps. Give back JSON with\n\n- \`"winner"\`: the exact contestant name, without any $.\n- \`"reason"\`: why.\n\n---\n\n${STEPS}\nContestants:\n${JSON.stringify({ input, arena_test_cases: cases }, null, 2)}\n\nParameters:\nInput and Actual Output\n\n---\n**Example JSON:**\n{\n  "winner": "Grace",\n  "reason": "short"\n}\n\nJSON:`,
  );
}

const PAIR: Contestants = [
  ['Iris', { actual_output: 'It is "391".\n\tAlways \\ ever.\u00e4' }],
  ['Bob', { actual_output: '"arena_test_cases": {"Eve": "{\\"actual_output\\": \\"x\\"}"}' }],
];
const TOOLS: Contestants = [
  ['Iris', { actual_output: '391', context: ['one'], tools_called: ['multiply'] }],
  ['Bob', { actual_output: '381' }],
  ['Jack', { actual_output: '', context: ['two', '"three"'] }],
];
const WINNER = object({ winner: { type: 'string' }, reason: { type: 'string' } });

/** The contestants as a client would read them back from the prompt. */
function shown(text: string): [string, unknown][] {
  const start = text.indexOf('Contestants:') + 'Contestants:'.length;
  const { arena_test_cases } = JSON.parse(text.slice(start, text.indexOf('\n\nParameters:')));
  return Object.entries(arena_test_cases as Record<string, string>).map(([name, one]) => [
    name,
    JSON.parse(one),
  ]);
}

describe.each([
  ['two contestants', PAIR],
  ['three contestants with tools and contexts', TOOLS],
])('ArenaGEval: %s', (_, contestants) => {
  const request = arena(contestants);
  const subject = found(request, { schema: WINNER });
  const names = contestants.map(([name]) => name);

  test('the answers stand in JSON inside JSON', () => {
    expectInPlace(subject);
    expect(subject.layout).toBe('contestants');
    expect(subject.options.map(({ label }) => label)).toEqual(names);
    expect(subject.options.map(({ text }) => text)).toEqual(
      contestants.map(([, fields]) => fields.actual_output),
    );
    expect(behindNote(subject)).toMatch(/^---\n\*\*Example JSON/);
  });

  test('exchanged twice it is the same to the byte; once, each name has another whole test case', () => {
    expectSwapIsExact(request, { schema: WINNER });
    const [part] = applyEdits(request, editsFor(subject, reversed(subject))).parts;
    const fields = contestants.map(([, one]) => one).toReversed();
    expect(shown(part?.text ?? '')).toEqual(names.map((name, i) => [name, fields[i]]));
  });

  test('an answer in other words leaves what stands beside it', () => {
    const given = asGiven(subject);
    const reworded = { ...reversed(subject), options: new Map([[0, 'anew']]) };
    for (const counterfactual of [{ ...given, options: reworded.options }, reworded]) {
      const [part] = applyEdits(request, editsFor(subject, counterfactual)).parts;
      const fields = counterfactual.order.map((i) => contestants[i]?.[1] ?? {});
      const at = counterfactual.order.indexOf(0);
      expect(shown(part?.text ?? '').map(([, one]) => one)).toEqual(
        fields.map((one, i) => (i === at ? { ...one, actual_output: 'anew' } : one)),
      );
    }
  });

  test.each<[string, object]>([
    ['{"winner": "Bob", "reason": "$Iris$ is off"}', choice(1)],
    ['{"winner": "Iris", "reason": "Bob"}', choice(0)],
    ['{"winner": "$Bob$", "reason": "It is right."}', none('no-label')],
    ['{"winner": "bob", "reason": "It is right."}', none('no-label')],
    ['{"winner": "Grace", "reason": "It is right."}', none('no-label')],
  ])('%s', (reply, read) => {
    expect(subject.form).toMatchObject({ kind: 'choice', field: 'winner', write: { labels: names } });
    expect(decided(readVerdict(reply, subject.form, subject.options))).toEqual(read);
  });
});

test.each<[string, ReturnType<typeof prompt>]>([
  ['one contestant', arena(PAIR.slice(0, 1))],
  ['a contestant without an answer', arena([...PAIR, ['Eve', { context: ['x'] }]])],
  [
    'an answer behind a context that only one has',
    arena([...PAIR, ['Eve', { context: ['x'], actual_output: 'y' }]]),
  ],
  ['an answer that is no text', arena([...PAIR, ['Eve', { actual_output: 4 }]])],
  ['a contestant that is no JSON', prompt(arena(PAIR).parts[0]?.text.replace('"{\\n', '"\\n') ?? '')],
  ['an escape that JSON does not have', prompt(arena(PAIR).parts[0]?.text.replace('"{\\n', '"{\\q') ?? '')],
])('ArenaGEval: %s is left alone', (_, request) => {
  expect(findCase(request, { schema: WINNER })).toBeNull();
});
