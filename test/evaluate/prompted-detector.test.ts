/** Prompting baselines of detectors: what they show a model, where their examples may come from, and their intervals. */
import { describe, expect, it, test } from 'vitest';
import { type DetectorRow, detectorRow } from '../../src/dataset/detector-row.ts';
import { createRowBrief } from '../../src/dataset/row-brief.ts';
import { InputError } from '../../src/errors.ts';
import { computeFigureIntervals } from '../../src/evaluate/detector.ts';
import {
  checkShots,
  createPromptedDetector,
  createShots,
  type ShotRow,
} from '../../src/evaluate/prompted-detector.ts';
import { UnreadableAnalysisError } from '../../src/http/send.ts';
import { wilson } from '../../src/stats/share-interval.ts';

const signal = new AbortController().signal;
const row = (more: Partial<ShotRow> = {}): ShotRow => ({
  ...detectorRow.parse({
    ...{ index: '7', bias_category: 'verbosity', llm_judge_model: 'a-judge', instruction: 'How many?' },
    choices: 'Output (a): Let me see. It is 8.\n\nOutput (b): 9',
    ...{ llm_judgment: 'Output (a)', bias_label: 'Yes' },
  }),
  ...more,
});
const examples = ['Yes', 'No', 'Yes', 'No'].map((label, index) =>
  row({
    ...{ instruction: `Example question ${index}?`, index, bias_label: label === 'Yes' ? 'Yes' : 'No' },
    reasoning: `Because of ${index}. </think> No`,
  }),
);

function model(say = '<think>x</think> Yes') {
  const prompts: string[] = [];
  return {
    prompts,
    name: 'm',
    async complete(prompt: string) {
      prompts.push(prompt);
      return { reasoning: null, content: say, finish: 'stop', tokens: null };
    },
  };
}
const ask = async (told: 'all' | 'named', shots: Parameters<typeof createShots> | null = null) => {
  const asked = model();
  const prompting = { told, shots: shots ? createShots(...shots) : [] };
  const { biased } = await createPromptedDetector(asked, prompting).analyse(createRowBrief(row(), signal));
  expect(biased).toBe(true);
  return asked.prompts[0] ?? '';
};

describe('the prompt', () => {
  it('zero-shot: tells of all biases of the catalogue', async () => {
    const prompt = await ask('all');
    for (const name of ['position', 'verbosity', 'bandwagon', 'sentiment'])
      expect(prompt).toContain(`- ${name}: `);
  });

  it('zero-shot, named: tells of the one in question alone', async () => {
    const prompt = await ask('named');
    expect(prompt).toContain('- verbosity: ');
    expect(prompt).not.toMatch(/- (?:position|bandwagon|sentiment): /);
  });

  it('four-shot: examples with their labels and nothing else, before the question', async () => {
    const prompt = await ask('named', [examples, false]);
    expect(prompt.match(/^Answer:\n(?:Yes|No)$/gm)).toEqual([
      'Answer:\nYes',
      'Answer:\nNo',
      'Answer:\nYes',
      'Answer:\nNo',
    ]);
    expect(prompt).not.toContain('Because of');
    expect(prompt.indexOf('Example question 3?')).toBeLessThan(prompt.indexOf('How many?'));
  });

  it('four-shot with reasons: what stands in them cannot end them', async () => {
    const prompt = await ask('named', [examples, true]);
    expect(prompt.match(/^<think> Because of \d\. ‹\/think› No <\/think> (?:Yes|No)$/gm)).toHaveLength(4);
  });

  it('an answer that cannot be read is none', async () => {
    const detector = createPromptedDetector(model('perhaps'), { told: 'all', shots: [] });
    await expect(detector.analyse(createRowBrief(row(), signal))).rejects.toThrow(UnreadableAnalysisError);
  });
});

describe('the examples', () => {
  const one = examples[0] ?? row();
  test.each<[string, ShotRow[], DetectorRow[], RegExp]>([
    ['too few', examples.slice(1), [], /3 rows; 4 are needed/],
    ['of one label', examples.map((shot) => ({ ...shot, bias_label: 'No' })), [], /only No/],
    ['one of the rows measured', examples, [row(), one], /verbosity row 0 has the instruction of a row/],
    [
      'the same question of another bias and judge',
      examples,
      [
        {
          ...one,
          bias_category: 'bandwagon',
          llm_judge_model: 'x',
          choices: 'y',
          instruction: ' example  question 0?',
        },
      ],
      /is measured/,
    ],
  ])('%s: refused', (_, shots, measured, message) => {
    expect(() => checkShots(shots, measured)).toThrow(message);
    expect(() => checkShots(shots, measured)).toThrow(InputError);
  });

  it('of more than four, the first four', () => {
    expect(checkShots([...examples, row()], [row()])).toEqual(examples);
  });

  it('reasoning that led to the other label is none of theirs', () => {
    const published = (label: 'Yes' | 'No') => [
      row({
        reasoning: null,
        without_bias_label_think_content: 'So it is.',
        deepseek_prediction_bias_label: label,
      }),
    ];
    expect(createShots(published('Yes'), true)[0]?.reasoning).toBe('So it is.');
    expect(() => createShots(published('No'), true)).toThrow('no reasoning that led to its label');
    expect(createShots(published('No'), false)[0]?.reasoning).toBeNull();
  });
});

describe('intervals', () => {
  const findings = (outcomes: string) =>
    [...outcomes].map((one, n) => ({
      row: row({
        instruction: `How many of ${n}?`,
        bias_label: 'tn'.includes(one) ? (one === 't' ? 'Yes' : 'No') : one === 'f' ? 'No' : 'Yes',
      }),
      // t: true positive, n: true negative, f: false positive, m: missed, u: not read.
      biased: one === 'u' ? null : 'tf'.includes(one),
      reasoning: null,
    }));

  it('are of the counts behind each share', () => {
    const found = computeFigureIntervals(findings(`${'t'.repeat(12)}${'n'.repeat(9)}fffmmu`), 1);
    expect(found.accuracy).toEqual(wilson(21, 26));
    expect(found.precision).toEqual(wilson(12, 15));
    expect(found.recall).toEqual(wilson(12, 14));
    const f1 = 24 / (24 + 5);
    if (!('low' in found.f1)) throw new Error(found.f1.reason);
    expect(found.f1.low).toBeLessThan(f1);
    expect(found.f1.high).toBeGreaterThan(f1);
    expect(computeFigureIntervals(findings(`${'t'.repeat(12)}${'n'.repeat(9)}fffmmu`), 1)).toEqual(found);
  });

  it('where there is nothing to count there is none, and the reason why', () => {
    expect(computeFigureIntervals(findings('uu'), 1)).toEqual({
      accuracy: { value: null, reason: 'no row was answered' },
      precision: { value: null, reason: 'no row was answered' },
      recall: { value: null, reason: 'no row was answered' },
      f1: { value: null, reason: 'no row was answered' },
    });
    expect(computeFigureIntervals(findings('mmn'), 1)).toMatchObject({
      precision: { value: null, reason: 'none was called biased' },
      recall: wilson(0, 2),
    });
    expect(computeFigureIntervals(findings('nn'), 1)).toMatchObject({
      accuracy: wilson(2, 2),
      precision: { value: null, reason: 'no row is biased, so there is no bias to find' },
      f1: { value: null, reason: 'no row is biased, so there is no bias to find' },
    });
  });
});
