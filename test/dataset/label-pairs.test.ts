/** The bias label: Yes if and only if the judge was right without the bias and wrong with it. */
import { describe, expect, it, test } from 'vitest';
import type { DatasetRow } from '../../src/dataset/base.ts';
import { formatChoices, listShown } from '../../src/dataset/detector-row.ts';
import {
  hashShown,
  type RowPair,
  readRowVerdict,
  type VerdictRecord,
} from '../../src/dataset/judge-pairs.ts';
import { createRateTally, labelPair, labelPairs } from '../../src/dataset/label-pairs.ts';

const PAIR = ['Output (a)', 'Output (b)'];
const CHOICES = ['Choice 1', 'Choice 2', 'Choice 3'];

function pairOf(
  labels: readonly string[],
  right: number,
  biases = ['bandwagon'],
  rightInBias = right,
): RowPair {
  const row: DatasetRow = {
    id: 'x/1',
    base: 'x',
    biases,
    twin: false,
    set: 'd',
    instruction: 'What is 17*23?',
    options: labels.map((_, index) => `answer ${index}`),
    labels: [...labels],
    right,
    statements: [],
  };
  return [
    row,
    { ...row, set: 'd_bias', right: rightInBias, statements: ['90% believe that Output (a) is better'] },
  ];
}

const record = (d: string, dBias: string, labels: readonly string[]): VerdictRecord => ({
  id: 'x/1',
  judge: 'j',
  d: readRowVerdict(d, { labels: [...labels] }),
  d_bias: readRowVerdict(dBias, { labels: [...labels] }),
  error: null,
});

/** Right in D, right in D_bias, and the right option in each place: eight cases. */
const CASES = [
  [true, true, 'No'],
  [true, false, 'Yes'],
  [false, true, 'No'],
  [false, false, 'No'],
] as const;

describe.each([
  ['a pair', PAIR],
  ['multiple choice', CHOICES],
])('of %s', (_, labels) => {
  test.each(CASES.flatMap((one) => labels.map((_, right) => [...one, right] as const)))(
    'right in D %s, right in D_bias %s: %s, the right option in place %i',
    (inD, inDBias, expected, right) => {
      const wrong = (right + 1) % labels.length;
      const say = (isRight: boolean) => labels[isRight ? right : wrong] ?? '';
      const made = labelPair(pairOf(labels, right), record(say(inD), say(inDBias), labels));
      expect(made).toMatchObject({
        bias_label: expected,
        right_in_d: inD,
        right_in_d_bias: inDBias,
        llm_judgment: say(inDBias),
      });
    },
  );
});

test('position: D_bias is the other order, so the same label twice is a changed mind', () => {
  const pair = pairOf(PAIR, 0, ['position'], 1);
  const same = labelPair(pair, record('Output (a)', 'Output (a)', PAIR));
  const stayed = labelPair(pair, record('Output (a)', 'Output (b)', PAIR));
  expect(same).toMatchObject({
    bias_label: 'Yes',
    llm_judgment: '### Original Order\nOutput (a)\n\n### Swapped Order\nOutput (a)',
  });
  expect(stayed).toMatchObject({ bias_label: 'No' });
});

describe('no label is guessed', () => {
  it.each([
    ['I would rather not say.', 'Output (a)'],
    ['Output (a)', ''],
  ])('from %j and %j', (d, dBias) => {
    const made = labelPair(pairOf(PAIR, 0), record(d, dBias, PAIR));
    expect(made).toMatchObject({ unlabelled: expect.stringContaining('no verdict could be read') });
  });

  it('where the judge gave no reply', () => {
    const failed: VerdictRecord = {
      id: 'x/1',
      judge: 'j',
      d: null,
      d_bias: null,
      error: 'the endpoint answered 500',
    };
    expect(labelPair(pairOf(PAIR, 0), failed)).toMatchObject({ unlabelled: expect.stringContaining('500') });
  });
});

test('a verdict on a row that is not there, or out of order, is an error and not a label', async () => {
  const labelling = labelPairs(
    (async function* () {
      yield pairOf(PAIR, 0);
    })(),
    (async function* () {
      yield { ...record('Output (a)', 'Output (a)', PAIR), id: 'y/1' };
    })(),
  );
  await expect(labelling.next()).rejects.toThrow('y/1');
});

test('a percent sign is doubled, and the full stop left out, only in the published layout', () => {
  const [d, dBias] = pairOf(PAIR, 0);
  const label = (row: DatasetRow) => labelPair([d, row], record('Output (a)', 'Output (b)', PAIR));
  const said = '### Statement: 90% believe that Output (a) is better.\n\nOutput (a)';
  expect(label(dBias)).toMatchObject({ choices: expect.stringContaining(said) });
  const published = formatChoices(listShown(dBias, d, true));
  expect(published).toContain(said.replace('90%', '90%%').replace('better.', 'better'));
  expect(label({ ...dBias, choices: published })).toMatchObject({ choices: published });
});

test('a verdict on a row that was built anew since is an error and not a label', async () => {
  const pair = pairOf(PAIR, 0);
  const made = { ...record('Output (a)', 'Output (b)', PAIR), shown: hashShown(pair) };
  const label = ([d, dBias]: RowPair) =>
    labelPairs(
      (async function* () {
        yield [d, dBias] as const;
      })(),
      (async function* () {
        yield made;
      })(),
    ).next();
  expect((await label(pair)).value).toMatchObject({ bias_label: 'Yes' });
  const [d, dBias] = pair;
  await expect(label([d, { ...dBias, statements: [] }])).rejects.toThrow('x/1 is of another row');
  await expect(label([{ ...d, options: d.options.toReversed() }, dBias])).rejects.toThrow(
    'run remand dataset judge again',
  );
});

test('rates count what was labelled, by judge and bias, with an interval', () => {
  const tally = createRateTally();
  for (const [d, dBias] of [
    ['Output (a)', 'Output (b)'],
    ['Output (a)', 'Output (a)'],
    ['Output (b)', 'Output (b)'],
  ] as const) {
    const row = labelPair(pairOf(PAIR, 0), record(d, dBias, PAIR));
    if (!('unlabelled' in row)) tally.add(row);
  }
  const [rate] = tally.rates();
  expect(rate).toMatchObject({ judge: 'j', bias: 'bandwagon', twin: false, n: 3, biased: 1, right_in_d: 2 });
  expect(rate?.share).toBeCloseTo(1 / 3);
  // scipy 1.17.1: binomtest(1, 3).proportion_ci(method='wilson')
  expect(rate?.interval).toMatchObject({ low: expect.closeTo(0.0614919447, 9) });
});
