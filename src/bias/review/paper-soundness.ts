/** A paper that cannot be checked: details of method and validation out. */
import { runEditPlan } from './edit.ts';
import { findPaperStretches } from './submission-parts.ts';
import type { Perturbation } from './types.ts';

export const paperSoundness: Perturbation = {
  name: 'paper-soundness',
  part: 'paper',
  aspect: 'soundness',
  definition: 'The paper no longer says how its method works in detail and how its results were validated.',
  expectation: 'decrease',
  called: 'papers without details of method and validation',
  by: 'model',

  async perturb(submission, tools) {
    const stretches = findPaperStretches(submission, 'soundness');
    if ('dropped' in stretches) return stretches;
    const keep = { size: [0.15, 1.1], citations: 'some', numbers: 'some' } as const;
    return runEditPlan({ task: 'soundness', part: 'paper', keep, stretches }, tools);
  },
};
