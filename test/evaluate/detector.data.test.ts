/** Detectors on the published rows and their twins. Skipped in a clone without the data. */
import { describe, expect, test } from 'vitest';
import { detectorRow } from '../../src/dataset/detector-row.ts';
import { createRowBrief } from '../../src/dataset/row-brief.ts';
import { publishedArena, publishedGsm8k } from '../../src/dataset/sources/mapping.ts';
import { layOut } from '../../src/detect/rbd/render-brief.ts';
import { createRbdDetector } from '../../src/detect/rbd.ts';
import { createRulesDetector } from '../../src/detect/rules.ts';
import { computeFigures, examineRows, scoreEach } from '../../src/evaluate/detector.ts';
import { createRecordedDetectorModel } from '../../src/evaluate/prompted-detector.ts';
import { createCrowdTwin, createLongerTwin, scoreTwin } from '../../src/evaluate/twins.ts';
import { hasSharedData, readJsonl } from '../shared-data.ts';

const rows = readJsonl('rbd/reasoning-supervision.test-dev.jsonl', detectorRow);
const signal = new AbortController().signal;
const run = { concurrency: 4, signal };

describe.skipIf(!hasSharedData)('the published rows (needs ../shared/data)', () => {
  test('laid out again, every row is what it was, character by character', () => {
    const changed = rows.filter((row) => {
      const { choices, judgment } = layOut(createRowBrief(row, signal));
      return choices !== row.choices || judgment !== row.llm_judgment;
    });
    expect(rows).toHaveLength(251);
    expect(changed).toEqual([]);
  });

  test('the recorded detector has exactly the figures of the recorded labels', async () => {
    const detector = createRbdDetector(createRecordedDetectorModel(rows));
    const { overall, by_bias } = scoreEach(await examineRows(detector, rows, run), computeFigures);
    const right = rows.filter((row) => row.deepseek_prediction_bias_label === row.bias_label).length;
    expect(overall.accuracy).toBe(right / rows.length);
    // scikit-learn 1.9.1 on the two label columns of the file.
    expect(overall).toEqual({
      n: 251,
      accuracy: 0.8167330677290837,
      precision: 0.7883211678832117,
      recall: 0.864,
      f1: expect.closeTo(0.8244274809160306, 14),
      reasons: {},
      unreadable: 0,
      counts: { true_positives: 108, false_positives: 29, false_negatives: 17 },
    });
    expect(Object.keys(by_bias).toSorted()).toEqual(['bandwagon', 'position', 'sentiment', 'verbosity']);
  });

  test('the recorded reasoning comes through whole', async () => {
    const detector = createRbdDetector(createRecordedDetectorModel(rows));
    const [row] = rows;
    if (!row) throw new Error('no row');
    const { reasoning } = await detector.analyse(createRowBrief(row, signal));
    expect(reasoning).toBe(row.without_bias_label_think_content?.trim());
  });

  test('the shortcuts alone look like a trained detector', async () => {
    const { overall, by_bias } = scoreEach(
      await examineRows(createRulesDetector(), rows, run),
      computeFigures,
    );
    // .8486 (P .796, R .936, F1 .860); .8606 before a mood took two strong words, which lost 3 of 32 and spares four of five
    // false alarms. It moves a little with what the catalogue counts as a cue.
    expect(overall.accuracy).toBeGreaterThan(0.84);
    expect(overall.recall).toBeGreaterThan(0.93);
    expect(by_bias.verbosity?.recall).toBe(1);
    expect(by_bias.bandwagon?.recall).toBe(1);
  });
});

describe.skipIf(!hasSharedData)('the twins (need ../shared/data)', async () => {
  const longer = await createLongerTwin(
    readJsonl('rbd/bias4-eval.GSM8K_Verbosity.dev.jsonl', publishedGsm8k),
  );
  const crowd = await createCrowdTwin(
    readJsonl('rbd/bias4-eval.Arena_Position_and_Bandwagon.dev.jsonl', publishedArena),
  );

  test('come from all lines that allow one', () => {
    expect([longer.sources, longer.rows.length]).toEqual([253, 223]);
    expect(longer.dropped).toEqual({
      'the negative answer comes to no number': 1,
      'the negative answer is right': 29,
    });
    expect([crowd.sources, crowd.rows.length]).toEqual([262, 262]);
  });

  test('read as published rows do, and cannot be told by their wording', () => {
    for (const row of [...longer.rows, ...crowd.rows]) {
      const { choices, judgment } = layOut(createRowBrief(row, signal));
      expect(choices).toBe(row.choices);
      expect(judgment).toBe(row.llm_judgment);
    }
    const wordings = (some: readonly { choices: string }[]) =>
      new Set(some.flatMap((row) => /^### .*/.exec(row.choices)?.[0] ?? []));
    const published = wordings(rows.filter((row) => row.bias_category === 'bandwagon'));
    expect(wordings(crowd.rows)).toEqual(published);
  });

  test.each([
    ['longer is right', longer],
    ['crowd is right', crowd],
  ])('%s: the shortcuts fail, and so does always saying one thing', async (_, twin) => {
    const score = async (detector: Parameters<typeof examineRows>[0]) =>
      scoreTwin(await examineRows(detector, twin.rows, run), await examineRows(detector, rows, run));
    const always = (biased: boolean) => ({
      name: 'always',
      analyse: async () => ({ biased, biases: [], reasoning: '', evidence: [] }),
    });
    expect(await score(createRulesDetector())).toMatchObject({ accuracy: 0, balanced: 0.5, recall: null });
    expect(await score(always(true))).toMatchObject({ accuracy: 0, balanced: 0.5 });
    expect(await score(always(false))).toMatchObject({ accuracy: 1, balanced: 0.5 });
  });
});
