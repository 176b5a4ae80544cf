/** What an audit of author metadata comes to, as `result.json` holds it. */
import { type AuthorFinding, conclude } from './conclude.ts';
import { type Coverage, coverageOf } from './coverage.ts';
import type { AuthorData } from './data.ts';
import type { DimensionTally } from './tally.ts';
import { verdicts } from './words.ts';

export interface AuthorReport {
  readonly audit: 'authors';
  readonly threshold: number;
  readonly margin: number;
  readonly seed: number;
  readonly findings: readonly AuthorFinding[];
  readonly verdicts: ReturnType<typeof verdicts>;
  readonly soft: readonly Coverage[];
}

/** @param asked threshold and margin in points of the scale from 1 to 10 */
export function authorReport(
  tallies: readonly DimensionTally[],
  data: AuthorData,
  asked: Pick<AuthorReport, 'threshold' | 'margin' | 'seed'>,
): AuthorReport {
  const { threshold, margin, seed } = asked;
  const findings = conclude(tallies, data, { margin });
  return {
    ...{ audit: 'authors', threshold, margin, seed, findings, verdicts: verdicts(findings, margin) },
    soft: coverageOf(tallies),
  };
}
