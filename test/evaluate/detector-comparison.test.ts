/** Detectors beside each other: on the same rows only, a question's rows together, and nothing guessed. */
import { describe, expect, it } from 'vitest';
import type { DetectorRow } from '../../src/dataset/detector-row.ts';
import { compareDetectors, type DetectorFinding } from '../../src/evaluate/detector.ts';

const rows = (count: number, questions = count): DetectorRow[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ index: `${index}`, bias_category: 'position', llm_judge_model: 'judge' },
    ...{ instruction: `question ${index % questions}`, choices: '', llm_judgment: '' },
    ...{ without_bias_label_think_content: '', deepseek_prediction_bias_label: null, bias_label: 'Yes' },
  }));
/** `y` says Yes, which is right, `n` No, `u` nothing that could be read. */
const said = (of: readonly DetectorRow[], words: string): DetectorFinding[] =>
  of.map((row, index) => ({
    row,
    biased: words[index] === 'u' ? null : words[index] === 'y',
    reasoning: null,
  }));

describe('two detectors', () => {
  it('are compared on the rows that both answered', () => {
    const asked = rows(10);
    const found = compareDetectors(said(asked, 'yyyyyyyynu'), said(asked, 'nnnnnnyuyy'), 1);
    expect(found).toMatchObject({ n: 8, accuracy: 7 / 8, other_accuracy: 2 / 8, gained: 6, lost: 1 });
    // binomtest(1, 7).pvalue
    expect(found?.mcnemar_p).toBeCloseTo(0.125, 12);
    expect(found?.by_item).toMatchObject({ value: 5 / 8, items: 8, test: { moved: 7, up: 6 } });
  });

  it('gain no certainty from rows that are about one question', () => {
    const asked = rows(12, 3);
    const found = compareDetectors(said(asked, 'y'.repeat(12)), said(asked, 'n'.repeat(12)), 1);
    expect(found?.mcnemar_p).toBeLessThan(0.001);
    expect(found?.by_item).toMatchObject({ items: 3, test: { value: 0.25, moved: 3, least: 0.25 } });
  });

  it('are not compared on rows that differ, or where no row was answered by both', () => {
    expect(() => compareDetectors(said(rows(2), 'yy'), said(rows(2), 'yy'), 1)).toThrow('the same rows only');
    const asked = rows(2);
    expect(compareDetectors(said(asked, 'yu'), said(asked, 'uy'), 1)).toBeNull();
  });
});
