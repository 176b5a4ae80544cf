/** Corrected rates on recorded judges, bad ones included. Skipped where `../shared/data` is missing. */
import { expect, test } from 'vitest';
import * as z from 'zod';
import { measureCoverage } from '../../../bench/estimate.ts';
import type { PastJudgment } from '../../../src/evaluate/confidence/past-judgment.ts';
import { hasSharedData, readJsonl } from '../../shared-data.ts';
import { arenaRecords, autoJRecords, composoRecords, llmbarRecords } from '../confidence/records.ts';

const row = z.object({
  id: z.union([z.string(), z.number()]).transform(String),
  ...{ majority: z.number(), gpt35: z.number().nullable(), pandalm: z.number().nullable() },
});
const option = (code: number) => (code === 0 ? ('tie' as const) : code - 1);

function pandalmRecords(): PastJudgment[] {
  return readJsonl('pandalm/items.dev.jsonl', row).flatMap(({ id, majority, ...said }) =>
    (['gpt35', 'pandalm'] as const).flatMap((judge) => {
      const code = said[judge];
      return code === null ? [] : [{ item: id, judge, choice: option(code), label: option(majority) }];
    }),
  );
}

/** Whether each answer is the best one, by the scores of the judge. */
function composoAnswers(): PastJudgment[] {
  return composoRecords(['mini/base', 'full/base'])
    .filter(({ sample }) => sample === 0)
    .flatMap(({ item, judge, scores = [], label }) => {
      const most = Math.max(...scores.map((score) => score ?? 0));
      return scores.map((score, n) => ({
        ...{ item: `${item}.${n}`, judge, pass: score === most, label: label === n },
      }));
    });
}

test.skipIf(!hasSharedData).each([
  ['pandalm', pandalmRecords],
  ['auto-j', autoJRecords],
  ['llmbar', llmbarRecords],
  ['arena500', arenaRecords],
  ['composo', composoAnswers],
] as const)(
  '%s: of 500 times 100 labels the interval holds what all labels say in 93.5 to 97 %%',
  (_, records) => {
    for (const { judge, corrected, labelsOnly } of measureCoverage(records(), 100, 500)) {
      expect(corrected.holds, judge).toBeGreaterThanOrEqual(0.935);
      expect(corrected.holds, judge).toBeLessThanOrEqual(0.97);
      expect(corrected.width, judge).toBeLessThan(1.02 * labelsOnly.width);
    }
  },
);
