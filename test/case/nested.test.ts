/** Options inside JSON strings of a prompt: read as what they say, written back as JSON that says the new words. */
import { describe, expect, test } from 'vitest';
import { CATALOGUE } from '../../src/bias/index.ts';
import { reduceToFinalAnswers } from '../../src/bias/reword.ts';
import { verbosity } from '../../src/bias/verbosity.ts';
import { applyEdits, asGiven, editsFor, reversed } from '../../src/case/counterfactual.ts';
import { findCase } from '../../src/case/read.ts';
import type { Case, Prompt, Verdict } from '../../src/case/types.ts';
import { renderBrief } from '../../src/detect/rbd/render-brief.ts';
import { chat, object } from './client-rows.ts';
import { expectInPlace, expectSwapIsExact, found, prompt } from './requests.ts';

const WINNER = object({ winner: { type: 'string' } });
const RESULT = object({ result: { type: 'integer' } });

interface Way {
  /** The prompt with these answers in it; a single answer is the first. */
  readonly write: (answers: readonly string[]) => Prompt;
  readonly schema?: unknown;
  /** The document of the prompt, with every document in a string of it parsed as well. */
  readonly parsed: (request: Prompt) => unknown;
}

const documentIn = (request: Prompt, lead: string, end: string): Record<string, unknown> => {
  const text = request.parts.at(-1)?.text ?? '';
  const start = text.indexOf(lead) + lead.length;
  return JSON.parse(text.slice(start, text.indexOf(end, start)));
};

const WAYS: Record<string, Way> = {
  'a map in JSON': {
    write: ([a, b]) =>
      prompt(
        `Which is better?\n${JSON.stringify({ question: 'Say "4".', answer_a: a, answer_b: b }, null, 1)}\nGo.`,
      ),
    parsed: (request) => documentIn(request, 'better?\n', '\nGo.'),
  },
  'JSON inside JSON': {
    write: (texts) => {
      const cases = Object.fromEntries(
        texts.map((text, i) => [
          ['Iris', 'Bob'][i],
          JSON.stringify({ actual_output: text, tags: ['"t"', i] }),
        ]),
      );
      return prompt(
        `Choose the best.\nContestants:\n${JSON.stringify({ input: 'Say "4".', arena_test_cases: cases }, null, 2)}\n\nParameters:\nInput`,
      );
    },
    schema: WINNER,
    parsed: (request) => {
      const { arena_test_cases, ...rest } = documentIn(request, 'Contestants:\n', '\n\nParameters:');
      const cases = Object.entries(arena_test_cases as Record<string, string>);
      return { ...rest, cases: cases.map(([name, one]) => [name, JSON.parse(one)]) };
    },
  },
  'one field of a judge': {
    write: ([outputs]) =>
      chat(
        'Say whether {{ outputs }} answers {{ inputs }}, from 1 to 5.',
        `outputs: ${JSON.stringify(outputs)}\ninputs: "Say \\"4\\"."\n`,
      ),
    schema: RESULT,
    parsed: (request) => {
      const [outputs = '', inputs = ''] = (request.parts.at(-1)?.text ?? '').split('\n');
      return [JSON.parse(outputs.replace('outputs: ', '')), JSON.parse(inputs.replace('inputs: ', ''))];
    },
  },
};

const TEXTS: Record<string, string> = {
  quotes: 'He said "4", \'four\' and ""',
  backslashes: 'C:\\new\\u0041\\\\ \\"',
  'line ends': 'one\n\n\ttwo\r\nthree',
  'an emoji and other letters': 'ä 👋🏽 四 \u2028',
  'lone surrogates': 'x\ud800y\udfff',
  'JSON of its own': '{"answer_b": "x", "actual_output": "{\\"a\\": 1}"}',
  'dollar signs': "$& $1 $` $'",
  nothing: '',
};

const read = ({ schema }: Way, request: Prompt): Case =>
  found(request, schema === undefined ? {} : { schema });
const edited = (subject: Case, options: ReadonlyMap<number, string>, order = asGiven(subject).order) =>
  applyEdits(subject.prompt, editsFor(subject, { ...asGiven(subject), options, order }));

describe.each(Object.entries(WAYS))('%s', (name, way) => {
  test.each(Object.entries(TEXTS))('%s: read as it says, reworded as it should say', (_, text) => {
    const subject = read(way, way.write([text, 'Hi.']));
    const count = subject.options.length;
    expectInPlace(subject);
    expect(subject.options.map((option) => option.text)).toEqual([text, 'Hi.'].slice(0, count));
    expect(subject.instruction?.text).toBe('Say "4".');
    const said = edited(read(way, way.write(['before', 'Hi.'])), new Map([[0, text]]));
    expect(way.parsed(said)).toEqual(way.parsed(way.write([text, 'Hi.'])));
    if (count > 1) expectSwapIsExact(subject.prompt, way.schema === undefined ? {} : { schema: way.schema });
  });

  test('an escape sequence for a letter is read as the letter, and stays where the text does', () => {
    const given = way.write(['Mähen', 'Hi.']);
    const sequence = name === 'JSON inside JSON' ? '\\\\u00e4' : '\\u00e4';
    const request = {
      parts: given.parts.map(({ role, text }) => ({ role, text: text.replace('ä', sequence) })),
    };
    const subject = read(way, request);
    expect(subject.options[0]?.text).toBe('Mähen');
    expect(editsFor(subject, asGiven(subject))).toEqual([]);
    expect(edited(subject, new Map([[0, 'x']]))).toEqual(way.write(['x', 'Hi.']));
  });

  test('an escape that JSON does not have makes a case that is left alone', () => {
    const given = way.write(['I am 0.', 'Hi.']);
    const request = {
      parts: given.parts.map(({ role, text }) => ({ role, text: text.replace('I am 0', 'I am \\q0') })),
    };
    expect(findCase(request, way.schema === undefined ? {} : { schema: way.schema })).toBeNull();
  });

  test('the detector is shown what the answers and the question say', () => {
    const subject = read(way, way.write(['It is\n"4".', 'Hi.']));
    const verdict: Verdict =
      subject.options.length > 1
        ? { kind: 'choice', option: 0, text: '' }
        : { kind: 'score', score: 4, text: '' };
    const shown = renderBrief({ subject, judge: 'judge-1', verdict, swapped: null, biases: CATALOGUE });
    expect(shown).toContain('It is\n"4".');
    expect(shown).toContain('Say "4".');
  });
});

test('an exchange with new words for both: JSON that says them in the other order', () => {
  for (const way of [WAYS['a map in JSON'], WAYS['JSON inside JSON']]) {
    if (!way) throw new Error('no such way');
    const subject = read(way, way.write(['long "one"\n', 'Hi.']));
    const { order } = reversed(subject);
    const said = edited(
      subject,
      new Map([
        [0, '"1"\n'],
        [1, '\\2'],
      ]),
      order,
    );
    expect(read(way, said).options.map(({ text }) => text)).toEqual(['\\2', '"1"\n']);
  }
});

test('a final answer on a line of its own is found, and is all that is left', () => {
  const way = WAYS['JSON inside JSON'];
  if (!way) throw new Error('no such way');
  const long = `We multiply ${'and carry '.repeat(30)}.\n\nAnswer: 391\n`;
  const subject = read(way, way.write([long, 'Times.\n\nAnswer: 381\n']));
  const bare = reduceToFinalAnswers(subject);
  expect([...(bare?.options ?? [])]).toEqual([
    [0, '391'],
    [1, '381'],
  ]);
  expect(bare && way.parsed(applyEdits(subject.prompt, editsFor(subject, bare)))).toEqual(
    way.parsed(way.write(['391', '381'])),
  );
});

test('an answer is no longer for its escape sequences', () => {
  const way = WAYS['JSON inside JSON'];
  if (!way) throw new Error('no such way');
  const plain = 'It is said that four is four.'.repeat(4);
  const quoted = '"'.repeat(plain.length);
  expect(verbosity.spot(read(way, way.write([quoted, plain])))).toEqual([]);
});
