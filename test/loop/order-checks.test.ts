/** Which verdicts are judged in the other order, where not all are. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createOrderChecks, type FirstVerdict } from '../../src/loop/index.ts';
import { createSeededDraw } from '../../src/stats/index.ts';
import { hasSharedData, SHARED } from '../shared-data.ts';

interface Item extends FirstVerdict {
  /** Whether the judge says otherwise in the other order. */
  readonly disagreed: boolean;
}

/** Sends verdicts past the checks, in an order that the seed decides. */
function replay(items: readonly Item[], floor: number, seed: number) {
  const draw = createSeededDraw(seed);
  const chance = () => draw(1_000_000) / 1_000_000;
  const shuffled = items.map((item) => ({ item, at: chance() })).sort((a, b) => a.at - b.at);
  const checks = createOrderChecks({ floor });
  let [made, found, alarms] = [0, 0, 0];
  for (const { item } of shuffled) {
    const check = checks.decide(item, chance() < floor);
    if (!check.isDue) continue;
    made++;
    if (item.disagreed) found++;
    if (checks.observe(item, check, item.disagreed)) alarms++;
  }
  const all = items.filter(({ disagreed }) => disagreed).length;
  return { calls: made / items.length, found: found / all, alarms };
}

/** Of six orders of the same verdicts. */
function meanOf(items: readonly Item[]) {
  const runs = [1, 2, 3, 4, 5, 6].map((seed) => replay(items, 0.1, seed));
  return {
    found: runs.reduce((sum, { found }) => sum + found, 0) / runs.length,
    calls: runs.reduce((sum, { calls }) => sum + calls, 0) / runs.length,
  };
}

/** Verdicts of a judge whose two orders disagree where its probability is low. */
function judgments(count: number, seed: number): Item[] {
  const draw = createSeededDraw(seed);
  const chance = () => draw(1_000_000) / 1_000_000;
  return Array.from({ length: count }, () => {
    const probability = 0.5 + chance() / 2;
    return {
      choice: chance() < 0.5 ? 0 : 1,
      probability,
      lengths: [1 + draw(2000), 1 + draw(2000)] as const,
      disagreed: chance() < Math.max(0, 0.9 - probability),
    };
  });
}

test('a floor of 1 checks all', () => {
  expect(replay(judgments(500, 1), 1, 1)).toEqual({ calls: 1, found: 1, alarms: 0 });
});

test('until enough is known all are checked, whatever they say', () => {
  const checks = createOrderChecks({ floor: 0.1 });
  const sure: FirstVerdict = { choice: 0, probability: 0.999, lengths: [10, 10] };
  for (let n = 0; n < 200; n++) {
    expect(checks.checksAll()).toBe(true);
    const check = checks.decide(sure, false);
    expect(check).toMatchObject({ isDue: true, chance: 1 });
    checks.observe(sure, check, false);
  }
  expect(checks.decide(sure, false).isDue).toBe(false);
  expect(checks.decide(sure, true)).toMatchObject({ isDue: true, chance: 0.1 });
});

test('verdicts that could depend on the order are checked, the others now and then', () => {
  const { calls, found } = replay(judgments(3000, 1), 0.1, 1);
  expect(found).toBeGreaterThan(0.93);
  expect(calls).toBeLessThan(0.95);
});

test('a judge that turns to the first place is noticed within fifty requests', () => {
  const late: number[] = [];
  for (let seed = 1; seed <= 20; seed++) {
    const draw = createSeededDraw(seed);
    const chance = () => draw(1_000_000) / 1_000_000;
    const checks = createOrderChecks({ floor: 0.2 });
    const pass = (item: Item) => {
      const check = checks.decide(item, chance() < 0.2);
      return check.isDue && checks.observe(item, check, item.disagreed);
    };
    for (const item of judgments(600, seed)) pass(item);
    // From now on it chooses the first place in both orders, and is as sure of that as it was.
    const turned = judgments(200, seed + 100).map((item) => ({ ...item, choice: 0, disagreed: true }));
    late.push(turned.findIndex(pass) + 1);
  }
  expect(late.filter((requests) => requests > 0 && requests <= 50)).toHaveLength(20);
});

test('one that stays as it is gives few alarms', () => {
  const alarms = Array.from({ length: 5 }, (_, seed) => replay(judgments(2000, seed + 1), 0.2, seed).alarms);
  expect(alarms.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(5);
});

describe.skipIf(!hasSharedData)(
  'recorded judges in both orders (skipped without the recorded verdicts)',
  () => {
    const rows = (path: string) =>
      readFileSync(new URL(path, SHARED), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));

    type Said = readonly [string, number | null];
    const ownSummaries = (judge: string, label: string): Item[] =>
      rows('self-recognition/pairs.dev.jsonl').flatMap((row): Item[] => {
        const both: readonly Said[] | undefined = row.judge === judge ? row[label] : undefined;
        const [forward, backward] = both ?? [];
        if (!forward || !backward || forward[1] === null || backward[1] === null) return [];
        // The same number in both orders is the same place, and the other summary.
        return [
          {
            choice: Number(forward[0]) - 1,
            probability: forward[1],
            lengths: [1, 1],
            disagreed: forward[0] === backward[0],
          },
        ];
      });

    test.each(['none', 'true'])(
      'GPT-4 with log-probabilities, its own summaries, label %s: 95 %% of the disagreements with 60 %% of the calls',
      (label) => {
        const { found, calls } = meanOf(ownSummaries('gpt4', label));
        expect(found).toBeGreaterThanOrEqual(0.95);
        expect(calls).toBeLessThanOrEqual(0.6);
      },
    );

    test('Auto-J, which gives no probabilities: place and length tell less', () => {
      const items = rows('auto-j/items.dev.jsonl').map(
        (row): Item => ({
          choice: row.autoj === 0 ? null : row.autoj - 1,
          probability: null,
          lengths: [row.a.length, row.b.length],
          disagreed: row.autoj !== row.autoj_swapped,
        }),
      );
      const { found, calls } = meanOf(items);
      expect(found).toBeGreaterThanOrEqual(0.9);
      expect(calls).toBeLessThanOrEqual(0.8);
    });
  },
);
