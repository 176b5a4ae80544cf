/** What an audit of author metadata comes to, as `result.json` holds it. */

import type { DimensionTally } from './author-tally.ts';
import { type AuthorFinding, concludeAuthors } from './conclude-authors.ts';
import { type Coverage, computeCoverage } from './coverage.ts';
import type { AuthorData } from './data.ts';
import { describeAuthorFindings } from './describe-authors.ts';

export interface AuthorReport {
  readonly audit: 'authors';
  readonly threshold: number;
  readonly margin: number;
  readonly seed: number;
  readonly findings: readonly AuthorFinding[];
  readonly verdicts: ReturnType<typeof describeAuthorFindings>;
  readonly soft: readonly Coverage[];
}

/** @param asked threshold and margin in points of the scale from 1 to 10 */
export function createAuthorReport(
  tallies: readonly DimensionTally[],
  data: AuthorData,
  asked: Pick<AuthorReport, 'threshold' | 'margin' | 'seed'>,
): AuthorReport {
  const { threshold, margin, seed } = asked;
  const findings = concludeAuthors(tallies, data, { margin });
  return {
    ...{
      audit: 'authors',
      threshold,
      margin,
      seed,
      findings,
      verdicts: describeAuthorFindings(findings, margin),
    },
    soft: computeCoverage(tallies),
  };
}
