/**
 * The evaluation held against the truth, on simulated judges whose biases are declared weights: see bench/sandbox.ts
 * for what is true of them, and `npm run bench:sandbox` for the whole grid. Nothing here is a result about real
 * judges; a simulated one does not even waver.
 */
import { describe, expect, test } from 'vitest';
import { coverage, measure, PLANTED, truthOf, turnedShare } from '../../bench/sandbox.ts';
import { chanceOf, exactCoverage } from '../../bench/sandbox-page.ts';
import { createSeededDraw } from '../../src/stats/seeded-draw.ts';

const TIMEOUT = 300_000;
const SEED = 20_261_121;
/** What the bias is worth to the worse option, in leads of merit. */
const WORTH = [0, 0.1, 0.3, 0.6];

test('the truth: a lead of less than t has the probability 1 - (1 - t)²', () => {
  const draw = createSeededDraw(SEED);
  const lead = () => Math.abs(draw(2 ** 31) - draw(2 ** 31)) / 2 ** 31;
  const leads = Array.from({ length: 20_000 }, lead);
  for (const t of WORTH) {
    const share = leads.filter((one) => one < t).length / leads.length;
    expect(Math.abs(share - turnedShare(t))).toBeLessThan(0.01);
  }
});

describe.each(PLANTED)('$bias', (planted) => {
  test('the probe finds what was planted, the more the heavier it is', { timeout: TIMEOUT }, async () => {
    const found: number[] = [];
    for (const worth of WORTH) {
      const weight = worth / planted.strength;
      const measured = await measure(planted, weight, 40, createSeededDraw(SEED));
      // Every verdict that the bias turned, and no other.
      expect(measured.found).toBeCloseTo(measured.turned.value, 10);
      found.push(measured.found);
    }
    expect(found[0]).toBe(0);
    expect(found).toEqual(found.toSorted((a, b) => a - b));
    expect(new Set(found).size).toBe(WORTH.length);
    const { turned } = truthOf(planted, 0.6 / planted.strength);
    expect(Math.abs((found[3] ?? 0) - turned)).toBeLessThan(0.15);
  });

  test('a judge with every other bias but this one is hardly ever accused of it', {
    timeout: TIMEOUT,
  }, async () => {
    const { weight: own } = planted;
    const others = { position: 0.3, majority: 0.3, length: 0.3, tone: 0.3, [own]: 0 };
    const { found } = await measure(planted, 0, 60, createSeededDraw(SEED + 1), others);
    expect(found).toBeLessThan(0.05);
  });
});

test('95% intervals cover every effect that can be planted at least 94 times in 100, and on the whole 95', () => {
  // Up to 96 of 100 verdicts turned. Beyond that Newcombe's interval of the fall holds less (91% at 99 of 100).
  const worths = [0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8];
  const shares = worths.flatMap((worth) => [turnedShare(worth), turnedShare(worth / 5)]);
  for (const [kind, truths] of [
    ['share', shares],
    ['fall', worths.map(turnedShare)],
  ] as const) {
    const all = truths.map((truth) => exactCoverage(kind, truth, 50));
    expect(Math.min(...all), kind).toBeGreaterThan(0.94);
    const mean = all.reduce((sum, one) => sum + one, 0) / all.length;
    expect(mean, kind).toBeGreaterThan(0.95);
    expect(mean, kind).toBeLessThan(0.98);
  }
});

test('the evaluation recovers the planted effect within its own intervals 95% of the time', {
  timeout: TIMEOUT,
}, async () => {
  const pairs = 25;
  let covered = 0;
  let intervals = 0;
  for (const [index, planted] of PLANTED.entries()) {
    const options = { repetitions: 6, pairs, seed: SEED + index };
    const weight = 0.25 / planted.strength;
    const truth = truthOf(planted, weight);
    const found = await coverage(planted, weight, options);
    const measures = [
      ['share', truth.turned, found.turned],
      ['share', truth.turnedAfterProbe, found.turnedAfterProbe],
      ...(found.fall === null ? [] : [['fall', truth.turned, found.fall] as const]),
    ] as const;
    for (const [kind, share, held] of measures) {
      // What the whole pipeline gives is what the sum over all counts says, but for chance.
      const expected = exactCoverage(kind, share, pairs);
      expect(chanceOf(held, options.repetitions, expected), `${planted.bias} ${kind}`).toBeGreaterThan(0.001);
      covered += held;
      intervals += options.repetitions;
    }
  }
  expect(covered / intervals).toBeGreaterThan(0.925);
  expect(covered / intervals).toBeLessThan(0.99);
});
