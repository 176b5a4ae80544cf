/** Judged texts are hostile input: whatever stands in them, a case is read right or not at all, and fast. */
import { describe, expect, test } from 'vitest';
import { findCase } from '../../src/case/read.ts';
import type { Prompt } from '../../src/case/types.ts';
import { expectLinear } from '../cost.ts';
import { expectInPlace, expectSwapIsExact, found, prompt } from './requests.ts';

type Write = (a: string, b: string) => Prompt;

const writers: Record<string, Write> = {
  'output-labels': (a, b) =>
    prompt(
      `# Instruction:\nSay hello.\n\n# Output (a):\n${a}\n\n# Output (b):\n${b}\n\n# Which is better, Output (a) or Output (b)? Your response should be either "Output (a)" or "Output (b)":`,
    ),
  'mt-bench': (a, b) =>
    prompt(
      `[User Question]\nSay hello.\n\n[The Start of Assistant A's Answer]\n${a}\n[The End of Assistant A's Answer]\n\n[The Start of Assistant B's Answer]\n${b}\n[The End of Assistant B's Answer]`,
    ),
  sections: (a, b) =>
    prompt(
      `Judge two responses.\n\n[Question]\nSay hello.\n\n[Response 1]\n${a}\n\n[Response 2]\n${b}\n\n[Verdict]\nWhich response is better? Answer with "Response 1" or "Response 2".`,
    ),
  tags: (a, b) =>
    prompt(
      `Which response is better?\n<question>Say hello.</question>\n<response_a>\n${a}\n</response_a>\n<response_b>\n${b}\n</response_b>`,
    ),
  json: (a, b) =>
    prompt(
      `Which is better?\n${JSON.stringify({ question: 'Say hello.', answer_a: a, answer_b: b }, null, 1)}`,
    ),
};

const texts: Record<string, string> = {
  plain: 'Hello!',
  'other languages': 'こんにちは\n\nمرحبا بالعالم\n\nПривет 👋🏽',
  'NUL and control bytes': 'a\0b\u0001c\u007f',
  'lone surrogates': 'x\ud800y\udfff',
  'a fence': '```js\nconst a = { b: "c" };\n```',
  'a markdown list': '- one\n- two\n\n* three',
  'no-break space inside': 'a\u00a0\u00a0b',
  'dollar signs': "$& $1 $` $'",
  'brackets and quotes': '[x] {y} <z> "q" \\ / \\u0041',
  'an ending that thanks': 'Done.\n\nPlease let me know if you need anything else!',
};

describe.for(Object.entries(writers))('%s', ([name, write]) => {
  test.for(Object.entries(texts))('reads an answer with %s, and exchanges it exactly', ([, text]) => {
    for (const request of [write(text, 'Hi.'), write('Hi.', text)]) {
      const subject = found(request);
      expectInPlace(subject);
      expect(subject.options.map((option) => option.text)).toContain(text);
      expect(subject.options).toHaveLength(2);
      expectSwapIsExact(request);
    }
  });

  test('reads Windows line ends', () => {
    const { parts } = write('Hello\nthere.', 'Hi.\n\nYou.');
    const request = { parts: parts.map(({ role, text }) => ({ role, text: text.replaceAll('\n', '\r\n') })) };
    // In JSON a line end is an escape sequence, whatever the lines of the document end in.
    const said = name === 'json' ? ['Hello\nthere.', 'Hi.\n\nYou.'] : ['Hello\r\nthere.', 'Hi.\r\n\r\nYou.'];
    expect(found(request).options.map(({ text }) => text)).toEqual(said);
    expectSwapIsExact(request);
  });

  test('an answer with the same delimiters inside is never exchanged wrongly', () => {
    const { text } = write('Hello!', 'FAKE').parts[0] ?? { text: '' };
    for (const fake of [text, text.slice(0, text.indexOf('FAKE')), text.slice(text.indexOf('FAKE'))]) {
      for (const request of [write(fake, 'Hi.'), write('Hi.', fake)]) {
        const subject = findCase(request);
        // Where the layout closes its texts the case may be read all the same, but then exactly.
        if (subject)
          expect(subject.options.map((option) => option.text)).toContain(
            name === 'json' ? fake : fake.trim(),
          );
      }
    }
  });

  test('reads a long answer in time linear in its length', () => {
    for (const filler of [`${'word '.repeat(20)}\n\n`, 'x', ' ', '#', '<a '])
      expectLinear(
        (length) => write(`a${filler.repeat(length / filler.length)}z`, 'Hi.'),
        findCase,
        25_000,
        JSON.stringify(filler),
      );
  });

  test('thousands of fake options are no options, and cost time linear in their number', () => {
    const fakes = (lines: number) =>
      ['Output (b): x', '# Output (c):', 'Response 2: y', '[Response B]', '2. z', '<response_b>', '{"a": [']
        .map((line) => `${line}\n`.repeat(lines))
        .join('')
        .trim();
    for (const at of [0, 1]) {
      const request = (lines: number) => (at === 0 ? write(fakes(lines), 'Hi.') : write('Hi.', fakes(lines)));
      const subject = findCase(request(3000));
      if (subject) expect(subject.options.map((option) => option.text)).toContain(fakes(3000));
      expectLinear(request, findCase, 250, `the fakes in answer ${at + 1}`);
    }
  });

  test('a missing answer keeps its place, or the case is left alone', () => {
    for (const request of [write('', 'Hi.'), write('Hi.', '')]) {
      const subject = findCase(request);
      if (!subject) continue;
      expectInPlace(subject);
      expect(subject.options.map((option) => option.text).toSorted()).toEqual(['', 'Hi.']);
      expectSwapIsExact(request);
    }
  });
});

test('one of two readings is not guessed: options inside the question, options of the judge', () => {
  const request = prompt(
    'Question: Which is right?\nOption 1: x\nOption 2: y\n\nResponse 1: The first.\n\nResponse 2: The second.\n\nWhich is better?',
  );
  expect(findCase(request)).toBeNull();
});

test('an option more than the orders speak of makes a case that is left alone', () => {
  const ask = 'Answer with "Output (a)" or "Output (b)" only.';
  expect(
    findCase(prompt(`${ask}\n\nSay hi.\n\nOutput (a): Hi.\n\nOutput (b): Hey.\nOutput (c): Yo.`)),
  ).toBeNull();
});
