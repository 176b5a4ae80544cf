/** The results that a report is made of, each known by its shape: what the commands write with `--json`. */
import type * as z from 'zod';
import { authors, cueAudit } from './results/audits.ts';
import { authorship } from './results/authorship.ts';
import { distilled, rates } from './results/dataset.ts';
import { detectors } from './results/detectors.ts';
import { arms, calibration, recorded } from './results/judges.ts';
import { perturb } from './results/perturb.ts';

export type { AuthorsResult, CueAudit } from './results/audits.ts';
export type { AuthorshipResult } from './results/authorship.ts';
export type { Distilled, RatesResult } from './results/dataset.ts';
export type { Detectors, Figures } from './results/detectors.ts';
export type { ArmResult, CalibrationResult, RecordedJudge } from './results/judges.ts';
export type { PerturbResult } from './results/perturb.ts';
export type { ByItem, Known, Share } from './results/shapes.ts';

const SHAPES = {
  authors,
  authorship,
  cues: cueAudit,
  perturb,
  arms,
  calibration,
  rates,
  distilled,
  detectors,
  recorded,
} as const;

export type Result = {
  [Kind in keyof typeof SHAPES]: { readonly kind: Kind; readonly value: z.output<(typeof SHAPES)[Kind]> };
}[keyof typeof SHAPES];

/** @returns null for what is no result of any kind; an empty map could be two kinds and is none */
export function recognise(value: unknown): Result | null {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return null;
  for (const kind of Object.keys(SHAPES) as (keyof typeof SHAPES)[]) {
    const parsed = SHAPES[kind].safeParse(value);
    if (parsed.success) return { kind, value: parsed.data } as Result;
  }
  return null;
}
