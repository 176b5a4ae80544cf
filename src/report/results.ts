/** The results that a report is made of, each known by its shape: what the commands write with `--json`. */
import type * as z from 'zod';
import { authorshipSchema, authorsSchema, cueAuditSchema, perturbSchema } from './results/audit-results.ts';
import { distilSchema, ratesSchema } from './results/dataset-results.ts';
import { detectorsSchema } from './results/detector-results.ts';
import { armsSchema, calibrationResultSchema, recordedSchema } from './results/judge-results.ts';

export type {
  AuthorshipResult,
  AuthorsResult,
  CueAuditResult,
  PerturbResult,
} from './results/audit-results.ts';
export type { DistilResult, RatesResult } from './results/dataset-results.ts';
export type { DetectorResultFigures, DetectorsResult } from './results/detector-results.ts';
export type { ArmResult, CalibrationResult, RecordedJudge } from './results/judge-results.ts';
export type { ByItem, FigureResult } from './results/shapes.ts';

const SHAPES = {
  authors: authorsSchema,
  authorship: authorshipSchema,
  cues: cueAuditSchema,
  perturb: perturbSchema,
  arms: armsSchema,
  calibration: calibrationResultSchema,
  rates: ratesSchema,
  distilled: distilSchema,
  detectors: detectorsSchema,
  recorded: recordedSchema,
} as const;

export type ReportResult = {
  [Kind in keyof typeof SHAPES]: { readonly kind: Kind; readonly value: z.output<(typeof SHAPES)[Kind]> };
}[keyof typeof SHAPES];

/** @returns null for what is no result of any kind; an empty map could be two kinds and is none */
export function recogniseResult(value: unknown): ReportResult | null {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return null;
  for (const kind of Object.keys(SHAPES) as (keyof typeof SHAPES)[]) {
    const parsed = SHAPES[kind].safeParse(value);
    if (parsed.success) return { kind, value: parsed.data } as ReportResult;
  }
  return null;
}
