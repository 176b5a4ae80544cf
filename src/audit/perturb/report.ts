/** What an audit of perturbations comes to, as `result.json` holds it. */
import type { Perturbation } from '../../bias/review/index.ts';
import { type Comparison, compare, type Decided, decide, type Margins } from './conclude.ts';
import type { PerturbCounts } from './counts.ts';
import type { PairTally } from './tally.ts';
import { arrow, fairness, perturbVerdicts } from './words.ts';

type Counted = ReturnType<PerturbCounts['result']>;

export interface PerturbReport extends Counted {
  readonly audit: 'perturb';
  readonly threshold: number;
  readonly margins: Margins;
  readonly seed: number;
  readonly comparisons: readonly (Comparison & {
    readonly arrow: string;
    readonly fairness: ReturnType<typeof fairness>;
  })[];
  readonly decided: readonly Decided[];
  readonly verdicts: ReturnType<typeof perturbVerdicts>;
}

/** @param asked threshold and margins in points */
export function perturbReport(
  pairs: readonly PairTally[],
  counted: Counted,
  perturbations: readonly Perturbation[],
  asked: Pick<PerturbReport, 'threshold' | 'margins' | 'seed'>,
): PerturbReport {
  const { threshold, margins, seed } = asked;
  const decided = decide(pairs);
  const called = (perturbation: string) =>
    perturbations.find(({ name }) => name === perturbation)?.called ?? perturbation;
  const comparisons = compare(pairs, perturbations, margins).map((one) => ({
    ...one,
    arrow: arrow(one, called(one.perturbation)),
    fairness: fairness(one),
  }));
  return {
    ...{ audit: 'perturb', threshold, margins, seed, ...counted },
    ...{ comparisons, decided, verdicts: perturbVerdicts(comparisons, decided, perturbations) },
  };
}
