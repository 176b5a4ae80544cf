/**
 * Calibration on one random half of the recorded items, evaluation on the other, 200 seeded splits: it must not let a
 * judge lose that loses by being sent back, and must keep the gain of one that gains.
 */

import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Splits, splitHalves } from '../../bench/split-halves.ts';
import { findBias } from '../../src/bias/index.ts';
import { createProbeDetector } from '../../src/detect/probe.ts';
import type { LabelledJudgment } from '../../src/evaluate/decide-calibration.ts';
import { judgeRecorded } from '../../src/evaluate/recorded-run.ts';
import { systemClock } from '../../src/ports.ts';
import { loadRecords } from '../../src/sandbox/node.ts';
import { hasSharedData, SHARED } from '../shared-data.ts';

const SPLITS = 200;
const VOICES = ['GPT-4', 'ChatGPT', 'ChatGPT-0301', 'PaLM2', 'LLaMA2', 'Falcon'].flatMap((judge) =>
  ['Swap', 'Swap_CoT'].map((strategy) => ({ judge, strategy })),
);
const nameOf = ({ judge, strategy }: { judge: string; strategy: string }) => `${judge}/${strategy}`;

const distributions: Record<string, Splits> = {};

beforeAll(async () => {
  if (!hasSharedData) return;
  const path = (name: string) => fileURLToPath(new URL(name, SHARED));
  const records = await loadRecords({
    items: path('llmbar/items.dev.jsonl'),
    verdicts: path('llmbar/verdicts.dev.jsonl'),
  });
  const position = findBias('position');
  if (!position) throw new Error('no position bias');
  for (const voice of VOICES) {
    const run = {
      records,
      voice,
      detector: createProbeDetector(),
      biases: [position],
      rounds: 1,
      clock: systemClock,
    };
    const items = (await judgeRecorded(run)).map((orders) =>
      orders.map(
        ({ item, biases, before, after }): LabelledJudgment => ({
          item,
          biases,
          before: before.right,
          after: after.right,
        }),
      ),
    );
    distributions[nameOf(voice)] = splitHalves(items, 'position', SPLITS);
  }
});

describe.skipIf(!hasSharedData)('200 splits of the recorded items (needs ../shared/data)', () => {
  it.each(VOICES.map(nameOf))(
    '%s: significantly worse than not sending back in at most 2%% of them',
    (name) => {
      expect(distributions[name]?.significantly_worse).toBeLessThanOrEqual(0.02 * SPLITS);
    },
  );

  it.each(['GPT-4/Swap', 'PaLM2/Swap'])('%s: at least 90%% of the mean gain is kept', (name) => {
    const { mean_gain_always: always = 0, mean_gain_calibrated: calibrated = 0 } = distributions[name] ?? {};
    expect(always).toBeGreaterThan(0);
    expect(calibrated / always).toBeGreaterThanOrEqual(0.9);
  });

  it('the trap: LLaMA2 with Swap_CoT loses when it is sent back, and is not', () => {
    const { mean_gain_always: always = 0, sent_back: sentBack } = distributions['LLaMA2/Swap_CoT'] ?? {};
    expect(always).toBeLessThan(0);
    expect(sentBack).toBeLessThan(0.02 * SPLITS);
  });
});
