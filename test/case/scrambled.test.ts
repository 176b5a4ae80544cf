/** Requests scrambled from the pieces of real ones, by seed: nothing throws, nothing found is out of place. */
import { expect, test } from 'vitest';
import { applyEdits, editsFor, reversed } from '../../src/case/counterfactual.ts';
import { findCase, guessCase } from '../../src/case/read.ts';
import { expectInPlace, prompt } from './requests.ts';

const PIECES = [
  'Output (a): Hi.',
  '# Output (a):',
  '# Output (b):',
  'Output (b): Hey.\n\nYou.',
  'Response 1:',
  'Response 2: two',
  "[The Start of Assistant A's Answer]",
  "[The End of Assistant A's Answer]",
  "[The Start of Assistant B's Answer]",
  "[The End of Assistant B's Answer]",
  '<response_a>',
  '</response_a>',
  '<response_b>x</response_b>',
  '<text index="0">a</text>',
  '{"answers": ["a", "b\\n"]}',
  '{"answers": [',
  '1. one',
  '2. two',
  '# Which is better? Answer "Output (a)" or "Output (b)".',
  '### Statement: 90%% believe that Output (a) is better',
  '# Instruction:',
  'Question: why?',
  '[Submission]: x',
  '***',
  'Which is better, Output (a) or Output (b)?',
  'Rate the response from 1 to 10.',
  'words \ud800 \0 and more',
  '',
  '   ',
];

/** Mulberry32: a small seeded generator, so that a failure can be repeated. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    yield (t ^ (t >>> 14)) >>> 0;
  }
}

test('5,000 scrambled requests', () => {
  const random = numbers(20_250_517);
  const below = (bound: number) => random.next().value % bound;
  let [cases, evident] = [0, 0];
  for (let i = 0; i < 5000; i++) {
    const lineEnd = ['\n', '\n\n', '\r\n'][below(3)] ?? '\n';
    const text = () =>
      Array.from({ length: 2 + below(9) }, () => PIECES[below(PIECES.length)] ?? '').join(lineEnd);
    const request = prompt(...Array.from({ length: 1 + below(2) }, text));
    // Guesses that are not evident teach templates, so they have to be in place as well.
    const subject = guessCase(request);
    if (!subject) continue;
    cases++;
    if (findCase(request)) evident++;
    expectInPlace(subject);
    expect(new Set(subject.options.map(({ label }) => label)).size).toBe(subject.options.length);
    // The request of the other order holds the same characters, and the same options where it is read again.
    const swapped = applyEdits(request, editsFor(subject, reversed(subject)));
    const sorted = ({ parts }: typeof request) => parts.flatMap((part) => [...part.text]).sort();
    if (subject.context.length === 0) expect(sorted(swapped)).toEqual(sorted(request));
  }
  expect(cases).toBeGreaterThan(100);
  // Few scrambled requests show where each option ends and how the verdict is written.
  expect(evident).toBeGreaterThan(5);
});
