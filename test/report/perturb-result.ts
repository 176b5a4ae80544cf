/** An audit of perturbations as its command writes it, of a judge that follows hostile reviews. */

import type { JudgmentRecord } from '../../src/audit/perturb/ask-judgments.ts';
import {
  comparePairs,
  countDecisions,
  describeEffect,
  describeFairness,
  describePerturbVerdicts,
} from '../../src/audit/perturb/perturb-report.ts';
import { createPerturbTally } from '../../src/audit/perturb/perturb-tally.ts';
import { PERTURBATIONS } from '../../src/bias/review/index.ts';

export const HOSTILE = '<script>alert(1)</script>';

const record = (at: number, perturbation: string | null, overall: number): JudgmentRecord => ({
  ...{ submission: `s${at}`, judge: HOSTILE, role: 'meta-reviewer', mode: 'none', perturbation, text: '' },
  scores: {
    ...{ contribution: null, soundness: null, presentation: null, overall },
    decision: overall < 6 ? 'reject' : 'poster',
  },
  ...{ unread: null, error: null },
});

/** @param moved by how much every other overall score rises, from 5 */
export function audited(count: number, moved: number) {
  const tally = createPerturbTally(6);
  for (let at = 0; at < count; at++) {
    tally.add(record(at, null, 5));
    tally.add(record(at, 'review-tone', 5 + (at % 2) * moved));
  }
  const pairs = tally.finish();
  const comparisons = comparePairs(pairs, PERTURBATIONS).map((one) => ({
    ...{ ...one, arrow: describeEffect(one, 'hostile reviews'), fairness: describeFairness(one) },
  }));
  const decided = countDecisions(pairs);
  return JSON.parse(
    JSON.stringify({
      ...{ audit: 'perturb', threshold: 6, margins: { dimension: 0.5, overall: 1 }, seed: 1 },
      perturbations: {
        'review-tone': { made: count, dropped: { 'there are no reviews': 2 }, refused: { 'too long': 3 } },
      },
      ...{
        unfit: { 'meta-reviewer': { 'a review is in another language': 1 } },
        judgments: 2 * count,
        unread: {},
        failed: 0,
      },
      ...{ comparisons, decided, verdicts: describePerturbVerdicts(comparisons, decided, PERTURBATIONS) },
    }),
  );
}
