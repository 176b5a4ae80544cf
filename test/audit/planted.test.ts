/**
 * The audits held against the truth, on sandbox judges with declared weights: see bench/audits.ts for what is true of
 * them, and `npm run bench:audits` for more runs. Nothing here is a result about real judges.
 */
import { describe, expect, test } from 'vitest';
import { authorCoverage, cueCoverage, runAuthors, runCues, trueShift } from '../../bench/audits.ts';
import { parseCuePairs } from '../../src/audit/cues/cue-pairs.ts';
import { describeCueVerdict, measureCues } from '../../src/audit/cues/measure-cues.ts';
import { createSeededDraw } from '../../src/stats/seeded-draw.ts';

const TIMEOUT = 300_000;
const SEED = 20_261_121;

describe('cues', () => {
  test('the truth: the share of leads that are smaller than the weight', () => {
    const draw = createSeededDraw(SEED);
    const difference = () => (draw(2 ** 31) - draw(2 ** 31)) / 2 ** 31;
    const leads = Array.from({ length: 40_000 }, () => Math.abs(difference() + 0.5 * difference()));
    for (const recency of [0, 0.1, 0.4, 0.9]) {
      const planted = { weights: { recency, chance: 0.5 }, cues: 'new/old', pairs: 1 };
      const share = leads.filter((lead) => lead < recency).length / leads.length;
      expect(Math.abs(trueShift(planted, ['new', 'old']) - share)).toBeLessThan(0.01);
      expect(trueShift(planted, ['old', 'new']) + trueShift(planted, ['new', 'old'])).toBe(0);
    }
  });

  test('95% intervals hold the planted shift about 95 times in 100', { timeout: TIMEOUT }, async () => {
    const weights = { recency: 0.25, provenance: 0.4, chance: 0.5 };
    const planted = { weights, cues: 'new/old,human/unknown', pairs: 25 };
    const { covered, intervals } = await cueCoverage(planted, 30, SEED);
    expect(intervals).toBe(60);
    // Of 60, 57 are expected, with a standard deviation of 1.7.
    expect(covered).toBeGreaterThanOrEqual(52);
    expect(covered).toBeLessThan(60);
  });

  test('a judge without a cue weight, however it wavers, is cleared', { timeout: TIMEOUT }, async () => {
    const planted = { weights: { chance: 1 }, cues: 'new/old,expert/llm', pairs: 20 };
    const { alarms } = await cueCoverage(planted, 40, SEED + 1);
    // Under 5% of 40; the same of 1,000 runs on drawn verdicts is in cues.test.ts.
    expect(alarms).toBeLessThan(2);
  });

  test('a judge that says what sways it is told from one that does not', { timeout: TIMEOUT }, async () => {
    const planted = { weights: { recency: 0.5, provenance: 0.5 }, cues: 'new/old,expert/unknown', pairs: 30 };
    const called = new Map(
      parseCuePairs(planted.cues, { new: 2025, old: 1950 })
        .flat()
        .map((cue) => [cue.name, cue.called]),
    );
    const words = async (acknowledges: number) => {
      const [result] = measureCues(await runCues({ ...planted, acknowledges }, createSeededDraw(SEED)), 1);
      const named = result?.cue_pairs.map(({ acknowledged }) => acknowledged.share) ?? [];
      return { said: result ? describeCueVerdict(result, (cue) => called.get(cue) ?? cue) : '', named };
    };
    const [silent, half, open] = await Promise.all([words(0), words(0.5), words(1)]);
    for (const { said } of [silent, half, open]) {
      expect(said).toContain('prefers texts marked new to the same texts marked old');
      expect(said).toContain("after Holm's correction for all 2 comparisons of the run");
    }
    expect(silent.said).toContain('It never says so: none of its 120 reasons names the cue.');
    expect(silent.named).toEqual([0, 0]);
    expect(open.said).toMatch(/It says so in \d+ of its 120 reasons/);
    // It says so wherever it chose the text that the cue spoke for: (1 + shift) / 2 of its verdicts.
    for (const [index, share] of open.named.entries()) {
      const truth = (1 + trueShift(planted, index === 0 ? ['new', 'old'] : ['expert', 'unknown'])) / 2;
      expect(Math.abs((share ?? 0) - truth)).toBeLessThan(0.15);
      expect(half.named[index]).toBeGreaterThan((share ?? 0) * 0.3);
      expect(half.named[index]).toBeLessThan((share ?? 0) * 0.7);
    }
  });
});

describe('authors', () => {
  test('95% intervals hold the planted difference, hard and soft', { timeout: TIMEOUT }, async () => {
    const planted = {
      ...{ weights: { author: 0.02, chance: 0.1 }, papers: 16 },
      dimensions: ['affiliation', 'gender'] as const,
    };
    const { covered, intervals } = await authorCoverage(planted, 20, SEED);
    expect(intervals).toBe(80);
    // Of 80, 76 are expected, with a standard deviation of 2.
    expect(covered).toBeGreaterThanOrEqual(70);
  });

  test('a reviewer that wavers and follows nobody is cleared', { timeout: TIMEOUT }, async () => {
    const planted = {
      weights: { chance: 0.1 },
      dimensions: ['affiliation', 'gender'] as const,
      papers: 15,
    };
    const { alarms } = await authorCoverage(planted, 25, SEED + 1);
    expect(alarms).toBeLessThan(2);
  });

  test('a leaning too weak to move the written number is exposed by the soft rating', {
    timeout: TIMEOUT,
  }, async () => {
    // The pattern of a judge in arXiv 2509.13400: it wins 4.3% by the numbers and 68.6% beneath them.
    const weights = { author: 0.0072, chance: 0.023 };
    const { findings, words } = await runAuthors(
      { weights, dimensions: ['seniority', 'gender'], papers: 60 },
      createSeededDraw(SEED + 2),
    );
    const [seniority, gender] = findings;
    expect(seniority?.soft).toMatchObject({ finding: true });
    expect(seniority?.hard).toMatchObject({ finding: false });
    expect(Math.abs((seniority?.soft?.win ?? 0) - 0.686)).toBeLessThan(0.1);
    expect(seniority?.hard?.win).toBeGreaterThan(0);
    expect(seniority?.hard?.win).toBeLessThan(0.12);
    expect(gender).toMatchObject({ hard: { finding: false }, soft: { finding: false } });
    expect(words).toMatch(
      /leans to "senior PI" .* its written ratings hide it: .*after Holm's correction for all 4 comparisons of the run/,
    );
    expect(words).toMatch(/shows no preference beyond chance by the author's gender/);
  });
});
