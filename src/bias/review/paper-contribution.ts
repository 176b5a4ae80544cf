/** A paper that claims more novelty than it has: overclaims in, citations of close work out. */
import { runEditPlan } from './edit.ts';
import { findPaperStretches } from './submission-parts.ts';
import type { Perturbation } from './types.ts';

export const paperContribution: Perturbation = {
  name: 'paper-contribution',
  part: 'paper',
  aspect: 'contribution',
  definition: 'The paper claims novelty that it does not have, and no longer cites the work closest to it.',
  expectation: 'decrease',
  called: 'overclaiming papers',
  by: 'model',

  async perturb(submission, tools) {
    const stretches = findPaperStretches(submission, 'contribution');
    if ('dropped' in stretches) return stretches;
    const keep = { size: [0.5, 1.7], citations: 'some', numbers: 'some' } as const;
    return runEditPlan({ task: 'contribution', part: 'paper', keep, stretches }, tools);
  },
};
