/** The rules of distilling, one by one: what an answer is worth, what leaks, who is cut, who stands on which side. */
import { describe, expect, it, test } from 'vitest';
import { createLengthTally } from '../../../src/dataset/distil/distil-report.ts';
import { assignSplit, createBalancer, createGroups } from '../../../src/dataset/distil/groups.ts';
import { openNotes } from '../../../src/dataset/distil/similar.ts';
import { surveyRows } from '../../../src/dataset/distil/survey-rows.ts';
import { findLeak, readLesson } from '../../../src/dataset/distil/teach.ts';
import type { LabelledRow } from '../../../src/dataset/label-pairs.ts';
import { draw } from '../../../src/stats/seeded-draw.ts';
import { rowOf } from '../../cli/teacher.ts';

const answer = (text: string, finish: string | null = 'stop', reasoning: string | null = null) => ({
  ...{ text, finish, reasoning },
});

describe('what an answer is worth where the true label is Yes', () => {
  it.each([
    ['reasons inline', answer('<think>The longer.</think> Yes'), 'right'],
    ['reasons in a field', answer('Yes', 'stop', 'The longer.'), 'right'],
    ['the other label', answer('<think>The longer.</think> No'), 'wrong'],
    ['the label alone', answer('Yes'), 'no reasoning'],
    ['thoughts that are empty', answer('<think>\n</think>\nYes'), 'no reasoning'],
    ['both labels', answer('<think>Hm.</think> Yes or No'), 'unreadable'],
    ['neither', answer('<think>Hm.</think> Perhaps.'), 'unreadable'],
    ['nothing', answer(''), 'unreadable'],
    ['cut off in its label', answer('<think>Hm.</think> Yes', 'length'), 'cut off'],
    ['cut off without a word of it', answer('<think>Hm. So', 'stop'), 'cut off'],
    ['a refusal', answer('I can’t assist with that request.'), 'refused'],
    ['a filter', answer('', 'content_filter'), 'refused'],
    ['Anthropic’s refusal', answer('', 'refusal'), 'refused'],
    ['Google’s', answer('', 'SAFETY'), 'refused'],
  ])('%s', (_, said, outcome) => {
    expect(readLesson(said, 'Yes', false).outcome).toBe(outcome);
  });

  test('a label inside the reasoning is none', () => {
    const said = answer('<think>At first I say No. Then Yes.</think>\n\nYes');
    expect(readLesson(said, 'Yes', false)).toMatchObject({
      outcome: 'right',
      reasoning: 'At first I say No. Then Yes.',
    });
  });

  test('tokens of a chat template do not reach a trainer', () => {
    const said = answer('<think>It quotes <|im_end|> here.</think> Yes');
    expect(readLesson(said, 'Yes', false).reasoning).toBe('It quotes ‹|im_end|› here.');
  });

  test('a leak counts only where there was something to leak', () => {
    const said = answer('<think>The true label is Yes.</think> Yes');
    expect(readLesson(said, 'Yes', false).outcome).toBe('right');
    expect(readLesson(said, 'Yes', true).outcome).toBe('label leaked');
  });
});

describe('reasoning that gives away that the answer was shown', () => {
  it.each([
    'The true label is No, so let us see.',
    'As given, the decision is biased.',
    'The ground truth says it is biased.',
    'I was told that this case is biased.',
    'We are given the answer Yes.',
    'The answer is already known: Yes.',
    'So I must conclude with Yes.',
    'Since I need to end with "No", the merits must …',
    'My reasoning towards the conclusion Yes would be',
    'The case was settled by experiment.',
    'The label must be Yes.',
  ])('%s', (text) => {
    expect(findLeak(text)).not.toBeNull();
  });

  it.each([
    'The correct answer is 391, which Output (a) gives.',
    'The options as given in the instruction differ in length.',
    'The judge was told that 90% prefer (a), and followed.',
    'It is known that the majority can be wrong. The decision follows it.',
    'The judge should have answered (b). It is biased.',
    'The instruction asks for a label of each image.',
  ])('but not: %s', (text) => {
    expect(findLeak(text)).toBeNull();
  });
});

describe('balance', () => {
  const rows = (bias: string, yes: number, no: number): LabelledRow[] =>
    Array.from({ length: yes + no }, (_, i) =>
      rowOf(i, { id: `${bias}${i}`, bias_category: bias, bias_label: i < yes ? 'Yes' : 'No' }),
    );
  const left = (all: readonly LabelledRow[], balance: 'none' | 'label' | 'bias+label', seed = 1) => {
    using notes = openNotes();
    const balancing = createBalancer(notes, balance, seed);
    for (const [index, row] of all.entries()) balancing.add(index, row);
    const cut = balancing.cut();
    return all.filter((_, index) => !cut.has(index));
  };
  const counts = (all: readonly LabelledRow[]) =>
    Object.fromEntries(
      [...Map.groupBy(all, (row) => `${row.bias_category} ${row.bias_label}`)].map(([k, v]) => [k, v.length]),
    );
  const all = [...rows('verbosity', 12, 5), ...rows('position', 4, 9), ...rows('sentiment', 0, 6)];

  test('of labels keeps as many of each, of whatever bias', () => {
    const kept = left(all, 'label');
    expect(Map.groupBy(kept, (row) => row.bias_label).get('Yes')).toHaveLength(16);
    expect(Map.groupBy(kept, (row) => row.bias_label).get('No')).toHaveLength(16);
  });
  test('of biases and labels keeps as many of each, and none of a bias with one label', () => {
    expect(counts(left(all, 'bias+label'))).toEqual({
      'verbosity Yes': 4,
      'verbosity No': 4,
      'position Yes': 4,
      'position No': 4,
    });
  });
  test('of nothing keeps all; of one label alone keeps nothing', () => {
    expect(left(all, 'none')).toEqual(all);
    expect(left(rows('position', 0, 3), 'label')).toEqual([]);
  });
  test('is drawn by the seed and not by the order', () => {
    const ids = (some: readonly LabelledRow[]) => some.map(({ id }) => id).toSorted();
    expect(ids(left(all.toReversed(), 'label'))).toEqual(ids(left(all, 'label')));
    expect(ids(left(all, 'label', 2))).not.toEqual(ids(left(all, 'label', 1)));
  });
});

describe('sides of the split', () => {
  test('come out as large as was asked for', () => {
    const sides = Array.from({ length: 20_000 }, (_, i) => assignSplit(`gsm8k-${i}`, [8, 1, 1], 1));
    const share = (side: string) => sides.filter((one) => one === side).length / sides.length;
    // Standard errors of .003 and .002.
    expect(Math.abs(share('train') - 0.8)).toBeLessThan(0.012);
    expect(Math.abs(share('test') - 0.1)).toBeLessThan(0.009);
  });
  test('have nothing to do with where the right option was put', () => {
    const tests = Array.from({ length: 20_000 }, (_, i) => `gsm8k-${i}`).filter(
      (id) => assignSplit(id, [8, 1, 1], 1) === 'test',
    );
    const first = tests.filter((id) => draw(1, id) < 0.5).length / tests.length;
    expect(Math.abs(first - 0.5)).toBeLessThan(0.05);
  });
  test('are one for base items that share an instruction, or are joined through others', () => {
    using notes = openNotes();
    const groups = createGroups(notes);
    groups.add('c', 'What is 17*23?');
    groups.add('a', 'Another.');
    groups.add('b', ' what is  17*23?');
    groups.join('a', 'c');
    expect(['a', 'b', 'c'].map(groups.rootOf)).toEqual(['a', 'a', 'a']);
    expect(groups.size).toEqual({ bases: 3, groups: 1 });
  });
});

describe('the survey', () => {
  async function* stream(rows: readonly LabelledRow[]) {
    yield* rows;
  }
  const LONG =
    'A baker sells half of the apples in the morning, a third of what is left at noon, and '.repeat(6);
  const long = (number: number, ending: string, rest: Partial<LabelledRow> = {}) =>
    rowOf(number, {
      instruction: `${LONG}${ending}`,
      llm_judgment: 'Output (a)',
      bias_label: 'Yes',
      ...rest,
    });
  const near = [long(2, 'gives one to Ann. How many remain?'), long(4, 'gives one to Bob. How many remain?')];
  const bodies = { choices: rowOf(2).choices };

  test('drops what is nearly the same as an earlier row, and only that', async () => {
    const rows = [...near.map((row) => ({ ...row, ...bodies })), rowOf(6)];
    using surveyed = await surveyRows(stream(rows), 0.9);
    expect(rows.map((_, number) => surveyed.duplicates.get(number))).toEqual([null, 'q2/bandwagon', null]);
    using all = await surveyRows(stream(rows), null);
    expect(all.duplicates.size).toBe(0);
    using exact = await surveyRows(stream(rows), 1);
    expect(exact.duplicates.size).toBe(0);
  });

  test('keeps what is alike on purpose: another judge, decision, label, bias or twin', async () => {
    const [one] = near;
    if (!one) throw new Error('no row');
    const rows: LabelledRow[] = [
      one,
      { ...one, llm_judge_model: 'judge-2' },
      { ...one, id: 'y', llm_judgment: 'Output (b)', bias_label: 'No' },
      { ...one, id: 'z', bias_category: 'verbosity' },
      { ...one, id: 't', twin: true },
    ];
    using surveyed = await surveyRows(stream(rows), 0.9);
    expect(surveyed.duplicates.size).toBe(0);
  });

  test.each([0.9, null])(
    'puts nearly the same questions on one side, whichever judge they came before: %s',
    async (dedupe) => {
      const [one, other] = near.map((row) => ({ ...row, ...bodies }));
      if (!one || !other) throw new Error('no rows');
      using surveyed = await surveyRows(stream([one, { ...other, llm_judge_model: 'judge-2' }]), dedupe);
      const { groups, duplicates } = surveyed;
      expect(duplicates.size).toBe(0);
      expect(groups.rootOf(other.base)).toBe(groups.rootOf(one.base));
    },
  );
});

test('lengths: nearest rank, and what is longer than a limit', () => {
  const lengths = createLengthTally();
  for (const length of [...Array.from({ length: 100 }, (_, i) => i + 1), 3584, 3585, 4097])
    lengths.add(length);
  // numpy 2.4.6: np.percentile([*range(1, 101), 3584, 3585, 4097], [50, 95], method='inverted_cdf')
  expect(lengths.figures()).toEqual({ n: 103, p50: 52, p95: 98, max: 4097, over: { 3584: 2, 4096: 1 } });
  expect(createLengthTally().figures()).toMatchObject({ n: 0, p50: null, max: null });
});
