/** The published detector rows, rebuilt from the published base data: the same bytes, for all four biases. */
import { describe, expect, it } from 'vitest';
import { findBias } from '../../src/bias/index.ts';
import type { BaseItem, RightPlace } from '../../src/dataset/base.ts';
import { buildDataset } from '../../src/dataset/build-dataset.ts';
import { detectorRow } from '../../src/dataset/detector-row.ts';
import { publishedArena, publishedGsm8k, publishedScienceQa } from '../../src/dataset/sources/mapping.ts';
import { readJsonl } from '../shared-data.ts';

const rows = readJsonl('rbd/reasoning-supervision.test-dev.jsonl', detectorRow);
const base = {
  verbosity: readJsonl('rbd/bias4-eval.GSM8K_Verbosity.dev.jsonl', publishedGsm8k),
  position: readJsonl('rbd/bias4-eval.Arena_Position_and_Bandwagon.dev.jsonl', publishedArena),
  bandwagon: readJsonl('rbd/bias4-eval.Arena_Position_and_Bandwagon.dev.jsonl', publishedArena),
  sentiment: readJsonl('rbd/bias4-eval.ScienceQA_Sentiment.dev.jsonl', publishedScienceQa),
};
/** Rows of each bias in the half at hand. */
const COUNTS = { verbosity: 64, position: 58, bandwagon: 65, sentiment: 64 };

async function choicesOf(
  bias: string,
  item: BaseItem,
  place: RightPlace,
  checkNegatives = false,
): Promise<string[]> {
  const found = findBias(bias);
  if (!found) throw new RangeError(bias);
  const settings = {
    biases: [found],
    twins: false,
    place,
    seed: 1,
    published: true,
    tools: { share: 90, wording: '{share}% believe that {option} is better', retone: null },
    checkNegatives,
    negative: null,
  };
  const built = buildDataset([item], settings, { concurrency: 1, signal: new AbortController().signal });
  const choices: string[] = [];
  for await (const { pairs } of built) for (const [, dBias] of pairs) choices.push(dBias.choices ?? '');
  return choices;
}

describe.skipIf(rows.length === 0)('the published rows', () => {
  it.each(['verbosity', 'position', 'bandwagon', 'sentiment'] as const)(
    'of %s are rebuilt byte for byte',
    async (bias) => {
      const published = rows.filter((row) => row.bias_category === bias);
      expect(published).toHaveLength(COUNTS[bias]);
      // The order of the options is no secret of the base row: sentiment keeps the source's, and so do the Arena pairs.
      const places: readonly RightPlace[] = bias === 'verbosity' ? ['first', 'second'] : ['as-is'];
      const missing: unknown[] = [];
      for (const row of published) {
        const items = base[bias].filter((item) => item.instruction === row.instruction);
        const made = await Promise.all(
          items.flatMap((item) => places.map((place) => choicesOf(bias, item, place))),
        );
        if (!made.flat().includes(row.choices)) missing.push({ index: row.index, made });
      }
      expect(missing).toEqual([]);
    },
  );
});
