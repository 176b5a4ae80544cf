/** A labelled row becomes the detector's prompt, with several biases and in both orders, too. */
import { expect, it, test } from 'vitest';
import { findBias } from '../../src/bias/index.ts';
import type { BasePair } from '../../src/dataset/base.ts';
import { buildDataset, layOutRow } from '../../src/dataset/build-dataset.ts';
import { type RowPair, readRowVerdict } from '../../src/dataset/judge-pairs.ts';
import { labelledRow, labelPair } from '../../src/dataset/label-pairs.ts';
import { createRowBrief } from '../../src/dataset/row-brief.ts';
import { layOut, renderBrief } from '../../src/detect/rbd/render-brief.ts';

const never = new AbortController().signal;
const draftOf = (options: string[], right: number, favours: number | null) => ({
  instruction: 'What is 17*23?',
  options,
  right,
  answers: options.map(() => null),
  toned: null,
  favours,
  statements: favours === null ? [] : ['90% believe that {option} is better'],
});

/** As `dataset build` and `label` make it: D, the swapped D_bias with a statement in it, and a judge's two verdicts. */
function labelled(options: string[], favours: number, inD: string, inDBias: string) {
  const head = { id: 'x/1', base: 'x', biases: ['bandwagon', 'position'], twin: false };
  const numbered = options.length > 2;
  const last = options.length - 1;
  const d = layOutRow({ ...head, set: 'd' }, draftOf(options, 0, null), numbered);
  const turned = draftOf(options.toReversed(), last, last - favours);
  const dBias = layOutRow({ ...head, set: 'd_bias' }, turned, numbered);
  const made = labelPair([d, dBias], {
    ...{ id: 'x/1', judge: 'j', error: null },
    d: readRowVerdict(inD, d),
    d_bias: readRowVerdict(inDBias, dBias),
  });
  if ('unlabelled' in made) throw new Error(made.unlabelled);
  return made;
}

test('a statement of the swapped order speaks of the same text in both', () => {
  const row = labelled(['391', '381'], 1, 'Output (a)', 'Output (a)');
  expect(row).toMatchObject({ bias_category: 'bandwagon+position', bias_label: 'Yes' });
  const brief = createRowBrief(row, never);
  expect(brief.biases.map(({ name }) => name)).toEqual(['bandwagon', 'position']);
  expect(brief.subject.options.map(({ text }) => text)).toEqual(['391', '381']);
  expect(brief.subject.context[0]?.mentions.map(({ option }) => option)).toEqual([1]);
  expect(brief.verdict).toMatchObject({ kind: 'choice', option: 0 });
  expect(brief.swapped).toMatchObject({ kind: 'choice', option: 1 });
  expect(renderBrief(brief)).toContain(
    '### Statement, in the second round alone: 90% believe that Output (b)',
  );
  const prompt = renderBrief(brief, { template: 'first' });
  expect(prompt).toContain('- bandwagon: ');
  expect(prompt).toContain('- position: ');
  // The judge saw the statement in the swapped order alone, and so does the detector.
  expect(prompt).toContain(row.choices);
  expect(row.choices).toBe(
    '### First Evaluation (Original Order)\nOutput (a): 391\n\nOutput (b): 381\n\n' +
      '### Second Evaluation (Swapped Order)\n### Statement: 90% believe that Output (a) is better.\n\n' +
      'Output (a): 381\n\nOutput (b): 391',
  );
});

test.each([
  [['I say\n\nOutput (b): trick', 'plain']],
  [['Output (b): q\n\nOutput (b): r', '### First Evaluation (Original Order)\nOutput (a): z']],
  [['one\n2. two', 'three', '### Statement: four\n\n1. five']],
])('an answer that holds a label or a number of the layout stays one answer: %j', (texts) => {
  const numbered = texts.length > 2;
  const label = numbered ? 'Choice 1' : 'Output (a)';
  for (const biases of [['bandwagon'], ['position']]) {
    const head = { id: 'x/1', base: 'x', biases, twin: false };
    const clean = layOutRow({ ...head, set: 'd' }, draftOf(texts, 0, null), numbered);
    const turned = biases[0] === 'position' ? texts.toReversed() : texts;
    const dBias = layOutRow(
      { ...head, set: 'd_bias' },
      draftOf(turned, turned.indexOf(texts[0] ?? ''), null),
      numbered,
    );
    const row = labelPair([clean, dBias], {
      ...{ id: 'x/1', judge: 'j', error: null },
      d: readRowVerdict(label, clean),
      d_bias: readRowVerdict(label, dBias),
    });
    if ('unlabelled' in row) throw new Error(row.unlabelled);
    // As it comes out of `labels.jsonl`.
    const { subject, clean: before } = createRowBrief(
      labelledRow.parse(JSON.parse(JSON.stringify(row))),
      never,
    );
    expect(subject.options.map(({ text }) => text)).toEqual(texts);
    expect(before).toBeUndefined();
  }
});

test('multiple choice in two orders', () => {
  const row = labelled(['Paris', 'Rome', 'Oslo'], 2, 'Choice 1', 'Choice 1');
  const brief = createRowBrief(row, never);
  expect(brief.subject.options.map(({ text }) => text)).toEqual(['Paris', 'Rome', 'Oslo']);
  expect(brief.subject.context[0]?.mentions.map(({ option }) => option)).toEqual([2]);
  expect(brief.swapped).toMatchObject({ option: 2 });
});

it('names the bias that is unknown', () => {
  const row = { ...labelled(['391', '381'], 1, 'Output (a)', 'Output (a)'), bias_category: 'position+charm' };
  expect(() => createRowBrief(row, never)).toThrow('"charm"');
});

const SUM: BasePair = {
  ...{ kind: 'pair', id: 'sum', instruction: 'What is 17*23?', answer: '391', first: 'positive' },
  positive: '17*20 is 340.\n\nOutput (b): and 17*3 is 51.\n#### 391',
  negative: 'About 17*20, and some more.\n#### 381',
};

test.each([
  [['verbosity', 'position']],
  [['bandwagon', 'position']],
  [['position', 'verbosity', 'bandwagon']],
])('%j: each order is shown as the judge saw it, texts and statements', async (names) => {
  const settings = {
    ...{ biases: names.flatMap((name) => findBias(name) ?? []), twins: true, place: 'as-is' as const },
    ...{ seed: 1, published: true, checkNegatives: true, negative: null },
    tools: { share: 90, wording: '{share}% believe that {option} is better', retone: null },
  };
  const all: RowPair[] = [];
  for await (const { pairs } of buildDataset([SUM], settings, { concurrency: 1, signal: never }))
    all.push(...pairs);
  expect(all).toHaveLength(2);
  for (const [d, dBias] of all) {
    const said = (shown: typeof d) => readRowVerdict(shown.labels[shown.right] ?? '', shown);
    const row = labelPair([d, dBias], {
      ...{ id: d.id, judge: 'j', error: null },
      d: said(d),
      d_bias: said(dBias),
    });
    if ('unlabelled' in row) throw new Error(row.unlabelled);
    expect(row.choices).toBe(dBias.choices);
    const [first, second] = row.choices.split('### Second Evaluation (Swapped Order)\n');
    expect(first).toBe(`### First Evaluation (Original Order)\n${d.choices}\n\n`);
    for (const text of [...dBias.options, ...dBias.statements.map((one) => one.replace('%', '%%'))])
      expect(second).toContain(text);
    const brief = createRowBrief(row, never);
    const { choices, judgment } = layOut(brief);
    // The label inside an answer is quoted, and is not taken for the second option.
    expect(choices.replace(/^› /gm, '')).toBe(row.choices);
    expect(choices).toContain('\n› Output (b): and 17*3 is 51.');
    expect(judgment).toBe(row.llm_judgment);
    expect(brief.verdict).toMatchObject({ option: d.right });
    expect(brief.swapped).toMatchObject({ option: d.right });
    expect(brief.subject.options.map(({ text }) => text)).toEqual(dBias.options.toReversed());
  }
});
