/** The samples that come with the repository can be used as they are: what is called wrong is wrong, and every row is built. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findBias } from '../../src/bias/index.ts';
import { finalNumber } from '../../src/case/final-answer.ts';
import { basePair } from '../../src/dataset/base.ts';
import { type BuiltItem, buildDataset } from '../../src/dataset/build-dataset.ts';
import { readBase } from '../../src/dataset/read-base.ts';
import { readAllJsonl } from '../../src/records/jsonl.ts';

const sample = (name: string) =>
  fileURLToPath(new URL(`../../training-data/sample/${name}.jsonl`, import.meta.url));

test('every worked answer comes to what it is said to come to', async () => {
  const sums = await readAllJsonl(sample('arithmetic'), basePair);
  expect(sums.map(({ positive }) => finalNumber(positive))).toEqual(sums.map(({ answer }) => answer));
  expect(sums.filter(({ negative, answer }) => finalNumber(negative ?? '') === answer)).toEqual([]);
});

test.each([
  ['verbosity', 'arithmetic', true, 48],
  ['position', 'instructions', true, 32],
  ['bandwagon', 'science', true, 32],
  ['sentiment', 'science', false, 16],
] as const)('%s is built from every row of %s', async (bias, name, twins, rows) => {
  const settings = {
    ...{ biases: [findBias(bias)].flatMap((one) => one ?? []), twins, place: 'as-is' as const, seed: 1 },
    ...{ published: false, checkNegatives: true, negative: null },
    tools: { share: 90, wording: '{share}% believe that {option} is better', retone: null },
  };
  const bases = readBase(sample(name), { format: null, layout: null });
  const run = { concurrency: 4, signal: new AbortController().signal };
  const built: BuiltItem[] = [];
  for await (const one of buildDataset(bases, settings, run)) built.push(one);
  expect(built.flatMap(({ dropped }) => dropped)).toEqual([]);
  expect(built.flatMap(({ pairs }) => pairs)).toHaveLength(rows);
});
