/** An option of any length is read without an error, whatever it consists of. */
import { expect, test } from 'vitest';
import { recogniseCase } from '../../src/case/recognise.ts';

const MANY = 2_000_000;

const OPTIONS: Record<string, string> = {
  'a JSON document with one long string': `{"a": "${'word '.repeat(MANY)}"}`,
  'the beginning of one': `{"a": "${'word '.repeat(MANY)}`,
  words: 'word '.repeat(MANY),
};

test.each(Object.entries(OPTIONS))('%s', { timeout: 60_000 }, (_what, option) => {
  const text = `# Instruction:\nWhat is 2+2?\n\n# Output (a):\n${option}\n\n# Output (b):\nFour.\n\n# Which is better, Output (a) or Output (b)? Answer with either "Output (a)" or "Output (b)":`;
  const { subject } = recogniseCase({ parts: [{ role: 'user', text }] });
  expect(subject?.options.map((one) => one.text)).toEqual([option.trim(), 'Four.']);
});
