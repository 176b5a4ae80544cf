import { describe, expect, test } from 'vitest';
import { type DetectorRow, detectorRow } from '../../src/dataset/detector-row.ts';
import { createRowBrief } from '../../src/dataset/row-brief.ts';
import type { Detector } from '../../src/detect/types.ts';
import { InputError } from '../../src/errors.ts';
import {
  computeFigureIntervals,
  computeFigures,
  examineRows,
  scoreEach,
} from '../../src/evaluate/detector.ts';
import { createRecordedDetectorModel } from '../../src/evaluate/prompted-detector.ts';
import { JudgeError, UnreadableAnalysisError } from '../../src/http/send.ts';

const signal = new AbortController().signal;

const row = (more: Partial<DetectorRow> = {}): DetectorRow =>
  detectorRow.parse({
    index: '7',
    bias_category: 'verbosity',
    llm_judge_model: 'Llama-3.1-405B',
    instruction: 'How many?',
    choices: 'Output (a): Let me see.\n\nIt is 8.\n\nOutput (b): 9',
    llm_judgment: 'Output (b)',
    bias_label: 'No',
    ...more,
  });

describe('a row', () => {
  test('is a pair', () => {
    const brief = createRowBrief(row(), signal);
    expect(brief.subject.options.map((option) => option.text)).toEqual(['Let me see.\n\nIt is 8.', '9']);
    expect(brief.verdict).toMatchObject({ kind: 'choice', option: 1 });
    expect(brief.swapped).toBeNull();
    for (const { at, text } of brief.subject.options)
      expect(brief.subject.prompt.parts[0]?.text.slice(at.start, at.end)).toBe(text);
  });

  test('is a numbered list, judged by number', () => {
    const choices = '1. Happily, 5 km!\n2. Sadly, 5 m. \n3. Gladly,\nin two lines.';
    const brief = createRowBrief(
      row({ bias_category: 'sentiment', choices, llm_judgment: 'Choice 3' }),
      signal,
    );
    expect(brief.subject.options.map((option) => option.text)).toEqual([
      'Happily, 5 km!',
      'Sadly, 5 m. ',
      'Gladly,\nin two lines.',
    ]);
    expect(brief.verdict).toMatchObject({ option: 2 });
  });

  test('is two orders, told apart even where an answer contains the label', () => {
    const a = 'She wrote\n\nOutput (b): none';
    const b = 'nine';
    const choices =
      `### First Evaluation (Original Order)\nOutput (a): ${a}\n\nOutput (b): ${b}\n\n` +
      `### Second Evaluation (Swapped Order)\nOutput (a): ${b}\n\nOutput (b): ${a}`;
    const llm_judgment = '### Original Order\nOutput (a)\n\n### Swapped Order\nOutput (a)';
    const brief = createRowBrief(row({ bias_category: 'position', choices, llm_judgment }), signal);
    expect(brief.subject.options.map((option) => option.text)).toEqual([a, b]);
    // The same place in both orders is a different option in each.
    expect(brief.verdict).toMatchObject({ option: 0 });
    expect(brief.swapped).toMatchObject({ option: 1 });
  });

  test('of an unknown bias or layout is refused by name', () => {
    expect(() => createRowBrief(row({ bias_category: 'astrology' }), signal)).toThrow(/astrology row 7/);
    expect(() => createRowBrief(row({ choices: 'A or B' }), signal)).toThrow(InputError);
  });

  test('has no judge to probe', async () => {
    const { probe, subject } = createRowBrief(row(), signal);
    const order = subject.options.map((_, i) => i);
    await expect(probe({ order, options: new Map(), context: new Map(), elsewhere: [] })).rejects.toThrow(
      InputError,
    );
  });
});

describe('examining', () => {
  const rows = ['1', '2', '3', '4', '5', '6'].map((index) =>
    row({ index, bias_label: Number(index) % 2 ? 'Yes' : 'No', instruction: index }),
  );
  const detector = (say: (instruction: string) => boolean | Error): Detector => ({
    name: 'test',
    async analyse({ subject }) {
      const said = say(subject.instruction?.text ?? '');
      if (said instanceof Error) throw said;
      return { biased: said, biases: [], reasoning: '', evidence: [] };
    },
  });

  test('counts what could not be read, and guesses nothing', async () => {
    const say = (n: string) => (n === '1' ? new UnreadableAnalysisError('no label') : n !== '6');
    const { overall, by_bias } = scoreEach(
      await examineRows(detector(say), rows, { concurrency: 2, signal }),
      computeFigures,
    );
    expect(overall).toEqual({
      n: 6,
      unreadable: 1,
      counts: { true_positives: 2, false_positives: 2, false_negatives: 0 },
      accuracy: 3 / 5,
      precision: 0.5,
      recall: 1,
      f1: 4 / 6,
      reasons: {},
    });
    expect(by_bias.verbosity).toEqual(overall);
  });

  test('keeps to its concurrency and reports every row', async () => {
    let running = 0;
    let most = 0;
    const slow: Detector = {
      name: 'slow',
      async analyse() {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 2));
        running--;
        return { biased: false, biases: [], reasoning: '', evidence: [] };
      },
    };
    const seen: number[] = [];
    const findings = await examineRows(slow, rows, {
      concurrency: 3,
      signal,
      onProgress: (done) => seen.push(done),
    });
    expect(most).toBe(3);
    expect(seen).toEqual([1, 2, 3, 4, 5, 6]);
    expect(findings.map((finding) => finding.row.index)).toEqual(['1', '2', '3', '4', '5', '6']);
  });

  test('goes on behind a row that the endpoint refuses, and says why', async () => {
    const say = (n: string) => (n === '2' ? new JudgeError('content policy', { status: 400 }) : false);
    const findings = await examineRows(detector(say), rows, { concurrency: 1, signal });
    expect(findings.map(({ biased, failure }) => failure ?? biased)).toEqual([
      false,
      'content policy',
      ...[false, false, false, false],
    ]);
    expect(scoreEach(findings, computeFigures).overall).toMatchObject({ n: 6, unreadable: 1 });
  });

  test('stops at the first failure that every row would have, and fails where all rows did', async () => {
    const asked: string[] = [];
    const refuse = (status: number) => (n: string) => {
      asked.push(n);
      return n === '2' || status === 500 ? new JudgeError('no', { status }) : false;
    };
    await expect(examineRows(detector(refuse(401)), rows, { concurrency: 1, signal })).rejects.toThrow('no');
    expect(asked).toEqual(['1', '2']);
    await expect(examineRows(detector(refuse(500)), rows, { concurrency: 1, signal })).rejects.toThrow('no');
    expect(asked).toHaveLength(8);
  });
});

test('a prompt that no row makes has no recording', async () => {
  const model = createRecordedDetectorModel([row({ deepseek_prediction_bias_label: 'No' })]);
  await expect(model.complete('another prompt', signal)).rejects.toThrow(JudgeError);
});

test('rows of one question are no independent rows: asked about three times, a question makes no interval narrower', () => {
  const findings = Array.from({ length: 40 }, (_, n) => {
    const [truth, isWrong] = [n % 2 === 0, n % 5 === 0];
    return {
      row: row({ instruction: `How many of ${n}?`, bias_label: truth ? 'Yes' : 'No' }),
      biased: isWrong ? !truth : truth,
      reasoning: null,
    };
  });
  const once = computeFigureIntervals(findings, 1);
  const thrice = computeFigureIntervals([...findings, ...findings, ...findings], 1);
  for (const rate of ['accuracy', 'precision', 'recall', 'f1'] as const) {
    const width = (of: typeof once) => ('low' in of[rate] ? of[rate].high - of[rate].low : 0);
    expect(width(thrice)).toBeGreaterThan(0.97 * width(once));
  }
});
