/**
 * Statistics of paired scores against scipy's and scikit-learn's on 200 random samples each, ties, zeros, one pair and
 * hundreds of them among these: to 1e-9 where a test is exact, to 1e-6 where it is an approximation. The figures
 * are in outside-pairs.jsonl, made by outside-pairs.py.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { cohensKappa, equivalence, mean, wilcoxonSignedRank } from '../../src/stats/index.ts';

const numbers = z.array(z.number());
const wilcoxonLine = z.object({
  ...{ differences: numbers, exact: numbers.nullable(), normal: numbers.nullable() },
  corrected: numbers.optional(),
});
const equivalenceLine = z.object({
  ...{ differences: numbers, margin: z.number(), lower: z.number().nullable() },
  ...{ upper: z.number().optional(), interval: numbers.optional(), interval95: numbers.optional() },
});
const kappaLine = z.object({ first: numbers, second: numbers, plain: z.number().nullable() });
const lines = readFileSync(new URL('outside-pairs.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line): unknown => JSON.parse(line));
const linesOf = <T>(name: string, shape: z.ZodType<T>) =>
  z.array(shape).parse(lines.filter((line) => z.object({ test: z.string() }).parse(line).test === name));
const fixtures = {
  wilcoxon: linesOf('wilcoxon', wilcoxonLine),
  equivalence: linesOf('equivalence', equivalenceLine),
  kappa: linesOf('kappa', kappaLine),
};

const EXACT = 1e-9;
const APPROXIMATE = 1e-6;
const SIDES = ['two-sided', 'greater', 'less'] as const;

/** Small p-values by their ratio as well: 1e-12 for 1e-10 would be no agreement. */
function expectNear(got: number, wanted: number, within: number): void {
  expect(Math.abs(got - wanted)).toBeLessThanOrEqual(within);
  if (Math.abs(wanted) > 1e-300) expect(Math.abs(got / wanted - 1)).toBeLessThanOrEqual(1000 * within);
}

test("Wilcoxon's signed-rank test", () => {
  let exactly = 0;
  for (const { differences, exact, normal, corrected } of fixtures.wilcoxon)
    for (const [at, alternative] of SIDES.entries()) {
      const p = (options: object) => {
        const got = wilcoxonSignedRank(differences, { alternative, ...options });
        return got.value === null ? null : got.p;
      };
      if (normal === null) {
        expect(p({})).toBeNull();
        continue;
      }
      expectNear(p({ method: 'normal' }) ?? Number.NaN, normal[at] ?? Number.NaN, APPROXIMATE);
      const halved = p({ method: 'normal', continuity: true });
      expectNear(halved ?? Number.NaN, corrected?.[at] ?? Number.NaN, APPROXIMATE);
      const moved = differences.filter((difference) => difference !== 0).length;
      if (moved > 50) expect(p({ method: 'exact' })).toBeNull();
      if (exact !== null) {
        exactly++;
        expectNear(p({ method: 'exact' }) ?? Number.NaN, exact[at] ?? Number.NaN, EXACT);
        expect(p({})).toBe(p({ method: 'exact' }));
      }
    }
  expect(fixtures.wilcoxon).toHaveLength(200);
  expect(exactly).toBe(249);
});

test('two one-sided t-tests, and the interval of a mean', () => {
  for (const { differences, margin, lower, upper, interval, interval95 } of fixtures.equivalence) {
    const got = equivalence(differences, margin);
    if (lower === null) {
      expect(got.value).toBeNull();
      continue;
    }
    if (got.value === null) throw new Error(got.reason);
    expectNear(got.pLower, lower, EXACT);
    expectNear(got.pUpper, upper ?? Number.NaN, EXACT);
    expect(got.interval.low).toBeCloseTo(interval?.[0] ?? Number.NaN, 9);
    expect(got.interval.high).toBeCloseTo(interval?.[1] ?? Number.NaN, 9);
    const sum = differences.reduce((a, b) => a + b, 0);
    const squares = differences.reduce((a, b) => a + b * b, 0);
    const of = mean({ n: differences.length, sum, squares });
    if (of.value === null) throw new Error(of.reason);
    expect(of.interval?.low).toBeCloseTo(interval95?.[0] ?? Number.NaN, 9);
    expect(of.interval?.high).toBeCloseTo(interval95?.[1] ?? Number.NaN, 9);
  }
  expect(fixtures.equivalence).toHaveLength(200);
});

test("Cohen's kappa", () => {
  for (const { first, second, plain } of fixtures.kappa) {
    const got = cohensKappa(first, second);
    if (plain === null) expect(got.value).toBeNull();
    else expect(got.value ?? Number.NaN).toBeCloseTo(plain, 9);
  }
  expect(fixtures.kappa).toHaveLength(200);
});
