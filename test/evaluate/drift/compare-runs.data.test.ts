/** Drift on recorded judges: what changed is found, and a judge beside itself raises no more alarms than declared. */
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  groupJudgments,
  type JudgedItem,
  type PastJudgment,
} from '../../../src/evaluate/confidence/past-judgment.ts';
import { compareRuns } from '../../../src/evaluate/drift/compare-runs.ts';
import { createSeededDraw } from '../../../src/stats/seeded-draw.ts';
import { readJsonl, sharedData } from '../../shared-data.ts';
import { composoRecords } from '../confidence/records.ts';

const Row = z.looseObject({
  id: z.string(),
  model: z.string(),
  turbo: z.number().nullable(),
  '4o': z.number().nullable(),
});
const Known = z.record(
  z.string(),
  z.looseObject({ n: z.number().optional(), '4o_minus_turbo': z.number().optional() }),
);

const only = (records: readonly PastJudgment[]): readonly JudgedItem[] =>
  groupJudgments(records).values().next().value ?? [];

function wildbench(judge: 'turbo' | '4o', model?: string): PastJudgment[] {
  return readJsonl('wildbench/scores.dev.jsonl', Row)
    .filter((row) => model === undefined || row.model === model)
    .map((row) => ({
      item: `${row.id}/${row.model}`,
      judge,
      group: row.id,
      subgroup: row.model,
      ...(row[judge] !== null && { score: row[judge] }),
    }));
}

/** Swaps before and after of some items, as chance has it: then nothing changed between the two. */
function permute(before: readonly JudgedItem[], after: readonly JudgedItem[], seed: number) {
  const draw = createSeededDraw(seed);
  const pairs = before.map((one, n) => {
    const other = after[n] ?? one;
    return draw(2) === 0 ? { one, other } : { one: other, other: one };
  });
  return { before: pairs.map(({ one }) => one), after: pairs.map(({ other }) => other) };
}

/** False alarms do not depend on how many items there are, so a part of them is compared many times. */
const COMPARED = 300;

/** How many of so many runs raise an alarm, with the largest number that a declared rate of .05 explains (99.9 %). */
function countAlarms(runs: number, isAlarm: (seed: number) => boolean) {
  const alarms = Array.from({ length: runs }, (_, seed) => isAlarm(seed)).filter(Boolean).length;
  return { alarms, most: runs * 0.05 + 3.1 * Math.sqrt(runs * 0.05 * 0.95) };
}

describe.skipIf(sharedData('wildbench/scores.dev.jsonl') === null)(
  'wildbench (skipped without the data)',
  () => {
    test('the shift of every model and of all is the one that was computed independently', () => {
      const report = compareRuns(only(wildbench('turbo')), only(wildbench('4o')));
      const known = Known.parse(JSON.parse(sharedData('wildbench/expected.json') ?? ''));
      expect(report).toMatchObject({ n: 3139, paired: true, alarm: true });
      expect(report.shift?.value).toBeCloseTo(-0.6053, 4);
      // Answers to one task are of one group here, and independent there.
      expect(report.shift?.low).toBeGreaterThan(-0.66);
      expect(report.shift?.high).toBeLessThan(-0.55);
      expect(1 - (report.flips ?? 0)).toBeCloseTo(0.4221, 4);
      expect(report.groups).toHaveLength(6);
      for (const { name, n, shift } of report.groups) {
        expect(n).toBe(known[name]?.n);
        expect(shift?.value).toBeCloseTo(known[name]?.['4o_minus_turbo'] ?? Number.NaN, 4);
        expect(shift?.high).toBeLessThan(-0.3);
      }
      const seven = report.marks.find(({ before }) => before === 7);
      expect(seven?.after).toBeGreaterThan(5);
      expect(seven?.after).toBeLessThan(7);
      expect(seven?.interval?.low).toBeLessThanOrEqual(seven?.after ?? 0);
    });

    test('items without groups give the published interval', () => {
      const strip = (records: PastJudgment[]) => only(records.map(({ group: _, ...record }) => record));
      const { shift } = compareRuns(strip(wildbench('turbo')), strip(wildbench('4o')), { marks: [] });
      expect([shift?.low, shift?.high].map((one) => one?.toFixed(4))).toEqual(['-0.6414', '-0.5692']);
    });

    test('halves of one judge raise no alarm, though no item is in both', () => {
      for (const judge of ['turbo', '4o'] as const) {
        const items = only(wildbench(judge));
        const sessions = [...new Set(items.map(({ group }) => group))];
        const first = new Set(sessions.filter((_, n) => n % 2 === 0));
        const report = compareRuns(
          items.filter(({ group }) => first.has(group)),
          items.filter(({ group }) => !first.has(group)),
          { marks: [] },
        );
        expect(report).toMatchObject({ paired: false, alarm: false, flips: null });
      }
    });

    test('of 1,000 permutations no more raise an alarm than declared', () => {
      const [before, after] = (['turbo', '4o'] as const).map((judge) =>
        only(wildbench(judge, 'gemma-2b-it')).slice(0, COMPARED),
      );
      if (!before || !after) throw new RangeError('no runs');
      const { alarms, most } = countAlarms(1000, (seed) => {
        const mixed = permute(before, after, seed);
        return compareRuns(mixed.before, mixed.after, { marks: [] }).alarm;
      });
      expect(alarms).toBeLessThanOrEqual(most);
      expect(alarms).toBeGreaterThan(5);
    });
  },
);

/** Scores of four answers by one judge with one prompt, of the first half of its draws. */
const composo = (name: string): readonly JudgedItem[] =>
  only(composoRecords([name]).filter(({ sample = 0 }) => sample < 4));

describe.skipIf(sharedData('composo/items.dev.jsonl') === null)('composo (skipped without the data)', () => {
  test.each([
    ['mini/base', 'mini/criteria'],
    ['mini/base', 'mini/cal-low'],
    ['full/base', 'full/criteria'],
    ['full/base', 'full/base@t0.0'],
  ])('prompts and temperatures are told apart: %s and %s', (one, other) => {
    expect(compareRuns(composo(one), composo(other), { marks: [] }).alarm).toBe(true);
  });

  test('two times four draws of one prompt raise no more alarms than declared', () => {
    const all = only(composoRecords(['mini/base'])).slice(0, COMPARED);
    const { alarms, most } = countAlarms(200, (seed) => {
      const draw = createSeededDraw(seed);
      const mixed = all.map(({ draws, ...item }) => ({
        ...item,
        draws: draws
          .map((one) => ({ one, at: draw(2 ** 30) }))
          .sort((a, b) => a.at - b.at)
          .map(({ one }) => one),
      }));
      return compareRuns(
        mixed.map((item) => ({ ...item, draws: item.draws.slice(0, 4) })),
        mixed.map((item) => ({ ...item, draws: item.draws.slice(4) })),
        { marks: [] },
      ).alarm;
    });
    expect(alarms).toBeLessThanOrEqual(most);
  });
});
