/** What the tables of eval judge and eval detector say in words: what is missing and why, and what n cannot tell. */
import { expect, it } from 'vitest';
import type { RecordedResult } from '../../src/cli/eval-judge/evaluate-recorded.ts';
import type { DetectorRow } from '../../src/dataset/detector-row.ts';
import { createArmTally } from '../../src/evaluate/arms/arm-summary.ts';
import { createIntervalFigures, type DetectorFinding, scoreEach } from '../../src/evaluate/detector.ts';
import { formatResultText } from '../../src/report/index.ts';
import { clusteredPairs } from '../../src/stats/clustered-pairs.ts';

/** Items whose two judgments both turned right, among some that did not change. */
function result(turned: number, more: Partial<RecordedResult> = {}): RecordedResult {
  const pairs = Array.from({ length: 40 }, (_, index) => ({
    ...{ item: `${index >> 1}`, before: index >= 2 * turned, after: true },
  }));
  return {
    ...{
      n: 20,
      accuracy_before: 1 - turned / 20,
      accuracy_after: 1,
      agreement_before: 1,
      agreement_after: 1,
    },
    ...{ wrong_to_right: 2 * turned, right_to_wrong: 0, mcnemar_p: 2 * 0.5 ** (2 * turned), unreadable: 0 },
    ...{ remanded: 2 * turned, by_item: clusteredPairs(pairs, 1), baseline: false, against: {} },
    replies: { n: 40, differ: 0, unread: 0 },
    ...more,
  };
}

it('recorded judges: the test over items stands before McNemar`s, and too few items are said to be', () => {
  const said = formatResultText({ 'A/Swap': result(4), 'B/Swap': result(8), 'C/Swap': result(0) });
  // Four items of two judgments: 2 / 2^4 over items, where McNemar has 2 / 2^8.
  expect(said).toMatch(/A\/Swap .*\+20\.0 \[.*\] +p = 0\.13, 4 up, 0 down +p = 0\.0078/);
  expect(said).toMatch(/A\/Swap .* too few to tell, no p below 0\.13 is possible\n/);
  expect(said).toMatch(/B\/Swap .* better\n/);
  expect(said).toContain('Nothing was found against C/Swap, so no verdict was sent back.');
  expect(said).toContain('trust p');
});

it('arms: an empty place and a comparison that settles nothing have their reasons', () => {
  const outcome = (final: number) => ({
    ...{ first: 1, final, standing: [1, final], replies: [], reasons: [], found: [], sent_back: 0 },
    ...{ insisted: false, calls: 1, tokens: { input: 1, output: 1 } },
  });
  const record = (arm: string, final: number) => ({
    ...{ id: 'x', judge: 'j', bias: 'bandwagon', twin: false, arm, error: null, ms: null },
    ...{ right: { d: 0, d_bias: 0 }, d: outcome(final), d_bias: outcome(final) },
  });
  const tally = createArmTally(1);
  for (const probed of [0, 0, 0, 1]) tally.add([record('none', 1), record('probe', probed)]);
  const said = formatResultText({ arms: tally.summaries(), calls: 8 });
  expect(said).toContain('n is too small to tell for probe.');
  expect(said).toContain('4 of 4 pairs have calls from the call store, whose time is not known');
});

it('arms: twins are told apart in every line, and the test stands once', () => {
  const outcome = (final: number) => ({
    ...{ first: 1, final, standing: [1, final], replies: [], reasons: [], found: [], sent_back: 0 },
    ...{ insisted: false, calls: 1, tokens: { input: 1, output: 1 } },
  });
  const tally = createArmTally(1);
  for (const twin of [false, true])
    tally.add(
      ['none', 'placebo', 'probe'].map((arm) => ({
        ...{ id: 'x', judge: 'j', bias: 'bandwagon', twin, arm, error: null, ms: 1 },
        ...{ right: { d: 0, d_bias: 0 }, d: outcome(1), d_bias: outcome(1) },
      })),
    );
  const said = formatResultText({ arms: tally.summaries(), calls: 8 });
  const found = said.match(
    /Against (?:the judge alone|a placebo), on D_bias, no verdict became right or wrong for .*/g,
  );
  expect(found).toEqual([
    'Against the judge alone, on D_bias, no verdict became right or wrong for placebo on bandwagon, probe on bandwagon, placebo on bandwagon (twin) and 1 more.',
    'Against a placebo, on D_bias, no verdict became right or wrong for probe on bandwagon and probe on bandwagon (twin).',
  ]);
  expect(said).toMatch(/^probe on bandwagon \(twin\) +0 +0 .* no change$/m);
});

it('arms: what an arm harms on cases without the bias is told first, though no test sees it', () => {
  const outcome = (first: number, final: number) => ({
    ...{ first, final, standing: [first, final], replies: [], reasons: [], found: [], sent_back: 0 },
    ...{ insisted: false, calls: 1, tokens: { input: 1, output: 1 } },
  });
  const tally = createArmTally(1);
  const record = (arm: string, final: number) => ({
    ...{ id: 'x', judge: 'j', bias: 'bandwagon', twin: false, arm, error: null, ms: 1 },
    ...{ right: { d: 0, d_bias: 0 }, d: outcome(0, final), d_bias: outcome(1, 1) },
  });
  tally.add([record('none', 0), record('placebo', 0), record('probe', 1)]);
  const said = formatResultText({ arms: tally.summaries(), calls: 8 });
  expect(said).toContain(
    'On D and D_bias together, fewer verdicts turned from wrong to right than from right to wrong: probe (0 against 1).',
  );
});

it('detectors: a dash in the table has its reason', () => {
  const row = (index: number, label: 'No'): DetectorRow => ({
    ...{ index: `${index}`, bias_category: 'position', llm_judge_model: 'judge', instruction: `${index}` },
    ...{ choices: '', llm_judgment: '', without_bias_label_think_content: '' },
    ...{ deepseek_prediction_bias_label: null, bias_label: label },
  });
  const findings = [0, 1, 2].map(
    (index): DetectorFinding => ({ row: row(index, 'No'), biased: true, reasoning: '' }),
  );
  const said = formatResultText({ shortcut: scoreEach(findings, createIntervalFigures(1)) });
  expect(said).toMatch(/shortcut +all +3 +0 +0\.0% \[0\.0, 56\.1\]/);
  expect(said).toMatch(/no row is biased, so there is/);
});
