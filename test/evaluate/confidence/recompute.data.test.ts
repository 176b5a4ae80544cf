/** The figures of past judgments against a recomputation in another language (`recompute.py`, which needs numpy). */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { evaluateRecords } from '../../../src/evaluate/confidence/evaluate-records.ts';
import { groupJudgments, type PastJudgment } from '../../../src/evaluate/confidence/past-judgment.ts';
import { hasSharedData } from '../../shared-data.ts';
import { arenaRecords, autoJRecords, composoRecords, llmbarRecords } from './records.ts';

/** `PYTHON` names an interpreter that has numpy, where `python3` has not. */
const python = process.env.PYTHON ?? 'python3';
const hasNumpy = spawnSync(python, ['-c', 'import numpy']).status === 0;

const Figures = z.object({
  judges: z.record(
    z.string(),
    z.object({
      n: z.number(),
      accuracy: z.number(),
      risk: z.record(z.string(), z.number()),
      samples: z.record(z.string(), z.tuple([z.number(), z.number()])),
    }),
  ),
  cascades: z.record(z.string(), z.object({ accuracy: z.number(), calls: z.number() })),
});

const SETS: readonly (readonly [string, () => PastJudgment[]])[] = [
  ['composo', () => composoRecords(['mini/base', 'full/base', 'full/criteria', 'haiku-4.5/base'])],
  ['arena500', arenaRecords],
  ['auto-j', autoJRecords],
  ['llmbar', llmbarRecords],
];

test.skipIf(!hasSharedData || !hasNumpy).each(SETS)(
  '%s: risk, samples and cascades as numpy has them (skipped without the recorded verdicts or numpy)',
  (_, read) => {
    const records = read();
    const folder = mkdtempSync(join(tmpdir(), 'remand-recompute-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'records.jsonl');
    writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    const script = fileURLToPath(new URL('recompute.py', import.meta.url));
    const theirs = Figures.parse(JSON.parse(execFileSync(python, [script, path], { encoding: 'utf8' })));
    const ours = evaluateRecords(groupJudgments(records));
    expect(Object.keys(theirs.judges).toSorted()).toEqual(Object.keys(ours.judges).toSorted());
    for (const [name, { n, accuracy, risk, samples }] of Object.entries(theirs.judges)) {
      const judge = ours.judges[name];
      expect(judge?.n).toBe(n);
      expect(judge?.accuracy).toBeCloseTo(accuracy, 9);
      for (const [share, one] of Object.entries(risk)) expect(judge?.coverage[share]).toBeCloseTo(one, 9);
      for (const [count, [right, drawn]] of Object.entries(samples)) {
        expect(judge?.samples[count]).toBeCloseTo(right, 9);
        expect(judge?.samples_drawn[count]).toBeCloseTo(drawn, 9);
      }
    }
    for (const [pair, { accuracy, calls }] of Object.entries(theirs.cascades)) {
      const point = ours.cascades[pair]?.find(({ share }) => share === 0.3);
      expect(point?.accuracy).toBeCloseTo(accuracy, 9);
      expect(point?.calls).toBeCloseTo(calls, 9);
    }
  },
);
