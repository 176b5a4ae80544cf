/** What an audit of perturbations comes to, as `result.json` holds it. */
import type { Perturbation } from '../../bias/index.ts';
import {
  type Comparison,
  comparePairs,
  countDecisions,
  type DecisionTransitions,
  type Margins,
} from './compare-pairs.ts';
import type { PerturbCounts } from './counts.ts';
import { describeEffect, describeFairness, describePerturbVerdicts } from './describe-perturb.ts';
import type { PairTally } from './perturb-tally.ts';

type Counted = ReturnType<PerturbCounts['result']>;

export interface PerturbReport extends Counted {
  readonly audit: 'perturb';
  readonly threshold: number;
  readonly margins: Margins;
  readonly seed: number;
  readonly comparisons: readonly (Comparison & {
    readonly arrow: string;
    readonly fairness: ReturnType<typeof describeFairness>;
  })[];
  readonly decided: readonly DecisionTransitions[];
  readonly verdicts: ReturnType<typeof describePerturbVerdicts>;
}

/** @param asked threshold and margins in points */
export function createPerturbReport(
  pairs: readonly PairTally[],
  counted: Counted,
  perturbations: readonly Perturbation[],
  asked: Pick<PerturbReport, 'threshold' | 'margins' | 'seed'>,
): PerturbReport {
  const { threshold, margins, seed } = asked;
  const decided = countDecisions(pairs);
  const called = (perturbation: string) =>
    perturbations.find(({ name }) => name === perturbation)?.called ?? perturbation;
  const comparisons = comparePairs(pairs, perturbations, margins).map((one) => ({
    ...one,
    arrow: describeEffect(one, called(one.perturbation)),
    fairness: describeFairness(one),
  }));
  return {
    ...{ audit: 'perturb', threshold, margins, seed, ...counted },
    ...{ comparisons, decided, verdicts: describePerturbVerdicts(comparisons, decided, perturbations) },
  };
}
