/** An alarm with a declared rate: how often it comes where nothing changed, and how soon where something did. */
import { describe, expect, test } from 'vitest';
import { nextEvidence, testLatestRound } from '../../src/stats/change-alarm.ts';
import { createSeededDraw } from '../../src/stats/seeded-draw.ts';

const distance = (a: number, b: number) => Number(a !== b);
/** Each question has an answer of its own, from which a judge strays more or less often. */
function createJudge(seed: number, count: number) {
  const draw = createSeededDraw(seed);
  const chance = () => draw(1_000_000) / 1_000_000;
  const questions = Array.from({ length: count }, () => ({
    answer: draw(2),
    strays: [0, 0, 0.05, 0.15, 0.3][draw(5)] ?? 0,
  }));
  return {
    /** @param turned so many of the questions are answered the other way round */
    answerRound: (turned = 0) =>
      questions.map(({ answer, strays }, n) => {
        const usual = n < turned ? 1 - answer : answer;
        return chance() < strays ? 1 - usual : usual;
      }),
  };
}

interface Stream {
  readonly seed: number;
  readonly questions: number;
  readonly rounds: number;
  /** After which round so many of the questions are answered the other way round. */
  readonly change?: { readonly after: number; readonly turned: number };
}

const DECLARED = 300;

/** @returns the round of the first alarm, from 1; null where there was none */
function watch({ seed, questions, rounds, change }: Stream): number | null {
  const judge = createJudge(seed, questions);
  const seen: number[][] = [];
  let evidence = 0;
  for (let round = 1; round <= rounds; round++) {
    seen.push(judge.answerRound(change && round > change.after ? change.turned : 0));
    const p = testLatestRound(seen, { distance, seed: seed * 1000 + round, resamples: 499 });
    evidence = nextEvidence(evidence, p);
    if (evidence >= DECLARED) return round;
  }
  return null;
}

describe('250 streams', { timeout: 240_000 }, () => {
  const seeds = Array.from({ length: 250 }, (_, n) => n + 1);

  test('without a change at most the declared share has an alarm', () => {
    const rounds = 30;
    const alarms = seeds.filter((seed) => watch({ seed, questions: 12, rounds }) !== null).length;
    expect(alarms / seeds.length).toBeLessThanOrEqual(rounds / DECLARED);
  });

  test('a third of thirty answers turned: most are noticed within two rounds, nearly all within four', () => {
    const after = 10;
    const change = { after, turned: 10 };
    const found = seeds.map((seed) => watch({ seed, questions: 30, rounds: after + 6, change }));
    const early = found.filter((at) => at !== null && at <= after).length;
    expect(early / seeds.length).toBeLessThanOrEqual(after / DECLARED);
    const within = (rounds: number) =>
      found.filter((at) => at !== null && at <= after + rounds).length / seeds.length;
    expect(within(2)).toBeGreaterThan(0.5);
    expect(within(4)).toBeGreaterThan(0.95);
  });
});

test('p is that of an exact count where the rearrangements can be listed', () => {
  // Two questions of four rounds: the latest is the odd one in both, which is one of 16 arrangements.
  const rounds = [
    [0, 0],
    [0, 0],
    [0, 0],
    [1, 1],
  ];
  expect(testLatestRound(rounds, { distance, seed: 1, resamples: 40_000 })).toBeCloseTo(1 / 16, 2);
  expect(testLatestRound([[0], [0], [1], [0]], { distance, seed: 1 })).toBe(1);
});

test('nothing is said of too few rounds, of missing answers, and of answers that never differ', () => {
  expect(testLatestRound([[0], [1]], { distance, seed: 1 })).toBe(1);
  expect(testLatestRound([[0], [0], [0], [null]], { distance, seed: 1 })).toBe(1);
  expect(testLatestRound([[0], [0], [0], [0]], { distance, seed: 1 })).toBe(1);
  expect(testLatestRound([], { distance, seed: 1 })).toBe(1);
});

test('a bet wins nothing on average', () => {
  const steps = 200_000;
  let sum = 0;
  for (let n = 0; n < steps; n++) sum += nextEvidence(0, (n + 0.5) / steps);
  expect(sum / steps).toBeGreaterThan(0.9);
  expect(sum / steps).toBeLessThanOrEqual(1);
  expect(nextEvidence(3, 1)).toBeCloseTo(2, 6);
});
