/** What labels say of each judge's confidence: the probability that it stands for, and the threshold that keeps a promise. */

import { combineDraws, creditOf } from '../../loop/index.ts';
import { type CalibratedConfidence, calibrateConfidence } from './calibrate-confidence.ts';
import type { JudgedItem } from './past-judgment.ts';
import { type PromiseResult, promiseRisk } from './promise-risk.ts';
import type { ScoredItem } from './risk-coverage.ts';

export interface JudgeConfidence {
  readonly labels: number;
  /** Null with the reason in `uncalibrated` where there are too few labels. */
  readonly calibration: CalibratedConfidence | null;
  readonly uncalibrated: string | null;
  /** Absent where no risk was asked for. */
  readonly promise?: PromiseResult & { readonly risk: number; readonly confidence: number };
}

export interface RiskTarget {
  /** Share of errors among the answered, in (0, 1). */
  readonly risk: number;
  /** With which the risk is kept, in (0, 1). */
  readonly confidence: number;
}

/** @param target null where no threshold is asked for */
export function calibrateRecords(
  judges: ReadonlyMap<string, readonly JudgedItem[]>,
  target: RiskTarget | null,
  seed: number,
): Record<string, JudgeConfidence> {
  return Object.fromEntries(
    [...judges].map(([name, items]): [string, JudgeConfidence] => {
      const scored = scoreItems(items);
      const calibrated = calibrateConfidence(scored, seed);
      const isRefused = typeof calibrated === 'string';
      return [
        name,
        {
          labels: scored.length,
          calibration: isRefused ? null : calibrated,
          uncalibrated: isRefused ? calibrated : null,
          ...(target && {
            promise: { ...promiseRisk(scored, target.risk, target.confidence), ...target },
          }),
        },
      ];
    }),
  );
}

/** The items with a verdict and a label. */
export function scoreItems(items: readonly JudgedItem[]): ScoredItem[] {
  return items.flatMap(({ draws, label }) => {
    const verdict = combineDraws(draws);
    return verdict && label !== null
      ? [{ confidence: verdict.confidence, credit: creditOf(verdict, label) }]
      : [];
  });
}
