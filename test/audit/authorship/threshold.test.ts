/**
 * Lines drawn on simulated scores: people's are normal with mean 0, a model's normal with mean d, so that what a line
 * must flag is known from theory.
 */
import { describe, expect, it, test } from 'vitest';
import {
  computeThreshold,
  estimateHumanChance,
  explainTooFew,
  predictAlarms,
  TARGETS,
} from '../../../src/audit/authorship/measure-method.ts';
import {
  computeVote,
  createElectorate,
  estimateVoteChance,
  isFlagged,
} from '../../../src/audit/authorship/vote.ts';
import { normalCdf, normalQuantile } from '../../../src/stats/distributions.ts';
import { createSeededDraw, exactShare } from '../../../src/stats/index.ts';

const RUNS = 500;
const above = (line: number, mean: number) => 1 - normalCdf(line - mean);

/** Normal scores from a seed: G. E. P. Box and M. E. Muller, Ann. Math. Statist. 29, 1958, 610-611. */
function normals(seed: number) {
  const draw = createSeededDraw(seed);
  const uniform = () => (draw(2 ** 31) + 0.5) / 2 ** 31;
  return (mean: number) => mean + Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}
function scores(count: number, mean: number, next: (mean: number) => number) {
  return Array.from({ length: count }, () => next(mean));
}

describe('500 seeded runs on distributions whose overlap is known', () => {
  const [calibrated, tested, apart] = [2000, 1000, 2.5];
  const runs = Array.from({ length: RUNS }, (_, seed) => {
    const next = normals(seed + 1);
    const humans = scores(calibrated, 0, next).sort((a, b) => b - a);
    return { humans, people: scores(tested, 0, next), models: scores(tested, apart, next) };
  });

  test.each(TARGETS)('target %d', (target) => {
    let [within, covered, found, alarms, hits] = [0, 0, 0, 0, 0];
    let truth = 0;
    for (const { humans, people, models } of runs) {
      const line = computeThreshold(humans, target);
      if (line.value === null) throw new Error(line.reason);
      const { value } = line;
      const flagged = people.filter((score) => score > value).length;
      const seen = models.filter((score) => score > value).length;
      // Around the target: binomial, widened by the line's own uncertainty.
      const expected = predictAlarms(line, tested);
      if (flagged >= expected.low && flagged <= expected.high) within++;
      // Around what was counted: the interval that is reported holds the line's true rate.
      const alarm = exactShare(flagged, tested);
      if ('low' in alarm && alarm.low <= above(value, 0) && above(value, 0) <= alarm.high) covered++;
      const hit = exactShare(seen, tested);
      if ('low' in hit && hit.low <= above(value, apart) && above(value, apart) <= hit.high) found++;
      alarms += flagged;
      hits += seen;
      truth += above(value, apart);
    }
    expect(within / RUNS).toBeGreaterThanOrEqual(0.95);
    expect(covered / RUNS).toBeGreaterThanOrEqual(0.95);
    expect(found / RUNS).toBeGreaterThanOrEqual(0.95);
    // No more people are flagged than promised, up to three standard errors of 500,000 draws in 500 runs.
    const rank = Math.floor(target * (calibrated + 1));
    const promised = rank / (calibrated + 1);
    const wavers = 3 * Math.sqrt(promised / (RUNS * tested) + promised ** 2 / (RUNS * rank));
    expect(Math.abs(alarms / (RUNS * tested) - promised)).toBeLessThan(wavers);
    expect(promised).toBeLessThanOrEqual(target);
    // And as many of the model's as lie above the line by theory.
    expect(Math.abs(hits / tested - truth) / RUNS).toBeLessThan(3 * Math.sqrt(0.25 / (RUNS * tested)));
    // Φ(d - z) is where that tends to; the line is drawn a little higher, never lower, than the target's own.
    const limit = above(normalQuantile(1 - target), apart);
    expect(truth / RUNS).toBeLessThan(limit + 0.02);
    expect(truth / RUNS).toBeGreaterThan(limit - 0.12);
  });

  test('drawn on 20,000 people, the plain binomial interval of what is counted holds the target itself', () => {
    const held = TARGETS.map(() => 0);
    // What wavers is the count of the people tested: a line of 20,000 hardly does, so ten groups are held against one.
    const groups = 10;
    for (let seed = 1; seed <= RUNS / groups; seed++) {
      const next = normals(seed);
      // An array of numbers is sorted several times as fast as one of anything.
      const humans = [...Float64Array.from(scores(20_000, 0, next)).sort()].reverse();
      const lines = TARGETS.map((target) => computeThreshold(humans, target).value ?? 0);
      for (let group = 0; group < groups; group++) {
        const people = scores(tested, 0, next);
        for (const [at, target] of TARGETS.entries()) {
          const flagged = people.filter((score) => score > (lines[at] ?? 0)).length;
          const interval = exactShare(flagged, tested);
          if ('low' in interval && interval.low <= target && target <= interval.high)
            held[at] = (held[at] ?? 0) + 1;
        }
      }
    }
    for (const count of held) expect(count / RUNS).toBeGreaterThanOrEqual(0.95);
  });

  test('with a hundred times more people to calibrate on, theory is met to half a point', () => {
    const next = normals(7);
    const humans = scores(200_000, 0, next).sort((a, b) => b - a);
    for (const target of TARGETS) {
      const line = computeThreshold(humans, target);
      const share = above(line.value ?? 0, apart);
      expect(Math.abs(share - above(normalQuantile(1 - target), apart))).toBeLessThan(0.02);
    }
  });

  test('a probability of being wrong is one: at most so many people score as high', () => {
    const next = normals(11);
    const humans = scores(2000, 0, next).sort((a, b) => b - a);
    for (const level of [0.01, 0.05, 0.2]) {
      const flagged = scores(20_000, 0, next).filter((score) => estimateHumanChance(humans, score) <= level);
      expect(flagged.length / 20_000).toBeLessThan(level + 4 * Math.sqrt(level / 2000));
    }
  });
});

describe('the vote of several anchors', () => {
  const anchors = 4;
  const ballots = (count: number, next: (mean: number) => number) =>
    Array.from({ length: count }, () => scores(anchors, 0, next));

  test('flags more people than one anchor does, and no more than the target once corrected', () => {
    const rates = { each: 0, plain: 0, corrected: 0 };
    const [runs, tested, target] = [60, 1500, 0.01];
    for (let seed = 0; seed < runs; seed++) {
      const next = normals(1000 + seed);
      const all = createElectorate(ballots(1500, next));
      const [plain, corrected] = [computeVote(all, target, false), computeVote(all, target, true)];
      if (plain.value === null || corrected.value === null) throw new Error('no vote');
      for (const ballot of ballots(tested, next)) {
        if (isFlagged(ballot, plain.lines)) rates.plain++;
        if (isFlagged(ballot, corrected.lines)) rates.corrected++;
        if (isFlagged(ballot.slice(0, 1), plain.lines.slice(0, 1))) rates.each++;
      }
    }
    const share = (count: number) => count / (runs * tested);
    expect(share(rates.each)).toBeCloseTo(0.01, 2);
    // Of four independent anchors: 1 - .99^4 = .039.
    expect(share(rates.plain)).toBeGreaterThan(0.035);
    expect(share(rates.plain)).toBeLessThan(0.043);
    expect(share(rates.corrected)).toBeLessThanOrEqual(0.0105);
    expect(share(rates.corrected)).toBeGreaterThan(0.007);
  });

  test('anchors that agree in everything cost nothing', () => {
    const next = normals(3);
    const same = Array.from({ length: 5000 }, () => Array(anchors).fill(next(0)));
    const [plain, corrected] = [
      computeVote(createElectorate(same), 0.01, false),
      computeVote(createElectorate(same), 0.01, true),
    ];
    if (plain.value === null || corrected.value === null) throw new Error('no vote');
    expect(plain.rank).toBe(50);
    expect(corrected.rank).toBeGreaterThanOrEqual(49);
  });

  test('its probability of being wrong does not shrink with the number of anchors', () => {
    const next = normals(5);
    const all = createElectorate(ballots(2000, next));
    const flagged = ballots(20_000, next).filter((ballot) => estimateVoteChance(all, ballot) <= 0.05).length;
    expect(flagged / 20_000).toBeLessThan(0.05 + 4 * Math.sqrt(0.05 / 2000));
    expect(flagged / 20_000).toBeGreaterThan(0.03);
  });

  test('too few people for the correction are said to be too few', () => {
    const all = createElectorate(ballots(1000, normals(9)));
    expect(computeVote(all, 0.001, true)).toMatchObject({
      value: null,
      reason: /too few to hold the vote of 4/,
    });
    expect(computeVote(all, 0.001, false).value).not.toBeNull();
  });
});

describe('what a set cannot calibrate is refused', () => {
  it('a rate of 0.1% below 1,000 human reviews', () => {
    const humans = Array.from({ length: 999 }, (_, at) => 999 - at);
    expect(computeThreshold(humans, 0.001)).toMatchObject({
      value: null,
      reason: expect.stringMatching(/0\.1% cannot be calibrated on 999 human reviews: .* needs 1,000/),
    });
    expect(computeThreshold([...humans, 0], 0.001)).toMatchObject({ value: 999, rank: 1, humans: 1000 });
    expect(explainTooFew(199, 0.005)).toMatch(/needs 200/);
    expect(explainTooFew(100, 0.01)).toBeNull();
  });

  it('ties flag nobody beyond the promise', () => {
    const humans = [...Array(30).fill(0.9), ...Array(970).fill(0.1)];
    const line = computeThreshold(humans, 0.01);
    expect(line).toMatchObject({ value: 0.9 });
    expect(humans.filter((score) => score > (line.value ?? 0))).toEqual([]);
    expect(estimateHumanChance(humans, 0.9)).toBeCloseTo(31 / 1001, 12);
    expect(estimateHumanChance(humans, 1)).toBeCloseTo(1 / 1001, 12);
  });
});
