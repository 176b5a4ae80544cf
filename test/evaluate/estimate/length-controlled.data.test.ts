/** Published win rates of AlpacaEval 2, plain and length-controlled. Skipped where `../shared/data` is missing. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  baselineInstruction,
  baselineVerdict,
  controlLength,
} from '../../../src/evaluate/estimate/length-controlled.ts';
import { hasSharedData, readJsonl, SHARED } from '../../shared-data.ts';

/** `PYTHON` names an interpreter that has numpy and scipy, where `python3` has not. */
const python = process.env.PYTHON ?? 'python3';
const hasScipy = spawnSync(python, ['-c', 'import numpy, scipy']).status === 0;
const recomputed = z.record(z.string(), z.tuple([z.number(), z.number()]));

const published = z.record(
  z.string(),
  z.looseObject({ win_rate: z.number(), length_controlled_winrate: z.number() }),
);
const expected = z.looseObject({
  by_model: z.record(
    z.string(),
    z.looseObject({ lc: z.number().nullish(), weights: z.array(z.number()).nullish() }),
  ),
});
const parse = <T>(name: string, schema: z.ZodType<T>) =>
  schema.parse(JSON.parse(readFileSync(fileURLToPath(new URL(`alpaca-eval/${name}`, SHARED)), 'utf8')));

describe.skipIf(!hasSharedData)('AlpacaEval 2 (needs ../shared/data)', () => {
  const read = () =>
    controlLength(
      readJsonl('alpaca-eval/verdicts.dev.jsonl', baselineVerdict),
      readJsonl('alpaca-eval/instructions.jsonl', baselineInstruction),
    );

  test('win rates are the published ones, to .01 points; length-controlled ones to .1 for nearly all', () => {
    const known = parse('published.json', published);
    const errors: number[] = [];
    for (const { model, win_rate, controlled } of read()) {
      const one = known[model];
      if (!one) continue;
      expect(Math.abs(win_rate - one.win_rate), model).toBeLessThan(0.01);
      errors.push(Math.abs((controlled ?? Number.NaN) - one.length_controlled_winrate));
    }
    expect(errors).toHaveLength(24);
    // The source takes the difficulties from a data set that is not at hand; here they were estimated from published rates.
    expect(errors.filter((error) => error > 0.1).length).toBeLessThanOrEqual(3);
    expect(Math.max(...errors)).toBeLessThan(0.25);
    expect(errors.reduce((sum, one) => sum + one, 0) / errors.length).toBeLessThan(0.06);
  });

  test.skipIf(!hasScipy)(
    'numpy and scipy say the same of the same files, to .001 (skipped without them; PYTHON names an interpreter)',
    () => {
      const script = fileURLToPath(new URL('length_controlled.py', import.meta.url));
      const folder = fileURLToPath(new URL('alpaca-eval', SHARED));
      const theirs = recomputed.parse(
        JSON.parse(execFileSync(python, [script, folder], { encoding: 'utf8' })),
      );
      const ours = read();
      expect(Object.keys(theirs).toSorted()).toEqual(ours.map(({ model }) => model).toSorted());
      for (const { model, win_rate, controlled } of ours) {
        const [plain = Number.NaN, alike = Number.NaN] = theirs[model] ?? [];
        expect(win_rate).toBeCloseTo(plain, 6);
        expect(Math.abs((controlled ?? Number.NaN) - alike), model).toBeLessThan(0.001);
      }
    },
  );

  test('and those of an independent computation on the same files, to .001', () => {
    const { by_model: known } = parse('expected.json', expected);
    for (const { model, controlled, weights } of read()) {
      // One has no published row.
      if (typeof known[model]?.lc !== 'number') continue;
      expect(Math.abs((controlled ?? Number.NaN) - (known[model]?.lc ?? Number.NaN)), model).toBeLessThan(
        0.001,
      );
      for (const [n, weight] of (weights ?? []).entries())
        expect(Math.abs(weight - (known[model]?.weights?.[n] ?? Number.NaN)), model).toBeLessThan(0.0002);
    }
  });
});
