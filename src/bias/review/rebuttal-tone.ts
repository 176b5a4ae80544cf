/** Dismissive rebuttals: the same arguments, said with condescension. */
import { runEditPlan } from './edit.ts';
import { findRebuttalStretches } from './submission-parts.ts';
import type { Perturbation } from './types.ts';

export const rebuttalTone: Perturbation = {
  name: 'rebuttal-tone',
  part: 'rebuttal',
  aspect: 'tone',
  definition: 'The rebuttals make the same arguments in a dismissive tone.',
  expectation: 'invariant',
  called: 'dismissive rebuttals',
  by: 'model',

  async perturb(submission, tools) {
    const stretches = findRebuttalStretches(submission);
    if ('dropped' in stretches) return stretches;
    const keep = { size: [0.6, 2], citations: 'all', numbers: 'all' } as const;
    return runEditPlan({ task: 'dismissive', part: 'rebuttal', keep, stretches }, tools);
  },
};
